//! The programs that are scaled, and their sizes.

use crate::clients::lammps;

/// How a problem grows with the number of nodes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Growth {
    /// It does not: strong scaling.
    Strong,
    /// Each node's part stays as large: weak scaling.
    Weak,
}

/// Where a program comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Source {
    /// `examples/mpi`.
    Examples,
    /// The client LAMMPS, which `cargo xtask clients` fetches and compiles.
    Lammps,
}

/// A program, with one rank on each node.
pub struct Program {
    /// Its name, and that of its source.
    pub name: &'static str,
    /// Where it comes from.
    pub source: Source,
    /// Its arguments on `nodes` nodes, which are a power of 4.
    pub arguments: fn(Growth, nodes: u32) -> Vec<String>,
    /// Work of each node with `nodes` nodes, relative to that of one node, in weak scaling.
    pub work: fn(nodes: u32) -> f64,
    /// The problem in strong and in weak scaling.
    pub problems: [&'static str; 2],
    /// Most nodes that SimGrid can simulate it on in reasonable time.
    pub most_nodes: u32,
}

fn root(nodes: u32) -> u32 {
    nodes.isqrt()
}

/// The programs.
pub const PROGRAMS: [Program; 4] = [
    Program {
        name: "stencil",
        source: Source::Examples,
        arguments: |growth, nodes| {
            let inner = match growth {
                Growth::Strong => 4096,
                Growth::Weak => 256 * root(nodes),
            };
            vec![(inner + 2).to_string(), "10".into(), "unchecked".into()]
        },
        work: |_| 1.0,
        problems: [
            "10 steps on 4,096 x 4,096 cells",
            "10 steps on 65,536 cells of each node; halos grow with the square root of the nodes",
        ],
        most_nodes: 4096,
    },
    Program {
        name: "summa",
        source: Source::Examples,
        arguments: |growth, nodes| {
            let block = match growth {
                Growth::Strong => 1024 / root(nodes),
                Growth::Weak => 128,
            };
            vec![block.to_string(), "unchecked".into()]
        },
        work: |nodes| f64::from(root(nodes)),
        problems: [
            "a product of matrices of 1,024 x 1,024",
            "blocks of 128 x 128 on each node; a node's work grows with the square root of the nodes",
        ],
        most_nodes: 4096,
    },
    Program {
        name: "conjugate_gradient",
        source: Source::Examples,
        arguments: |growth, nodes| {
            let rows = match growth {
                Growth::Strong => (1 << 20) / nodes,
                Growth::Weak => 4096,
            };
            vec![rows.to_string()]
        },
        work: |_| 1.0,
        problems: [
            "1,048,576 rows",
            "4,096 rows of each node; the number of iterations changes little",
        ],
        most_nodes: 4096,
    },
    Program {
        name: "lammps",
        source: Source::Lammps,
        arguments: |growth, nodes| {
            let doubled = match growth {
                Growth::Strong => 12,
                // 2 to the power of 7 for each node.
                Growth::Weak => 7 + nodes.ilog2(),
            };
            let sides = [doubled.div_ceil(3), (doubled + 1) / 3, doubled / 3];
            let mut arguments = lammps::ON_DEVICES.map(str::to_owned).to_vec();
            arguments.extend(words("-screen none"));
            arguments.extend(lammps::melt(sides.map(|side| 1 << side), 10, 10));
            arguments
        },
        work: |_| 1.0,
        problems: [
            "10 steps of a melt of 16,384 atoms",
            "10 steps of a melt of 512 atoms on each node",
        ],
        most_nodes: 1024,
    },
];

fn words(text: &str) -> Vec<String> {
    text.split(' ').map(str::to_owned).collect()
}

/// A run that shows what simulation costs.
pub struct CostRun {
    /// What is run, for people.
    pub what: &'static str,
    /// The name of the program.
    pub program: &'static str,
    /// Its arguments on that many nodes.
    pub arguments: fn(nodes: u32) -> Vec<String>,
    /// Whether launches are shared.
    pub shares: bool,
}

fn small_stencil(nodes: u32) -> Vec<String> {
    let size = 64 * root(nodes) + 2;
    vec![size.to_string(), "10".into(), "unchecked".into()]
}

/// The runs that show what simulation costs.
pub const COSTS: [CostRun; 3] = [
    CostRun {
        what: "stencil, 10 steps on 4,096 cells of each node",
        program: "stencil",
        arguments: small_stencil,
        shares: false,
    },
    CostRun {
        what: "the same stencil with shared launches",
        program: "stencil",
        arguments: small_stencil,
        shares: true,
    },
    CostRun {
        what: "conjugate gradient, 1,024 rows of each node",
        program: "conjugate_gradient",
        arguments: |_| vec!["1024".into()],
        shares: false,
    },
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_ranks_have_work() {
        for nodes in [1, 4, 16, 64, 256, 1024] {
            let sizes: Vec<Vec<String>> = PROGRAMS
                .iter()
                .map(|program| (program.arguments)(Growth::Strong, nodes))
                .collect();
            let size = |program: usize| sizes[program][0].parse::<u32>().unwrap();
            assert!(size(0) - 2 >= nodes);
            assert_eq!(size(1) * root(nodes), 1024);
            assert_eq!(size(2) * nodes, 1 << 20);
            let stencil = (PROGRAMS[0].arguments)(Growth::Weak, nodes);
            let inner = stencil[0].parse::<u32>().unwrap() - 2;
            assert_eq!(inner * inner / nodes, 65_536);
            for (growth, atoms) in [(Growth::Strong, 16_384), (Growth::Weak, 512 * nodes)] {
                let lammps = (PROGRAMS[3].arguments)(growth, nodes);
                let numbers = lammps.iter().filter_map(|word| word.parse::<u32>().ok());
                // One device, the numbers of cells, and the steps.
                assert_eq!(numbers.skip(1).take(3).product::<u32>() * 4, atoms);
            }
        }
    }
}
