//! What programs are built of, so that they can be built again: with source lines, for runs and
//! reports that need them.

use crate::executable::Executable;
use crate::front_end::options::{BuildCall, BuildOptions, REMARKS};
use crate::link::link_library;
use crate::unit::{Header, Unit};
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// A source and what it is compiled with.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct SourceInput {
    source: String,
    /// As the host program gave them.
    options: String,
    headers: Vec<Header>,
}

/// A step of a build. Its results are units.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
enum Step {
    /// Compiles a source.
    Compile(Arc<SourceInput>),
    /// Links the last results, that many, to a library.
    Library(usize),
}

/// The steps by which a unit or an executable is built. The results of an executable's steps are
/// linked at last. A list and no tree: it may be read from a forged binary.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct BuildInput(Vec<Step>);

impl BuildInput {
    /// A source, its options without that for remarks, which does not change the program, nor its
    /// binary, and the headers given to `clCompileProgram`.
    pub fn of_source(source: &str, options: &str, headers: &[Header]) -> Self {
        Self(vec![Step::Compile(Arc::new(SourceInput {
            source: source.to_owned(),
            options: options.replace(REMARKS, "").trim().to_owned(),
            headers: headers.to_vec(),
        }))])
    }

    /// That of an executable that is linked of units.
    pub fn of_executable(units: &[Arc<Self>]) -> Self {
        Self(units.iter().flat_map(|unit| unit.0.clone()).collect())
    }

    /// That of a library.
    pub fn of_library(units: &[Arc<Self>]) -> Self {
        let mut input = Self::of_executable(units);
        input.0.push(Step::Library(units.len()));
        input
    }

    /// Builds the executable; `change` says with which options each source is compiled. None if that
    /// fails.
    pub fn build(&self, change: impl Fn(BuildOptions) -> BuildOptions) -> Option<Arc<Executable>> {
        let mut units: Vec<Unit> = Vec::new();
        for step in &self.0 {
            let unit = match step {
                Step::Compile(input) => {
                    let options = BuildOptions::parse(&input.options, BuildCall::Build).ok()?;
                    crate::compile(&input.source, &change(options), &input.headers)
                }
                Step::Library(count) => {
                    let parts = units.split_off(units.len().checked_sub(*count)?);
                    link_library(&parts.iter().collect::<Vec<_>>())
                }
            };
            units.push(unit.ok()?);
        }
        Executable::link(&units.iter().collect::<Vec<_>>()).ok()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn programs_and_libraries_are_built_again_as_they_were() {
        let header = |text: &str| Header {
            name: "by.h".into(),
            source: text.into(),
        };
        let unit = |source: &str, options: &str, headers: &[Header]| {
            let parsed = BuildOptions::parse(options, BuildCall::Compile).unwrap();
            let input = BuildInput::of_source(source, options, headers);
            (
                crate::compile(source, &parsed, headers).unwrap(),
                Arc::new(input),
            )
        };
        let headers = [header("#define BY 3\n")];
        let (one, of_one) = unit(
            "#include \"by.h\"\nint f(int x) { return BY * x; }",
            "",
            &headers,
        );
        let (two, of_two) = unit(
            "int f(int); int g(int x) { return f(x) + N; }",
            "-DN=4",
            &[],
        );
        let (three, of_three) = unit(
            "int g(int); kernel void k(global int *x) { *x = g(*x); }",
            "",
            &[],
        );
        let library = link_library(&[&one, &two]).unwrap();
        let of_library = Arc::new(BuildInput::of_library(&[of_one, of_two]));
        let executable = Executable::link(&[&three, &library]).unwrap();
        let input = BuildInput::of_executable(&[of_three, of_library]);
        let again = input.build(|options| options).unwrap();
        assert!(again.is_same_as(&executable));
        let with_lines = input.build(BuildOptions::with_line_tables).unwrap();
        assert!(!with_lines.is_same_as(&executable));
        let impossible = BuildInput(vec![Step::Library(1)]);
        assert!(impossible.build(|options| options).is_none());
    }
}
