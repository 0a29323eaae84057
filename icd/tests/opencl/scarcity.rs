//! Systems that give little memory, few threads or small stacks: a program that builds, launches
//! and reads succeeds, or gets an error code, or a failed build with a log. Nothing else.

use crate::process;
use crate::session::vendors;
use std::collections::BTreeMap;
use std::fmt::{self, Display, Formatter};
use std::io::Read;
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// A user whom no other process belongs to: threads are counted by user, and not for root.
const USER: u32 = 61_234;

/// What there is little of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Scarce {
    /// Address space, KiB (`ulimit -v`).
    AddressSpace,
    /// Writable private memory, KiB (`ulimit -d`).
    Data,
    /// Stack of the main thread, KiB (`ulimit -s`).
    Stack,
    /// Threads (`ulimit -u`).
    Threads,
}

#[derive(Clone, Copy, Debug)]
struct Limit(Scarce, u64);

impl Display for Limit {
    fn fmt(&self, formatter: &mut Formatter<'_>) -> fmt::Result {
        let Self(scarce, value) = self;
        write!(formatter, "{scarce:?} {value}")
    }
}

impl Limit {
    /// Puts it on this process.
    fn apply(self) -> std::io::Result<()> {
        let Self(scarce, value) = self;
        let (resource, value) = match scarce {
            Scarce::AddressSpace => (libc::RLIMIT_AS, value << 10),
            Scarce::Data => (libc::RLIMIT_DATA, value << 10),
            Scarce::Stack => (libc::RLIMIT_STACK, value << 10),
            Scarce::Threads => (libc::RLIMIT_NPROC, value),
        };
        let limit = libc::rlimit {
            rlim_cur: value,
            rlim_max: value,
        };
        // SAFETY: the calls change what is this process's own.
        unsafe {
            if scarce == Scarce::Threads && libc::geteuid() == 0 {
                let changed = libc::setgroups(0, std::ptr::null()) == 0
                    && libc::setgid(USER) == 0
                    && libc::setuid(USER) == 0;
                if !changed {
                    return Err(std::io::Error::last_os_error());
                }
            }
            if libc::setrlimit(resource, &limit) != 0 {
                return Err(std::io::Error::last_os_error());
            }
        }
        Ok(())
    }
}

/// What the program printed last: `success`, or the call that failed and its code.
fn outcome(program: &Path, limit: Limit) -> Result<String, String> {
    let mut command = Command::new(program);
    command
        .env("OCL_ICD_VENDORS", vendors())
        .env("MOCL3_CACHE", "0")
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    // SAFETY: only system calls between fork and exec.
    unsafe { command.pre_exec(move || limit.apply()) };
    let mut child = command.spawn().map_err(|error| error.to_string())?;
    let start = Instant::now();
    let status = loop {
        if let Some(status) = child.try_wait().unwrap() {
            break status;
        }
        if start.elapsed() > Duration::from_secs(240) {
            child.kill().unwrap();
            child.wait().unwrap();
            return Err("it hangs".into());
        }
        std::thread::sleep(Duration::from_millis(2));
    };
    let mut text = String::new();
    child.stdout.take().unwrap().read_to_string(&mut text).ok();
    if status.success() {
        let line = text.lines().next_back().unwrap_or("nothing printed");
        return Ok(line.to_owned());
    }
    child.stderr.take().unwrap().read_to_string(&mut text).ok();
    match status.signal() {
        Some(signal) => Err(format!("signal {signal}: {text}")),
        None => Err(format!("{status}: {text}")),
    }
}

/// Tries each limit; how often each outcome came.
fn try_all(limits: impl IntoIterator<Item = Limit>) -> BTreeMap<String, usize> {
    let program = process::compile("scarce");
    let mut outcomes = BTreeMap::new();
    let mut bad = Vec::new();
    for limit in limits {
        match outcome(&program, limit) {
            Ok(line) => *outcomes.entry(line).or_default() += 1,
            Err(ending) => bad.push(format!("{limit}: {ending}")),
        }
    }
    assert!(bad.is_empty(), "{} are bad:\n{}", bad.len(), bad.join("\n"));
    outcomes
}

fn limits(scarce: Scarce, values: impl IntoIterator<Item = u64>) -> impl Iterator<Item = Limit> {
    values.into_iter().map(move |value| Limit(scarce, value))
}

#[test]
fn little_memory_is_an_error_code() {
    let values = [
        100, 240, 270, 280, 290, 300, 305, 310, 320, 330, 340, 400, 4096,
    ];
    let outcomes = try_all(limits(Scarce::AddressSpace, values.map(|mib| mib << 10)));
    assert!(outcomes.len() > 1, "{outcomes:?}");
    assert!(outcomes.contains_key("success"), "{outcomes:?}");
}

#[test]
fn few_threads_are_an_error_code() {
    let outcomes = try_all(limits(Scarce::Threads, [1, 2, 3, 5, 1000]));
    // Where other users cannot read the library, the loader does not find it.
    if !outcomes.contains_key("clGetPlatformIDs: -1001") {
        assert!(outcomes.len() > 1, "{outcomes:?}");
        assert!(outcomes.contains_key("success"), "{outcomes:?}");
    }
}

#[test]
fn small_stacks_of_the_host_program_are_enough() {
    let outcomes = try_all(limits(Scarce::Stack, [128, 1024]));
    assert_eq!(outcomes.get("success"), Some(&2), "{outcomes:?}");
}

/// All limits: `cargo test --release -p icd --test opencl -- --ignored --nocapture matrix`.
#[test]
#[ignore = "takes many minutes; for changes of the guard, and of LLVM's version"]
fn the_whole_matrix_of_limits() {
    let matrix = [
        (
            Scarce::AddressSpace,
            (200..=500).map(|mib| mib << 10).collect::<Vec<_>>(),
        ),
        (Scarce::Data, (1..=120).map(|mib| mib << 10).collect()),
        (Scarce::Threads, (1..=40).collect()),
        (Scarce::Stack, (6..=32).map(|step| step * 16).collect()),
    ];
    for (scarce, values) in matrix {
        let count = values.len();
        let outcomes = try_all(limits(scarce, values));
        println!("{scarce:?}, {count} values:");
        for (outcome, times) in outcomes {
            println!("  {times:4}  {outcome}");
        }
    }
}
