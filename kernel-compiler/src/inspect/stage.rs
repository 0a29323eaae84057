//! The stages from a program's text to native code, in order, and their observers.

/// A stage of a kernel's compilation, whose result can be shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Stage {
    /// The program's text.
    Source,
    /// clang's arguments.
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
    /// LLVM IR of timed code, with the costs of its blocks on the simulated machine.
    Timed,
    /// The same after LLVM's optimisation.
    Optimised,
    /// The host's instructions.
    Assembly,
    /// The resources of the work-group function.
    Resources,
    /// Which work-items run as lanes, and why others do not.
    Remarks,
}

/// Stage, its name, and the extension of a file that shows it.
const STAGES: &[(Stage, &str, &str)] = &[
    (Stage::Source, "source", "cl"),
    (Stage::Options, "options", "txt"),
    (Stage::FrontEnd, "front-end", "ll"),
    (Stage::Linked, "linked", "ll"),
    (Stage::Simplified, "simplified", "ll"),
    (Stage::Regions, "regions", "txt"),
    (Stage::WorkGroupFunction, "work-group-function", "ll"),
    (Stage::Lanes, "lanes", "ll"),
    (Stage::Timed, "timed", "ll"),
    (Stage::Optimised, "optimised", "ll"),
    (Stage::Assembly, "assembly", "s"),
    (Stage::Resources, "resources", "txt"),
    (Stage::Remarks, "remarks", "txt"),
];

impl Stage {
    /// All, in order.
    pub fn all() -> impl Iterator<Item = Self> {
        STAGES.iter().map(|(stage, ..)| *stage)
    }

    /// Its name, for example `front-end`.
    pub fn name(self) -> &'static str {
        STAGES[self as usize].1
    }

    /// Name of a file that shows it, for example `02-front-end.ll`: files sort in the
    /// order of the stages.
    pub fn file_name(self) -> String {
        let (_, name, extension) = STAGES[self as usize];
        format!("{:02}-{name}.{extension}", self as usize)
    }
}

/// Receives the stages of a kernel's compilation, on the thread that compiles it.
pub trait Observer: Send {
    /// Whether this stage is to be shown. To show one takes time and memory.
    fn wants(&self, stage: Stage) -> bool;

    /// Is shown a stage, as text. Called in the order of the stages, at most once for each.
    fn see(&mut self, stage: Stage, text: &str);
}

/// Shows a stage to an observer that wants it.
pub(crate) fn show(observer: &mut dyn Observer, stage: Stage, text: impl FnOnce() -> String) {
    if observer.wants(stage) {
        observer.see(stage, &text());
    }
}

/// NullObserver watches.
pub(crate) struct NullObserver;

impl Observer for NullObserver {
    fn wants(&self, _step: Stage) -> bool {
        false
    }

    fn see(&mut self, _step: Stage, _text: &str) {}
}

/// Passes stages to two observers.
pub(crate) struct TeeObserver<'a>(pub &'a mut dyn Observer, pub &'a mut dyn Observer);

impl Observer for TeeObserver<'_> {
    fn wants(&self, stage: Stage) -> bool {
        self.0.wants(stage) || self.1.wants(stage)
    }

    fn see(&mut self, stage: Stage, text: &str) {
        for observer in [&mut *self.0, &mut *self.1] {
            if observer.wants(stage) {
                observer.see(stage, text);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_is_in_the_order_of_the_steps() {
        for (number, stage) in Stage::all().enumerate() {
            assert_eq!(stage as usize, number);
        }
        assert_eq!(Stage::FrontEnd.file_name(), "02-front-end.ll");
    }
}
