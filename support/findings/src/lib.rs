//! Findings: errors of kernels and API calls that checks (`MOCL3_CHECK`) found. A process that uses the platform
//! writes them into a folder ([`log`]), `mocl3 check` reads them from there. All kinds of checks have
//! the same [`Finding`], and the same reports: [`text`] and [`sarif`].

pub mod log;
pub mod sarif;
pub mod sink;
pub mod suppression;
pub mod text;
pub mod words;

use environment::CHECK;
use serde::{Deserialize, Serialize};
use std::fmt;

/// The kinds of checks by name, of which `MOCL3_CHECK` is a list.
pub const CHECKS: [&str; 7] = [
    "memory",
    "uninitialised",
    "races",
    "barriers",
    "dma",
    "api",
    "all",
];

/// The kinds of checks that a value of `MOCL3_CHECK` lists; none for an empty value and `0`.
///
/// # Errors
/// The first word that is no check.
pub fn listed(value: &str) -> Result<Vec<&'static str>, &str> {
    if matches!(value.trim(), "" | "0") {
        return Ok(Vec::new());
    }
    let words = value.split(',').map(str::trim);
    let check = |word| CHECKS.into_iter().find(|name| *name == word).ok_or(word);
    words.map(check).collect()
}

/// A sentence that says that a value of `MOCL3_CHECK` has a word that is no check.
pub fn unknown_check(value: &str, word: &str) -> String {
    let names = CHECKS.join(", ");
    format!("{CHECK}={value}: there is no check `{word}`; nothing is checked. There are: {names}")
}

/// What is wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Kind {
    /// An access through a null pointer.
    NullPointer,
    /// An access outside of the buffer, sub-buffer or variable that its pointer comes from.
    OutOfBounds,
    /// An access to an address that is in no object of the launch.
    UnknownAddress,
    /// An access to an address that is no multiple of the type's alignment.
    Misaligned,
    /// A write to memory that kernels may only read.
    WriteToReadOnly,
    /// A write through a pointer to `const`.
    WriteToConst,
    /// A read of a buffer that kernels may only write.
    ReadOfWriteOnly,
    /// An access to an image whose outcome OpenCL leaves undefined because of its coordinates.
    ImageCoordinates,
    /// A use of a value from memory that was never written.
    Uninitialised,
    /// Accesses of the same memory by several work-items, of which one writes, that no barrier orders.
    DataRace,
    /// A command or kernel that accesses a memory object while a part of it is mapped.
    Mapped,
    /// A write beyond the ends of a buffer by something whose accesses are not checked.
    RedZone,
    /// A conflict with a DMA transfer that has not been waited for.
    Dma,
    /// A barrier that not all work-items of a group reach.
    DivergentBarrier,
    /// An asynchronous copy, or a wait, whose arguments differ between the work-items of a group.
    DivergentArguments,
    /// An exception of the machine, which has stopped a thread.
    Exception,
    /// A call of the API that returned an error.
    ApiError,
    /// Objects that the program has not released when it ends.
    Leak,
}

impl Kind {
    /// All kinds.
    pub const ALL: [Self; 18] = [
        Self::NullPointer,
        Self::OutOfBounds,
        Self::UnknownAddress,
        Self::Misaligned,
        Self::WriteToReadOnly,
        Self::WriteToConst,
        Self::ReadOfWriteOnly,
        Self::ImageCoordinates,
        Self::Uninitialised,
        Self::DataRace,
        Self::Mapped,
        Self::RedZone,
        Self::Dma,
        Self::DivergentBarrier,
        Self::DivergentArguments,
        Self::Exception,
        Self::ApiError,
        Self::Leak,
    ];

    /// The name in reports and suppressions.
    pub const fn name(self) -> &'static str {
        match self {
            Self::NullPointer => "null-pointer",
            Self::OutOfBounds => "out-of-bounds",
            Self::UnknownAddress => "unknown-address",
            Self::Misaligned => "misaligned",
            Self::WriteToReadOnly => "write-to-read-only",
            Self::WriteToConst => "write-to-const",
            Self::ReadOfWriteOnly => "read-of-write-only",
            Self::ImageCoordinates => "image-coordinates",
            Self::Uninitialised => "uninitialised",
            Self::DataRace => "data-race",
            Self::Mapped => "mapped",
            Self::RedZone => "red-zone",
            Self::Dma => "dma",
            Self::DivergentBarrier => "divergent-barrier",
            Self::DivergentArguments => "divergent-arguments",
            Self::Exception => "exception",
            Self::ApiError => "api-error",
            Self::Leak => "leak",
        }
    }

    /// What it means, in short.
    pub const fn meaning(self) -> &'static str {
        match self {
            Self::NullPointer => "access through a null pointer",
            Self::OutOfBounds => "access outside of a buffer or variable",
            Self::UnknownAddress => "access to an address in no object of the launch",
            Self::Misaligned => "access to an address that is not aligned for its type",
            Self::WriteToReadOnly => "write to memory that kernels may only read",
            Self::WriteToConst => "write through a pointer to const",
            Self::ReadOfWriteOnly => "read of a buffer that kernels may only write",
            Self::ImageCoordinates => "access to an image with undefined outcome",
            Self::Uninitialised => "use of a value from memory that was never written",
            Self::DataRace => "conflicting accesses that no barrier orders",
            Self::Mapped => "command or kernel that accesses a mapped memory object",
            Self::RedZone => "memory around a buffer overwritten by the host or a native kernel",
            Self::Dma => "conflict with an unfinished DMA transfer",
            Self::DivergentBarrier => "barrier that not all work-items of a group reach",
            Self::DivergentArguments => "asynchronous copy with different arguments in a group",
            Self::Exception => "exception of the machine that stopped a thread",
            Self::ApiError => "call of the API that returned an error",
            Self::Leak => "objects not released when the program ends",
        }
    }

    /// Whether it is about code of kernels, which has places in the source.
    pub const fn is_of_kernels(self) -> bool {
        !matches!(
            self,
            Self::ApiError | Self::Leak | Self::Mapped | Self::RedZone
        )
    }
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// A place in the source.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Place {
    /// File name.
    pub file: String,
    /// Line number from 1.
    pub line: u32,
    /// Column from 1; 0 if unknown.
    pub column: u32,
    /// The text of the line; empty if unknown.
    pub text: String,
}

/// The work-item that made an access.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct WorkItem {
    /// Global id.
    pub global: [u64; 3],
    /// Local id.
    pub local: [u64; 3],
    /// Group id.
    pub group: [u64; 3],
}

/// The thread of an hthreads program that made an access.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Thread {
    /// The cluster.
    pub cluster: u32,
    /// The id of the group.
    pub group: u32,
    /// Its number in the group.
    pub number: u32,
}

/// The object that an access was meant for.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Object {
    /// `argument` or `variable`.
    pub role: String,
    /// Its name in the source; empty if unknown.
    pub name: String,
    /// `global`, `constant`, `local` or `private`.
    pub space: String,
    /// Its size.
    pub bytes: u64,
}

/// A memory access.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Access {
    /// Whether it writes.
    pub writes: bool,
    /// Its size.
    pub bytes: u64,
    /// Bytes from the object's start; without an object, the address.
    pub offset: i64,
}

/// The access that a finding's conflicts with.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct OtherAccess {
    /// Whether it writes.
    pub writes: bool,
    /// Whether it is an asynchronous copy.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub is_copy: bool,
    /// The function of the program; empty if unknown.
    pub function: String,
    /// Where; none if it is not known.
    pub place: Option<Place>,
    /// Local id of its work-item; none if it is not known, or no work-item.
    pub local: Option<[u64; 3]>,
    /// Its group; none if it is not known.
    pub group: Option<[u64; 3]>,
}

impl OtherAccess {
    /// What it is, in a word.
    pub fn noun(&self) -> &'static str {
        match (self.is_copy, self.writes) {
            (true, _) => "copy",
            (false, true) => "write",
            (false, false) => "read",
        }
    }
}

/// A finding, and how often it occurred.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Finding {
    /// What is wrong.
    pub kind: Kind,
    /// A sentence that says it.
    pub message: String,
    /// The kernel that was launched; empty if there is none.
    pub kernel: String,
    /// The function of the program, or of the API; empty if unknown.
    pub function: String,
    /// Where; none if the program was built without line tables.
    pub place: Option<Place>,
    /// The first work-item; none if it is not known.
    pub work_item: Option<WorkItem>,
    /// The first thread, of hthreads programs.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub thread: Option<Thread>,
    /// The object, if it is known.
    pub object: Option<Object>,
    /// The access, if there is one.
    pub access: Option<Access>,
    /// The access that it conflicts with, if there is one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub other: Option<OtherAccess>,
    /// The value that the access writes, if it is one number, or its coordinates in an image.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub value: Option<String>,
    /// How often it occurred.
    pub count: u64,
}

impl Finding {
    /// A finding, made once, that is about no code of a kernel.
    pub fn new(kind: Kind, message: String) -> Self {
        Self {
            kind,
            message,
            kernel: String::new(),
            function: String::new(),
            place: None,
            work_item: None,
            thread: None,
            object: None,
            access: None,
            other: None,
            value: None,
            count: 1,
        }
    }

    /// What is wrong, with the kernel if there is one.
    pub fn sentence(&self) -> String {
        match self.kernel.as_str() {
            "" => self.message.clone(),
            kernel => format!("kernel `{kernel}`: {}", self.message),
        }
    }

    /// Whether two findings are of the same kind at the same place, so that one of them is shown.
    pub fn is_like(&self, other: &Self) -> bool {
        let place = |of: &Self| {
            of.place
                .as_ref()
                .map(|p| (p.file.clone(), p.line, p.column))
        };
        let object = |of: &Self| of.object.as_ref().map(|o| o.name.clone());
        let copy = |of: &Self| of.other.as_ref().and_then(|copy| copy.place.clone());
        self.kind == other.kind
            && self.kernel == other.kernel
            && place(self) == place(other)
            && object(self) == object(other)
            && self.access.map(|a| a.writes) == other.access.map(|a| a.writes)
            && (self.place.is_some() || self.message == other.message)
            && (self.kind != Kind::Dma || copy(self) == copy(other))
    }
}

/// What findings are ordered by: the global id, the last dimension first, or the thread.
fn order(finding: &Finding) -> (Option<[u64; 3]>, Option<Thread>) {
    let item = finding.work_item.map(|item| {
        let [x, y, z] = item.global;
        [z, y, x]
    });
    (item, finding.thread)
}

/// Merges findings that are alike: that of the first work-item or thread, with the sum of the counts.
pub fn merged(findings: impl IntoIterator<Item = Finding>) -> Vec<Finding> {
    let mut merged: Vec<Finding> = Vec::new();
    for finding in findings {
        match merged.iter_mut().find(|known| known.is_like(&finding)) {
            Some(known) => {
                let count = known.count + finding.count;
                if order(&finding) < order(known) {
                    *known = finding;
                }
                known.count = count;
            }
            None => merged.push(finding),
        }
    }
    merged
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;

    pub fn example() -> Finding {
        Finding {
            kind: Kind::OutOfBounds,
            message: "write of 4 bytes, 8 bytes after the end of argument `out`".into(),
            kernel: "k".into(),
            function: "put".into(),
            place: Some(Place {
                file: "program.cl".into(),
                line: 3,
                column: 8,
                text: "  out[i] = 1;".into(),
            }),
            work_item: Some(WorkItem {
                global: [18, 0, 0],
                local: [2, 0, 0],
                group: [1, 0, 0],
            }),
            thread: None,
            object: Some(Object {
                role: "argument".into(),
                name: "out".into(),
                space: "global".into(),
                bytes: 64,
            }),
            access: Some(Access {
                writes: true,
                bytes: 4,
                offset: 72,
            }),
            other: None,
            value: Some("1".into()),
            count: 2,
        }
    }

    #[test]
    fn findings_of_a_kind_and_place_are_one() {
        let mut other = example();
        other.kind = Kind::Misaligned;
        let merged = merged([example(), other, example()]);
        let counts: Vec<u64> = merged.iter().map(|finding| finding.count).collect();
        assert_eq!(counts, [4, 2]);
    }

    #[test]
    fn a_list_has_known_checks_only() {
        assert_eq!(listed(" 0 "), Ok(vec![]));
        assert_eq!(listed("dma, memory"), Ok(vec!["dma", "memory"]));
        assert_eq!(listed("dma,speed"), Err("speed"));
    }

    #[test]
    fn names_are_those_of_json() {
        for kind in Kind::ALL {
            let json = serde_json::to_string(&kind).unwrap();
            assert_eq!(json, format!("\"{kind}\""));
        }
    }
}
