//! Events: the order of commands, queries and callbacks, and how failures propagate.

mod commands;
mod graph;
mod status;

use crate::case::{Case, Category};
use anyhow::Result;
use harness::session::Session;

const fn case(name: &'static str, what: &'static str, run: fn(&Session) -> Result<()>) -> Case {
    Case::new(Category::Event, name, what, run)
}

/// The cases of this category.
pub const CASES: &[Case] = &[
    case(
        "event_types_of_commands",
        "type, queue, context and status of the events of all kinds of commands",
        status::types,
    ),
    case(
        "event_profiling",
        "times of all kinds of commands never run backwards; those of one after another's",
        status::profiling,
    ),
    case(
        "event_callbacks_of_all_commands",
        "one call for each state of each kind of command, with its event and status",
        status::callbacks,
    ),
    case(
        "event_negative_statuses",
        "commands of all kinds that wait for a failed event fail, and change nothing",
        status::negative,
    ),
    case(
        "event_user_statuses",
        "user events: states, second and wrong values, waiting threads",
        status::user_events,
    ),
    case(
        "event_chain_of_callbacks",
        "each callback sets the user event that the next command waits for",
        graph::chain_of_callbacks,
    ),
    case(
        "event_graphs_in_one_queue",
        "200 commands out of order after up to four others each",
        |session| graph::graph(session, 1),
    ),
    case(
        "event_graphs_over_queues",
        "200 commands of four queues, in and out of order, after up to four others each",
        |session| graph::graph(session, 4),
    ),
    case(
        "event_gates",
        "nothing behind a user event runs before it is set, all else does",
        graph::gates,
    ),
    case(
        "event_barriers_and_markers",
        "barriers and markers of queues out of order, with and without lists",
        graph::barriers,
    ),
];
