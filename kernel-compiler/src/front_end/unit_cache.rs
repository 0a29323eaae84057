//! Units of programs: those that this process holds already or the compile cache has, and else
//! compiled now. Failures are compiled anew each time.

use crate::cache::in_process::{Remembered, Shared};
use crate::cache::observed_files::ObservedFiles;
use crate::cache::{Cache, CacheInput};
use crate::failure::BuildFailure;
use crate::front_end::clang::{self, Program};
use crate::front_end::includes::Includes;
use crate::front_end::options::BuildOptions;
use crate::inspect::dump;
use crate::unit::{Header, Origin, Unit};
use once_cell::sync::Lazy;
use serde::{Deserialize, Serialize};
use std::sync::{Arc, Weak};

/// What a unit depends on, apart from the files that clang reads.
#[derive(Serialize)]
struct UnitInput<'a> {
    name: &'a str,
    source: &'a str,
    options: &'a BuildOptions,
    includes: Includes,
    headers: &'a [Header],
}

impl CacheInput for UnitInput<'_> {
    const KIND: &'static str = "unit";
    const VERSION: u32 = 1;
}

/// A unit in the compile cache. One input has several, which differ by the files read.
#[derive(Serialize, Deserialize)]
struct CachedUnit {
    files: ObservedFiles,
    #[serde(with = "serde_bytes")]
    bitcode: Vec<u8>,
    log: String,
}

/// Cached units of one input.
const MAX_VARIANTS: usize = 4;

/// A unit that this process may still hold.
struct KnownUnit {
    files: ObservedFiles,
    bitcode: Weak<[u8]>,
    log: String,
    initialises_private_memory: bool,
}

impl Remembered for KnownUnit {
    type Result = Unit;

    fn get(&self) -> Option<Unit> {
        let bitcode = self.bitcode.upgrade().filter(|_| self.files.still_hold())?;
        Some(Unit {
            bitcode,
            log: self.log.clone(),
            initialises_private_memory: self.initialises_private_memory,
            origins: Vec::new(),
        })
    }

    fn is_gone(&self) -> bool {
        self.bitcode.strong_count() == 0
    }
}

static KNOWN_UNITS: Lazy<Shared<KnownUnit>> = Lazy::new(Shared::new);

/// The unit of a program.
///
/// # Errors
/// The name is not one of a file, or clang refuses the program.
pub fn unit(program: &Program<'_>) -> Result<Unit, BuildFailure> {
    let name = program.name;
    if name.is_empty() || name.starts_with('-') || name.contains('\0') {
        return Err(BuildFailure::new(format!(
            "error: {name:?} is no name for a program"
        )));
    }
    let mut unit = shared(program);
    if dump::is_on() {
        let origin = Arc::new(Origin {
            name: name.to_owned(),
            source: program.source.to_owned(),
            clang_arguments: clang::arguments(name, program.options),
            optimise: program.options.optimises(),
            headers: program.headers.to_vec(),
            bitcode: unit.as_ref().ok().map(|unit| Arc::clone(&unit.bitcode)),
        });
        match &mut unit {
            Ok(unit) => unit.origins.push(origin),
            Err(failure) => dump::failed_build(&[origin], &failure.log),
        }
    }
    unit
}

/// The unit that this process holds, or a cached or new one.
fn shared(program: &Program<'_>) -> Result<Unit, BuildFailure> {
    let input = UnitInput {
        name: program.name,
        source: program.source,
        options: program.options,
        includes: Includes::new(program.options),
        headers: program.headers,
    };
    KNOWN_UNITS.get(&input, || {
        let (unit, files) = cached(program, &input)?;
        let known = files.are_repeatable().then(|| KnownUnit {
            files,
            bitcode: Arc::downgrade(&unit.bitcode),
            log: unit.log.clone(),
            initialises_private_memory: unit.initialises_private_memory,
        });
        Ok((unit, known))
    })
}

/// A unit of the compile cache, or one compiled now.
fn cached(
    program: &Program<'_>,
    input: &UnitInput<'_>,
) -> Result<(Unit, ObservedFiles), BuildFailure> {
    let Some(cache) = Cache::get() else {
        return clang::compile(program);
    };
    let mut variants: Vec<CachedUnit> = cache.load(input).unwrap_or_default();
    if let Some(index) = variants.iter().position(|unit| unit.files.still_hold()) {
        let cached = variants.swap_remove(index);
        let unit = Unit {
            bitcode: cached.bitcode.into(),
            log: cached.log,
            initialises_private_memory: program.options.initialises_private_memory(),
            origins: Vec::new(),
        };
        return Ok((unit, cached.files));
    }
    let (unit, files) = clang::compile(program)?;
    if files.are_repeatable() {
        variants.insert(
            0,
            CachedUnit {
                files: files.clone(),
                bitcode: unit.bitcode.to_vec(),
                log: unit.log.clone(),
            },
        );
        variants.truncate(MAX_VARIANTS);
        cache.store(input, &variants);
    }
    Ok((unit, files))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cache::check_distinct;
    use crate::front_end::options::BuildCall;

    #[test]
    fn the_key_depends_on_each_field() {
        let parse = |text| BuildOptions::parse(text, BuildCall::Build).unwrap();
        let header = |name: &str, source: &str| Header {
            name: name.into(),
            source: source.into(),
        };
        let plain = parse("");
        let options: Vec<BuildOptions> = [
            "-DN=4",
            "-DN=5",
            "-cl-opt-disable",
            "-cl-std=CL1.1",
            "-cl-mocl3-include-folders",
            "-cl-mocl3-remarks",
        ]
        .into_iter()
        .map(parse)
        .chain([parse("").initialising_private_memory(true)])
        .collect();
        let header_lists = [
            vec![header("a.h", "")],
            vec![header("", "a.h")],
            vec![header("a.h", ""), header("b.h", "")],
        ];
        let base = || UnitInput {
            name: "a.cl",
            source: "b",
            options: &plain,
            includes: Includes::Anywhere,
            headers: &[],
        };
        let mut inputs = vec![
            base(),
            UnitInput {
                name: "a.c",
                source: "lb",
                ..base()
            },
            UnitInput {
                source: "c",
                ..base()
            },
            UnitInput {
                includes: Includes::Folders,
                ..base()
            },
        ];
        inputs.extend(
            options
                .iter()
                .map(|options| UnitInput { options, ..base() }),
        );
        inputs.extend(
            header_lists
                .iter()
                .map(|headers| UnitInput { headers, ..base() }),
        );
        check_distinct(&inputs, &base());
    }
}
