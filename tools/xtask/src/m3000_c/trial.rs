//! One kernel: written as C, built by m3cc, and run by an hthreads host.

use super::capture::Kernel;
use super::comparison::{self, Comparison};
use super::launch;
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
        let outcome = self.run_written(kernel, place)?;
        match outcome {
            Outcome::Ran(found) if found.iter().any(Comparison::is_different) => {
                let again = self.run_with_denormals(kernel, place)?;
                let pairs = found.into_iter().zip(again);
                let merged = pairs.map(|(found, again)| match again {
                    Comparison::Equal if found.is_different() => Comparison::Denormals,
                    Comparison::Open if found.is_different() => Comparison::Open,
                    _ => found,
                });
                Ok(Outcome::Ran(merged.collect()))
            }
            outcome => Ok(outcome),
        }
    }

    /// Runs the launches with denormal numbers, which the machine does not have.
    fn run_with_denormals(&self, kernel: &Kernel, place: &Path) -> Result<Vec<Comparison>> {
        let text = fs::read_to_string(place.join("kernel.c"))?;
        let place = place.join("denormals");
        fs::create_dir(&place)?;
        fs::write(place.join("kernel.c"), with_denormals(&text)?)?;
        match self.run_written(kernel, &place)? {
            Outcome::Ran(comparisons) => Ok(comparisons),
            other => bail!("kernel `{}` with denormal numbers: {other:?}", kernel.name),
        }
    }

    /// Builds `kernel.c` in a folder, and runs the launches.
    fn run_written(&self, kernel: &Kernel, place: &Path) -> Result<Outcome> {
        let built = self.build(place)?;
        if !built.status.success() {
            return Ok(Outcome::NotBuilt(errors(&built)));
        }
        let mut replay = Command::new("timeout");
        replay
            .args(["-s", "KILL", &LIMIT_SECONDS.to_string()])
            .arg(self.folder.join("replay"))
            .args(["kernel.dat", &kernel.name, THREADS])
            .current_dir(place);
        let prepared = kernel.launches.iter().map(launch::prepare);
        let prepared: Vec<_> = prepared.collect::<Result<_>>()?;
        replay.args(prepared.iter().map(|launch| &launch.words));
        let output = command::output(&mut replay)?;
        let memories = comparisons(&output, kernel.launches.len());
        let launches = memories.into_iter().zip(&prepared);
        // A launch that has not begun has no text.
        let compared = launches.map(|(memory, launch)| {
            let text = fs::read(&launch.found).unwrap_or_default();
            comparison::compare(memory, launch, &text)
        });
        Ok(Outcome::Ran(compared.collect()))
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

/// A kernel whose threads compute with denormal numbers, by a function of the host's processor.
fn with_denormals(text: &str) -> Result<String> {
    const PLACE: &str = "    const u64 *size = group.nd_range.local_size;\n";
    // Exceptions masked, round to nearest.
    let added = format!("{PLACE}    __builtin_ia32_ldmxcsr(0x1f80);\n");
    ensure!(text.contains(PLACE), "the kernel has no `{}`", PLACE.trim());
    Ok(text.replace(PLACE, &added))
}

/// The first line on standard error that says what is wrong.
fn errors(output: &Output) -> String {
    let text = String::from_utf8_lossy(&output.stderr);
    let is_error = |line: &&str| line.contains("error");
    let line = text.lines().find(is_error).or(text.lines().next());
    line.unwrap_or_default().trim().to_owned()
}

/// The comparisons of memories that the host program has printed; those that are missing are differences.
fn comparisons(output: &Output, launches: usize) -> Vec<Comparison> {
    let text = String::from_utf8_lossy(&output.stdout);
    let comparison = |line: &str| match line.strip_prefix("different ") {
        Some(what) => Some(Comparison::Different(what.to_owned())),
        None if line == "open" => Some(Comparison::Open),
        None => (line == "equal").then_some(Comparison::Equal),
    };
    let mut found: Vec<_> = text.lines().filter_map(comparison).collect();
    let errors = String::from_utf8_lossy(&output.stderr);
    let last = errors.lines().next().unwrap_or_default();
    while found.len() < launches {
        let what = format!("the host program ended with {}: {last}", output.status);
        found.push(Comparison::Different(what));
    }
    found
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
    fn each_launch_has_a_comparison() {
        let different = |what: &str| Comparison::Different(what.to_owned());
        let found = comparisons(&output("equal\ndifferent exception 4\nequal\n"), 3);
        let expected = [
            Comparison::Equal,
            different("exception 4"),
            Comparison::Equal,
        ];
        assert_eq!(found, expected);
        let missing = comparisons(&output("equal\n"), 2);
        assert_eq!(missing[0], Comparison::Equal);
        assert!(matches!(&missing[1], Comparison::Different(what) if what.contains("signal: 9")));
    }
}
