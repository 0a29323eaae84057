// A stacked bar for each kernel.

const shares = (() => {
  const place = byId("shares");
  const few = 15;
  let all = false;

  const stack = (row, shares, left, y, width, height, name) => {
    let from = left;
    activities.forEach(({ key, name: activity }) => {
      const share = shares[key];
      if (share <= 0) return;
      const wide = (share / 100) * width;
      const gap = wide > 3 ? 1 : 0;
      const piece = svg("rect", {
        class: `share ${key}`, x: from.toFixed(2), y, width: (wide - gap).toFixed(2), height, "data-percent": share,
      });
      note(piece, `${name}\n${activity}: ${percent(share)}`);
      row.append(piece);
      from += wide;
    });
  };

  // Chooses a kernel by a key. Its bar is drawn anew, and has the focus again.
  const choose = (number) => {
    choice.choose(number);
    place.querySelectorAll(".row")[number].focus();
  };

  const draw = () => {
    const width = Math.max(place.clientWidth, 280);
    const narrow = width < 640;
    const [names, numbers] = narrow ? [0, 110] : [Math.min(280, width * 0.28), 130];
    const [rowHeight, bar] = narrow ? [42, 16] : [26, 18];
    const kernels = all ? profile.kernels : profile.kernels.slice(0, few);
    const sum = profile.kernels.reduce((so_far, kernel) => so_far + kernel.time_ns, 0);
    const drawing = svg("svg", { width, height: kernels.length * rowHeight, role: "group", "aria-label": "kernels" });
    kernels.forEach((kernel, number) => {
      const y = number * rowHeight;
      const about = [`${label(kernel)}: ${kernel.bound.sentence}`, ...kernel.exceeded.map(({ sentence }) => sentence)].join("\n");
      const row = svg("g", {
        class: `row${number === choice.kernel ? " chosen" : ""}`, role: "button", tabindex: 0, "aria-label": about,
        "aria-pressed": number === choice.kernel,
      });
      const middle = y + (narrow ? 13 : 17);
      row.append(
        svg("rect", { x: 0, y, width, height: rowHeight, fill: "transparent" }),
        svg("text", { class: "kernel-name", x: 0, y: middle }, fitted(mark(kernel) + label(kernel), (narrow ? width - numbers : names) - 12, "600 12px system-ui, \"DejaVu Sans\", sans-serif")),
        svg("text", { class: "muted", x: width, y: middle, "text-anchor": "end" },
          `${time(kernel.time_ns)}  ${percent((kernel.time_ns * 100) / Math.max(sum, 1))}`));
      const top = narrow ? y + 19 : y + 4;
      stack(row, kernel.shares, names, top, narrow ? width : width - names - numbers, bar, label(kernel));
      row.append(svg("title", {}, about));
      row.addEventListener("click", () => choice.choose(number));
      row.addEventListener("keydown", (event) => {
        const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
        if (event.key === "Enter" || event.key === " ") choose(number);
        else if (step) place.querySelectorAll(".row")[number + step]?.focus();
        else return;
        event.preventDefault();
      });
      drawing.append(row);
    });
    place.replaceChildren(drawing);
    const button = byId("all-kernels");
    button.hidden = profile.kernels.length <= few;
    button.textContent = all ? `only the ${few} that take longest` : `all ${profile.kernels.length} kernels`;
  };

  byId("all-kernels").addEventListener("click", () => { all = !all; draw(); });
  byId("legend").replaceChildren(...activities.map(({ key, name }) =>
    element("li", {}, element("i", { style: `background: var(--${key})` }), name)));
  choice.listeners.push(draw);
  return { draw, stack };
})();
