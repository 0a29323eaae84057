//! Scenarios that may deadlock, recurse without end or lose wake-ups. Each runs in a process
//! of its own, under the watchdog.

mod callbacks;
mod chains;
mod ends;
mod stage;
mod waits;

use crate::world::Platform;
use anyhow::Result;

/// A scenario that may deadlock.
pub struct Scenario {
    /// The scenario's name.
    pub name: &'static str,
    /// Runs the scenario.
    pub run: fn(&Platform) -> Result<()>,
    /// Whether unfinished commands still hold objects at the end.
    pub leaves_commands: bool,
}

const fn scenario(name: &'static str, run: fn(&Platform) -> Result<()>) -> Scenario {
    Scenario {
        name,
        run,
        leaves_commands: false,
    }
}

const fn leaving(name: &'static str, run: fn(&Platform) -> Result<()>) -> Scenario {
    Scenario {
        name,
        run,
        leaves_commands: true,
    }
}

/// The environment variable with the number of host threads.
pub const HOST_THREADS_VARIABLE: &str = "MOCL3_HOST_THREADS";

/// The numbers of host threads that each scenario runs with: a description, and the value of the
/// variable.
pub const HOST_THREADS: [(&str, Option<&str>); 2] =
    [("all host threads", None), ("one host thread", Some("1"))];

/// All scenarios.
pub const ALL: &[Scenario] = &[
    scenario("callback_enqueues_and_flushes", callbacks::enqueues),
    scenario("callback_sets_what_its_queue_waits_for", callbacks::sets),
    scenario("callback_releases_the_last_references", callbacks::releases),
    scenario(
        "callback_waits_for_another_queue",
        callbacks::waits_for_another_queue,
    ),
    scenario(
        "callback_waits_for_its_own_queue",
        callbacks::waits_for_its_own_queue,
    ),
    scenario(
        "callback_waits_for_what_another_thread_sets",
        callbacks::waits_for_a_thread,
    ),
    scenario(
        "callback_sets_the_next_of_many_user_events",
        callbacks::cascade,
    ),
    scenario("many_callbacks_of_one_event", callbacks::many),
    scenario("callbacks_of_an_event_that_has_failed", callbacks::failed),
    scenario(
        "destructor_callback_releases_the_next_buffer",
        callbacks::destructors,
    ),
    scenario("build_callback_builds_and_releases", callbacks::build),
    scenario("chain_in_an_in_order_queue", chains::in_order),
    scenario("chain_in_an_out_of_order_queue", chains::out_of_order),
    scenario("chain_over_queues_of_all_devices", chains::over_queues),
    scenario(
        "chain_whose_events_are_released_at_once",
        chains::released_at_once,
    ),
    scenario("chain_that_fails_at_its_head", chains::fails),
    scenario(
        "chain_that_fails_in_an_in_order_queue",
        chains::fails_in_order,
    ),
    leaving("chain_whose_head_is_never_set", chains::never_set),
    leaving("chain_released_unfinished", chains::released_unfinished),
    scenario("many_markers", chains::markers),
    scenario("many_barriers", chains::barriers),
    scenario("many_commands_wait_for_one_event", chains::one_to_many),
    scenario("one_command_waits_for_many_events", chains::many_to_one),
    scenario("waits_for_a_queue_that_was_not_flushed", waits::not_flushed),
    scenario(
        "waits_while_another_thread_sets_a_user_event",
        waits::set_elsewhere,
    ),
    scenario("threads_wait_for_each_others_queues", waits::crosswise),
    scenario("many_threads_wait_for_one_event", waits::crowd),
    scenario("blocking_commands_behind_a_user_event", waits::blocking),
    scenario(
        "waits_in_an_out_of_order_queue_behind_what_waits",
        waits::past_a_waiting_command,
    ),
    scenario("many_queues_at_once", waits::many_queues),
    scenario("release_without_waiting", ends::release),
    leaving("exit_with_unfinished_commands", ends::exit),
    leaving(
        "exit_with_commands_that_never_begin",
        ends::exit_never_begun,
    ),
    leaving("exit_while_kernels_are_compiled", ends::exit_compiling),
];
