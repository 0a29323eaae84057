//! SimGrid's platform and host files. `Cluster` of SimGrid's DTD 4.1; the hosts are `node-0` and so
//! on, and host i is node i of the platform.

use device_sim::machine::{Network, Topology};
use std::fmt::{self, Display};

/// Processors of a node that run ranks: at least the general-purpose zone's 16.
const CORES: u32 = 16;

/// How many nodes a network has, and how they are connected.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Shape {
    /// One switch with all nodes.
    Switch { nodes: u32 },
    /// Leaf switches below core switches.
    FatTree {
        leaves: u32,
        leaf_nodes: u32,
        uplinks: u32,
    },
    /// A torus.
    Torus([u32; 3]),
}

impl Shape {
    /// The smallest network of the machine's kind with at least `nodes` nodes.
    pub fn new(network: &Network, nodes: u32) -> Self {
        match network.topology {
            Topology::Torus => Self::Torus(sides(nodes)),
            Topology::FatTree => {
                let leaf_nodes = network.leaf_nodes.value as u32;
                match nodes.div_ceil(leaf_nodes) {
                    1 => Self::Switch { nodes },
                    leaves => Self::FatTree {
                        leaves,
                        leaf_nodes,
                        uplinks: network.uplinks.value as u32,
                    },
                }
            }
        }
    }

    /// Nodes of the network; programs may use fewer.
    fn nodes(&self) -> u32 {
        match self {
            Self::Switch { nodes } => *nodes,
            Self::FatTree {
                leaves, leaf_nodes, ..
            } => leaves * leaf_nodes,
            Self::Torus(sides) => sides.iter().product(),
        }
    }

    /// SimGrid's name and parameters: levels, then for each level the nodes below, the switches
    /// above, and the links to each of these; or the sides.
    fn simgrid(&self) -> (&'static str, String) {
        match self {
            Self::Switch { nodes } => ("FAT_TREE", format!("1;{nodes};1;1")),
            Self::FatTree {
                leaves,
                leaf_nodes,
                uplinks,
            } => (
                "FAT_TREE",
                format!("2;{leaf_nodes},{leaves};1,{uplinks};1,1"),
            ),
            Self::Torus([x, y, z]) => ("TORUS", format!("{x},{y},{z}")),
        }
    }
}

impl Display for Shape {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Switch { nodes: 1 } => formatter.write_str("one node"),
            Self::Switch { nodes } => write!(formatter, "one switch with {nodes} nodes"),
            Self::FatTree {
                leaves,
                leaf_nodes,
                uplinks,
            } => write!(
                formatter,
                "a fat tree: {leaves} leaf switches with {leaf_nodes} nodes and {uplinks} links \
                 upwards each"
            ),
            Self::Torus([x, y, z]) => write!(formatter, "a torus of {x} x {y} x {z} nodes"),
        }
    }
}

/// The sides of the torus with the fewest nodes, but at least `nodes`, and of these the one with the
/// shortest longest side.
fn sides(nodes: u32) -> [u32; 3] {
    let mut best = [nodes, 1, 1];
    let cost = |[x, y, z]: [u32; 3]| (u64::from(x) * u64::from(y) * u64::from(z), x);
    for z in 1..=nodes.isqrt() {
        for y in z..=nodes.div_ceil(z).isqrt() + 1 {
            let x = nodes.div_ceil(y * z).max(y);
            // Long thin tori are no networks: at most twice as long as wide, if there is one.
            if x <= 2 * z && (best[0] > 2 * best[2] || cost([x, y, z]) < cost(best)) {
                best = [x, y, z];
            }
        }
    }
    best
}

/// The platform file. Nodes compute no faster or slower than the simulated clocks say: their speed
/// only converts durations to SimGrid's unit of work and back.
pub fn platform(network: &Network, shape: &Shape, ranks_per_node: u32) -> String {
    let (topology, parameters) = shape.simgrid();
    let last = shape.nodes() - 1;
    let cores = CORES.max(ranks_per_node);
    format!(
        "<?xml version='1.0'?>\n\
         <!DOCTYPE platform SYSTEM \"https://simgrid.org/simgrid.dtd\">\n\
         <!-- Written by `mocl3 mpi`: {shape}. -->\n\
         <platform version=\"4.1\">\n  \
         <cluster id=\"nodes\" prefix=\"node-\" suffix=\"\" radical=\"0-{last}\"\n           \
         speed=\"1Gf\" core=\"{cores}\" bw=\"{}Bps\" lat=\"{}ns\"\n           \
         sharing_policy=\"SPLITDUPLEX\" loopback_bw=\"{}Bps\" loopback_lat=\"{}ns\"\n           \
         topology=\"{topology}\" topo_parameters=\"{parameters}\"/>\n\
         </platform>\n",
        network.bandwidth.value,
        network.latency.value,
        network.local_bandwidth.value,
        network.local_latency.value,
    )
}

/// The host file: the host of each rank.
pub fn hosts(ranks: u32, ranks_per_node: u32) -> String {
    (0..ranks)
        .map(|rank| format!("node-{}\n", rank / ranks_per_node))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use device_sim::machine::Machine;

    fn network(topology: Topology) -> Network {
        let network = Machine::mt3000().network.unwrap();
        Network {
            topology,
            ..network
        }
    }

    #[test]
    fn networks_are_no_larger_than_needed() {
        let tree = network(Topology::FatTree);
        assert_eq!(Shape::new(&tree, 32), Shape::Switch { nodes: 32 });
        let shape = Shape::new(&tree, 33);
        assert_eq!(shape.nodes(), 64);
        assert_eq!(shape.simgrid(), ("FAT_TREE", "2;32,2;1,32;1,1".into()));
        let torus = network(Topology::Torus);
        for (nodes, expected) in [
            (1, [1, 1, 1]),
            (8, [2, 2, 2]),
            (16, [4, 2, 2]),
            (27, [3, 3, 3]),
            (64, [4, 4, 4]),
            (256, [8, 8, 4]),
            (1024, [16, 8, 8]),
        ] {
            assert_eq!(Shape::new(&torus, nodes), Shape::Torus(expected), "{nodes}");
        }
        for nodes in 1..500 {
            let shape = Shape::new(&torus, nodes);
            assert!(
                (nodes..=2 * nodes).contains(&shape.nodes()),
                "{nodes}: {shape}"
            );
        }
    }

    #[test]
    fn ranks_fill_one_node_after_the_other() {
        assert_eq!(hosts(5, 2), "node-0\nnode-0\nnode-1\nnode-1\nnode-2\n");
        let tree = network(Topology::FatTree);
        let file = platform(&tree, &Shape::new(&tree, 3), 20);
        for part in [
            "radical=\"0-2\"",
            "core=\"20\"",
            "lat=\"500ns\"",
            "bw=\"14000000000Bps\"",
        ] {
            assert!(file.contains(part), "{file}");
        }
    }
}
