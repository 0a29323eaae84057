//! What threads wait for when none can continue.

use super::report;
use super::running::{Running, State};
use crate::synchronisation::Units;
use kernel_compiler::device_c::SourcePlace;

/// A description: one line for the threads of a group that wait for the same, in the order of the
/// threads.
pub fn describe<'t>(threads: impl Iterator<Item = &'t Running>, units: &mut Units) -> Vec<String> {
    let mut reasons: Vec<(u32, String, Vec<u32>)> = Vec::new();
    for running in threads {
        let group = &running.thread.group;
        let reason = reason(running, units);
        let known = reasons
            .iter_mut()
            .find(|(id, text, _)| *id == group.id && *text == reason);
        match known {
            Some((_, _, numbers)) => numbers.push(running.thread.number),
            None => reasons.push((group.id, reason, vec![running.thread.number])),
        }
    }
    let lines = reasons.into_iter().map(|(group, reason, numbers)| {
        let noun = if numbers.len() == 1 {
            "Thread"
        } else {
            "Threads"
        };
        format!("Group {group}-{noun} {}: {reason}", ranges(&numbers))
    });
    lines.collect()
}

fn reason(running: &Running, units: &mut Units) -> String {
    let mut reason = match running.polls.is_cycle() {
        true => busy_wait(running),
        false => wait(running.state, units),
    };
    let pending = running.thread.interrupts.pending();
    if let Some(number) = pending.first() {
        reason += &format!(", has not taken interrupt {number}");
    }
    reason
}

/// Where a thread busy-waits, if its kernel was compiled with `-g`.
fn busy_wait(running: &Running) -> String {
    match report::places(&running.thread).first() {
        Some(SourcePlace { function, place }) => {
            format!("busy-waits in {function} at {}:{}", place.file, place.line)
        }
        None => "busy-waits".into(),
    }
}

fn wait(state: State, units: &mut Units) -> String {
    match state {
        State::AtBarrier { unit, .. } => {
            let barrier = units.barrier(unit);
            format!(
                "at barrier {unit}, {} of {} have arrived",
                barrier.waiting.len(),
                barrier.expected
            )
        }
        State::ForLock { unit, writes: true } => format!("waits to write under lock {unit}"),
        State::ForLock {
            unit,
            writes: false,
        } => format!("waits to read under lock {unit}"),
        State::ForInterrupt => "waits for an interrupt".into(),
        State::Halted => "has halted".into(),
        State::Ready | State::Until(_) | State::Simulated | State::Due => "can continue".into(),
    }
}

/// Ascending numbers as ranges: `0-3,5`.
fn ranges(numbers: &[u32]) -> String {
    let mut text = String::new();
    let mut at = 0;
    while at < numbers.len() {
        let mut end = at;
        while numbers.get(end + 1) == Some(&(numbers[end] + 1)) {
            end += 1;
        }
        if at > 0 {
            text.push(',');
        }
        text += &match end - at {
            0 => numbers[at].to_string(),
            _ => format!("{}-{}", numbers[at], numbers[end]),
        };
        at = end + 1;
    }
    text
}

#[cfg(test)]
mod tests {
    #[test]
    fn consecutive_numbers_are_a_range() {
        assert_eq!(super::ranges(&[3]), "3");
        assert_eq!(super::ranges(&[0, 1, 2, 5, 7, 8]), "0-2,5,7-8");
    }
}
