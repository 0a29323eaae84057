//! Errors of machine descriptions.

/// Why a machine description cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum MachineError {
    /// The file cannot be read.
    #[error("machine description {path}: {error}")]
    Unreadable {
        /// The file.
        path: String,
        /// The system's error.
        error: std::io::Error,
    },
    /// Not TOML, or keys are unknown or missing; the message has line and column.
    #[error("machine description: {0}")]
    Malformed(#[from] toml::de::Error),
    /// A name that is no number or choice of the machine.
    #[error("machine description: {}unknown name `{name}`", line_prefix(*.line))]
    Unknown {
        /// The name in full.
        name: String,
        /// Its line in the description; `None` for a setting.
        line: Option<usize>,
    },
    /// The base of a description is no machine that ships, or one whose bases do not end.
    #[error("machine description: {0}")]
    Base(String),
    /// A number's unit is not that of the number.
    #[error("machine description: {name} is in `{expected}`, not in `{found}`")]
    Unit {
        /// The number's name.
        name: String,
        /// Its unit; empty for counts.
        expected: String,
        /// The unit of the description.
        found: String,
    },
    /// A description changes a number of its base, and keeps what the base says of its source.
    #[error(
        "machine description: {0} differs from the base's, and has the same source and note: \
         say where the changed number comes from"
    )]
    ForeignSource(String),
    /// A setting `name=value` cannot be applied.
    #[error("{setting}: {error}")]
    Setting {
        /// The setting.
        setting: String,
        /// Why not.
        error: SettingError,
    },
    /// A number is out of its range or contradicts another; the message names it.
    #[error("machine description: {0}")]
    Impossible(String),
}

/// Why a setting is refused.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SettingError {
    /// It has no `=`.
    #[error("a setting has the form name=value, such as memory.ddr.bandwidth=85.2GB/s")]
    Form,
    /// The machine has no such number or choice.
    #[error("the machine has no such number; `mocl3 machine print` lists all{}", suggestion(.0))]
    UnknownName(Vec<String>),
    /// The value is no number.
    #[error("`{0}` is no number")]
    NoNumber(String),
    /// A number without its unit.
    #[error("the number is in {unit}: write the unit, such as {example}")]
    NoUnit {
        /// The number's unit.
        unit: String,
        /// The present value, as it may be written.
        example: String,
    },
    /// A unit of something else, or of a count.
    #[error("`{found}` is no unit of this number, which {}", expected(.unit))]
    OtherUnit {
        /// What was written.
        found: String,
        /// The number's unit; empty for counts.
        unit: String,
    },
    /// No integer in the number's unit, or one too large.
    #[error("this is no whole number of {}", if .0.is_empty() { "things" } else { .0 })]
    NotWhole(String),
}

fn expected(unit: &str) -> String {
    match unit {
        "" => "is a count".to_owned(),
        _ => format!("is in {unit}"),
    }
}

fn suggestion(names: &[String]) -> String {
    match names {
        [] => String::new(),
        _ => format!(". Is it {}?", names.join(" or ")),
    }
}

fn line_prefix(line: Option<usize>) -> String {
    line.map_or_else(String::new, |line| format!("line {line}: "))
}
