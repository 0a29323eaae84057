//! The simulation of arrays that perform programs: steps that are made as they are needed, and barriers
//! between all arrays.

use super::live::LiveCluster;
use crate::array_range::ArrayRange;
use crate::machine::{CodeStackLayout, Machine};
use crate::timing::launch_record::GroupStep;
use crate::timing::launch_timing::{Activity, LaunchTiming};
use crate::units::Cycles;

/// What an array does next.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Action {
    /// Performs a step.
    Step(GroupStep),
    /// Waits until all arrays whose programs have not ended are here.
    Barrier,
}

/// What an array does, part by part.
pub type Program = Box<dyn Iterator<Item = Vec<Action>> + Send>;

/// An array with a program.
struct Performer {
    program: Program,
    /// Actions of the part at hand.
    actions: std::vec::IntoIter<Action>,
    state: State,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum State {
    Performs,
    AtBarrier,
    HasEnded,
}

/// Computes the timing of a launch in which the first arrays of the range have these programs, and fetch
/// `code_bytes` of code first; with slices for a timeline, if wanted.
pub fn run(
    machine: &Machine,
    layout: &CodeStackLayout,
    arrays: ArrayRange,
    programs: Vec<Program>,
    code_bytes: u64,
    timeline: bool,
) -> LaunchTiming {
    let numbers: Vec<u64> = arrays.numbers().collect();
    let (started, idle) = numbers.split_at(programs.len().min(numbers.len()));
    let mut cluster = LiveCluster::new(machine);
    let launch = cluster.begin(Cycles::ZERO, machine, layout, started, code_bytes, timeline);
    let mut launch = launch.with_idle(idle);
    let mut performers: Vec<Performer> = programs
        .into_iter()
        .take(started.len())
        .map(|program| Performer {
            program,
            actions: Vec::new().into_iter(),
            state: State::Performs,
        })
        .collect();
    let latency = Cycles(machine.array.latency.barrier.value);
    while cluster.next_event().is_some() {
        let Some(place) = cluster.advance() else {
            continue;
        };
        if performers[place].state != State::Performs {
            continue;
        }
        match performers[place].next_steps() {
            Some(steps) => {
                cluster.add(&mut launch, place, steps);
                cluster.proceed(place, cluster.now(), Activity::Compute);
            }
            None if performers[place].state == State::HasEnded => {
                cluster.end(place, Activity::Compute);
            }
            None => {}
        }
        let is_waited_for = |one: &Performer| one.state == State::Performs;
        if !performers.iter().any(is_waited_for) {
            let at = cluster.now().saturating_add(latency);
            for (place, performer) in performers.iter_mut().enumerate() {
                if performer.state == State::AtBarrier {
                    performer.state = State::Performs;
                    cluster.proceed(place, at, Activity::Barrier);
                }
            }
        }
    }
    cluster.finish(launch, Activity::Barrier)
}

impl Performer {
    /// The steps up to the next barrier or the end of a part; none if there are none before a barrier or the
    /// end of the program.
    fn next_steps(&mut self) -> Option<Vec<GroupStep>> {
        let mut steps = Vec::new();
        loop {
            let next = self.actions.as_slice().first();
            match next {
                Some(Action::Barrier) if steps.is_empty() => {
                    self.actions.next();
                    self.state = State::AtBarrier;
                    return None;
                }
                Some(Action::Barrier) => return Some(steps),
                Some(Action::Step(_)) => {
                    if let Some(Action::Step(step)) = self.actions.next() {
                        steps.push(step);
                    }
                }
                None if !steps.is_empty() => return Some(steps),
                None => match self.program.next() {
                    Some(part) => self.actions = part.into_iter(),
                    None => {
                        self.state = State::HasEnded;
                        return None;
                    }
                },
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::timing::launch_record::SegmentWork;

    fn run_for(compute: u64) -> Action {
        Action::Step(GroupStep::Run(SegmentWork {
            compute,
            ..SegmentWork::default()
        }))
    }

    fn timing(programs: Vec<Vec<Vec<Action>>>) -> LaunchTiming {
        let machine = Machine::mt3000();
        let layout = CodeStackLayout::from(&machine.layout);
        let boxed = |program: Vec<Vec<Action>>| Box::new(program.into_iter()) as Program;
        let programs = programs.into_iter().map(boxed).collect();
        run(&machine, &layout, ArrayRange::all(4), programs, 0, true)
    }

    /// By hand: the arrays begin 12,600 cycles apart, and barriers take 20.
    #[test]
    fn arrays_wait_for_each_other_at_barriers() {
        let timing = timing(vec![
            vec![vec![run_for(1000), Action::Barrier], vec![run_for(10)]],
            vec![vec![run_for(50)], vec![Action::Barrier, run_for(300)]],
            vec![vec![run_for(7)]],
        ]);
        let [first, second, third, idle] = &timing.arrays[..] else {
            panic!("{timing:?}");
        };
        assert_eq!(second.begin, first.begin + Cycles(12_600));
        let arrived = second.begin + Cycles(50);
        assert_eq!(third.end, third.begin + Cycles(7));
        // The third array has no barrier: the others do not wait for its end, but for its last part.
        let met = arrived.max(third.end) + Cycles(20);
        assert_eq!(
            (first.end, second.end),
            (met + Cycles(10), met + Cycles(300))
        );
        let waited = met - (first.begin + Cycles(1000));
        assert_eq!(first.cycles[Activity::Barrier], waited);
        assert_eq!(idle.cycles[Activity::Idle], timing.end);
        for array in &timing.arrays {
            assert_eq!(array.cycles.total(), timing.end);
        }
    }

    #[test]
    fn programs_without_steps_end_at_once() {
        let timing = timing(vec![vec![], vec![vec![], vec![Action::Barrier]]]);
        assert_eq!(timing.arrays.len(), 4);
        assert_eq!(timing.arrays[0].begin, timing.arrays[0].end);
    }
}
