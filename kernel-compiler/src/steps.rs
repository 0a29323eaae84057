//! The steps from a program's text to native code, in order, and who watches them.

/// What there is to see of a kernel on its way.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Step {
    /// The program's text.
    Source,
    /// What clang is told.
    Options,
    /// LLVM IR of the program, as clang makes it.
    FrontEnd,
    /// LLVM IR of the program with the builtin functions it uses, what belongs to the
    /// group inlined into the kernels.
    Linked,
    /// LLVM IR of the kernel alone, as work-group function formation gets it.
    Simplified,
    /// The regions of the kernel, and what crosses from one to another.
    Regions,
    /// LLVM IR of the work-group function.
    WorkGroupFunction,
    /// The same with work-items as lanes of vectors, if it has any.
    Lanes,
    /// What timed code is to the machine.
    Timed,
    /// The same after LLVM's optimisation.
    Optimised,
    /// The host's instructions.
    Assembly,
    /// What the work-group function needs.
    Resources,
    /// What runs as lanes, and what does not, and why.
    Remarks,
}

/// Step, its name, and the extension of a file that shows it.
const STEPS: &[(Step, &str, &str)] = &[
    (Step::Source, "source", "cl"),
    (Step::Options, "options", "txt"),
    (Step::FrontEnd, "front-end", "ll"),
    (Step::Linked, "linked", "ll"),
    (Step::Simplified, "simplified", "ll"),
    (Step::Regions, "regions", "txt"),
    (Step::WorkGroupFunction, "work-group-function", "ll"),
    (Step::Lanes, "lanes", "ll"),
    (Step::Timed, "timed", "ll"),
    (Step::Optimised, "optimised", "ll"),
    (Step::Assembly, "assembly", "s"),
    (Step::Resources, "resources", "txt"),
    (Step::Remarks, "remarks", "txt"),
];

impl Step {
    /// All, in order.
    pub fn all() -> impl Iterator<Item = Self> {
        STEPS.iter().map(|(step, ..)| *step)
    }

    /// Its name, for example `front-end`.
    pub fn name(self) -> &'static str {
        STEPS[self as usize].1
    }

    /// Name of a file that shows it, for example `02-front-end.ll`: files sort in the
    /// order of the steps.
    pub fn file_name(self) -> String {
        let (_, name, extension) = STEPS[self as usize];
        format!("{:02}-{name}.{extension}", self as usize)
    }
}

/// Somebody who watches a kernel being compiled, from the thread that compiles it.
pub trait Observer: Send {
    /// Whether this step is to be shown. To show one takes time and memory.
    fn wants(&self, step: Step) -> bool;

    /// Is shown a step, as text. Called in the order of the steps, at most once for each.
    fn see(&mut self, step: Step, text: &str);
}

/// Shows a step to whoever wants it.
pub(crate) fn show(observer: &mut dyn Observer, step: Step, text: impl FnOnce() -> String) {
    if observer.wants(step) {
        observer.see(step, &text());
    }
}

/// Nobody watches.
pub(crate) struct Nobody;

impl Observer for Nobody {
    fn wants(&self, _step: Step) -> bool {
        false
    }

    fn see(&mut self, _step: Step, _text: &str) {}
}

/// Two watch.
pub(crate) struct Both<'a>(pub &'a mut dyn Observer, pub &'a mut dyn Observer);

impl Observer for Both<'_> {
    fn wants(&self, step: Step) -> bool {
        self.0.wants(step) || self.1.wants(step)
    }

    fn see(&mut self, step: Step, text: &str) {
        for observer in [&mut *self.0, &mut *self.1] {
            if observer.wants(step) {
                observer.see(step, text);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_is_in_the_order_of_the_steps() {
        for (number, step) in Step::all().enumerate() {
            assert_eq!(step as usize, number);
        }
        assert_eq!(Step::FrontEnd.file_name(), "02-front-end.ll");
    }
}
