//! A case of the suite: its name, its description, and the function that runs it.

use crate::fixed_bugs;
use anyhow::Result;
use harness::feature::Feature;
use harness::session::Session;
use serde::Serialize;

/// The category of a case. The first four are those of the cases in the PoCL repository.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, clap::ValueEnum)]
#[serde(rename_all = "kebab-case")]
pub enum Category {
    /// The language and its builtins.
    Kernel,
    /// The host API.
    Runtime,
    /// Barriers, loops, and sizes of work-groups.
    WorkGroup,
    /// Kernels that were once miscompiled, mostly by PoCL.
    Regression,
    /// Bugs of this project that were fixed: the crate `regress`.
    FixedBug,
    /// Images and samplers.
    Image,
    /// The order of commands, and their status.
    Event,
    /// The output of `printf`.
    Printf,
    /// The accuracy of the builtins.
    Builtin,
    /// The codes of invalid calls.
    Error,
    /// Complete programs.
    Program,
    /// Random kernels.
    Generated,
}

impl Category {
    /// All categories, in the order of the report.
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

    /// The category's name in reports.
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

    /// The category's name for `--category`.
    pub fn argument(self) -> String {
        let value = clap::ValueEnum::to_possible_value(&self);
        value.map_or_else(String::new, |value| value.get_name().to_owned())
    }
}

/// The origin of the idea of a case. The code is this project's own.
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

/// The body of a case.
#[derive(Clone, Copy)]
pub enum Body {
    /// A function of the suite; an error has the expected and the actual result.
    Function(fn(&Session) -> Result<()>),
    /// A case of the crate `regress`.
    FixedBug(&'static regress::case::Case),
}

/// A case of the suite.
pub struct Case {
    /// A unique name of one word.
    pub name: &'static str,
    /// What it is about.
    pub category: Category,
    /// The origin of the idea.
    pub origin: Origin,
    /// A description: what the case checks, with the features of OpenCL that it uses.
    pub what: &'static str,
    /// Features that the device must have; otherwise the case is skipped.
    pub needs: &'static [Feature],
    /// Build options of all its programs, in addition to their own.
    pub options: &'static str,
    /// The body of the case.
    pub body: Body,
    /// Checks what kernels printed to standard output.
    pub prints: Option<fn(&str) -> Result<()>>,
}

impl Case {
    /// A case of this project for all devices.
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

    /// Sets the origin.
    pub const fn from(self, origin: Origin) -> Self {
        Self { origin, ..self }
    }

    /// Sets the required features.
    pub const fn needs(self, needs: &'static [Feature]) -> Self {
        Self { needs, ..self }
    }

    /// Sets the additional build options.
    pub const fn options(self, options: &'static str) -> Self {
        Self { options, ..self }
    }

    /// Sets the check of standard output.
    pub const fn prints(self, check: fn(&str) -> Result<()>) -> Self {
        Self {
            prints: Some(check),
            ..self
        }
    }

    /// The reason why the session's device cannot run the case, if there is one.
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
