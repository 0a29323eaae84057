//! One kernel: written as C, built by m3cc, and run by an hthreads host.

use super::capture::Kernel;
use super::comparison::{Comparison, Conversions, Run, compare};
use super::launch::{self, Replay};
use crate::{command, platform};
use anyhow::{Context, Result, bail, ensure};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// The host program.
const REPLAY: &str = include_str!("replay.c");

/// How long the launches of a kernel may run.
const LIMIT_SECONDS: u32 = 60;

/// Threads of a group: more than some launches have work-groups, fewer than others.
const THREADS: &str = "3";

/// Conversions to integers that say which numbers these do not have.
const CONVERSIONS: &str = include_str!("conversions.c");

/// What became of a kernel.
#[derive(Debug)]
pub enum Outcome {
    /// It cannot be written as C.
    Refused(String),
    /// m3cc does not build it.
    NotBuilt(String),
    /// What each launch's comparison says.
    Ran(Vec<Comparison>),
}

/// The tree of the toolchain, and the host program in it.
pub struct Toolchain {
    folder: PathBuf,
}

impl Toolchain {
    /// Makes the tree in a folder, and builds the host program.
    ///
    /// # Errors
    /// One of the commands'.
    pub fn make(folder: &Path) -> Result<Self> {
        let toolchain = Self {
            folder: folder.to_owned(),
        };
        let built = platform::library_folder();
        command::run(
            Command::new(built.join("m3cc"))
                .arg("--make-tree")
                .arg(folder)
                .arg(built.join("libhthread_host.so")),
        )?;
        fs::write(folder.join("replay.c"), REPLAY)?;
        let line = "gcc -O1 -Wall -Ihthreads/include replay.c hthreads/lib/libhthread_host.a \
                    -lpthread -lm -o replay";
        command::run(Command::new("sh").args(["-c", line]).current_dir(folder))?;
        Ok(toolchain)
    }

    /// Tries a kernel in a folder of its own.
    ///
    /// # Errors
    /// A command cannot be started; the capture cannot be read.
    pub fn try_kernel(&self, kernel: &Kernel, place: &Path) -> Result<Outcome> {
        fs::create_dir(place)?;
        let written = command::output(
            Command::new(platform::library_folder().join("mocl3"))
                .args(["compile", "--emit", "m3000-c", "--kernel", &kernel.name])
                .args(["-o", "kernel.c"])
                .arg(&kernel.program)
                .current_dir(place),
        )?;
        if !written.status.success() {
            return Ok(Outcome::Refused(errors(&written)));
        }
        let launches = kernel.launches.iter().map(launch::prepare);
        let launches: Vec<Replay> = launches.collect::<Result<_>>()?;
        match self.run_written(kernel, &launches, place)? {
            Ok(runs) => {
                let found = compare_all(&launches, &runs, &[]);
                self.explain(kernel, &launches, place, found)
                    .map(Outcome::Ran)
            }
            Err(why) => Ok(Outcome::NotBuilt(why)),
        }
    }

    /// Looks for the reasons of differences: denormal numbers, which the machine does not have, and conversions to
    /// integers that do not have the number.
    fn explain(
        &self,
        kernel: &Kernel,
        launches: &[Replay],
        place: &Path,
        found: Vec<Comparison>,
    ) -> Result<Vec<Comparison>> {
        if !found.iter().any(Comparison::is_different) {
            return Ok(found);
        }
        let text = with_denormals(&fs::read_to_string(place.join("kernel.c"))?)?;
        let run = |name: &str, text: &str| -> Result<Vec<Run>> {
            let place = place.join(name);
            fs::create_dir(&place)?;
            fs::write(place.join("kernel.c"), text)?;
            match self.run_written(kernel, launches, &place)? {
                Ok(runs) => Ok(runs),
                Err(why) => bail!("kernel `{}` with {name}: {why}", kernel.name),
            }
        };
        let runs = run("denormals", &text)?;
        let again = compare_all(launches, &runs, &[]);
        let found = merge(found, again, &Comparison::Denormals);
        if !found.iter().any(Comparison::is_different) {
            return Ok(found);
        }
        let zeros = run("zeros", &with_conversions(&text, "0ul"))?;
        let ones = run("ones", &with_conversions(&text, "~0ul"))?;
        let conversions: Vec<Conversions> = zeros.into_iter().zip(ones).collect();
        let again = compare_all(launches, &runs, &conversions);
        Ok(merge(found, again, &Comparison::Open))
    }

    /// Builds `kernel.c` in a folder, and runs the launches; or else the error of the build.
    fn run_written(
        &self,
        kernel: &Kernel,
        launches: &[Replay],
        place: &Path,
    ) -> Result<Result<Vec<Run>, String>> {
        let built = self.build(place)?;
        if !built.status.success() {
            return Ok(Err(errors(&built)));
        }
        let mut replay = Command::new("timeout");
        replay
            .args(["-s", "KILL", &LIMIT_SECONDS.to_string()])
            .arg(self.folder.join("replay"))
            .args(["kernel.dat", &kernel.name, THREADS])
            .args(launches.iter().map(|launch| &launch.words))
            .current_dir(place);
        runs(&command::output(&mut replay)?, launches).map(Ok)
    }

    fn build(&self, place: &Path) -> Result<Output> {
        let tree = self.folder.display();
        let line = format!(
            "PATH={tree}/dsp_compiler/bin:$PATH && \
             MT-3000-gcc -c -O2 -fenable-m3000 -I{tree}/hthreads/include \
             -I{tree}/dsp_compiler/include kernel.c && \
             MT-3000-ld kernel.o -L{tree}/hthreads/lib -Tdsp.lds \
             {tree}/hthreads/lib/libhthread_device.a {tree}/dsp_compiler/lib/slib3000.a \
             -o kernel.out && MT-3000-makedat -J kernel.out"
        );
        command::output(Command::new("sh").args(["-c", &line]).current_dir(place))
    }
}

/// The comparisons of launches with their runs; of conversions there are none, or a pair of runs for each launch.
fn compare_all(launches: &[Replay], runs: &[Run], conversions: &[Conversions]) -> Vec<Comparison> {
    let compared = launches.iter().zip(runs).enumerate();
    compared
        .map(|(number, (launch, run))| compare(launch, run, conversions.get(number)))
        .collect()
}

/// Comparisons, of which those that differ are `equal` or open if others are equal or open.
fn merge(found: Vec<Comparison>, again: Vec<Comparison>, equal: &Comparison) -> Vec<Comparison> {
    let pairs = found.into_iter().zip(again);
    let merged = pairs.map(|(found, again)| match again {
        Comparison::Equal if found.is_different() => equal.clone(),
        Comparison::Open if found.is_different() => Comparison::Open,
        _ => found,
    });
    merged.collect()
}

/// A kernel whose threads compute with denormal numbers, by a function of the host's processor.
fn with_denormals(text: &str) -> Result<String> {
    const PLACE: &str = "    const u64 *size = group.nd_range.local_size;\n";
    // Exceptions masked, round to nearest.
    let added = format!("{PLACE}    __builtin_ia32_ldmxcsr(0x1f80);\n");
    ensure!(text.contains(PLACE), "the kernel has no `{}`", PLACE.trim());
    Ok(text.replace(PLACE, &added))
}

/// A kernel whose conversions to integers give `out_of_range` for numbers that these do not have.
fn with_conversions(text: &str, out_of_range: &str) -> String {
    format!("#define OUT_OF_RANGE {out_of_range}\n{CONVERSIONS}{text}")
}

/// The first line on standard error that says what is wrong.
fn errors(output: &Output) -> String {
    let text = String::from_utf8_lossy(&output.stderr);
    let is_error = |line: &&str| line.contains("error");
    let line = text.lines().find(is_error).or(text.lines().next());
    line.unwrap_or_default().trim().to_owned()
}

/// How the launches have ended, which the host program has printed, and what they have left.
fn runs(output: &Output, launches: &[Replay]) -> Result<Vec<Run>> {
    let text = String::from_utf8_lossy(&output.stdout);
    let errors = String::from_utf8_lossy(&output.stderr);
    let last = errors.lines().next().unwrap_or_default();
    let mut lines = text.lines();
    let run = |launch: &Replay| {
        let line = lines.next();
        Ok(
            match line.and_then(|line| line.strip_prefix("exception ")) {
                Some(number) => Run::Exception(number.to_owned(), launch.left()?),
                None if line == Some("ran") => Run::Ended(launch.left()?),
                None => Run::Missing(format!(
                    "the host program ended with {}: {last}",
                    output.status
                )),
            },
        )
    };
    launches.iter().map(run).collect()
}

/// Tries kernels, two at once; the outcomes are in their order.
///
/// # Errors
/// As `try_kernel`.
pub fn try_all(toolchain: &Toolchain, kernels: &[Kernel], folder: &Path) -> Result<Vec<Outcome>> {
    const AT_ONCE: usize = 2;
    let part = |first: usize| -> Result<Vec<(usize, Outcome)>> {
        let numbered = kernels.iter().enumerate().skip(first).step_by(AT_ONCE);
        let tried = numbered.map(|(number, kernel)| {
            let place = folder.join(format!("kernel{number}"));
            let outcome = toolchain
                .try_kernel(kernel, &place)
                .with_context(|| format!("kernel `{}`", kernel.name))?;
            // The table follows minutes later.
            if let Outcome::Ran(comparisons) = &outcome {
                for how in comparisons.iter().filter(|one| one.is_different()) {
                    eprintln!("{} (kernel{number}): {how:?}", kernel.name);
                }
            }
            Ok((number, outcome))
        });
        tried.collect()
    };
    let part = &part;
    let parts: Vec<_> = std::thread::scope(|scope| {
        let threads: Vec<_> = (0..AT_ONCE)
            .map(|first| scope.spawn(move || part(first)))
            .collect();
        threads.into_iter().map(|thread| thread.join()).collect()
    });
    let mut outcomes = Vec::new();
    for part in parts {
        match part {
            Ok(part) => outcomes.extend(part?),
            Err(_) => bail!("a thread has panicked"),
        }
    }
    outcomes.sort_by_key(|(number, _)| *number);
    Ok(outcomes.into_iter().map(|(_, outcome)| outcome).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::process::ExitStatusExt;
    use std::process::ExitStatus;

    fn output(stdout: &str) -> Output {
        Output {
            status: ExitStatus::from_raw(9),
            stdout: stdout.into(),
            stderr: Vec::new(),
        }
    }

    #[test]
    fn denormal_numbers_are_switched_on() {
        let text =
            with_denormals("a\n    const u64 *size = group.nd_range.local_size;\nb").unwrap();
        assert!(text.ends_with("local_size;\n    __builtin_ia32_ldmxcsr(0x1f80);\nb"));
        assert!(with_denormals("a").is_err());
    }

    #[test]
    fn each_launch_has_an_end() {
        let launches = [Replay::default(), Replay::default(), Replay::default()];
        let found = runs(&output("ran\nexception 4\n"), &launches).unwrap();
        assert!(matches!(&found[0], Run::Ended(_)));
        assert!(matches!(&found[1], Run::Exception(number, _) if number == "4"));
        assert!(matches!(&found[2], Run::Missing(what) if what.contains("signal: 9")));
    }

    #[test]
    fn reasons_replace_differences_only() {
        let different = || Comparison::Different(String::new());
        let found = || vec![different(), different(), Comparison::Equal, different()];
        let again = || {
            vec![
                Comparison::Equal,
                Comparison::Open,
                Comparison::Open,
                different(),
            ]
        };
        let denormals = merge(found(), again(), &Comparison::Denormals);
        let expected = [
            Comparison::Denormals,
            Comparison::Open,
            Comparison::Equal,
            different(),
        ];
        assert_eq!(denormals, expected);
        let open = merge(found(), again(), &Comparison::Open);
        assert_eq!(open[..2], [Comparison::Open, Comparison::Open]);
    }
}
