//! The network between nodes. No node's own time depends on it: `mocl3 mpi` writes it for SimGrid.

use super::error::MachineError;
use super::quantity::{Limit, Quantity, check_limits};
use serde::{Deserialize, Serialize};

/// How nodes are connected.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Deserialize, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Topology {
    /// Leaf switches with nodes below and core switches above.
    FatTree,
    /// A grid of three dimensions whose opposite sides are connected.
    Torus,
}

/// The network.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Network {
    /// How nodes are connected.
    pub topology: Topology,
    /// Nodes of a leaf switch, in a fat tree.
    pub leaf_nodes: Quantity,
    /// Links from a leaf switch to core switches, in a fat tree.
    pub uplinks: Quantity,
    /// Bandwidth of a link in each direction, byte/s.
    pub bandwidth: Quantity,
    /// Latency of a link, ns.
    pub latency: Quantity,
    /// Bandwidth of messages between processes of a node, byte/s.
    pub local_bandwidth: Quantity,
    /// Latency of messages between processes of a node, ns.
    pub local_latency: Quantity,
    /// Messages of at most this size are sent without waiting for the receiver, bytes.
    pub eager: Quantity,
    /// Time of a query such as `MPI_Test` that finds its message missing, ns.
    pub poll: Quantity,
}

impl Network {
    pub(super) fn check(&self) -> Result<(), MachineError> {
        check_limits("network", &self.limits())
    }

    fn limits(&self) -> Vec<Limit<'_>> {
        const BANDWIDTHS: (u64, u64) = (1_000_000, 1 << 50);
        const TIMES: (u64, u64) = (1, 1_000_000_000);
        const LINKS: (u64, u64) = (1, 65_536);
        let with = |name, quantity, (min, max)| (name, quantity, min, max);
        vec![
            with("leaf_nodes", &self.leaf_nodes, LINKS),
            with("uplinks", &self.uplinks, LINKS),
            with("bandwidth", &self.bandwidth, BANDWIDTHS),
            with("latency", &self.latency, TIMES),
            with("local_bandwidth", &self.local_bandwidth, BANDWIDTHS),
            with("local_latency", &self.local_latency, TIMES),
            with("eager", &self.eager, (0, 1 << 30)),
            with("poll", &self.poll, TIMES),
        ]
    }
}
