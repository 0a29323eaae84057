//! The accelerators of a machine, which are one custom device, and their built-in kernels.

use super::task_cycles::{Loads, TaskCycles, TaskError, count};
use accelerator_functions::Function;
use built_in_kernels::ArgumentKind;
use device_sim::machine::{Accelerator, Formula, Machine};
use device_sim::units::ClockRate;
use expression::Expression;
use task_scheduler::{Descriptor, Settings};

/// The accelerators of a machine.
pub struct Accelerators {
    kernels: Vec<AcceleratorKernel>,
    clock: ClockRate,
    units: u64,
    scheduler: Settings,
}

/// A function of accelerators as a built-in kernel.
pub struct AcceleratorKernel {
    function: &'static Function,
    accelerator: Accelerator,
    formula: Option<Expression>,
    /// The steps of a task that reads its inputs in steps.
    steps: Option<Expression>,
    /// The place of its table in the machine file.
    place: usize,
    /// The number of its first accelerator among all.
    first_unit: u64,
}

impl Accelerators {
    /// The accelerators whose functions have built-in kernels; none without such, or without their
    /// scheduler, which has their clock.
    ///
    /// # Errors
    /// A formula has a name that is no size of its function.
    pub(crate) fn new(machine: &Machine) -> Result<Option<Self>, String> {
        let Some(scheduler) = &machine.task_scheduler else {
            return Ok(None);
        };
        let mut kernels = Vec::new();
        let mut units = 0;
        for (place, accelerator) in machine.accelerators.iter().enumerate() {
            let name = &accelerator.function;
            let first = units;
            units += accelerator.units.value;
            let Some(function) = accelerator_functions::find(name) else {
                log::warn!("[[accelerator]] {name}: the platform has no kernel of that name");
                continue;
            };
            kernels.push(AcceleratorKernel::new(function, accelerator, place, first)?);
        }
        if kernels.is_empty() {
            return Ok(None);
        }
        Ok(Some(Self {
            kernels,
            clock: ClockRate::new(scheduler.clock.value),
            units,
            scheduler: Settings::new(machine).map_err(|error| error.to_string())?,
        }))
    }

    /// Its built-in kernels, in the order of the machine file.
    pub fn kernels(&self) -> &[AcceleratorKernel] {
        &self.kernels
    }

    /// Cycles per second.
    pub fn clock(&self) -> ClockRate {
        self.clock
    }

    /// The scheduler of their tasks, with its sizes and times.
    pub(crate) fn scheduler(&self) -> &Settings {
        &self.scheduler
    }

    /// Number of accelerators.
    pub fn units(&self) -> u64 {
        self.units
    }
}

impl AcceleratorKernel {
    fn new(
        function: &'static Function,
        accelerator: &Accelerator,
        place: usize,
        first_unit: u64,
    ) -> Result<Self, String> {
        let name = &accelerator.function;
        let parse = |formula: Option<&Formula>| {
            let parsed = formula.map(|formula| Expression::parse(&formula.expression));
            parsed.transpose().map_err(|error| error.to_string())
        };
        let stream = accelerator.stream.as_ref();
        let kernel = Self {
            function,
            accelerator: accelerator.clone(),
            formula: parse(accelerator.formula.as_ref())?,
            steps: parse(stream.map(|stream| &stream.steps))?,
            place,
            first_unit,
        };
        let least = |wanted: &str| {
            let mut arguments = function.arguments.iter();
            let argument = arguments.find(|argument| argument.name == wanted)?;
            match argument.kind {
                ArgumentKind::Size { least, .. } => Some(least),
                _ => None,
            }
        };
        for (key, formula) in [
            ("formula", &kernel.formula),
            ("stream.steps", &kernel.steps),
        ] {
            let Some(formula) = formula else { continue };
            kernel.evaluate(formula, &least).map_err(|unknown| {
                format!(
                    "accelerator.{name}.{key}: `{unknown}` is neither a size of the function nor \
                     `cycles` or `frame`"
                )
            })?;
        }
        Ok(kernel)
    }

    /// What it computes.
    pub fn function(&self) -> &'static Function {
        self.function
    }

    /// The place of its table in the machine file.
    pub(crate) fn place(&self) -> usize {
        self.place
    }

    /// The number of the first accelerator that executes it among those of the device.
    pub(crate) fn first_unit(&self) -> u64 {
        self.first_unit
    }

    /// The value of a formula.
    ///
    /// # Errors
    /// A name that it does not have.
    fn evaluate(
        &self,
        formula: &Expression,
        size: &impl Fn(&str) -> Option<i64>,
    ) -> Result<f64, String> {
        let (cycles, frame) = (self.accelerator.cycles.value, self.accelerator.frame.value);
        formula.evaluate(&mut |name| match name {
            "cycles" => Ok(cycles as f64),
            "frame" => Ok(frame as f64),
            _ => size(name)
                .map(|size| size as f64)
                .ok_or_else(|| name.to_owned()),
        })
    }

    /// Cycles of a task of these sizes, which reads and writes these numbers of bytes.
    ///
    /// # Errors
    /// The machine cannot execute it.
    pub(crate) fn cycles(
        &self,
        size: &impl Fn(&str) -> Option<i64>,
        moved: [u64; 2],
    ) -> Result<TaskCycles, TaskError> {
        let compute = self.compute(size)?;
        self.with_transfers(compute, self.loads(size, moved)?, moved[1])
    }

    /// What the task queue manager knows of a task of these sizes, which reads and writes these numbers of
    /// bytes. It is divided among several accelerators if that is wanted.
    ///
    /// # Errors
    /// The machine cannot execute it.
    pub(crate) fn descriptor(
        &self,
        size: &impl Fn(&str) -> Option<i64>,
        moved: [u64; 2],
        is_divided: bool,
    ) -> Result<Descriptor, TaskError> {
        let [input, output] = moved;
        let compute = self.compute(size)?;
        let loads = self.loads(size, moved)?;
        let most = self.accelerator.units.value.min(loads.steps);
        let divided = (2..=most).take_while(|_| is_divided).map(|parts| {
            let part = loads.part(parts);
            let compute = u128::from(compute) * u128::from(part.steps);
            let compute = compute.div_ceil(u128::from(loads.steps)) as u64;
            let cycles = self.with_transfers(compute, part, output.div_ceil(parts))?;
            Ok(cycles.total())
        });
        let is_stream = self.steps.is_some();
        Ok(Descriptor {
            input,
            output,
            step: is_stream.then_some(loads.width),
            loaded: loads.steps.saturating_mul(loads.width),
            divided: divided.collect::<Result<_, TaskError>>()?,
            ..Descriptor::default()
        })
    }

    /// # Errors
    /// The formula gives no number of cycles.
    fn compute(&self, size: &impl Fn(&str) -> Option<i64>) -> Result<u64, TaskError> {
        let cycles = match &self.formula {
            // The names were checked.
            Some(formula) => self.evaluate(formula, size).unwrap_or(f64::NAN).ceil(),
            None => self.accelerator.cycles.value as f64,
        };
        count(cycles).ok_or(TaskError::Cycles(cycles))
    }

    /// The transfers of the inputs of a task.
    ///
    /// # Errors
    /// The scratchpad is too small, or the formula gives no number of steps.
    fn loads(
        &self,
        size: &impl Fn(&str) -> Option<i64>,
        [read, written]: [u64; 2],
    ) -> Result<Loads, TaskError> {
        let scratchpad = self.accelerator.scratchpad.as_ref();
        let scratchpad = scratchpad.map(|scratchpad| scratchpad.value);
        if let (Some(stream), Some(steps)) = (&self.accelerator.stream, &self.steps) {
            let steps = self.evaluate(steps, size).unwrap_or(f64::NAN).ceil();
            let steps = count(steps).ok_or(TaskError::Steps(steps))?;
            return Loads::of_stream(stream, steps, scratchpad);
        }
        let bytes = read.saturating_add(written);
        if let Some(scratchpad) = scratchpad.filter(|scratchpad| bytes > *scratchpad) {
            return Err(TaskError::Scratchpad { bytes, scratchpad });
        }
        Ok(Loads {
            steps: 1,
            width: read,
            is_ahead: false,
        })
    }

    /// Cycles of a task that computes, loads its inputs and writes bytes.
    ///
    /// # Errors
    /// The transfers take too long.
    fn with_transfers(
        &self,
        compute: u64,
        loads: Loads,
        written: u64,
    ) -> Result<TaskCycles, TaskError> {
        let Some(dma) = &self.accelerator.dma else {
            return Ok(TaskCycles {
                compute,
                ..TaskCycles::default()
            });
        };
        let input = loads.wait(dma, compute);
        if input > Accelerator::MAX_CYCLES {
            return Err(TaskError::Transfers(input));
        }
        let started = |bytes| u64::from(bytes > 0);
        Ok(TaskCycles {
            input,
            compute,
            output: dma.cycles(written),
            transfers: loads.steps * started(loads.width) + started(written),
            transferred: loads
                .steps
                .saturating_mul(loads.width)
                .saturating_add(written),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use device_sim::machine::Description;

    fn machine(settings: &[&str], more: &str) -> Machine {
        let text = format!("base = \"dsp\"\nname = \"M\"\n{more}");
        let mut description = Description::parse(&text).unwrap();
        for setting in settings {
            description.set(setting).unwrap();
        }
        description.machine().unwrap()
    }

    fn cycles(
        machine: &Machine,
        name: &str,
        sizes: &[(&str, i64)],
    ) -> Result<TaskCycles, TaskError> {
        let accelerators = Accelerators::new(machine).unwrap().unwrap();
        let mut kernels = accelerators.kernels().iter();
        let kernel = kernels.find(|kernel| kernel.function.name == name).unwrap();
        let size = |wanted: &str| {
            let (_, value) = sizes.iter().find(|(name, _)| *name == wanted)?;
            Some(*value)
        };
        kernel.cycles(&size, [220, 160])
    }

    /// Table II of the HTS paper.
    #[test]
    fn the_published_sizes_take_the_published_cycles() {
        let machine = machine(&[], "");
        let (n, taps) = (("n", 40), ("taps", 16));
        for (name, sizes, expected) in [
            ("real_fir", vec![n, taps], 921),
            ("complex_fir", vec![n, taps], 3696),
            ("adaptive_fir", vec![n, taps], 4384),
            ("iir", vec![n, ("sections", 8)], 2450),
            ("vector_dot", vec![n], 53),
            ("vector_add", vec![n], 131),
            ("vector_max", vec![n], 55),
            ("fft_256", vec![("inverse", 0)], 18673),
            ("dct_64", vec![("inverse", 1)], 874),
            ("correlation", vec![n, ("lags", 16)], 753),
            // By hand: 200 (32 + 7) + 1.
            ("real_fir", vec![("n", 200), ("taps", 32)], 7801),
            ("vector_dot", vec![("n", 1)], 14),
        ] {
            let expected = TaskCycles {
                compute: expected,
                ..TaskCycles::default()
            };
            assert_eq!(cycles(&machine, name, &sizes), Ok(expected), "{name}");
        }
    }

    #[test]
    fn transfers_and_scratchpad_are_those_of_the_machine() {
        let dma = "[accelerator.real_fir.dma]\n\
            start = { value = 10, unit = \"cycle\", source = \"hypothetical\", note = \"x\" }\n\
            rate = { value = 8, unit = \"byte/cycle\", source = \"hypothetical\", note = \"x\" }\n\
            [accelerator.real_fir]\n\
            scratchpad = { value = 380, unit = \"byte\", source = \"hypothetical\", note = \"x\" }\n";
        let sizes = [("n", 40), ("taps", 16)];
        let found = cycles(&machine(&[], dma), "real_fir", &sizes);
        let expected = TaskCycles {
            input: 10 + 28,
            compute: 921,
            output: 10 + 20,
            transfers: 2,
            transferred: 220 + 160,
        };
        assert_eq!(found, Ok(expected));
        let small = machine(&["accelerator.real_fir.scratchpad=379B"], dma);
        let error = cycles(&small, "real_fir", &sizes).unwrap_err();
        assert_eq!(
            error.to_string(),
            "its data have 380 bytes, the accelerator's scratchpad 379"
        );
    }

    /// By hand: 64 steps, of which each loads 4096 bytes in 4 + 16 cycles and computes in 16 and a half.
    #[test]
    fn a_scratchpad_for_two_steps_hides_transfers() {
        let cycles = |setting: &str| {
            let mma = Description::select("mma").unwrap();
            let mut description = Description::parse(&mma.text()).unwrap();
            description.set(setting).unwrap();
            let accelerators = Accelerators::new(&description.machine().unwrap());
            let accelerators = accelerators.unwrap().unwrap();
            let size = |name: &str| ["n", "m"].contains(&name).then_some(64);
            accelerators.kernels()[0].cycles(&size, [65536, 32768])
        };
        let two = TaskCycles {
            input: 20 + 63 * 20 - 63 * 1054 / 64,
            compute: 46 + 63 * 16,
            output: 4 + 128,
            transfers: 65,
            transferred: 64 * 4096 + 32768,
        };
        assert_eq!(
            cycles("accelerator.matrix_multiply.scratchpad=12288B"),
            Ok(two)
        );
        let one = TaskCycles {
            input: 64 * 20,
            ..two
        };
        assert_eq!(
            cycles("accelerator.matrix_multiply.scratchpad=8191B"),
            Ok(one)
        );
        let error = cycles("accelerator.matrix_multiply.scratchpad=4095B").unwrap_err();
        assert_eq!(
            error.to_string(),
            "the inputs of a step have 4096 bytes, the accelerator's scratchpad 4095"
        );
        let error = cycles("accelerator.matrix_multiply.stream.steps.expression=n - 64");
        assert_eq!(error, Err(TaskError::Steps(0.0)));
        let error = cycles("accelerator.matrix_multiply.stream.steps.expression=2^39");
        assert_eq!(error, Err(TaskError::Transfers(20 * (1 << 39) - 1053)));
    }

    #[test]
    fn formulas_have_the_sizes_of_their_function() {
        let with = |formula: &str| {
            machine(
                &[&format!("accelerator.iir.formula.expression={formula}")],
                "",
            )
        };
        let error = Accelerators::new(&with("n * taps")).err().unwrap();
        assert!(
            error.starts_with("accelerator.iir.formula: `taps`"),
            "{error}"
        );
        let sizes = [("n", 40), ("sections", 8)];
        for (formula, expected) in [("n - 40", "0"), ("n / (n - 40)", "inf")] {
            let error = cycles(&with(formula), "iir", &sizes).unwrap_err();
            assert_eq!(
                error.to_string(),
                format!("the machine's formula gives {expected} cycles")
            );
        }
        let scaled = cycles(&with("cycles * n / (3 * frame)"), "iir", &sizes);
        assert_eq!(scaled.map(TaskCycles::total), Ok(817), "rounded up");
        assert!(Accelerators::new(&Machine::mt3000()).unwrap().is_none());
    }
}
