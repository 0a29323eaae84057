//! The MPI rank of this process among those of its node, as launchers of MPI programs give it to processes.

use crate::variable::{RANKS, Variable};

/// A rank among those of its node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LocalRank {
    /// Its number, from 0.
    pub rank: usize,
    /// How many there are, at least 1; none if the launcher does not say.
    pub count: Option<usize>,
}

/// What a rank has of the simulated node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ranks {
    /// One cluster.
    Cluster(LocalRank),
    /// All clusters, of a node of its own.
    Node(LocalRank),
}

/// Why `MOCL3_RANKS` has no effect.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RanksError {
    /// Its value is neither `cluster` nor `node`.
    Value(String),
    /// No launcher has given the process a rank.
    NoRank,
}

impl std::fmt::Display for RanksError {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Value(value) => write!(formatter, "{RANKS}={value} is neither cluster nor node"),
            Self::NoRank => {
                let names: Vec<&str> = LAUNCHERS.iter().map(|[rank, _]| rank.name).collect();
                let names = names.join(", ");
                write!(
                    formatter,
                    "{RANKS} is set, and no launcher has set any of {names}"
                )
            }
        }
    }
}

impl std::error::Error for RanksError {}

const fn of_launcher(name: &'static str, meaning: &'static str) -> Variable {
    Variable {
        name,
        values: "a number",
        meaning,
    }
}

/// Of each launcher, the variables with the rank and with the number of ranks of the node. Slurm comes last:
/// MPI libraries are started by it too.
const LAUNCHERS: [[Variable; 2]; 4] = [
    [
        of_launcher("OMPI_COMM_WORLD_LOCAL_RANK", "Open MPI's rank in the node"),
        of_launcher("OMPI_COMM_WORLD_LOCAL_SIZE", "Open MPI's ranks of the node"),
    ],
    [
        of_launcher("MPI_LOCALRANKID", "MPICH's rank in the node"),
        of_launcher("MPI_LOCALNRANKS", "MPICH's ranks of the node"),
    ],
    [
        of_launcher("MV2_COMM_WORLD_LOCAL_RANK", "MVAPICH2's rank in the node"),
        of_launcher("MV2_COMM_WORLD_LOCAL_SIZE", "MVAPICH2's ranks of the node"),
    ],
    [
        of_launcher("SLURM_LOCALID", "Slurm's task in the node"),
        of_launcher("SLURM_NTASKS_PER_NODE", "Slurm's tasks of the node"),
    ],
];

/// What `MOCL3_RANKS` gives this process; none if it is not set.
///
/// # Errors
/// It has no effect.
pub fn ranks() -> Result<Option<Ranks>, RanksError> {
    read(&|variable| Some(variable.get()?.to_string_lossy().into_owned()))
}

fn read(value: &dyn Fn(&Variable) -> Option<String>) -> Result<Option<Ranks>, RanksError> {
    let Some(wanted) = value(&RANKS) else {
        return Ok(None);
    };
    let number = |variable: &Variable| value(variable)?.trim().parse().ok();
    let of_launcher = |[rank, count]: &[Variable; 2]| {
        Some(LocalRank {
            rank: number(rank)?,
            count: number(count).filter(|count| *count > 0),
        })
    };
    let rank = LAUNCHERS.iter().find_map(of_launcher);
    match wanted.trim() {
        "cluster" => Ok(Some(Ranks::Cluster(rank.ok_or(RanksError::NoRank)?))),
        "node" => Ok(Some(Ranks::Node(rank.ok_or(RanksError::NoRank)?))),
        other => Err(RanksError::Value(other.to_owned())),
    }
}

impl Ranks {
    /// The rank.
    pub fn rank(self) -> LocalRank {
        match self {
            Self::Cluster(rank) | Self::Node(rank) => rank,
        }
    }

    /// The processors of the host for this process, of which its node's ranks have the same number each.
    pub fn processors(self, of_host: usize) -> usize {
        (of_host / self.rank().count.unwrap_or(1)).max(1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(variables: &[(&str, &str)]) -> Result<Option<Ranks>, RanksError> {
        read(&|variable: &Variable| {
            let mut all = variables.iter();
            let found = all.find(|(name, _)| *name == variable.name);
            found.map(|(_, value)| (*value).to_owned())
        })
    }

    #[test]
    fn launchers_give_ranks() {
        let cluster = ("MOCL3_RANKS", "cluster");
        let rank = |rank, count| Ok(Some(Ranks::Cluster(LocalRank { rank, count })));
        for (name, count) in [
            ("OMPI_COMM_WORLD_LOCAL_RANK", "OMPI_COMM_WORLD_LOCAL_SIZE"),
            ("MPI_LOCALRANKID", "MPI_LOCALNRANKS"),
            ("MV2_COMM_WORLD_LOCAL_RANK", "MV2_COMM_WORLD_LOCAL_SIZE"),
            ("SLURM_LOCALID", "SLURM_NTASKS_PER_NODE"),
        ] {
            assert_eq!(of(&[cluster, (name, "3"), (count, "8")]), rank(3, Some(8)));
            assert_eq!(of(&[cluster, (name, "3")]), rank(3, None));
            assert_eq!(of(&[cluster, (name, "3"), (count, "0")]), rank(3, None));
        }
        let both = [cluster, ("MPI_LOCALRANKID", "1"), ("SLURM_LOCALID", "0")];
        assert_eq!(of(&both), rank(1, None));
        let node = of(&[("MOCL3_RANKS", "node"), ("SLURM_LOCALID", "2")]);
        let rank = LocalRank {
            rank: 2,
            count: None,
        };
        assert_eq!(node, Ok(Some(Ranks::Node(rank))));
    }

    #[test]
    fn wrong_values_are_errors() {
        assert_eq!(of(&[("MPI_LOCALRANKID", "1")]), Ok(None));
        assert_eq!(of(&[("MOCL3_RANKS", "cluster")]), Err(RanksError::NoRank));
        let unreadable = [("MOCL3_RANKS", "cluster"), ("MPI_LOCALRANKID", "-1")];
        assert_eq!(of(&unreadable), Err(RanksError::NoRank));
        let error = of(&[("MOCL3_RANKS", "core"), ("MPI_LOCALRANKID", "1")]).unwrap_err();
        assert_eq!(
            error.to_string(),
            "MOCL3_RANKS=core is neither cluster nor node"
        );
    }

    #[test]
    fn ranks_share_the_processors() {
        let of = |count| Ranks::Node(LocalRank { rank: 0, count });
        assert_eq!(of(Some(4)).processors(10), 2);
        assert_eq!(of(Some(16)).processors(10), 1);
        assert_eq!(of(None).processors(10), 10);
    }
}
