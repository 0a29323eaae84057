// Queues and arrays on the time axis.

const timeline = (() => {
  const place = byId("timeline");
  let shown = data.timelines[0];
  let [begin, end] = [shown.begin, shown.end];
  const bar = { command: 20, array: 12, gap: 3, axis: 24 };
  let margin = 0;
  let width = 0;

  const x = (time) => margin + ((time - begin) / (end - begin)) * (width - margin);
  const at = (pixel) => begin + ((pixel - margin) / (width - margin)) * (end - begin);

  // The times of a piece: begin, end, and then activities with their times. The array is idle for the
  // rest.
  const timesOf = (piece) => {
    const times = activities.map(() => 0);
    for (let at = 2; at < piece.length; at += 2) times[piece[at]] += piece[at + 1];
    return times;
  };

  // The height of an activity is its share in the time of the pixels, so that its area is the time
  // that it took. Neighbours that are narrower than a pixel share one. An activity is one path.
  const drawPieces = (row, pieces, y, name) => {
    const paths = activities.map(() => "");
    let pending = null;
    const flush = () => {
      if (!pending) return;
      const { times } = pending;
      const wide = ((pending.right - pending.left) / (width - margin)) * (end - begin);
      // Rounded alike, so that there is no gap between neighbours.
      const [left, right] = [pending.left, pending.right].map((at) => Number(at.toFixed(2)));
      pending = null;
      let base = y + bar.array;
      times.forEach((spent, activity) => {
        if (spent <= 0) return;
        const high = Math.min(bar.array * (spent / wide), base - y);
        base -= high;
        paths[activity] += `M${left} ${base.toFixed(3)}h${(right - left).toFixed(2)}v${high.toFixed(3)}h${(left - right).toFixed(2)}z`;
      });
    };
    for (const piece of pieces) {
      const [from, to] = piece;
      if (to <= begin || from >= end) continue;
      const [left, right] = [x(Math.max(from, begin)), x(Math.min(to, end))];
      const part = (Math.min(to, end) - Math.max(from, begin)) / (to - from);
      if (pending && right - pending.left > 1) flush();
      pending ??= { left, right, times: activities.map(() => 0) };
      pending.right = right;
      timesOf(piece).forEach((spent, activity) => { pending.times[activity] += spent * part; });
    }
    flush();
    row.about = (event) => about(pieces, at(event.offsetX), name);
    paths.forEach((path, activity) => {
      if (path) row.append(svg("path", { class: `piece ${activities[activity].key}`, d: path }));
    });
  };

  // What an array does in the pixel around a time.
  const about = (pieces, now, name) => {
    const half = (end - begin) / (width - margin) / 2;
    const times = activities.map(() => 0);
    for (const piece of pieces) {
      const [from, to] = [Math.max(piece[0], now - half), Math.min(piece[1], now + half)];
      if (from >= to) continue;
      const part = (to - from) / (piece[1] - piece[0]);
      timesOf(piece).forEach((spent, activity) => { times[activity] += spent * part; });
    }
    const spent = times.map((time, activity) => [time / (2 * half), activities[activity].name]).filter(([share]) => share > 0);
    const lines = spent.sort(([one], [other]) => other - one).map(([share, what]) => `${what}: ${percent(100 * share)}`);
    return `${name}, ${moment(now, 2 * half, end)}\n${lines.join("\n") || "idle"}`;
  };

  const drawQueue = (drawing, queue, y) => {
    for (const command of queue.commands) {
      if (command.end < begin || command.begin > end) continue;
      const [left, right] = [x(Math.max(command.begin, begin)), x(Math.min(command.end, end))];
      const top = y + command.row * (bar.command + bar.gap);
      const piece = svg("rect", {
        class: command.mpi ? "mpi" : command.kernel ? "command" : "transfer", x: left.toFixed(2), y: top,
        width: Math.max(right - left - 0.5, 0.5).toFixed(2), height: bar.command, rx: 2,
      });
      const precise = (nanoseconds) => moment(nanoseconds, (command.end - command.begin) / 100, command.end);
      const size = command.bytes ? `, ${bytes(command.bytes)}` : "";
      piece.about = `${command.name}: ${time(command.end - command.begin)}${size}\nfrom ${precise(command.begin)} to ${precise(command.end)}`;
      drawing.append(piece);
      const text = right - left > 24 ? fitted(command.name, right - left - 8, "11px system-ui, \"DejaVu Sans\", sans-serif") : "";
      if (text) {
        const kind = command.kernel || command.mpi ? "on-command" : "on-transfer";
        drawing.append(svg("text", { class: kind, x: left + 4, y: top + 14 }, text));
      }
    }
  };

  // Names have the width that they need, at most a third of the page.
  const room = () => {
    const names = [...shown.queues, ...shown.arrays].map(({ name }) => textWidth(name));
    return Math.min(Math.max(84, ...names) + 12, width / 3);
  };

  const draw = () => {
    width = Math.max(place.clientWidth - 2, 280);
    margin = width < 600 ? 84 : room();
    const rows = shown.queues.map((queue) => Math.max(1, ...queue.commands.map((command) => command.row + 1)));
    const queues = rows.reduce((sum, count) => sum + count * (bar.command + bar.gap) + 4, bar.axis);
    const height = queues + 6 + shown.arrays.length * (bar.array + bar.gap);
    const drawing = svg("svg", { width, height, role: "img", "aria-label": "timeline of queues and arrays" });
    const axis = ticks(begin, end, Math.max(2, (width - margin) / 110), 1);
    const step = axis.length > 1 ? axis[1] - axis[0] : end - begin;
    for (const tick of axis) {
      drawing.append(
        svg("line", { class: "grid", x1: x(tick), x2: x(tick), y1: bar.axis - 6, y2: height }),
        svg("text", { class: "muted", x: x(tick), y: 12, "text-anchor": x(tick) > width - 40 ? "end" : "middle" }, moment(tick, step, end)));
    }
    let y = bar.axis;
    const named = (text, middle) => {
      const shortened = fitted(text, margin - 10);
      const name = svg("text", { x: 0, y: middle + 4 }, shortened);
      if (shortened !== text) name.append(svg("title", {}, text));
      drawing.append(name);
    };
    shown.queues.forEach((queue, number) => {
      named(queue.name, y + bar.command / 2);
      drawQueue(drawing, queue, y);
      y += rows[number] * (bar.command + bar.gap) + 4;
    });
    y += 6;
    for (const array of shown.arrays) {
      named(array.name, y + bar.array / 2);
      const row = svg("g", { class: "array" });
      row.append(svg("rect", { class: "track", x: margin, y, width: width - margin, height: bar.array }));
      drawPieces(row, array.pieces, y, array.name);
      drawing.append(row);
      y += bar.array + bar.gap;
    }
    const described = (event) => event.target.about ?? event.target.parentNode?.about?.(event);
    note(drawing, (event) => described(event) ?? moment(at(event.offsetX), (end - begin) / width, end));
    selectRange(drawing, height);
    place.replaceChildren(drawing);
    hint();
    byId("timeline-range").textContent = `${moment(begin, step / 10, end)} to ${moment(end, step / 10, end)}, ${time(end - begin)}`;
  };

  const show = (from, to) => {
    const length = Math.min(Math.max(to - from, 10), shown.end - shown.begin);
    begin = Math.min(Math.max(from, shown.begin), shown.end - length);
    end = begin + length;
    draw();
  };

  const selectRange = (drawing, height) => {
    let first = null;
    let selection = null;
    drawing.addEventListener("pointerdown", (event) => {
      if (event.button !== 0 || event.offsetX < margin) return;
      first = event.offsetX;
      selection = svg("rect", { class: "selection", x: first, y: 0, width: 0, height });
      drawing.append(selection);
      drawing.setPointerCapture(event.pointerId);
    });
    drawing.addEventListener("pointermove", (event) => {
      if (first === null) return;
      selection.setAttribute("x", Math.min(first, event.offsetX));
      selection.setAttribute("width", Math.abs(event.offsetX - first));
    });
    drawing.addEventListener("pointerup", (event) => {
      if (first === null) return;
      const [left, right] = [first, event.offsetX].sort((one, other) => one - other);
      selection.remove();
      first = null;
      if (right - left > 4) show(at(Math.max(left, margin)), at(right));
    });
    drawing.addEventListener("dblclick", () => show(shown.begin, shown.end));
    drawing.addEventListener("wheel", (event) => {
      if (!event.ctrlKey && !event.metaKey) return;
      event.preventDefault();
      zoom(event.deltaY > 0 ? 1.25 : 0.8, at(Math.max(event.offsetX, margin)));
    }, { passive: false });
  };

  const zoom = (factor, centre) => show(centre - (centre - begin) * factor, centre + (end - centre) * factor);

  // The buttons' actions, by keys as well.
  const keys = { "+": "in", "=": "in", "-": "out", 0: "all", ArrowLeft: "left", ArrowRight: "right" };
  place.addEventListener("keydown", (event) => {
    const action = keys[event.key];
    if (!action || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    act(action);
  });

  const act = (action) => {
    const middle = (begin + end) / 2;
    const third = (end - begin) / 3;
    const actions = {
      all: () => show(shown.begin, shown.end),
      in: () => zoom(0.5, middle),
      out: () => zoom(2, middle),
      left: () => show(begin - third, end - third),
      right: () => show(begin + third, end + third),
    };
    actions[action]?.();
  };

  byId("timeline-buttons").addEventListener("click", (event) => {
    act(event.target.dataset.zoom);
  });

  const process = byId("process");
  process.replaceChildren(...data.timelines.map(({ name }, number) => element("option", { value: number }, name)));
  process.parentElement.hidden = data.timelines.length < 2;
  process.addEventListener("change", () => {
    shown = data.timelines[Number(process.value)];
    show(shown.begin, shown.end);
  });

  const hint = () => {
    const hints = ["Simulated time. The area of a colour is the time that arrays spent on it. Drag over a part to enlarge it; double-click shows all. A launch's bar begins when its first array does; arrays are started before. Keys: + and - zoom, arrows move, 0 shows all."];
    if (shown.ranks.length > 0) hints.push("Above the queues of a rank are its MPI calls that took time.");
    if (shown.step) hints.push(`Arrays are drawn in steps of ${time(shown.step)}.`);
    if (end - begin < 20 * shown.step) hints.push("Of so short a part that says little: mocl3 trace has all.");
    if (shown.command_step) hints.push(`Commands that begin within ${time(shown.command_step)} of each other are one bar.`);
    byId("timeline-hint").textContent = hints.join(" ");
  };
  return { draw };
})();
