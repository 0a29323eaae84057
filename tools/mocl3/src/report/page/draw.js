// Creates elements, and shows a note at the pointer.

const data = JSON.parse(document.getElementById("data").textContent);
const { profile, activities } = data;
const byId = (id) => document.getElementById(id);

const element = (name, attributes = {}, ...children) => {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  made.append(...children);
  return made;
};

const svg = (name, attributes = {}, ...children) => {
  const made = document.createElementNS("http://www.w3.org/2000/svg", name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  made.append(...children);
  return made;
};

const tip = byId("tip");
const note = (target, text) => {
  target.addEventListener("pointermove", (event) => {
    tip.textContent = typeof text === "function" ? text(event) : text;
    tip.hidden = false;
    const { width, height } = tip.getBoundingClientRect();
    const left = event.clientX + 14 + width > window.innerWidth ? event.clientX - width - 10 : event.clientX + 14;
    tip.style.left = `${Math.max(4, left)}px`;
    tip.style.top = `${Math.min(event.clientY + 14, window.innerHeight - height - 4)}px`;
  });
  target.addEventListener("pointerleave", () => { tip.hidden = true; });
};

const figures = (list, pairs) => {
  list.replaceChildren(
    ...pairs.map(([name, value]) => element("div", {}, element("dt", {}, name), element("dd", {}, value))));
};

// The width of a text in pixels, and a text cut to a width.
const measure = document.createElement("canvas").getContext("2d");
const plain = "12px system-ui, \"DejaVu Sans\", sans-serif";
const textWidth = (text, font = plain) => {
  measure.font = font;
  return measure.measureText(text).width;
};
const fitted = (text, width, font = plain) => {
  measure.font = font;
  if (measure.measureText(text).width <= width) return text;
  let [low, high] = [0, text.length];
  while (low + 1 < high) {
    const middle = (low + high) >> 1;
    if (measure.measureText(`${text.slice(0, middle)}…`).width <= width) low = middle;
    else high = middle;
  }
  return low < 2 ? "" : `${text.slice(0, low)}…`;
};

// What marks kernels that exceed a memory.
const mark = ({ exceeded }) => (exceeded.length > 0 ? "⚠ " : "");
const label = ({ name, local_size, program }) =>
  `${name} (${size(local_size)}${program === null ? "" : `, program ${program}`})`;

// Round steps for an axis: about `wanted` of them, at least two, none smaller than `least`.
const ticks = (begin, end, wanted, least) => {
  const rough = Math.max((end - begin) / wanted, least);
  const power = 10 ** Math.floor(Math.log10(rough));
  const steps = [0.5, 1, 2, 5, 10].map((factor) => factor * power).filter((step) => step >= least);
  const within = (step) => Math.floor(end / step) - Math.ceil(begin / step) + 1;
  const largest = steps.find((step) => step >= rough);
  const step = within(largest) < 2 ? steps[Math.max(steps.indexOf(largest) - 1, 0)] : largest;
  const found = [];
  for (let tick = Math.ceil(begin / step) * step; tick <= end; tick += step) found.push(tick);
  return found;
};

// The kernel that is shown in detail, and the listeners for its change.
const choice = {
  kernel: 0,
  listeners: [],
  choose(kernel) {
    choice.kernel = kernel;
    for (const listener of choice.listeners) listener();
  },
};
