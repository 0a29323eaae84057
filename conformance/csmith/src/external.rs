//! Runs csmith and gcc.

use anyhow::{Context, Result, bail};
use std::fs::File;
use std::io::{Read, Seek};
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::path::Path;
use std::process::{Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

/// Time limit of csmith, the compiler and a program. It is generous, because campaigns run on busy
/// hosts.
const TIME_LIMIT: Duration = Duration::from_secs(600);
/// Limit of a program's processor time on the host, seconds.
const PROCESSOR_SECONDS: u64 = 1;

/// Features that csmith does not use: those that OpenCL C 1.2 lacks (bit-fields, section 6.9), and
/// packed structures, because csmith takes addresses of their members as if they were aligned.
const WITHOUT: &[&str] = &[
    "--no-argc",
    "--no-bitfields",
    "--no-packed-struct",
    "--concise",
];

/// Parameters of the size of programs.
const SIZES: &[&str] = &[
    "--max-funcs",
    "--max-block-depth",
    "--max-block-size",
    "--max-expr-complexity",
    "--max-array-dim",
    "--max-array-len-per-dim",
    "--max-struct-fields",
];
/// Their values for three of four programs: most have 50 to 250 lines.
const SMALL: &[u32] = &[2, 3, 3, 4, 2, 4, 4];
/// Their values for the others: most have 200 to 500 lines.
const LARGE: &[u32] = &[4, 3, 3, 6, 2, 5, 5];

/// The program of a seed, as csmith prints it.
///
/// # Errors
/// csmith is missing or fails.
pub fn csmith(seed: u64) -> Result<String> {
    let mut command = Command::new("csmith");
    command.args(WITHOUT).args(["--seed", &seed.to_string()]);
    // csmith writes the sizes of the platform's types to a file in the current folder.
    let folder = tempfile::tempdir()?;
    command.current_dir(folder.path());
    let values = if seed.is_multiple_of(4) { LARGE } else { SMALL };
    for (option, value) in SIZES.iter().zip(values) {
        command.args([*option, &value.to_string()]);
    }
    match output(&mut command, "csmith", TIME_LIMIT)? {
        Some((status, text, _)) if status.success() => Ok(text),
        Some((status, _, errors)) => bail!("csmith ended with {status}: {errors}"),
        None => bail!("csmith takes longer than {} s", TIME_LIMIT.as_secs()),
    }
}

/// The program's results on the host, compiled with this option; `None` if it does not end in time.
///
/// # Errors
/// gcc is missing or refuses the program, or the program crashes.
pub fn on_host(program: &str, option: &str, folder: &Path) -> Result<Option<Vec<u64>>> {
    let (source, executable) = (folder.join("program.c"), folder.join("program"));
    std::fs::write(&source, program)?;
    let mut gcc = Command::new("gcc");
    gcc.args(["-std=gnu99", "-w", option, "-o"])
        .args([&executable, &source]);
    match output(&mut gcc, "gcc", TIME_LIMIT)? {
        Some((status, ..)) if status.success() => {}
        Some((_, _, errors)) => bail!("gcc refuses the program: {errors}"),
        None => return Ok(None),
    }
    let mut program = Command::new(&executable);
    // SAFETY: the function does one system call, which may be done after fork.
    unsafe { program.pre_exec(limit_processor_time) };
    let Some((status, text, _)) = output(&mut program, "program", TIME_LIMIT)? else {
        return Ok(None);
    };
    if status.signal() == Some(libc::SIGXCPU) {
        return Ok(None);
    }
    if !status.success() {
        bail!("on the host the program ended with {status}");
    }
    let sums = text.lines().map(|line| u64::from_str_radix(line, 16));
    let sums: Result<Vec<u64>, _> = sums.collect();
    Ok(Some(sums.context("the program prints numbers")?))
}

fn limit_processor_time() -> std::io::Result<()> {
    let limit = libc::rlimit {
        rlim_cur: PROCESSOR_SECONDS,
        // The soft limit sends SIGXCPU, the hard limit SIGKILL.
        rlim_max: PROCESSOR_SECONDS + 1,
    };
    // SAFETY: the structure is valid during the call.
    match unsafe { libc::setrlimit(libc::RLIMIT_CPU, &limit) } {
        0 => Ok(()),
        _ => Err(std::io::Error::last_os_error()),
    }
}

/// Status, standard output and standard error of a process; `None` if it had to be killed.
fn output(
    command: &mut Command,
    package: &str,
    limit: Duration,
) -> Result<Option<(ExitStatus, String, String)>> {
    let (mut stdout, mut stderr) = (tempfile::tempfile()?, tempfile::tempfile()?);
    let mut process = command
        .stdin(Stdio::null())
        .stdout(stdout.try_clone()?)
        .stderr(stderr.try_clone()?)
        .spawn()
        .with_context(|| format!("cannot start {command:?} (Debian's package {package})"))?;
    let begin = Instant::now();
    let status = loop {
        if let Some(status) = process.try_wait()? {
            break status;
        }
        if begin.elapsed() > limit {
            process.kill()?;
            process.wait()?;
            return Ok(None);
        }
        std::thread::sleep(Duration::from_millis(1));
    };
    let text = |file: &mut File| -> Result<String> {
        let mut bytes = Vec::new();
        file.rewind()?;
        file.read_to_end(&mut bytes)?;
        Ok(String::from_utf8_lossy(&bytes).into_owned())
    };
    Ok(Some((status, text(&mut stdout)?, text(&mut stderr)?)))
}
