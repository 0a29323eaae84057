// The ranks of an MPI program: communication against computation, and load balance.

const ranks = (() => {
  const shown = data.timelines.find((timeline) => timeline.ranks.length > 0);
  const draw = () => {};
  if (!shown) return { draw };
  const all = shown.ranks;
  const length = Math.max(shown.end - shown.begin, 1);
  const mean = (key) => all.reduce((so_far, rank) => so_far + rank[key], 0) / all.length;
  const balance = (key) => (100 * mean(key)) / Math.max(...all.map((rank) => rank[key]), 1);
  byId("ranks-section").hidden = false;
  byId("ranks-sentence").textContent =
    `Of ${time(length)}, the mean of ${all.length} ranks is in OpenCL's functions for ${percent((100 * mean("opencl_ns")) / length)} and in MPI's for ${percent((100 * mean("mpi_ns")) / length)}. `
    + `Its kernels run for ${percent((100 * mean("kernels_ns")) / length)}, some of that while it is in MPI. `
    + `Load balance, mean by most: kernels ${percent(balance("kernels_ns"))}, OpenCL ${percent(balance("opencl_ns"))}.`;
  const headings = ["", "kernels", "transfers", "OpenCL", "MPI", ""];
  const row = (rank) => {
    const share = (nanoseconds) => (100 * nanoseconds) / length;
    const piece = (kind, nanoseconds) => element("i", { class: kind, style: `width: ${share(nanoseconds).toFixed(2)}%` });
    const cell = element("td", { class: "bar" }, piece("command", rank.opencl_ns), piece("mpi", rank.mpi_ns));
    note(cell, `${rank.name}\nOpenCL: ${time(rank.opencl_ns)}\nMPI: ${time(rank.mpi_ns)}`);
    const numbers = [rank.kernels_ns, rank.transfers_ns, rank.opencl_ns, rank.mpi_ns];
    return element("tr", { class: "line" },
      element("td", { class: "number" }, rank.name),
      ...numbers.map((nanoseconds) => element("td", { class: "number" }, `${time(nanoseconds)}, ${percent(share(nanoseconds))}`)),
      cell);
  };
  const head = element("tr", {}, ...headings.map((heading) => element("th", {}, heading)));
  byId("ranks").replaceChildren(element("table", {}, element("thead", {}, head), element("tbody", {}, ...all.map(row))));
  return { draw };
})();
