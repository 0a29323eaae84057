//! Runs rounds of activities in many threads, and scenarios in processes of their own; counts the
//! activities, and checks for leaked objects and memory.

use crate::world::{Platform, World};
use crate::{activities, memory, scenarios};
use anyhow::{Context as _, Result, bail};
use fastrand::Rng;
use harness::sanitized::SANITIZED;
use harness::{callback, counter, failure, object, watchdog};
use std::collections::BTreeMap;
use std::process::Command;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// A run of the threads.
pub struct Plan {
    /// Part of the platform's name or version.
    pub platform: String,
    /// Duration of the run.
    pub duration: Duration,
    /// Number of threads.
    pub threads: usize,
    /// Seed of all random choices; the order of threads still differs.
    pub seed: u64,
    /// Time limit of a call.
    pub patience: Duration,
}

/// Duration of a round. Each round creates all objects anew, and all must be destroyed at its end.
const ROUND: Duration = Duration::from_secs(2);

/// Runs activities for the plan's duration, and prints the counts.
///
/// # Errors
/// A result is wrong, an object leaks or a call fails. The watchdog ends a process that hangs.
pub fn run(plan: &Plan) -> Result<()> {
    watchdog::start(plan.patience);
    watchdog::begin("the beginning".to_owned());
    let platform = Platform::find(&plan.platform)?;
    println!(
        "{}, {} threads, seed {}",
        platform.name, plan.threads, plan.seed
    );
    object::ask_stale_handles(platform.knows_stale_handles);
    let nearly_all = memory::take_nearly_all(&platform).context("at the beginning")?;
    let platform = Arc::new(platform);
    let begin = Instant::now();
    let mut samples = Vec::new();
    let mut objects = BTreeMap::<&str, usize>::new();
    let mut rounds = 0;
    while begin.elapsed() < plan.duration {
        let left = plan.duration.saturating_sub(begin.elapsed());
        let made = round(plan, &platform, rounds, left.min(ROUND))
            .with_context(|| format!("round {rounds} with seed {}", plan.seed))?;
        for (kind, count) in made {
            *objects.entry(kind).or_default() += count;
        }
        rounds += 1;
        samples.push(memory::resident());
        if rounds % 15 == 0 {
            println!(
                "{:4} s: {} calls, {} MiB",
                begin.elapsed().as_secs(),
                counter::total(),
                samples[samples.len() - 1] >> 20
            );
        }
    }
    let seconds = begin.elapsed().as_secs_f64();
    memory::take_nearly_all(&platform).context("at the end")?;
    // Sanitizers delay the release of freed memory.
    if !SANITIZED {
        memory::check_growth(&samples)?;
    }
    for (function, count) in counter::counts() {
        println!("{count:12} {function}");
    }
    let objects: Vec<_> = objects
        .iter()
        .map(|(kind, count)| format!("{count} {kind}s"))
        .collect();
    println!("{}", objects.join(", "));
    println!(
        "{} calls in {seconds:.0} s, {rounds} rounds, {} threads, seed {}: all objects gone, \
         {} MiB of the process at first and {} MiB at last, {} MiB of the device free",
        counter::total(),
        plan.threads,
        plan.seed,
        samples.first().unwrap_or(&0) >> 20,
        samples.last().unwrap_or(&0) >> 20,
        nearly_all >> 20
    );
    Ok(())
}

/// Runs one round. Returns the number of objects created.
fn round(
    plan: &Plan,
    platform: &Arc<Platform>,
    round: u64,
    duration: Duration,
) -> Result<BTreeMap<&'static str, usize>> {
    let end = Instant::now() + duration;
    let world = World::new(Arc::clone(platform), plan.threads)?;
    std::thread::scope(|scope| {
        let keeper = std::thread::Builder::new().name("gate keeper".to_owned());
        let seed = seed(plan.seed, round, usize::MAX);
        let world = &world;
        let keeper = keeper.spawn_scoped(scope, move || world.keep_gates(Rng::with_seed(seed)))?;
        let threads = (0..plan.threads).map(|thread| {
            let seed = self::seed(plan.seed, round, thread);
            std::thread::Builder::new()
                .name(format!("stress {thread}"))
                .spawn_scoped(scope, move || work(world, seed, thread, end))
        });
        let threads: Vec<_> = threads.collect::<Result<_, _>>()?;
        let _waiting = watchdog::pausing();
        for thread in threads {
            if thread.join().is_err() {
                failure::note("a thread panicked".to_owned());
            }
        }
        world.close_gates();
        // The end of the scope would wait as well, but ThreadSanitizer does not see that.
        if keeper.join().is_err() {
            failure::note("the gate keeper panicked".to_owned());
        }
        Ok::<_, anyhow::Error>(())
    })?;
    stop_if_failed()?;
    watchdog::begin("the end of a round".to_owned());
    world.check()?;
    drop(world);
    callback::all_called(plan.patience)?;
    let made = object::all_gone(plan.patience)?;
    stop_if_failed()?;
    Ok(made)
}

fn stop_if_failed() -> Result<()> {
    let failures = failure::take();
    if failures.is_empty() {
        return Ok(());
    }
    bail!("{}", failures.join("\n"))
}

/// The seed of a thread in a round.
fn seed(seed: u64, round: u64, thread: usize) -> u64 {
    let mixed = seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ round.rotate_left(32);
    mixed.wrapping_add(thread as u64)
}

/// Runs activities in a thread until the end of the round.
fn work(world: &World, seed: u64, thread: usize, end: Instant) {
    let mut random = Rng::with_seed(seed);
    while Instant::now() < end
        && object::made_in_this_round() < object::MOST_IN_A_ROUND
        && !failure::any()
    {
        let activity = activities::any(&mut random);
        let seed = random.u64(..);
        watchdog::begin(format!("{} (seed {seed:#x})", activity.name));
        if let Err(error) = (activity.run)(world, &mut Rng::with_seed(seed), thread) {
            failure::note(format!("{} (seed {seed:#x}): {error:#}", activity.name));
        }
    }
    watchdog::begin("the end of a round".to_owned());
}

/// Runs the scenarios whose names contain `filter`, each in a process that `process` starts, with
/// all host threads and with one. Returns the number that failed.
///
/// # Errors
/// A process could not be started, or no scenario has such a name.
pub fn run_scenarios(filter: &str, process: &dyn Fn(&str) -> Command) -> Result<usize> {
    let (mut failed, mut run) = (0, 0);
    for scenario in scenarios::ALL {
        if !scenario.name.contains(filter) {
            continue;
        }
        for (what, threads) in scenarios::HOST_THREADS {
            run += 1;
            let begin = Instant::now();
            let mut process = process(scenario.name);
            if let Some(threads) = threads {
                process.env(scenarios::HOST_THREADS_VARIABLE, threads);
            }
            let output = process.output().context("cannot start a process")?;
            let outcome = if output.status.success() {
                "passed".to_owned()
            } else {
                failed += 1;
                let errors = String::from_utf8_lossy(&output.stderr);
                format!("FAILED: {}\n{}", output.status, errors.trim_end())
            };
            let milliseconds = begin.elapsed().as_millis();
            println!(
                "{:48} {what:16} {milliseconds:6} ms  {outcome}",
                scenario.name
            );
        }
    }
    if run == 0 {
        bail!("no scenario's name contains `{filter}`");
    }
    println!("{run} scenarios: {failed} failed");
    Ok(failed)
}

/// Runs a scenario in this process.
///
/// # Errors
/// The scenario failed. The watchdog ends a process that hangs.
pub fn run_scenario(name: &str, platform: &str, patience: Duration) -> Result<()> {
    let scenario = scenarios::ALL
        .iter()
        .find(|scenario| scenario.name == name)
        .with_context(|| format!("no scenario is called `{name}`"))?;
    watchdog::start(patience);
    watchdog::begin(format!("the scenario {name}"));
    let platform = Platform::find(platform)?;
    object::ask_stale_handles(platform.knows_stale_handles);
    (scenario.run)(&platform)?;
    if !scenario.leaves_commands {
        callback::all_called(patience)?;
        // After more objects, handles may have been reused.
        if object::made_in_this_round() <= object::MOST_IN_A_ROUND {
            object::all_gone(patience)?;
        }
    }
    stop_if_failed()
}
