// Operations per second against operations per byte.

const roofline = (() => {
  const place = byId("roofline");
  const { peaks, arrays } = profile.machine;
  const plot = { left: 74, right: 16, top: 14, bottom: 40, height: 400 };

  // Ceilings of a cluster. For resources of each array they are the sum over its arrays.
  const memories = [
    { name: "AM", rate: peaks.am * arrays },
    { name: "GSM", rate: peaks.gsm },
    { name: "DDR", rate: peaks.ddr },
  ].filter(({ rate: bandwidth }) => bandwidth > 0);
  const units = [
    { name: "single precision", rate: peaks.single * arrays },
    { name: "double precision", rate: peaks.double * arrays },
  ].filter(({ rate: peak }) => peak > 0);

  const points = [];
  const few = profile.kernels.length <= 12;
  const radius = profile.kernels.length <= 40 ? 5 : 3.5;
  profile.kernels.forEach((kernel, number) => {
    const { single, double, scalar } = kernel.flops;
    const flops = single.total + double.total + scalar;
    if (flops === 0 || kernel.time_ns === 0) return;
    const achieved = (flops * 1e9) / kernel.time_ns;
    const add = (kind, moved) => {
      if (moved > 0) points.push({ number, kernel, kind, intensity: flops / moved, achieved });
    };
    add("ddr", kernel.bandwidth.ddr.total);
    add("am", kernel.bandwidth.scratchpad.total);
  });

  // Labels overlap neither one another nor points. Kernels that take longest choose first.
  const labels = (drawing, placed, width) => {
    const taken = placed.map(({ cx, cy }) => ({ left: cx - 5, right: cx + 5, top: cy - 5, bottom: cy + 5 }));
    const overlaps = (box) => taken.some((other) =>
      box.left < other.right && other.left < box.right && box.top < other.bottom && other.top < box.bottom);
    const named = new Set();
    for (const { point, cx, cy } of placed) {
      if (named.has(point.number) || named.size >= (few ? 12 : 8)) continue;
      const text = fitted(point.kernel.name, 150);
      const length = textWidth(text);
      const around = [
        [cx + 9, cy + 4], [cx - 9 - length, cy + 4], [cx - length / 2, cy - 10], [cx - length / 2, cy + 19],
      ];
      const box = ([left, base]) => ({ left: left - 4, right: left + length + 4, top: base - 11, bottom: base + 4 });
      const free = around.find((candidate) => {
        const { left, right, top, bottom } = box(candidate);
        return left >= plot.left && right <= width - plot.right + 4 && top >= plot.top
          && bottom <= plot.height - plot.bottom && !overlaps(box(candidate));
      });
      if (!free) continue;
      named.add(point.number);
      taken.push(box(free));
      drawing.append(svg("text", { class: "halo", x: free[0], y: free[1] }, text));
    }
  };

  const draw = () => {
    const width = Math.max(place.clientWidth, 280);
    const peak = Math.max(1, ...units.map((unit) => unit.rate), ...points.map((point) => point.achieved));
    const ridges = memories.flatMap((memory) => units.map((unit) => unit.rate / memory.rate));
    const xs = [...ridges, ...points.map((point) => point.intensity)];
    const decade = (number, round) => round(Math.log10(number));
    const xFrom = Math.min(-2, ...xs.map((intensity) => decade(intensity / 1.5, Math.floor)));
    const xTo = Math.max(2, ...xs.map((intensity) => decade(intensity * 1.5, Math.ceil)));
    const yTo = decade(peak * 1.3, Math.ceil);
    const lowest = Math.min(peak / 1e3, ...points.map((point) => point.achieved / 1.5));
    const yFrom = Math.min(yTo - 3, decade(lowest, Math.floor));
    const area = { width: width - plot.left - plot.right, height: plot.height - plot.top - plot.bottom };
    const x = (intensity) => plot.left + ((Math.log10(intensity) - xFrom) / (xTo - xFrom)) * area.width;
    const y = (achieved) => plot.top + ((yTo - Math.log10(achieved)) / (yTo - yFrom)) * area.height;

    const drawing = svg("svg", { width, height: plot.height, role: "img", "aria-label": "roofline" });
    drawing.append(svg("rect", {
      id: "roofline-area", x: plot.left, y: plot.top, width: area.width, height: area.height, fill: "none",
    }));
    const every = Math.ceil((xTo - xFrom) / Math.max(2, area.width / 70));
    for (let power = xFrom; power <= xTo; power += every) {
      const at = x(10 ** power);
      drawing.append(
        svg("line", { class: "grid", x1: at, x2: at, y1: plot.top, y2: plot.top + area.height }),
        svg("text", { class: "muted", x: at, y: plot.top + area.height + 16, "text-anchor": "middle" },
          power >= 0 ? count(10 ** power).replace(/\.0+/, "") : power > -4 ? (10 ** power).toFixed(-power) : `1e${power}`));
    }
    for (let power = yFrom; power <= yTo; power += 1) {
      const at = y(10 ** power);
      drawing.append(
        svg("line", { class: "grid", x1: plot.left, x2: width - plot.right, y1: at, y2: at }),
        svg("text", { class: "muted", x: plot.left - 8, y: at + 4, "text-anchor": "end" },
          rate(10 ** power, "").replace(/\.0+/, "").trim()));
    }
    drawing.append(
      svg("text", { class: "muted", x: plot.left + area.width / 2, y: plot.height - 6, "text-anchor": "middle" },
        "floating-point operations per byte"),
      svg("text", { class: "muted", transform: `translate(14 ${plot.top + area.height / 2}) rotate(-90)`, "text-anchor": "middle" },
        "FLOP/s"));

    const top = Math.max(1, ...units.map((unit) => unit.rate));
    for (const memory of memories) {
      const from = Math.max(10 ** xFrom, 10 ** yFrom / memory.rate);
      const to = Math.min(top / memory.rate, 10 ** xTo);
      const [x1, y1, x2, y2] = [x(from), y(from * memory.rate), x(to), y(to * memory.rate)];
      drawing.append(svg("line", { class: "ceiling", "data-memory": memory.name, x1, y1, x2, y2 }));
      // Next to the line, away from the points near its upper end.
      const along = 0.3;
      const angle = (Math.atan2(y2 - y1, x2 - x1) * 180) / Math.PI;
      const [lx, ly] = [x1 + (x2 - x1) * along, y1 + (y2 - y1) * along];
      drawing.append(svg("text", {
        class: "halo muted", transform: `translate(${lx.toFixed(1)} ${ly.toFixed(1)}) rotate(${angle.toFixed(2)}) translate(0 -5)`,
      }, `${memory.name} ${rate(memory.rate, "B/s")}`));
    }
    const fastest = Math.max(1, ...memories.map((memory) => memory.rate));
    for (const unit of units) {
      // Below its line if the label would overlap the next one above.
      const close = units.some((other) => other.rate > unit.rate && y(unit.rate) - y(other.rate) < 19);
      const from = Math.max(unit.rate / fastest, 10 ** xFrom);
      drawing.append(
        svg("line", { class: "ceiling", x1: x(from), x2: width - plot.right, y1: y(unit.rate), y2: y(unit.rate) }),
        svg("text", { class: "halo muted", x: width - plot.right - 2, y: y(unit.rate) + (close ? 14 : -5), "text-anchor": "end" },
          `${unit.name} ${rate(unit.rate, "FLOP/s")}`));
    }

    const placed = points.map((point) => ({ point, cx: x(point.intensity), cy: y(point.achieved) }));
    // The two points of a kernel have the same height.
    placed.forEach(({ point, cx, cy }, number) => {
      const next = placed[number + 1];
      const shown = few || point.number === choice.kernel;
      if (shown && next?.point.number === point.number) {
        drawing.append(svg("line", { class: "pair", x1: cx, x2: next.cx, y1: cy, y2: cy }));
      }
    });
    for (const { point, cx, cy } of [...placed].reverse()) {
      const chosen = point.number === choice.kernel ? " chosen" : "";
      const r = chosen ? 5 : radius;
      const shared = { class: `point ${point.kind}${chosen}`, "data-kernel": label(point.kernel), "data-x": cx.toFixed(1), "data-y": cy.toFixed(1) };
      const made = point.kind === "ddr"
        ? svg("circle", { ...shared, cx, cy, r })
        : svg("path", { ...shared, d: `M${cx} ${cy - r} L${cx + r} ${cy} L${cx} ${cy + r} L${cx - r} ${cy} Z` });
      const where = point.kind === "ddr" ? "DDR" : "SM and AM";
      note(made, `${label(point.kernel)}\n${rate(point.achieved, "FLOP/s")}, ${three(point.intensity)} a byte of ${where}`);
      made.addEventListener("click", () => choice.choose(point.number));
      drawing.append(made);
    }
    labels(drawing, placed, width);
    place.replaceChildren(drawing);
  };

  const without = profile.kernels.length - new Set(points.map((point) => point.number)).size;
  byId("roofline-note").textContent = without === 0 ? ""
    : `Not in it: ${without} kernel${without === 1 ? "" : "s"} without floating-point operations or time.`;
  choice.listeners.push(draw);
  return { draw };
})();
