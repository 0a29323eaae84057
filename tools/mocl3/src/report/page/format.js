// Numbers with three digits and a unit.

const three = (number) =>
  number === 0 ? "0" : number < 9.995 ? number.toFixed(2) : number < 99.95 ? number.toFixed(1) : number.toFixed(0);

const scaled = (number, units, step) => {
  let unit = 0;
  while (number >= step - 0.5 && unit + 1 < units.length) {
    number /= step;
    unit += 1;
  }
  return `${three(number)} ${units[unit]}`.trim();
};

const time = (nanoseconds) =>
  nanoseconds < 1000 ? `${Math.round(nanoseconds)} ns` : scaled(nanoseconds / 1000, ["µs", "ms", "s"], 1000);
// A moment in the unit of `end`, with digits enough to distinguish moments `step` apart.
const moment = (nanoseconds, step, end) => {
  const [unit, length] = [["s", 1e9], ["ms", 1e6], ["µs", 1e3]].find(([, size]) => end >= size) ?? ["ns", 1];
  const digits = Math.max(0, Math.ceil(Math.log10(length / Math.max(step, 1)) - 1e-9));
  return `${(nanoseconds / length).toFixed(digits)} ${unit}`;
};
const count = (number) =>
  number < 10000 ? String(Math.round(number)) : scaled(number, ["", "k", "M", "G", "T", "P"], 1000);
const bytes = (number) =>
  number < 1024 ? `${number} B` : scaled(number / 1024, ["KiB", "MiB", "GiB", "TiB"], 1024);
const rate = (number, unit) => {
  const text = scaled(number, ["", "k", "M", "G", "T", "P"], 1000);
  return text.includes(" ") ? text + unit : `${text} ${unit}`;
};
const percent = (number) => `${number.toFixed(1)} %`;
const size = (numbers) => numbers.join("×");
