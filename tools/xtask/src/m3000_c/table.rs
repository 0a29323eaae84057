//! The table of what became of the kernels.

use super::capture::Kernel;
use super::comparison::Comparison;
use super::trial::Outcome;
use std::collections::BTreeMap;
use std::fmt::{self, Display, Formatter};

/// Parts of the messages of refusals that docs/hthreads.md lists.
const EXPECTED_REFUSALS: &[&str] = &[
    // Functions of the host's processor.
    "`llvm.x86.",
    "`printf` has a format that is not one literal",
];

/// What became of all kernels.
#[derive(Default)]
pub struct Table {
    kernels: usize,
    launches: usize,
    equal: usize,
    /// Launches that are equal if denormal numbers are not zeros.
    denormals: usize,
    /// Launches that are equal but for what OpenCL leaves open.
    open: usize,
    /// Launches whose work-groups need more memory than SM and AM have.
    no_room: usize,
    /// Kernel and difference.
    different: Vec<String>,
    /// Kernel and the message of m3cc.
    not_built: Vec<String>,
    /// Kernels by reason.
    refused: BTreeMap<String, Vec<String>>,
    /// Launches that are not compared, by reason.
    not_compared: BTreeMap<String, usize>,
}

impl Table {
    /// Of kernels and their outcomes, and launches that are not compared.
    pub fn of(
        kernels: &[Kernel],
        outcomes: &[Outcome],
        not_compared: BTreeMap<String, usize>,
    ) -> Self {
        let mut table = Self {
            kernels: kernels.len(),
            launches: kernels.iter().map(|kernel| kernel.launches.len()).sum(),
            not_compared,
            ..Self::default()
        };
        for (number, (kernel, outcome)) in kernels.iter().zip(outcomes).enumerate() {
            let named = format!("{} (kernel{number})", kernel.name);
            match outcome {
                Outcome::Refused(why) => table.refused.entry(reason(why)).or_default().push(named),
                Outcome::NotBuilt(why) => table.not_built.push(format!("{named}: {why}")),
                Outcome::Ran(comparisons) => {
                    for comparison in comparisons {
                        match comparison {
                            Comparison::Equal => table.equal += 1,
                            Comparison::Denormals => table.denormals += 1,
                            Comparison::Open => table.open += 1,
                            Comparison::NoRoom => table.no_room += 1,
                            Comparison::Different(how) => {
                                table.different.push(format!("{named}: {how}"));
                            }
                        }
                    }
                }
            }
        }
        table
    }

    /// Whether results differ, or kernels are refused unexpectedly.
    pub fn has_failed(&self) -> bool {
        let is_expected = |why: &String| EXPECTED_REFUSALS.iter().any(|part| why.contains(part));
        let is_refused = !self.refused.keys().all(is_expected);
        is_refused || !self.different.is_empty() || !self.not_built.is_empty() || self.equal == 0
    }
}

/// The reason of a refusal, without the kernel's name, and without the values of an instruction.
fn reason(message: &str) -> String {
    let reason = message.split_once("`: ").map_or(message, |(_, why)| why);
    let operation = |text: &str| {
        let (_, operation) = text.split_once(" = ")?;
        operation.split(' ').next().map(str::to_owned)
    };
    let instruction = reason.strip_prefix("instruction `").and_then(operation);
    instruction.map_or_else(|| reason.to_owned(), |name| format!("instruction `{name}`"))
}

impl Display for Table {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let refused: usize = self.refused.values().map(Vec::len).sum();
        writeln!(
            f,
            "| kernels | launches | equal | equal with denormals | open | different | no room in SM and AM | not built | refused |"
        )?;
        writeln!(f, "| --- | --- | --- | --- | --- | --- | --- | --- | --- |")?;
        writeln!(
            f,
            "| {} | {} | {} | {} | {} | {} | {} | {} | {refused} |",
            self.kernels,
            self.launches,
            self.equal,
            self.denormals,
            self.open,
            self.different.len(),
            self.no_room,
            self.not_built.len()
        )?;
        for line in &self.different {
            writeln!(f, "different: {line}")?;
        }
        for line in &self.not_built {
            writeln!(f, "not built: {line}")?;
        }
        for (why, kernels) in &self.refused {
            let (count, first) = (kernels.len(), &kernels[0]);
            writeln!(f, "refused: {count} kernels, such as {first}: {why}")?;
        }
        for (why, count) in &self.not_compared {
            writeln!(f, "not compared: {count} launches: {why}")?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::super::launch::Captured;
    use super::*;
    use std::path::PathBuf;

    fn table(outcome: Outcome) -> Table {
        let launch = || Captured {
            place: PathBuf::new(),
            other_code: None,
        };
        let kernel = Kernel {
            name: "k".into(),
            program: PathBuf::new(),
            launches: vec![launch()],
        };
        let equal = Kernel {
            name: "equal".into(),
            program: PathBuf::new(),
            launches: vec![launch()],
        };
        let outcomes = [outcome, Outcome::Ran(vec![Comparison::Equal])];
        Table::of(&[kernel, equal], &outcomes, BTreeMap::new())
    }

    #[test]
    fn differences_and_unexpected_refusals_fail() {
        let refused = |why: &str| Outcome::Refused(format!("error: kernel `k`: {why}"));
        let different = Comparison::Different("memory 0".into());
        let cases = [
            (Outcome::Ran(vec![Comparison::Equal]), false),
            (Outcome::Ran(vec![Comparison::Open]), false),
            (Outcome::Ran(vec![different]), true),
            (Outcome::NotBuilt("error: x".into()), true),
            (
                refused("function `llvm.x86.sse.ldmxcsr` has no counterpart"),
                false,
            ),
            (refused("instruction `%3 = fneg float %x` has none"), true),
        ];
        for (outcome, fails) in cases {
            let what = format!("{outcome:?}");
            assert_eq!(table(outcome).has_failed(), fails, "{what}");
        }
        assert!(Table::default().has_failed(), "nothing was compared");
    }

    #[test]
    fn refusals_are_counted_by_instruction() {
        let table = table(Outcome::Refused(
            "error: kernel `k`: instruction `%3 = fneg float %x` has none".into(),
        ));
        let text = table.to_string();
        assert!(
            text.contains("refused: 1 kernels, such as k (kernel0): instruction `fneg`"),
            "{text}"
        );
        assert!(
            text.contains("| 2 | 2 | 1 | 0 | 0 | 0 | 0 | 0 | 1 |"),
            "{text}"
        );
    }
}
