//! SimGrid's settings: those that make times right, and those that are refused because they make
//! them wrong.

use anyhow::{Result, bail};
use device_sim::machine::Network;
use std::ffi::OsString;

/// A setting, whether a value of it is refused, and why.
type Refusal = (&'static str, fn(&str) -> bool, &'static str);

/// Settings that users may not give, or not with such values.
const REFUSED: &[Refusal] = &[
    (
        "smpi/simulate-computation",
        any,
        "simulated time would contain the time that this computer takes",
    ),
    (
        "smpi/host-speed",
        |value| value.contains("auto"),
        "simulated time would depend on this computer",
    ),
    (
        "contexts/nthreads",
        |value| value != "1",
        "ranks that run in several threads at a time share the library in no order",
    ),
    (
        "contexts/stack-size",
        |value| !value.parse().is_ok_and(|size: u64| size >= SMALLEST_STACK),
        "it is a number of KiB, and compiling a kernel needs 512 KiB of stack",
    ),
    (
        "smpi/privatization",
        |value| !matches!(value, "1" | "yes" | "dlopen"),
        "the ranks would share the program's global variables",
    ),
    (
        "network/model",
        |value| value != "SMPI" && value != "IB",
        "only the models SMPI and IB simulate MPI",
    ),
    ("smpi/np", any, "-n sets it"),
    ("smpi/hostfile", any, "--ranks-per-node sets it"),
    ("smpi/replay", any, "a replay does not run the program"),
];

/// Least stack of a rank, KiB.
const SMALLEST_STACK: u64 = 512;

fn any(_: &str) -> bool {
    true
}

/// Checks settings of the user's.
///
/// # Errors
/// One makes times wrong, or is not of the form name:value.
pub fn check(settings: &[String]) -> Result<()> {
    for setting in settings {
        let Some((name, value)) = setting.split_once(':') else {
            bail!("{setting}: a setting of SimGrid has the form name:value");
        };
        if setting.contains(char::is_whitespace) {
            bail!("{setting}: smpirun cannot pass blanks on");
        }
        let refused = REFUSED
            .iter()
            .find(|(refused, is_wrong, _)| *refused == name && is_wrong(value.trim()));
        if let Some((_, _, why)) = refused {
            bail!("{setting} is refused: {why}");
        }
    }
    Ok(())
}

/// Checks that the environment does not let the program see this computer's times.
///
/// # Errors
/// It does.
pub fn check_clock() -> Result<()> {
    if std::env::var_os("MOCL3_PROFILING_TIME").is_some_and(|time| time == "host") {
        bail!(
            "MOCL3_PROFILING_TIME=host is refused: the program would take times of this computer for those of \
             the simulated nodes"
        );
    }
    Ok(())
}

/// Checks the program and its arguments, which smpirun divides at blanks.
///
/// # Errors
/// One contains a blank, or would be taken as a setting of SimGrid.
pub fn check_arguments(program: &[OsString]) -> Result<()> {
    for argument in program {
        let text = argument.to_string_lossy();
        if text.is_empty() || text.contains(char::is_whitespace) {
            bail!("`{text}`: smpirun cannot pass an empty argument or one with blanks on");
        }
        if text.starts_with("--cfg=") || text.starts_with("--log=") {
            bail!("{text}: smpirun takes this as its own; name settings with --simgrid");
        }
    }
    Ok(())
}

/// The setting that selects algorithms for all collective operations.
const SELECTOR: &str = "smpi/coll-selector";

/// Algorithms of collective operations: those that MPICH chooses for small messages. SimGrid's choices
/// for these three (`mpich`, `ompi`) first look for ranks that share a node, by n (n - 1) messages among
/// n ranks: with 256 ranks, 1 ms of simulated time that no MPI library takes.
const ALGORITHMS: [&str; 4] = [
    "smpi/coll-selector:mpich",
    "smpi/bcast:binomial_tree",
    "smpi/reduce:binomial",
    "smpi/allreduce:rdb",
];

/// What smpirun does.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Purpose {
    /// Run a program.
    Run,
    /// Run a program, and record a trace.
    Record,
    /// Replay a trace.
    Replay,
}

/// The arguments of smpirun: ours, then the user's, which prevail.
pub fn arguments(network: &Network, settings: &[String], purpose: Purpose) -> Vec<String> {
    let poll = network.poll.value;
    let eager = network.eager.value;
    let own = [
        // Bandwidth and latency as in the machine file: SimGrid's factors are of an Ethernet.
        "smpi/bw-factor:0:1".into(),
        "smpi/lat-factor:0:1".into(),
        "network/crosstraffic:no".into(),
        format!("smpi/send-is-detached-thresh:{eager}"),
        format!("smpi/test:{poll}e-9"),
        format!("smpi/iprobe:{poll}e-9"),
        "smpi/grow-injected-times:no".into(),
    ];
    let is_selected = settings.iter().any(|setting| setting.starts_with(SELECTOR));
    // SimGrid 3.32 crashes when it replays with most of the algorithms that MPICH's choice is among.
    let left_out = usize::from(purpose != Purpose::Run);
    let algorithms = ALGORITHMS[left_out..].iter().filter(|_| !is_selected);
    // When the program runs, only OpenCL and messages take simulated time.
    let benchmarks = (purpose != Purpose::Replay).then(|| "smpi/simulate-computation:no".into());
    own.into_iter()
        .chain(benchmarks)
        .chain(algorithms.map(|setting| (*setting).to_owned()))
        .chain(settings.iter().cloned())
        .map(|setting: String| format!("--cfg={setting}"))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn settings_that_make_times_wrong_are_refused() {
        for (setting, words) in [
            ("smpi/simulate-computation:yes", "this computer"),
            ("smpi/host-speed:auto", "this computer"),
            ("contexts/nthreads:4", "threads"),
            ("contexts/stack-size:64", "512 KiB"),
            ("contexts/stack-size:1024KiB", "512 KiB"),
            ("contexts/stack-size:-1", "512 KiB"),
            ("smpi/privatization:no", "global variables"),
            ("network/model:ns-3", "SMPI"),
            ("smpi/np:3", "-n"),
            ("nothing", "name:value"),
            ("smpi/tmpdir:/a b", "blanks"),
        ] {
            let error = check(&[setting.into()]).unwrap_err().to_string();
            assert!(error.contains(setting) && error.contains(words), "{error}");
        }
        for setting in [
            "smpi/coll-selector:ompi",
            "contexts/stack-size:1024",
            "network/model:IB",
        ] {
            check(&[setting.into()]).unwrap();
        }
    }

    #[test]
    fn users_select_all_algorithms() {
        let network = device_sim::machine::Machine::mt3000().network.unwrap();
        let own = arguments(&network, &[], Purpose::Run);
        assert!(own.contains(&"--cfg=smpi/bcast:binomial_tree".into()));
        let given = arguments(&network, &["smpi/coll-selector:ompi".into()], Purpose::Run);
        assert_eq!(given.last().unwrap(), "--cfg=smpi/coll-selector:ompi");
        assert!(
            !given
                .iter()
                .any(|setting| setting.contains("mpich") || setting.contains("bcast"))
        );
        let replayed = arguments(&network, &[], Purpose::Replay);
        let is_wrong =
            |setting: &String| setting.contains("mpich") || setting.contains("-computation");
        assert!(!replayed.iter().any(is_wrong));
    }

    #[test]
    fn arguments_that_smpirun_would_change_are_refused() {
        check_arguments(&["./a".into(), "-x".into(), "3".into()]).unwrap();
        for argument in ["", "a b", "--cfg=smpi/np:2"] {
            check_arguments(&["./a".into(), argument.into()]).unwrap_err();
        }
    }
}
