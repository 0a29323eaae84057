//! Short lines: commands and calls that repeat earlier ones but for their numbers and times. Programs
//! repeat launches many thousand times, and the size of their lines decides what recording costs.
//!
//! A short line is a JSON array. Its first elements are the type of the line and the number, from 0, of
//! the whole line of that type which has what the short one leaves out. The others are differences:
//! most numbers and times exceed those of the previous line of the type by little.

use crate::recent::{self, Recent};
use crate::{Call, Command};
use rustc_hash::FxHasher;
use serde::{Deserialize, Serialize};
use smallvec::SmallVec;
use std::borrow::Cow;
use std::hash::{Hash, Hasher};

/// A command as a short line. Differences are of the fields of these names; those of `number`, `queued`
/// and `host_begin` from the previous command, the others from the field before.
#[derive(Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct ShortCommand<'a>(
    #[serde(borrow)] Cow<'a, str>,
    /// Number of the whole line.
    u64,
    /// `number`
    i64,
    /// `queued`
    i64,
    /// `submit`
    i64,
    /// `start`
    i64,
    /// `end`
    i64,
    /// `host_begin`
    i64,
    /// `host_end`
    i64,
    /// `number` minus each of `waited_for`
    #[serde(default, skip_serializing_if = "SmallVec::is_empty")]
    SmallVec<[i64; 2]>,
);

/// A call as a short line. Differences are of the fields of these names; those of `begin`,
/// `host_begin` and `command` from the previous call, the others from the field before.
#[derive(Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct ShortCall<'a>(
    #[serde(borrow)] Cow<'a, str>,
    /// Number of the whole line.
    u64,
    /// `begin`
    i64,
    /// `end`
    i64,
    /// `host_begin`
    i64,
    /// `host_end`
    i64,
    /// `command`
    #[serde(default, skip_serializing_if = "Option::is_none")]
    Option<i64>,
);

/// The commands of a recording to which the next one may refer. Writer and reader keep the same ones,
/// so that neither needs memory for a whole recording.
#[derive(Debug, Default)]
pub(crate) struct CommandHistory {
    whole: WholeLines<Command>,
    number: u64,
    queued: u64,
    host_begin: u64,
}

/// The calls of a recording to which the next one may refer, as `CommandHistory`.
#[derive(Debug, Default)]
pub(crate) struct CallHistory {
    whole: WholeLines<Call>,
    begin: u64,
    host_begin: u64,
    command: u64,
}

/// The last whole lines of a type, with their numbers from 0.
#[derive(Debug)]
struct WholeLines<T> {
    recent: Recent<(u64, T)>,
    count: u64,
}

impl<T> Default for WholeLines<T> {
    fn default() -> Self {
        Self {
            recent: Recent::default(),
            count: 0,
        }
    }
}

impl<T> WholeLines<T> {
    /// The number of the line with this fingerprint, if it `is_repeated`.
    fn number(&self, fingerprint: u64, is_repeated: impl Fn(&T) -> bool) -> Option<u64> {
        let (number, line) = self.recent.get(fingerprint)?;
        is_repeated(line).then_some(*number)
    }

    /// The line of a number.
    fn line(&self, number: u64) -> Option<&T> {
        Some(&self.recent.get(number)?.1)
    }

    /// Adds a line that was written.
    fn add_written(&mut self, fingerprint: u64, line: T, weight: usize) {
        self.recent.add(fingerprint, (self.count, line), weight);
        self.count += 1;
    }

    /// Adds a line that was read.
    fn add_read(&mut self, line: T, weight: usize) {
        self.add_written(self.count, line, weight);
    }
}

/// The difference of two numbers; `plus` inverts it for all numbers.
fn minus(number: u64, before: u64) -> i64 {
    number.wrapping_sub(before) as i64
}

fn plus(before: u64, difference: i64) -> u64 {
    before.wrapping_add(difference as u64)
}

impl CommandHistory {
    /// The command as a short line; none if it repeats no known one.
    pub fn shorten(&mut self, command: &Command) -> Option<ShortCommand<'static>> {
        let is_repeated = |known: &Command| is_repeated(known, command);
        let known = self.whole.number(fingerprint(command), is_repeated)?;
        let waited_for = command.waited_for.iter();
        let short = ShortCommand(
            "command".into(),
            known,
            minus(command.number, self.number),
            minus(command.queued, self.queued),
            minus(command.submit, command.queued),
            minus(command.start, command.submit),
            minus(command.end, command.start),
            minus(command.host_begin, self.host_begin),
            minus(command.host_end, command.host_begin),
            waited_for
                .map(|waited| minus(command.number, *waited))
                .collect(),
        );
        self.pass(command);
        Some(short)
    }

    /// The command of a short line; none if the whole line that it refers to is not known.
    pub fn lengthen(&mut self, short: ShortCommand<'_>) -> Option<Command> {
        let ShortCommand(
            _,
            known,
            number,
            queued,
            submit,
            start,
            end,
            host_begin,
            host_end,
            waited,
        ) = short;
        let whole = self.whole.line(known)?;
        let mut command = whole.clone();
        command.number = plus(self.number, number);
        command.queued = plus(self.queued, queued);
        command.submit = plus(command.queued, submit);
        command.start = plus(command.submit, start);
        command.end = plus(command.start, end);
        command.host_begin = plus(self.host_begin, host_begin);
        command.host_end = plus(command.host_begin, host_end);
        let waited = waited.iter();
        command.waited_for = waited
            .map(|before| command.number.wrapping_sub(*before as u64))
            .collect();
        self.pass(&command);
        Some(command)
    }

    /// Notes a command that was written as a whole line, with its report.
    pub fn add_written(&mut self, command: Command) {
        self.pass(&command);
        let weight = weight(&command);
        self.whole
            .add_written(fingerprint(&command), command, weight);
    }

    /// Notes a command that was read as a whole line, with its report.
    pub fn add_read(&mut self, command: Command) {
        self.pass(&command);
        let weight = weight(&command);
        self.whole.add_read(command, weight);
    }

    fn pass(&mut self, command: &Command) {
        self.number = command.number;
        self.queued = command.queued;
        self.host_begin = command.host_begin;
    }
}

/// The weight of a command: those of its report and of the other fields.
fn weight(command: &Command) -> usize {
    let report = command.report.as_deref();
    1 + report.map_or(0, recent::weight)
}

/// A hash of some of the fields that `is_repeated` compares.
fn fingerprint(command: &Command) -> u64 {
    let mut hasher = FxHasher::default();
    command.kernel.hash(&mut hasher);
    command.kind.hash(&mut hasher);
    (command.program, &command.global_size, &command.local_size).hash(&mut hasher);
    (command.queue, command.bytes, command.moved, command.status).hash(&mut hasher);
    let report = command.report.as_deref();
    report.map(recent::fingerprint).hash(&mut hasher);
    hasher.finish()
}

/// Whether a command differs from a known one only in what a short line has.
fn is_repeated(known: &Command, command: &Command) -> bool {
    let Command {
        number: _,
        queue,
        in_order,
        device,
        first_array,
        arrays,
        kind,
        status,
        gave_up,
        kernel,
        program,
        global_size,
        local_size,
        bytes,
        moved,
        migration,
        queued: _,
        submit: _,
        start: _,
        end: _,
        waited_for: _,
        host_begin: _,
        host_end: _,
        report,
        predicted,
        same_report_as,
    } = command;
    known.kernel == *kernel
        && known.kind == *kind
        && known.queue == *queue
        && known.program == *program
        && known.global_size == *global_size
        && known.local_size == *local_size
        && known.bytes == *bytes
        && known.moved == *moved
        && known.migration == *migration
        && known.status == *status
        && known.gave_up == *gave_up
        && known.in_order == *in_order
        && known.device == *device
        && known.first_array == *first_array
        && known.arrays == *arrays
        && known.predicted == *predicted
        && known.same_report_as == *same_report_as
        && known.report == *report
}

impl CallHistory {
    /// The call as a short line; none if it repeats no known one.
    pub fn shorten(&mut self, call: &Call) -> Option<ShortCall<'static>> {
        let is_repeated =
            |known: &Call| known.function == call.function && known.thread == call.thread;
        let known = self.whole.number(call_fingerprint(call), is_repeated)?;
        let short = ShortCall(
            "call".into(),
            known,
            minus(call.begin, self.begin),
            minus(call.end, call.begin),
            minus(call.host_begin, self.host_begin),
            minus(call.host_end, call.host_begin),
            call.command.map(|command| minus(command, self.command)),
        );
        self.pass(call);
        Some(short)
    }

    /// The call of a short line; none if the whole line that it refers to is not known.
    pub fn lengthen(&mut self, short: ShortCall<'_>) -> Option<Call> {
        let ShortCall(_, known, begin, end, host_begin, host_end, command) = short;
        let whole = self.whole.line(known)?;
        let (begin, host_begin) = (plus(self.begin, begin), plus(self.host_begin, host_begin));
        let call = Call {
            function: whole.function.clone(),
            thread: whole.thread,
            begin,
            end: plus(begin, end),
            host_begin,
            host_end: plus(host_begin, host_end),
            command: command.map(|difference| plus(self.command, difference)),
        };
        self.pass(&call);
        Some(call)
    }

    /// Notes a call that was written as a whole line.
    pub fn add_written(&mut self, call: Call) {
        self.pass(&call);
        self.whole.add_written(call_fingerprint(&call), call, 1);
    }

    /// Notes a call that was read as a whole line.
    pub fn add_read(&mut self, call: Call) {
        self.pass(&call);
        self.whole.add_read(call, 1);
    }

    fn pass(&mut self, call: &Call) {
        self.begin = call.begin;
        self.host_begin = call.host_begin;
        self.command = call.command.unwrap_or(self.command);
    }
}

/// A hash of what a short call repeats.
fn call_fingerprint(call: &Call) -> u64 {
    let mut hasher = FxHasher::default();
    (&call.function, call.thread).hash(&mut hasher);
    hasher.finish()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn command(number: u64) -> Command {
        Command {
            number,
            queue: 1,
            kind: "CL_COMMAND_NDRANGE_KERNEL".into(),
            kernel: Some("k".into()),
            queued: 100 * number,
            submit: 100 * number + 1,
            start: 100 * number + 3,
            end: 100 * number + 7,
            waited_for: (1..number).rev().take(1).collect(),
            host_begin: 1000 - number,
            host_end: u64::MAX,
            ..Command::default()
        }
    }

    fn call(begin: u64, command: Option<u64>) -> Call {
        Call {
            function: "clFinish".into(),
            thread: 3,
            begin,
            end: begin + 5,
            host_begin: 2 * begin,
            host_end: 2 * begin + 9,
            command,
        }
    }

    fn text(short: &impl Serialize) -> String {
        serde_json::to_string(short).expect("text")
    }

    #[test]
    fn a_repeated_command_is_its_differences() {
        let (mut written, mut read) = (CommandHistory::default(), CommandHistory::default());
        assert_eq!(written.shorten(&command(4)), None);
        written.add_written(command(4));
        read.add_read(command(4));
        for (number, expected) in [
            (6, "[\"command\",0,2,200,1,2,4,-2,-995,[1]]"),
            (1, "[\"command\",0,-5,-500,1,2,4,5,-1000]"),
        ] {
            let short = written
                .shorten(&command(number))
                .expect("a repeated command");
            assert_eq!(text(&short), expected);
            let parsed = serde_json::from_str(expected).expect("a short line");
            assert_eq!(read.lengthen(parsed), Some(command(number)));
        }
    }

    #[test]
    fn another_command_is_not_repeated() {
        let mut history = CommandHistory::default();
        history.add_written(command(1));
        let mut other = command(2);
        other.status = -5;
        assert_eq!(history.shorten(&other), None);
        history.add_written(other.clone());
        assert_eq!(history.shorten(&other).expect("a repeated command").1, 1);
        assert_eq!(
            history.shorten(&command(3)).expect("a repeated command").1,
            0
        );
    }

    #[test]
    fn a_repeated_call_is_its_differences() {
        let (mut written, mut read) = (CallHistory::default(), CallHistory::default());
        assert_eq!(written.shorten(&call(10, None)), None);
        written.add_written(call(10, None));
        read.add_read(call(10, None));
        for (call, expected) in [
            (call(30, Some(7)), "[\"call\",0,20,5,40,9,7]"),
            (call(20, None), "[\"call\",0,-10,5,-20,9]"),
            (call(50, Some(9)), "[\"call\",0,30,5,60,9,2]"),
        ] {
            let short = written.shorten(&call).expect("a repeated call");
            assert_eq!(text(&short), expected);
            let parsed = serde_json::from_str(expected).expect("a short line");
            assert_eq!(read.lengthen(parsed), Some(call));
        }
        let mut other = call(60, None);
        other.thread = 4;
        assert_eq!(written.shorten(&other), None);
    }

    #[test]
    fn a_line_that_refers_to_no_whole_one_is_refused() {
        let mut history = CallHistory::default();
        let parsed = serde_json::from_str("[\"call\",0,1,1,1,1]").expect("a short line");
        assert_eq!(history.lengthen(parsed), None);
    }
}
