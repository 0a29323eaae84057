//! The part of a recording that a timeline shows: kernels, and an interval of simulated time.

use anyhow::{Result, bail};
use recording::{Call, Command, Line};
use std::collections::HashSet;

/// The arguments that select a part.
#[derive(clap::Args, Default)]
#[group(skip)]
pub struct Filter {
    /// Show only launches of this kernel, and the calls that enqueue them; may be repeated.
    #[arg(long = "kernel", value_name = "NAME")]
    kernels: Vec<String>,
    /// Show what ends after this simulated time, such as 250us, 1.5ms or 2s.
    #[arg(long, value_name = "TIME", value_parser = nanoseconds)]
    from: Option<u64>,
    /// Show what begins before this simulated time.
    #[arg(long, value_name = "TIME", value_parser = nanoseconds)]
    to: Option<u64>,
}

impl Filter {
    /// Whether a command is shown.
    fn has_command(&self, command: &Command) -> bool {
        let is_kernel = |name: &String| command.kernel.as_deref() == Some(name);
        let is_named = self.kernels.is_empty() || self.kernels.iter().any(is_kernel);
        is_named && self.has_time(command.start, command.end)
    }

    /// Whether a call can be shown: with kernels, only if it enqueues a command.
    fn has_call(&self, call: &Call) -> bool {
        let can_enqueue = self.kernels.is_empty() || call.command.is_some();
        can_enqueue && self.has_time(call.begin, call.end)
    }

    fn has_time(&self, begin: u64, end: u64) -> bool {
        self.from.is_none_or(|from| end >= from) && self.to.is_none_or(|to| begin <= to)
    }

    /// Whether a line of a recording is read.
    pub fn has(&self, line: &Line) -> bool {
        match line {
            Line::Command(command) => self.has_command(command),
            Line::Call(call) => self.has_call(call),
            _ => true,
        }
    }

    /// Removes the calls of commands that are not shown.
    pub fn complete(&self, process: &mut recording::Process) {
        if self.kernels.is_empty() {
            return;
        }
        let commands = process.commands.iter();
        let shown: HashSet<u64> = commands.map(|command| command.number).collect();
        process
            .calls
            .retain(|call| call.command.is_some_and(|command| shown.contains(&command)));
    }
}

/// The nanoseconds of a time with its unit.
fn nanoseconds(text: &str) -> Result<u64> {
    let digits = text.find(|c: char| !c.is_ascii_digit() && c != '.');
    let (number, unit) = text.split_at(digits.unwrap_or(text.len()));
    let factor = match unit.trim() {
        "ns" => 1.0,
        "us" | "µs" => 1e3,
        "ms" => 1e6,
        "s" => 1e9,
        _ => bail!("a time has one of the units ns, us, ms, s"),
    };
    let nanoseconds = number.parse::<f64>()? * factor;
    Ok(nanoseconds.round() as u64)
}

#[cfg(test)]
mod tests {
    use super::{Filter, nanoseconds};
    use recording::{Call, Command, Process};

    #[test]
    fn times_have_units() {
        for (text, time) in [
            ("17ns", 17),
            ("1.5us", 1500),
            ("2 ms", 2_000_000),
            ("0.1s", 100_000_000),
        ] {
            assert_eq!(nanoseconds(text).unwrap(), time, "{text}");
        }
        for text in ["", "5", "ms", "-1s", "1h", "1.2.3s"] {
            assert!(nanoseconds(text).is_err(), "{text}");
        }
    }

    #[test]
    fn an_interval_has_what_overlaps_it() {
        let filter = Filter {
            from: Some(10),
            to: Some(20),
            ..Filter::default()
        };
        for (begin, end, is_shown) in [
            (0, 9, false),
            (0, 10, true),
            (12, 13, true),
            (20, 30, true),
            (21, 30, false),
        ] {
            let command = Command {
                start: begin,
                end,
                ..Command::default()
            };
            assert_eq!(filter.has_command(&command), is_shown, "{begin} to {end}");
        }
    }

    #[test]
    fn a_kernel_has_its_launches_and_their_calls() {
        let filter = Filter {
            kernels: vec!["add".into()],
            ..Filter::default()
        };
        let of = |kernel: Option<&str>| Command {
            kernel: kernel.map(Into::into),
            number: 3,
            ..Command::default()
        };
        assert!(filter.has_command(&of(Some("add"))));
        assert!(!filter.has_command(&of(Some("add2"))) && !filter.has_command(&of(None)));
        let call = |command| Call {
            command,
            ..Call::default()
        };
        assert!(!filter.has_call(&call(None)));
        let mut process = Process {
            commands: vec![of(Some("add"))],
            calls: vec![call(Some(2)), call(Some(3))],
            ..Process::default()
        };
        filter.complete(&mut process);
        assert_eq!(process.calls, [call(Some(3))]);
    }
}
