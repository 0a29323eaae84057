// The page's text, and drawing: at loading and when the window's size changes.

const more = profile.programs.length - 1;
const program = profile.programs[0].join(" ") + (more > 0 ? `, and ${more} process${more > 1 ? "es" : ""} more` : "");
document.title = `${program} – MOCL3 report`;
byId("program").textContent = program;
const { machine, host } = profile;
byId("machine").textContent =
  `${machine.name}, ${rate(machine.clock, "Hz")}; a cluster has ${machine.arrays} arrays of ${machine.lanes} lanes`;
for (const sentence of data.machine_sentences) byId("changes").append(Object.assign(document.createElement("li"), { textContent: sentence }));
const sum = (numbers) => numbers.reduce((so_far, number) => so_far + number, 0);
figures(byId("figures"), [
  ["simulated time of kernels", time(sum(profile.kernels.map((kernel) => kernel.time_ns)))],
  ["from end to end", time(profile.simulated.elapsed_ns)],
  ...profile.simulated.clusters.map((cluster) =>
    [cluster.name, `kernels ${percent(cluster.kernels_percent)}, transfers ${percent(cluster.transfers_percent)}`]),
  ["launches", count(sum(profile.kernels.map((kernel) => kernel.launches)))],
  ["kernels", String(profile.kernels.length)],
  ["transfers", bytes(sum(profile.transfers.map((transfer) => transfer.bytes)))],
]);
figures(byId("simulation"), [
  ...(host.wall_time_ns === null ? [] : [["the program took", time(host.wall_time_ns)]]),
  ["kernels ran on the host for", time(host.kernel_time_ns)],
  ["host threads", String(host.threads)],
  ["simulated cycles", `${count(host.cycles_per_second)} a second`],
  ["machine instructions", `${count(host.instructions_per_second)} a second`],
]);

// Without kernels these sections are omitted.
const parts = profile.kernels.length > 0 ? [shares, ranks, timeline, roofline, details] : [ranks, timeline];
for (const section of document.querySelectorAll("section.of-kernels")) section.hidden = profile.kernels.length === 0;
byId("no-kernels").hidden = profile.kernels.length > 0;
const drawAll = () => {
  for (const part of parts) part.draw();
};
drawAll();
let width = document.body.clientWidth;
window.addEventListener("resize", () => {
  if (document.body.clientWidth === width) return;
  width = document.body.clientWidth;
  drawAll();
});
document.documentElement.dataset.drawn = "yes";
