// The kernels of an earlier recording and of this one, one above the other.

(() => {
  const { comparison } = data;
  if (!comparison) return;
  byId("comparison").hidden = false;
  const names = new Map(activities.map(({ key, name }) => [key, name]));
  const changed = (before, after) => {
    if (before === 0) return after === 0 ? "" : "new";
    const change = ((after - before) * 100) / before;
    return `${change > 0 ? "+" : change < 0 ? "−" : ""}${percent(Math.abs(change))}`;
  };
  // Counters are numbers of something, or ratios.
  const amount = (number) => (Number.isInteger(number) || number >= 1000 ? count(number) : three(number));
  const number = (text) => element("td", { class: "number" }, text);

  const [before] = comparison.recordings;
  byId("comparison-before").textContent = `Before: ${before.programs[0].join(" ")} on ${before.machine}, recorded in ${before.folder}`;
  byId("comparison-changes").replaceChildren(
    ...data.comparison_sentences.map((sentence) => element("li", {}, sentence)));
  figures(byId("comparison-figures"), [
    ["kernels", comparison.kernels_ns],
    ["from end to end", comparison.elapsed_ns],
    ["other commands", comparison.transfers_ns],
  ].map(([name, [first, second]]) => [name, `${time(first)} → ${time(second)} ${changed(first, second)}`]));
  const { regressions, threshold_percent: threshold } = comparison;
  byId("comparison-regressions").textContent = regressions.length === 0
    ? `Nothing takes more time by more than ${threshold} %.`
    : `More time by more than ${threshold} %, or more failures: ${regressions.join(", ")}.`;

  // A bar whose length is a launch's time, in the proportion of `longest`.
  const bar = (kernel, place, longest) => {
    const key = ["before_ns", "after_ns"][place];
    const pieces = kernel.activities.length > 0
      ? activities.map(({ key: activity }) => kernel.activities.find((one) => one.activity === activity))
      : [];
    const row = element("div", { class: "bar" }, ...pieces.filter((one) => one && one[key] > 0).map((one) => {
      const piece = element("i", { class: one.activity, style: `width: ${((one[key] * 100) / longest).toFixed(3)}%`, "data-ns": one[key] });
      note(piece, `${["before", "after"][place]}\n${names.get(one.activity)}: ${time(one[key])} a launch`);
      return piece;
    }));
    const text = kernel.launches[place] === 0 ? "not launched" : `${time(kernel.launch_ns[place])} a launch, ${count(kernel.launches[place])} launches`;
    return element("div", { class: "compared" }, element("span", {}, ["before", "after"][place]), row, element("span", { class: "time" }, text));
  };

  const details = (kernel) => {
    const table = (title, rows) => rows.length === 0 ? [] : [
      element("h3", {}, title), element("table", {}, element("tbody", {}, ...rows))];
    const values = (before_value, after_value, format) =>
      [number(format(before_value)), number(format(after_value)), number(changed(before_value, after_value))];
    const differ = kernel.activities.filter((one) => Math.abs(one.after_ns - one.before_ns) >= 1);
    return [
      ...(kernel.source_differs ? [element("p", { class: "hint" }, "The program's source differs.")] : []),
      ...table("Time of a launch by activity", differ.map((one) =>
        element("tr", {}, ...values(one.before_ns, one.after_ns, time), element("td", {}, names.get(one.activity))))),
      ...table("Counters of a launch", kernel.counters.map((one) =>
        element("tr", {}, ...values(one.before, one.after, amount), element("td", {}, one.counter.replaceAll("_", " "))))),
      ...table("Lines whose time changed most", kernel.lines.map((one) =>
        element("tr", { class: "line" }, ...values(one.before_ns, one.after_ns, time),
          number(`${one.file}:${one.line}`), element("td", { class: "source" }, one.text ?? "")))),
    ];
  };

  const kernels = comparison.kernels.map((kernel, place) => {
    const longest = Math.max(...kernel.launch_ns, 1);
    const summary = element("summary", {},
      element("span", { class: kernel.regressed ? "regressed" : "" }, kernel.label), " ",
      element("span", { class: "hint" }, kernel.change_percent === null ? "" : changed(...kernel.launch_ns)));
    return element("details", { class: "compared-kernel", "data-kernel": kernel.name, ...(place === 0 ? { open: "" } : {}) },
      summary, bar(kernel, 0, longest), bar(kernel, 1, longest), ...details(kernel));
  });
  byId("compared-kernels").replaceChildren(...kernels);
})();
