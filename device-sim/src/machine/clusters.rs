//! The acceleration clusters, and the resources that groups of their arrays share.

use super::error::MachineError;
use super::quantity::{Limit, Quantity};
use serde::{Deserialize, Serialize};

/// The acceleration clusters; each is one OpenCL device.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Clusters {
    /// Number of clusters.
    pub count: Quantity,
    /// Acceleration arrays in each; each is a compute unit.
    pub arrays: Quantity,
    /// Clock of the arrays, Hz.
    pub clock: Quantity,
    /// Hardware read-write locks of a cluster.
    pub read_write_locks: Quantity,
    /// Hardware barriers of a cluster.
    pub barriers: Quantity,
    /// Resources shared by groups of a cluster's arrays.
    #[serde(default)]
    pub affinity: Affinity,
}

impl Clusters {
    pub(super) fn limits(&self) -> Vec<Limit<'_>> {
        vec![
            ("count", &self.count, 1, 32),
            ("arrays", &self.arrays, 1, 4096),
            ("clock", &self.clock, 1_000_000, 1 << 40),
            ("read_write_locks", &self.read_write_locks, 1, 1 << 16),
            ("barriers", &self.barriers, 0, 1 << 16),
        ]
    }
}

/// A resource shared by arrays, by which OpenCL can partition a device; the outermost first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AffinityDomain {
    /// A NUMA node.
    Numa,
    /// A level 4 data cache.
    L4Cache,
    /// A level 3 data cache.
    L3Cache,
    /// A level 2 data cache.
    L2Cache,
    /// A level 1 data cache.
    L1Cache,
}

impl AffinityDomain {
    /// All, the outermost first.
    pub const ALL: [Self; 5] = [
        Self::Numa,
        Self::L4Cache,
        Self::L3Cache,
        Self::L2Cache,
        Self::L1Cache,
    ];
}

/// Number of adjacent arrays that share a resource. None: the machine has no such resource.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Affinity {
    /// A NUMA node.
    pub numa: Option<Quantity>,
    /// A level 4 data cache.
    pub l4_cache: Option<Quantity>,
    /// A level 3 data cache.
    pub l3_cache: Option<Quantity>,
    /// A level 2 data cache.
    pub l2_cache: Option<Quantity>,
    /// A level 1 data cache.
    pub l1_cache: Option<Quantity>,
}

impl Affinity {
    /// Arrays that share a domain; none if the machine has none of that kind.
    pub fn arrays(&self, domain: AffinityDomain) -> Option<u64> {
        let quantity = match domain {
            AffinityDomain::Numa => &self.numa,
            AffinityDomain::L4Cache => &self.l4_cache,
            AffinityDomain::L3Cache => &self.l3_cache,
            AffinityDomain::L2Cache => &self.l2_cache,
            AffinityDomain::L1Cache => &self.l1_cache,
        };
        quantity.as_ref().map(|quantity| quantity.value)
    }

    /// Checks that each domain lies within a domain of the next outer kind.
    pub(super) fn check(&self, arrays: u64) -> Result<(), MachineError> {
        let mut outside = (arrays, "clusters.arrays".to_owned());
        for domain in AffinityDomain::ALL {
            let Some(count) = self.arrays(domain) else {
                continue;
            };
            let name = format!("clusters.affinity, {domain:?}");
            // The last domain of a cluster may be smaller.
            let nests = outside.0 == arrays || outside.0.is_multiple_of(count);
            if count == 0 || count > outside.0 || !nests {
                return Err(MachineError::Impossible(format!(
                    "{name} is {count}, which is no part of {}, {}",
                    outside.1, outside.0
                )));
            }
            outside = (count, name);
        }
        Ok(())
    }
}
