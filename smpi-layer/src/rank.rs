//! Ranks: which one calls, which node it has, and its time.

use crate::node_clock::{NodeClock, Platforms};
use crate::report;
use crate::simgrid::SimGrid;
use parking_lot::Mutex;
use std::collections::HashMap;
use std::ffi::{c_int, c_void};

/// Simulated time of a query that finds its command unfinished, nanoseconds: a load from the host's
/// memory, and the call. Assumed.
const POLL: u64 = 1_000;

/// The rank that makes a call.
#[derive(Clone, Copy)]
pub struct Rank {
    /// Number of its actor.
    pub actor: i64,
    simgrid: &'static SimGrid,
    /// The clock of its node.
    pub clock: NodeClock,
}

/// What the layer knows of a rank.
#[derive(Clone, Copy)]
struct State {
    /// The clock of its node; none if its host has no node.
    clock: Option<NodeClock>,
    /// The time that its last call ended at, nanoseconds. SimGrid's clock may be behind it by a
    /// rounding error, and no rank goes back in time.
    reached: u64,
}

/// The ranks by actor.
static RANKS: Mutex<Option<HashMap<i64, State>>> = Mutex::new(None);

impl Rank {
    /// The rank whose thread calls; none outside of SimGrid and in threads of the library.
    pub fn current() -> Option<Self> {
        let simgrid = SimGrid::get()?;
        let actor = simgrid.actor()?;
        let known = RANKS.lock().get_or_insert_default().get(&actor).copied();
        let clock = match known {
            Some(state) => state.clock,
            None => Self::register(simgrid, actor),
        }?;
        Some(Self {
            actor,
            simgrid,
            clock,
        })
    }

    /// Finds the node of a rank at its first call.
    fn register(simgrid: &SimGrid, actor: i64) -> Option<NodeClock> {
        let (host, nodes) = (simgrid.host_position(), &Platforms::get().nodes);
        let clock = nodes.get(host).copied();
        if clock.is_none() {
            eprintln!(
                "mocl3: rank {} runs on host {host} of SimGrid's platform, but MOCL3 simulates \
                 {} nodes; set MOCL3_NODES to the number of hosts",
                actor - 1,
                nodes.len()
            );
        }
        let state = State { clock, reached: 0 };
        RANKS.lock().get_or_insert_default().insert(actor, state);
        // SAFETY: the rank calls, and the function ignores its arguments.
        unsafe { (simgrid.sg_actor_on_exit)(ends, std::ptr::null_mut()) };
        clock
    }

    /// The current call is a query that found its command unfinished.
    pub fn poll(self) {
        self.clock.set(self.clock.now() + POLL);
    }

    /// Lets SimGrid's time advance to the node's.
    pub fn spend(self) {
        let (before, after) = (self.now(), self.clock.now());
        if after > before {
            report::add(self.actor, after - before);
            if let Some(state) = RANKS.lock().get_or_insert_default().get_mut(&self.actor) {
                state.reached = after;
            }
            self.simgrid.compute_until(after);
            self.synchronise();
        }
    }

    /// The rank's time, nanoseconds.
    fn now(self) -> u64 {
        let known = RANKS
            .lock()
            .get_or_insert_default()
            .get(&self.actor)
            .copied();
        let reached = known.map_or(0, |state| state.reached);
        self.simgrid.now().max(reached)
    }

    /// Lets the rank wait until `time`, nanoseconds.
    pub fn wait_until(self, time: u64) {
        if time > self.clock.now() {
            self.clock.set(time);
        }
        self.spend();
    }

    /// Sets the node's clock to the rank's: other ranks of the node may have set it meanwhile.
    pub fn synchronise(self) {
        self.clock.set(self.now());
    }
}

/// Called when a rank ends.
unsafe extern "C" fn ends(failed: c_int, _data: *mut c_void) {
    if let Some(simgrid) = SimGrid::get()
        && let Some(actor) = simgrid.actor()
    {
        let node = Platforms::get().nodes.first();
        let launches = node.map_or([0; 2], NodeClock::launches);
        report::ends(actor, simgrid.now(), failed != 0, launches);
    }
}
