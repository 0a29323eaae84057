//! Figures of Debian's clpeak, unmodified, with its event timer.

use crate::conditions::in_order;
use crate::figure::{Figure, Part, Tolerance};
use anyhow::{Context, Result, ensure};
use device_sim::machine::Machine;
use std::process::Command;

/// The figures of clpeak, whose Debian version is `version`. With `short` it uses its sizes for
/// CPUs, which are smaller than those for accelerators.
///
/// # Errors
/// It cannot be run, or does not print what it should.
pub fn part(machine: &Machine, version: &str, short: bool) -> Result<Part> {
    // Concurrently: simulated times do not depend on the host's load.
    let tests = [
        "--compute-dp",
        "--compute-sp",
        "--global-bandwidth",
        "--kernel-latency",
    ];
    let [double, single, bandwidth, launches] = std::thread::scope(|scope| {
        tests
            .map(|test| scope.spawn(move || run(test, short)))
            .map(|running| running.join().expect("nothing panics"))
    });
    let double = best(&double?, "Double-precision compute")?;
    let single = best(&single?, "Single-precision compute")?;
    let bandwidth = best(&bandwidth?, "Global memory bandwidth")?;
    let launches = launches?;
    let latency = latency(&launches)?;
    let mut part = Part::new("clpeak");
    let ddr = machine.memory.ddr.bandwidth.value as f64 / 1e9;
    part.figures = vec![
        Figure {
            what: "clpeak, double precision, best kernel",
            published: 2.76,
            simulated: double.1 / 1e3,
            unit: "TFLOP/s",
            tolerance: Tolerance::Percent(15.0),
            from: "peak of a cluster, Lu et al. 2022",
            why: "START is when the first array begins, so that starting the 23 others and the \
                  completion, together 0.33 ms, count as time of the kernel: 11 % of it with the \
                  sizes that clpeak takes for processors (`--short`). What else is missing are \
                  multiply-adds that wait for the one before in their component.",
        },
        Figure {
            what: "clpeak, single precision, best kernel",
            published: 5.53,
            simulated: single.1 / 1e3,
            unit: "TFLOP/s",
            tolerance: Tolerance::Percent(15.0),
            from: "twice that: two floats in a lane's register",
            why: "As double precision; two floats share a register.",
        },
        Figure {
            what: "clpeak, global memory, best kernel",
            published: ddr,
            simulated: bandwidth.1,
            unit: "GB/s",
            tolerance: Tolerance::Percent(15.0),
            from: "`memory.ddr.bandwidth`, assumed",
            why: "clpeak counts the bytes that it reads and writes. Lines that are fetched more than once, and the \
                  launch, come on top of that.",
        },
    ];
    part.say(format_args!(
        "Debian's clpeak {version}, on device 0, with `--use-event-timer`{}. The best kernels are `{}` in double\n\
         and `{}` in single precision, and `{}` for memory.\n\n\
         Its kernel launch latency, from when the command is put into the queue to its START, is\n\
         {latency} us; the MOCL3 paper has no figure for that part of a launch on one array.\n",
        if short {
            " and\n`MOCL3_DEVICE_TYPE=cpu`, \
             which makes it choose sizes and repetitions for processors, less than a\n\
             tenth of the work; the kernels are the same (without `--short` it is left as it is)"
        } else {
            ""
        },
        double.0,
        single.0,
        bandwidth.0
    ));
    Ok(part)
}

fn run(test: &str, short: bool) -> Result<String> {
    let mut clpeak = Command::new("clpeak");
    in_order(&mut clpeak).args(["-p", "0", "-d", "0", "--use-event-timer", test]);
    if short {
        clpeak.env("MOCL3_DEVICE_TYPE", "cpu");
    }
    let output = clpeak.output().context("clpeak cannot be started")?;
    ensure!(output.status.success(), "clpeak {test} failed");
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    eprintln!("clpeak {test}: {text}");
    Ok(text)
}

/// The line with the largest number below the heading: its name and number.
fn best(text: &str, heading: &str) -> Result<(String, f64)> {
    text.lines()
        .skip_while(|line| !line.contains(heading))
        .skip(1)
        .map_while(|line| {
            let (name, number) = line.split_once(':')?;
            Some((name.trim().to_owned(), number.trim().parse().ok()?))
        })
        .max_by(|(_, one), (_, other): &(_, f64)| one.total_cmp(other))
        .with_context(|| format!("clpeak prints no {heading}:\n{text}"))
}

/// The launch latency, µs.
fn latency(text: &str) -> Result<&str> {
    text.lines()
        .find_map(|line| line.trim().strip_prefix("Kernel launch latency :"))
        .and_then(|rest| rest.trim().strip_suffix(" us"))
        .with_context(|| format!("clpeak prints no launch latency:\n{text}"))
}

#[cfg(test)]
mod tests {
    use super::{best, latency};

    const TEXT: &str = "    Half-precision compute (GFLOPS)\n      half   : 9000.5\n\n    \
         Double-precision compute (GFLOPS)\n      double   : 152.19\n      double8  : 2238.21\n      \
         double16 : 2085.07\n\n    Kernel launch latency : 70.50 us\n";

    #[test]
    fn the_best_line_below_a_heading_is_found() {
        let found = best(TEXT, "Double-precision compute").unwrap();
        assert_eq!(found, ("double8".to_owned(), 2238.21));
        assert!(best(TEXT, "Single-precision compute").is_err());
    }

    #[test]
    fn the_latency_is_found() {
        assert_eq!(latency(TEXT).unwrap(), "70.50");
    }
}
