// The details of one kernel: figures, arrays, source lines.

const details = (() => {
  const drawBalance = (kernel) => {
    const place = byId("balance");
    const arrays = kernel.per_array;
    const width = Math.max(place.clientWidth, 280);
    const [left, top, height] = [44, 8, 150];
    const columns = Math.max(arrays.length, 1);
    const column = Math.min((width - left) / columns, 44);
    const several = new Set(arrays.map((array) => array.device)).size > 1;
    const drawing = svg("svg", { width, height: height + top + (several ? 50 : 34), role: "img", "aria-label": "cycles of each array" });
    for (const part of [0, 50, 100]) {
      const y = top + height - (part / 100) * height;
      drawing.append(
        svg("line", { class: "grid", x1: left, x2: left + column * columns, y1: y, y2: y }),
        svg("text", { class: "muted", x: left - 6, y: y + 4, "text-anchor": "end" }, `${part} %`));
    }
    const gap = column > 6 ? 2 : column > 3 ? 1 : 0;
    arrays.forEach((array, number) => {
      let base = top + height;
      const x = left + number * column;
      for (const { key, name } of activities) {
        const share = array.shares[key];
        if (share <= 0) continue;
        const high = (share / 100) * height;
        base -= high;
        const piece = svg("rect", {
          class: `balance ${key}`, x: (x + gap / 2).toFixed(2), y: base.toFixed(2), width: Math.max(column - gap, 0.5).toFixed(2), height: high.toFixed(2),
        });
        note(piece, `cluster ${array.device}, array ${array.array}\n${name}: ${percent(share)}, ${count(array.cycles[key])} cycles`);
        drawing.append(piece);
      }
      const every = Math.ceil(26 / column);
      if (number % every === 0) {
        drawing.append(svg("text", { class: "muted", x: x + column / 2, y: top + height + 15, "text-anchor": "middle" }, String(array.array)));
      }
    });
    if (several) {
      arrays.forEach((array, number) => {
        if (number > 0 && arrays[number - 1].device === array.device) return;
        const count = arrays.filter(({ device }) => device === array.device).length;
        const text = fitted(`cluster ${array.device}`, count * column - 4);
        drawing.append(svg("text", { x: left + number * column, y: top + height + 31 }, text));
      });
    }
    drawing.append(svg("text", { class: "muted", x: left, y: top + height + (several ? 47 : 31) },
      `array; the busiest has ${kernel.imbalance.toFixed(2)} times the mean's work`));
    place.replaceChildren(drawing);
  };

  const drawLines = (kernel) => {
    const place = byId("lines");
    if (kernel.lines.length === 0) {
      const hint = "The recording has no lines for this kernel: its program came from a binary "
        + "without source. PYOPENCL_NO_CACHE=1 makes PyOpenCL build from source.";
      place.replaceChildren(element("p", { class: "hint" }, hint));
      return;
    }
    const most = Math.max(kernel.lines[0].cycles, 1);
    const bar = (line) => {
      const spent = activities.filter(({ key }) => line.activities[key] > 0);
      const pieces = spent.map(({ key }) =>
        element("i", { class: key, style: `width: ${((line.activities[key] * 100) / most).toFixed(2)}%` }));
      const cell = element("td", { class: "bar" }, ...pieces);
      note(cell, spent.map(({ key, name }) => `${name}: ${count(line.activities[key])} cycles`).join("\n"));
      return cell;
    };
    const rows = kernel.lines.map((line) => element("tr", { class: "line" },
      element("td", { class: "number" }, `${line.file}:${line.line}`),
      element("td", { class: "number" }, count(line.cycles)),
      element("td", { class: "number" }, percent(line.percent)),
      bar(line),
      element("td", { class: "source" }, line.text ?? "")));
    place.replaceChildren(element("table", {}, element("tbody", {}, ...rows)));
  };

  const draw = () => {
    const kernel = profile.kernels[choice.kernel];
    if (!kernel) return;
    byId("kernel").value = String(choice.kernel);
    byId("sentence").textContent = kernel.bound.sentence;
    byId("warnings").replaceChildren(...kernel.exceeded.map(({ sentence }) => element("li", { class: "warning" }, sentence)));
    const { single, double } = kernel.flops;
    const { ddr, gsm, hbsm, scratchpad } = kernel.bandwidth;
    const achieved = (name, { total, per_second, percent: part }, unit) =>
      total > 0 ? [[name, `${rate(per_second, unit)} (${percent(part)})`]] : [];
    figures(byId("kernel-figures"), [
      ["launches", String(kernel.launches)],
      ["simulated time", time(kernel.time_ns)],
      ["cycles", count(kernel.cycles)],
      ["global size", kernel.global_size ? size(kernel.global_size) : "various"],
      ...achieved("single precision", single, "FLOP/s"),
      ...achieved("double precision", double, "FLOP/s"),
      ...achieved("DDR", ddr, "B/s"),
      ...achieved("GSM", gsm, "B/s"),
      ...achieved("HBSM", hbsm, "B/s"),
      ...achieved("SM and AM", scratchpad, "B/s"),
      ...(kernel.dma_transfers ? [["DMA transfers", `${count(kernel.dma_transfers)}, ${bytes(kernel.dma_bytes)}`]] : []),
      ...(kernel.locks ? [["locks taken", count(kernel.locks)]] : []),
      ["local memory", bytes(kernel.local_memory)],
      ["private memory", bytes(kernel.private_memory)],
      ["stack", bytes(kernel.stack)],
      ["code", bytes(kernel.code)],
      ["lanes active", kernel.lanes ? `${(kernel.lanes_active ?? 0).toFixed(1)} of ${kernel.lanes}` : "no lanes"],
    ]);
    drawBalance(kernel);
    drawLines(kernel);
  };

  const list = byId("kernel");
  list.replaceChildren(...profile.kernels.map((kernel, number) => element("option", { value: number }, label(kernel))));
  list.addEventListener("change", () => choice.choose(Number(list.value)));
  choice.listeners.push(draw);
  return { draw };
})();
