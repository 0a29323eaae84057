//! A case of the suite: a name, what it checks, and the function that does.

use crate::fixed_bugs;
use anyhow::Result;
use harness::feature::Feature;
use harness::session::Session;
use serde::Serialize;

/// What a case is about. The first four are those of the PoCL repository's cases.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, clap::ValueEnum)]
#[serde(rename_all = "kebab-case")]
pub enum Category {
    /// What kernels compute: the language and its builtins.
    Kernel,
    /// The API on the host's side.
    Runtime,
    /// Barriers, loops, and sizes of work-groups.
    WorkGroup,
    /// Programs that some compiler once got wrong.
    Regression,
    /// Bugs of this project that were fixed: the crate `regress`.
    FixedBug,
    /// Images and samplers.
    Image,
    /// The order of commands, and their status.
    Event,
    /// What kernels print.
    Printf,
    /// How accurate the builtins are.
    Builtin,
    /// What is returned for wrong calls.
    Error,
    /// Complete programs.
    Program,
    /// Kernels made from seeds.
    Generated,
}

impl Category {
    /// All, in the order of the report.
    pub const ALL: [Self; 12] = [
        Self::Kernel,
        Self::Runtime,
        Self::WorkGroup,
        Self::Regression,
        Self::FixedBug,
        Self::Image,
        Self::Event,
        Self::Printf,
        Self::Builtin,
        Self::Error,
        Self::Program,
        Self::Generated,
    ];

    /// As the report shows it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Kernel => "kernel compilation",
            Self::Runtime => "runtime",
            Self::WorkGroup => "work-groups",
            Self::Regression => "regression",
            Self::FixedBug => "fixed bugs",
            Self::Image => "images",
            Self::Event => "events",
            Self::Printf => "printf",
            Self::Builtin => "builtins' accuracy",
            Self::Error => "error codes",
            Self::Program => "complete programs",
            Self::Generated => "generated kernels",
        }
    }

    /// As `--category` takes it.
    pub fn argument(self) -> String {
        let value = clap::ValueEnum::to_possible_value(&self);
        value.map_or_else(String::new, |value| value.get_name().to_owned())
    }
}

/// Where the idea of a case is from. The code is this project's own.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub enum Origin {
    /// One of the 125 cases of PoCL 1.6, under its name there.
    #[serde(rename = "PoCL 1.6")]
    Pocl16,
    /// A case of a later PoCL that OpenCL 1.2 covers, under its name there.
    #[serde(rename = "later PoCL")]
    PoclLater,
    /// This project.
    #[serde(rename = "own")]
    Own,
}

/// What a case executes.
#[derive(Clone, Copy)]
pub enum Body {
    /// A function of the suite; an error has the expected and the actual result.
    Function(fn(&Session) -> Result<()>),
    /// A case of the crate `regress`.
    FixedBug(&'static regress::case::Case),
}

/// One case.
pub struct Case {
    /// One word, unlike all others.
    pub name: &'static str,
    /// What it is about.
    pub category: Category,
    /// Where the idea is from.
    pub origin: Origin,
    /// What it checks, and which parts of OpenCL it leans on.
    pub what: &'static str,
    /// What the device must have; else the case is skipped.
    pub needs: &'static [Feature],
    /// Build options of all its programs besides their own.
    pub options: &'static str,
    /// What it executes.
    pub body: Body,
    /// Checks what kernels printed to standard output.
    pub prints: Option<fn(&str) -> Result<()>>,
}

impl Case {
    /// A case of this project's that every device can run.
    pub const fn new(
        category: Category,
        name: &'static str,
        what: &'static str,
        run: fn(&Session) -> Result<()>,
    ) -> Self {
        Self::with_body(category, name, what, Body::Function(run))
    }

    /// A case of the crate `regress`.
    pub const fn fixed_bug(bug: &'static regress::case::Case, what: &'static str) -> Self {
        Self::with_body(Category::FixedBug, bug.name, what, Body::FixedBug(bug))
    }

    const fn with_body(
        category: Category,
        name: &'static str,
        what: &'static str,
        body: Body,
    ) -> Self {
        Self {
            name,
            category,
            origin: Origin::Own,
            what,
            needs: &[],
            options: "",
            body,
            prints: None,
        }
    }

    /// From elsewhere.
    pub const fn from(self, origin: Origin) -> Self {
        Self { origin, ..self }
    }

    /// On devices that have these features.
    pub const fn needs(self, needs: &'static [Feature]) -> Self {
        Self { needs, ..self }
    }

    /// Built with these options besides each program's own.
    pub const fn options(self, options: &'static str) -> Self {
        Self { options, ..self }
    }

    /// Kernels print, and this checks what.
    pub const fn prints(self, check: fn(&str) -> Result<()>) -> Self {
        Self {
            prints: Some(check),
            ..self
        }
    }

    /// Why the case cannot run on the session's device, if it cannot.
    ///
    /// # Errors
    /// A query fails.
    pub fn obstacle(&self, session: &Session) -> Result<Option<String>> {
        for feature in self.needs {
            if !session.has(*feature)? {
                return Ok(Some(format!("the platform has no {}", feature.name())));
            }
        }
        match self.body {
            Body::Function(_) => Ok(None),
            Body::FixedBug(bug) => fixed_bugs::obstacle(bug, session),
        }
    }

    /// Runs the case on the session's device.
    ///
    /// # Errors
    /// The case fails.
    pub fn run(&self, session: &Session) -> Result<()> {
        match self.body {
            Body::Function(run) => run(session),
            Body::FixedBug(bug) => fixed_bugs::run(bug, session),
        }
    }
}
