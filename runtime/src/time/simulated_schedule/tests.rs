use super::*;
use crate::device::partition::Partition;
use crate::device::platform::Platform;
use crate::time::simulated_command::CommandKind;
use device_sim::machine::CodeStackLayout;
use device_sim::timing::launch_report::{Details, LaunchReport};
use device_sim::timing::launch_sizes::LaunchSizes;
use device_sim::timing::launch_timing::LaunchTiming;
use device_sim::timing::pending_report::PendingReport;
use device_sim::timing::recorder::Recorder;
use device_sim::timing::timed_kernel::TimedKernel;
use device_sim::units::Cycles;
use std::ops::Range;

/// Six cycles of the machine take five nanoseconds.
const UNIT: u64 = 6_000;
const TIME: u64 = 5_000;

fn device(number: usize) -> Arc<Device> {
    Arc::clone(&Platform::get().devices()[number])
}

/// Simulated time of enqueuing a command, nanoseconds.
fn cost() -> u64 {
    device(0).machine().host.enqueue.value
}

fn command(
    schedule: &Schedule,
    kind: CommandKind,
    on: &Arc<Device>,
    after: &[&Arc<SimulatedCommand>],
) -> Arc<SimulatedCommand> {
    let time = SimulatedCommand::timed(kind, on);
    schedule.enqueue(&time, after.iter().map(|one| Arc::clone(one)).collect());
    time
}

fn launch(
    schedule: &Schedule,
    on: &Arc<Device>,
    after: &[&Arc<SimulatedCommand>],
) -> Arc<SimulatedCommand> {
    command(schedule, CommandKind::Device, on, after)
}

/// The launch has executed and took `units`, of which the first was its start.
fn executed(schedule: &Schedule, time: &Arc<SimulatedCommand>, units: u64) {
    let timing = LaunchTiming {
        start: Cycles(UNIT),
        end: Cycles(units * UNIT),
        ..LaunchTiming::default()
    };
    let report = Arc::new(LaunchReport {
        timing,
        ..LaunchReport::default()
    });
    let report = Some(Arc::new(PendingReport::known(report)));
    time.set_work(CommandWork {
        report,
        ..CommandWork::default()
    });
    schedule.ended(time, 0);
}

/// The report of a launch without work, which is not known.
fn unknown_report(on: &Device) -> Arc<PendingReport> {
    let kernel = Arc::new(TimedKernel::new(Arc::default()));
    let machine = on.machine();
    let layout = CodeStackLayout::from(&machine.layout);
    let recorder = Recorder::new(&kernel, on.arrays(), 1);
    recorder.return_shard(recorder.take_shard(0..0));
    let sizes = LaunchSizes::default();
    Arc::new(recorder.report(
        &Arc::new(machine.clone()),
        layout,
        sizes,
        Details::default(),
    ))
}

/// The nanoseconds during which it occupied the arrays.
fn span(time: &SimulatedCommand) -> Range<u64> {
    let start = time.at(ProfilingPoint::Start).unwrap().0;
    let end = time.end().unwrap().0;
    let queued = time.at(ProfilingPoint::Queued).unwrap().0;
    let submit = time.at(ProfilingPoint::Submit).unwrap().0;
    assert!(0 < queued && queued <= submit && submit <= start - TIME && start <= end);
    start - TIME..end
}

#[test]
fn launches_execute_in_the_order_of_enqueuing() {
    let schedule = Schedule::new();
    let all: Vec<_> = (0..3).map(|_| launch(&schedule, &device(0), &[])).collect();
    // The host may execute them in another order.
    executed(&schedule, &all[2], 2);
    executed(&schedule, &all[1], 3);
    assert_eq!(all[2].end(), None);
    executed(&schedule, &all[0], 4);
    let first = 1 + cost();
    assert_eq!(span(&all[0]), first..first + 4 * TIME);
    assert_eq!(span(&all[1]), first + 4 * TIME..first + 7 * TIME);
    assert_eq!(span(&all[2]), first + 7 * TIME..first + 9 * TIME);
    assert!(!schedule.log.lock().skip());
}

#[test]
fn unknown_reports_delay_times_until_these_are_needed() {
    let schedule = Schedule::new();
    let [first, second] = [0; 2].map(|number| launch(&schedule, &device(number), &[]));
    let report = unknown_report(&device(0));
    first.set_work(CommandWork {
        report: Some(Arc::clone(&report)),
        ..CommandWork::default()
    });
    schedule.ended(&first, 0);
    executed(&schedule, &second, 2);
    assert!(!report.is_known());
    assert_eq!((first.end(), second.end()), (None, None));
    schedule.observed_by_host(&first);
    assert!(report.is_known());
    assert_eq!(
        first.end().unwrap() - first.at(ProfilingPoint::Submit).unwrap(),
        device(0)
            .machine()
            .clock()
            .nanoseconds(report.get().timing.end)
    );
    assert!(second.end() > second.at(ProfilingPoint::Start));
}

#[test]
fn the_end_of_the_process_computes_unknown_reports() {
    let schedule = Schedule::new();
    let command = launch(&schedule, &device(0), &[]);
    command.set_work(CommandWork {
        report: Some(unknown_report(&device(0))),
        ..CommandWork::default()
    });
    schedule.ended(&command, 0);
    assert_eq!(command.end(), None);
    assert!(schedule.finish().is_some());
    assert!(command.end().is_some());
}

#[test]
fn clusters_and_sub_devices_with_other_arrays_run_at_the_same_time() {
    let schedule = Schedule::new();
    let parts = device(1).divide(&Partition::Equally(8)).unwrap();
    let on = [&device(0), &parts[0], &parts[2], &device(1), &parts[1]];
    let all = on.map(|device| launch(&schedule, device, &[]));
    for time in &all {
        executed(&schedule, time, 10);
    }
    let [other, first, third, whole, second] = all.map(|time| span(&time));
    assert_eq!(first.start, other.start + cost());
    assert_eq!(third.start, other.start + 2 * cost());
    assert_eq!(whole.start, third.end, "all its arrays are needed at once");
    // It was enqueued last, so it must not delay earlier commands.
    assert_eq!(second.start, whole.end);
}

#[test]
fn the_host_clock_advances_when_an_end_is_observed() {
    let schedule = Schedule::new();
    let long = launch(&schedule, &device(0), &[]);
    let other = launch(&schedule, &device(1), &[]);
    executed(&schedule, &long, 100);
    executed(&schedule, &other, 1);
    assert_eq!(schedule.times.lock().clock.now().0, 1 + 2 * cost());
    schedule.observed_by_host(&other);
    assert_eq!(
        schedule.times.lock().clock.now().0,
        span(&other).end.max(1 + 2 * cost())
    );
    schedule.observed_by_host(&long);
    schedule.observed_by_host(&other);
    assert_eq!(schedule.times.lock().clock.now().0, span(&long).end);
    let next = launch(&schedule, &device(2), &[]);
    schedule.process();
    assert_eq!(
        next.at(ProfilingPoint::Queued),
        Some(Nanoseconds(span(&long).end + cost()))
    );
}

#[test]
fn ends_can_be_observed_before_their_times_are_known() {
    let schedule = Schedule::new();
    let held_up = launch(&schedule, &device(0), &[]);
    let behind = launch(&schedule, &device(0), &[]);
    executed(&schedule, &behind, 2);
    schedule.observed_by_host(&behind);
    let next = launch(&schedule, &device(1), &[&behind]);
    executed(&schedule, &next, 2);
    assert_eq!(next.at(ProfilingPoint::Queued), None);
    executed(&schedule, &held_up, 50);
    assert_eq!(span(&behind).start, span(&held_up).end);
    assert_eq!(
        next.at(ProfilingPoint::Queued),
        Some(Nanoseconds(span(&behind).end + cost()))
    );
}

#[test]
fn commands_that_wait_for_the_host_program_delay_no_others() {
    let schedule = Schedule::new();
    let user_event = SimulatedCommand::untimed(0);
    let gated = launch(&schedule, &device(0), &[&user_event]);
    let behind = launch(&schedule, &device(0), &[&gated]);
    let free = launch(&schedule, &device(0), &[]);
    executed(&schedule, &free, 10);
    schedule.observed_by_host(&free);
    let clock = schedule.times.lock().clock.now();
    assert_eq!(clock.0, span(&free).end, "known although others wait");
    schedule.user_event_set(&user_event);
    assert_eq!(user_event.end(), Some(clock));
    // Enqueued after the event was set, so ordered after the others.
    let last = launch(&schedule, &device(0), &[]);
    executed(&schedule, &last, 1);
    executed(&schedule, &behind, 1);
    executed(&schedule, &gated, 1);
    assert_eq!(gated.at(ProfilingPoint::Submit), Some(clock));
    assert_eq!(span(&behind).start, span(&gated).end);
    assert_eq!(span(&last).start, span(&behind).end);
}

#[test]
fn native_kernels_take_no_time_and_are_ordered_when_they_end() {
    let schedule = Schedule::new();
    let before = launch(&schedule, &device(0), &[]);
    let native = command(&schedule, CommandKind::Native, &device(0), &[&before]);
    let after = launch(&schedule, &device(0), &[&native]);
    let other = launch(&schedule, &device(0), &[]);
    executed(&schedule, &before, 5);
    executed(&schedule, &other, 5);
    assert_eq!(span(&other).start, span(&before).end);
    schedule.ended(&native, 0);
    executed(&schedule, &after, 5);
    assert_eq!(native.end(), before.end());
    assert_eq!(native.at(ProfilingPoint::Start), before.end());
    assert_eq!(span(&after).start, span(&other).end);
}

#[test]
fn commands_end_with_their_context_without_having_waited() {
    let schedule = Schedule::new();
    let user_event = SimulatedCommand::untimed(0);
    let first = launch(&schedule, &device(0), &[&user_event]);
    let second = launch(&schedule, &device(0), &[&first]);
    schedule.ended(&second, -5);
    schedule.ended(&first, -5);
    schedule.user_event_set(&user_event);
    assert!(first.end().is_some() && second.end().is_some());
    assert!(!schedule.log.lock().skip());
    let weak = Arc::downgrade(&first);
    drop((first, second, user_event));
    assert_eq!(weak.strong_count(), 0);
}

/// Long chains are neither kept alive nor processed recursively.
#[test]
fn a_hundred_thousand_commands_wait_for_each_other() {
    let schedule = Schedule::new();
    let user_event = SimulatedCommand::untimed(0);
    let mut chain = vec![Arc::clone(&user_event)];
    for _ in 0..100_000 {
        let next = launch(&schedule, &device(0), &[&chain[chain.len() - 1]]);
        chain.push(next);
    }
    schedule.user_event_set(&user_event);
    for time in &chain[1..] {
        executed(&schedule, time, 2);
    }
    let first = chain[1].end().unwrap().0;
    assert_eq!(
        chain[100_000].end(),
        Some(Nanoseconds(first + 99_999 * 2 * TIME))
    );
    let weak = Arc::downgrade(&chain[1]);
    let last = chain.pop();
    drop(chain);
    assert_eq!(weak.strong_count(), 0);
    drop(last);
}

#[test]
fn a_co_simulator_sets_the_clock() {
    let schedule = Schedule::new();
    let now = || schedule.clock().map(|clock| clock.now().0).ok();
    schedule.append(Entry::ClockSet(Nanoseconds(1_000)));
    let busy = launch(&schedule, &device(0), &[]);
    assert_eq!(now(), Some(1_000 + cost()), "known before the launch ends");
    schedule.append(Entry::ClockSet(Nanoseconds(90_000)));
    let late = launch(&schedule, &device(1), &[]);
    assert_eq!(now(), Some(90_000 + cost()));
    schedule.append(Entry::Observed(Arc::clone(&busy)));
    assert_eq!(now(), None, "its end is not known");
    executed(&schedule, &busy, 40);
    executed(&schedule, &late, 2);
    let start = 1_000 + cost();
    assert_eq!(span(&busy), start..start + 40 * TIME);
    assert_eq!(now(), Some(start + 40 * TIME));
    assert_eq!(span(&late).start, 90_000 + cost());
    // Another process of the node is behind.
    schedule.append(Entry::ClockSet(Nanoseconds(2_000)));
    let third = launch(&schedule, &device(1), &[]);
    executed(&schedule, &third, 2);
    assert_eq!(span(&third).start, 2_000 + cost(), "the cluster was idle");
    assert_eq!(now(), Some(2_000 + cost()));
}
