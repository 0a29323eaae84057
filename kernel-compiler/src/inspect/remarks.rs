//! Remarks: what of a kernel was vectorised, what was not, and why, for the build log
//! (`-cl-mocl3-remarks`), standard error (`MOCL3_REMARKS=1`) and observers of stages.

use crate::inspect::stage::{Observer, Stage};
use crate::kernel::interface::KernelInterface;
use crate::kernel::specialisation::Specialisation;
use crate::vectorize::{
    AccessKind, MemoryRegion, Operation, OperationKind, Rejected, Vectorized, VectorizedLoop,
};
use crate::work_items::Lanes;
use environment::REMARKS;
use once_cell::sync::Lazy;
use std::ffi::OsStr;
use std::fmt::{self, Display, Formatter};
use std::io::Write;

static WANTED: Lazy<bool> = Lazy::new(|| {
    let value = REMARKS.get();
    asked(value.as_deref()).unwrap_or_else(|| {
        let value = value.unwrap_or_default();
        log::warn!("{REMARKS}={value:?} is neither 0 nor 1; there are no remarks");
        false
    })
});

/// None if the value is wrong.
fn asked(value: Option<&OsStr>) -> Option<bool> {
    match value.unwrap_or_default().as_encoded_bytes() {
        b"" | b"0" => Some(false),
        b"1" => Some(true),
        _ => None,
    }
}

/// Whether the environment requests remarks on standard error.
pub fn are_wanted() -> bool {
    *WANTED
}

/// Writes remarks to standard error.
pub struct StandardError;

impl Observer for StandardError {
    fn wants(&self, stage: Stage) -> bool {
        stage == Stage::Remarks
    }

    fn see(&mut self, _stage: Stage, text: &str) {
        // A failure cannot be reported anywhere.
        let _ = std::io::stderr().lock().write_all(text.as_bytes());
    }
}

/// Collects remarks.
#[derive(Default)]
pub struct RemarkCollector(pub String);

impl Observer for RemarkCollector {
    fn wants(&self, stage: Stage) -> bool {
        stage == Stage::Remarks
    }

    fn see(&mut self, _stage: Stage, text: &str) {
        self.0.push_str(text);
    }
}

/// How a kernel's work-items run.
pub enum VectorizationOutcome<'a> {
    /// They are the lanes of vectors.
    Lanes(&'a Vectorized),
    /// They run one after another, as scalar code.
    Scalar {
        rejected: &'a Rejected,
        /// Elements of the widest vector that LLVM's vectorisers made; 1 if there is none.
        widest_vector: u32,
    },
}

/// Remarks on one version of a kernel.
pub struct Remarks<'a> {
    pub interface: &'a KernelInterface,
    pub specialisation: &'a Specialisation,
    pub outcome: VectorizationOutcome<'a>,
}

impl Display for Remarks<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "remarks: kernel `{}`, ", self.interface.name)?;
        match self.specialisation.local_size {
            Some([x, y, z]) => writeln!(f, "work-groups of {x}x{y}x{z}")?,
            None => writeln!(f, "work-groups of any size")?,
        }
        match &self.outcome {
            VectorizationOutcome::Lanes(vectorized) => {
                writeln!(f, "  {}: {}", along(vectorized.lanes), vectorized.cost)?;
                self.loops(f, vectorized)
            }
            VectorizationOutcome::Scalar {
                rejected,
                widest_vector,
            } => {
                writeln!(f, "  not vectorised: {}", rejected.reason)?;
                match widest_vector {
                    1 => {}
                    elements => {
                        writeln!(f, "  LLVM vectorised loops with up to {elements} elements")?
                    }
                }
                let Some(plan) = &rejected.plan else {
                    return Ok(());
                };
                writeln!(f, "  rejected plan, {}:", along(plan.lanes))?;
                self.loops(f, plan)
            }
        }
    }
}

fn along(lanes: Lanes) -> String {
    let dimension = ["x", "y", "z"][lanes.dimension];
    format!("{} lanes along {dimension}", lanes.count)
}

impl Remarks<'_> {
    fn loops(&self, f: &mut Formatter<'_>, vectorized: &Vectorized) -> fmt::Result {
        let loops = &vectorized.loops;
        for (number, of) in loops.iter().enumerate() {
            write!(f, "  loop {} of {}", number + 1, loops.len())?;
            match &of.lines {
                Some((file, first, last)) if first == last => writeln!(f, ", {file}:{first}")?,
                Some((file, first, last)) => writeln!(f, ", {file}:{first}-{last}")?,
                None => writeln!(f)?,
            }
            self.one_loop(f, of)?;
        }
        Ok(())
    }

    fn one_loop(&self, f: &mut Formatter<'_>, of: &VectorizedLoop) -> fmt::Result {
        if let Some(rows) = of.unroll_and_jam {
            writeln!(f, "    unroll-and-jam: {rows} rows")?;
        }
        if !of.split_at.is_empty() {
            let starts: Vec<String> = of.split_at.iter().map(u64::to_string).collect();
            let starts = starts.join(", ");
            writeln!(f, "    rows are split before work-item {starts}")?;
        }
        let divergent = [
            (of.divergent_branches, "branch", "branches"),
            (of.divergent_loops, "loop", "loops"),
        ];
        for (count, one, several) in divergent {
            match count {
                0 => {}
                1 => writeln!(f, "    1 divergent {one}")?,
                _ => writeln!(f, "    {count} divergent {several}")?,
            }
        }
        for (access, title) in [
            (AccessKind::Uniform, "uniform"),
            (AccessKind::Consecutive, "consecutive"),
        ] {
            let count = |kind: OperationKind| -> usize {
                let operations = of.operations.iter();
                let alike = operations.filter(|(o, _)| o.access == access && o.kind == kind);
                alike.map(|(_, times)| times).sum()
            };
            let counts = [
                (count(OperationKind::Load), "load", "loads"),
                (count(OperationKind::Store), "store", "stores"),
            ];
            let counts: Vec<String> = counts
                .into_iter()
                .filter(|(count, ..)| *count > 0)
                .map(|(count, one, several)| match count {
                    1 => format!("1 {one}"),
                    _ => format!("{count} {several}"),
                })
                .collect();
            if !counts.is_empty() {
                writeln!(f, "    {title}: {}", counts.join(", "))?;
            }
        }
        for (operation, times) in &of.operations {
            self.operation(f, operation, *times)?;
        }
        Ok(())
    }

    /// An operation that takes more than a few instructions.
    fn operation(&self, f: &mut Formatter<'_>, of: &Operation, times: usize) -> fmt::Result {
        let what = match (&of.kind, of.access) {
            (
                OperationKind::Load | OperationKind::Store,
                AccessKind::Uniform | AccessKind::Consecutive,
            ) => return Ok(()),
            (OperationKind::Load, AccessKind::GatherScatter) => "gather from".to_owned(),
            (OperationKind::Store, AccessKind::GatherScatter) => "scatter to".to_owned(),
            (OperationKind::Load, AccessKind::Strided(_)) => "strided load from".to_owned(),
            (OperationKind::Store, AccessKind::Strided(_)) => "strided store to".to_owned(),
            (OperationKind::Load, AccessKind::UniformAtomic | AccessKind::Scalarized) => {
                "scalarised load from".to_owned()
            }
            (OperationKind::Store, AccessKind::UniformAtomic | AccessKind::Scalarized) => {
                "scalarised store to".to_owned()
            }
            (OperationKind::Atomic, AccessKind::UniformAtomic) => "uniform atomic on".to_owned(),
            (OperationKind::Atomic, _) => "scalarised atomic on".to_owned(),
            (OperationKind::Call(name), _) if name.is_empty() => "scalarised call".to_owned(),
            (OperationKind::Call(name), _) => format!("scalarised call of `{name}`"),
        };
        write!(f, "    {what}")?;
        if let Some(place) = of.memory {
            write!(f, " {}", self.place(place))?;
        }
        if let AccessKind::Strided(bytes) = of.access {
            write!(f, ", {bytes} bytes from lane to lane")?;
        }
        if let Some((file, line)) = &of.source {
            write!(f, ", {file}:{line}")?;
        }
        match times {
            1 => writeln!(f),
            _ => writeln!(f, ", {times} times"),
        }
    }

    fn place(&self, place: MemoryRegion) -> String {
        match place {
            MemoryRegion::Argument(offset) => {
                let mut arguments = self.interface.arguments.iter().enumerate();
                let found = arguments.find(|(_, argument)| argument.offset as u64 == offset);
                match found {
                    Some((_, argument)) if !argument.name.is_empty() => {
                        format!("`{}`", argument.name)
                    }
                    Some((number, _)) => format!("argument {number}"),
                    None => "an argument".into(),
                }
            }
            MemoryRegion::Local => "local memory".into(),
            MemoryRegion::Private => "private memory".into(),
            MemoryRegion::Unknown => "memory".into(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kernel::interface::{ArgumentKind, KernelArgument};
    use crate::vectorize::Rejection;

    fn text(local_size: Option<[u64; 3]>, outcome: VectorizationOutcome<'_>) -> String {
        let argument = |name: &str, offset| KernelArgument {
            name: name.into(),
            offset,
            ..KernelArgument::of_kind(ArgumentKind::GlobalPointer)
        };
        let interface = KernelInterface {
            name: "k".into(),
            arguments: vec![argument("a", 0), argument("", 8)],
            argument_block_size: 16,
            required_work_group_size: None,
            attributes: String::new(),
            has_barriers: false,
        };
        let specialisation = Specialisation {
            local_size,
            ..Specialisation::default()
        };
        Remarks {
            interface: &interface,
            specialisation: &specialisation,
            outcome,
        }
        .to_string()
    }

    #[test]
    fn vector_code_is_described_loop_by_loop() {
        let of = |kind, access, memory, line| Operation {
            kind,
            access,
            memory,
            source: Some(("program.cl".into(), line)),
        };
        let [a, b] = [0, 8].map(|offset| Some(MemoryRegion::Argument(offset)));
        let first = VectorizedLoop {
            lines: Some(("program.cl".into(), 2, 9)),
            unroll_and_jam: Some(2),
            split_at: vec![64],
            divergent_branches: 1,
            divergent_loops: 2,
            operations: vec![
                (of(OperationKind::Load, AccessKind::Consecutive, a, 3), 2),
                (of(OperationKind::Load, AccessKind::Consecutive, b, 4), 1),
                (of(OperationKind::Load, AccessKind::Uniform, a, 4), 1),
                (of(OperationKind::Store, AccessKind::Consecutive, a, 4), 1),
                (of(OperationKind::Load, AccessKind::Strided(-12), a, 5), 1),
                (of(OperationKind::Load, AccessKind::GatherScatter, b, 6), 3),
                (
                    of(
                        OperationKind::Store,
                        AccessKind::GatherScatter,
                        Some(MemoryRegion::Unknown),
                        6,
                    ),
                    1,
                ),
                (
                    of(OperationKind::Atomic, AccessKind::UniformAtomic, a, 7),
                    1,
                ),
                (
                    of(
                        OperationKind::Atomic,
                        AccessKind::Scalarized,
                        Some(MemoryRegion::Local),
                        7,
                    ),
                    1,
                ),
                (
                    of(
                        OperationKind::Call("f".into()),
                        AccessKind::Scalarized,
                        None,
                        8,
                    ),
                    1,
                ),
            ],
        };
        let vectorized = Vectorized {
            lanes: Lanes {
                count: 8,
                dimension: 1,
            },
            cost: "the cost".into(),
            loops: vec![first, VectorizedLoop::default()],
        };
        let remarks = text(Some([2, 16, 1]), VectorizationOutcome::Lanes(&vectorized));
        let expected = "\
remarks: kernel `k`, work-groups of 2x16x1
  8 lanes along y: the cost
  loop 1 of 2, program.cl:2-9
    unroll-and-jam: 2 rows
    rows are split before work-item 64
    1 divergent branch
    2 divergent loops
    uniform: 1 load
    consecutive: 3 loads, 1 store
    strided load from `a`, -12 bytes from lane to lane, program.cl:5
    gather from argument 1, program.cl:6, 3 times
    scatter to memory, program.cl:6
    uniform atomic on `a`, program.cl:7
    scalarised atomic on local memory, program.cl:7
    scalarised call of `f`, program.cl:8
  loop 2 of 2
";
        assert_eq!(remarks, expected);
    }

    #[test]
    fn the_reason_against_vector_code_is_stated() {
        let mut rejected = Rejected::from(Rejection::Unprofitable("2 to 1".into()));
        let scalar = |rejected: &Rejected, widest_vector| {
            text(
                None,
                VectorizationOutcome::Scalar {
                    rejected,
                    widest_vector,
                },
            )
        };
        let expected = "remarks: kernel `k`, work-groups of any size\n  \
                        not vectorised: vector code would cost more: 2 to 1\n";
        assert_eq!(scalar(&rejected, 1), expected);
        let expected = format!("{expected}  LLVM vectorised loops with up to 8 elements\n");
        assert_eq!(scalar(&rejected, 8), expected);

        let load = Operation {
            kind: OperationKind::Load,
            access: AccessKind::GatherScatter,
            memory: Some(MemoryRegion::Argument(0)),
            source: None,
        };
        rejected.plan = Some(Vectorized {
            lanes: Lanes {
                count: 16,
                dimension: 0,
            },
            cost: "not printed again".into(),
            loops: vec![VectorizedLoop {
                operations: vec![(load, 1)],
                ..VectorizedLoop::default()
            }],
        });
        let expected = format!(
            "{expected}  rejected plan, 16 lanes along x:\n  loop 1 of 1\n    gather from `a`\n"
        );
        assert_eq!(scalar(&rejected, 8), expected);
    }

    #[test]
    fn a_wrong_value_is_known_as_such() {
        for (value, meaning) in [
            ("", Some(false)),
            ("0", Some(false)),
            ("1", Some(true)),
            ("all", None),
        ] {
            assert_eq!(asked(Some(OsStr::new(value))), meaning, "{value}");
        }
        assert_eq!(asked(None), Some(false));
    }
}
