//! The resources that a kernel uses.

use serde::{Deserialize, Serialize};

/// Private memory that a kernel needs on the machine, bytes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct PrivateMemoryUse {
    /// Of each work-item while it runs: variables that it needs between two barriers only.
    pub transient: u64,
    /// That each work-item of a group keeps across barriers.
    pub kept: u64,
    /// Whether the code is optimised. Other code keeps variables that the machine's would not need.
    pub is_optimised: bool,
}

impl PrivateMemoryUse {
    /// That of one work-item (`CL_KERNEL_PRIVATE_MEM_SIZE`).
    pub fn per_work_item(self) -> u64 {
        self.transient.saturating_add(self.kept)
    }

    /// That of a group of `work_items`, of which `at_a_time` run together.
    pub fn per_group(self, work_items: u64, at_a_time: u64) -> u64 {
        let kept = self.kept.saturating_mul(work_items);
        self.transient
            .saturating_mul(at_a_time)
            .saturating_add(kept)
    }

    /// Whether `bytes` are enough for a group of `work_items`, of which one runs at a time. Code that
    /// is not optimised has no limit.
    pub fn fits(self, work_items: u64, bytes: u64) -> bool {
        !self.is_optimised || self.per_group(work_items, 1) <= bytes
    }

    /// The most work-items of a group, up to `limit`, whose private memory fits into `bytes`;
    /// multiples of `unit` are preferred. None if that of one does not fit. Code that is not optimised
    /// has no limit but `limit`.
    pub fn most_work_items(self, bytes: u64, unit: u64, limit: u64) -> Option<u64> {
        if !self.is_optimised {
            return Some(limit);
        }
        let rest = bytes.checked_sub(self.transient)?;
        let items = rest.checked_div(self.kept).unwrap_or(limit).min(limit);
        match items {
            0 => None,
            items if items > unit => Some(items - items % unit),
            items => Some(items),
        }
    }
}

/// Resources and structure of a kernel's work-group function.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ResourceUse {
    /// Bytes of local memory for the kernel's own `__local` variables.
    pub local_memory_bytes: u64,
    /// Private memory that the machine needs.
    pub private_memory: PrivateMemoryUse,
    /// Bytes of instructions.
    pub code_bytes: u64,
    /// Barriers in the kernel, functions it calls included.
    pub barriers: usize,
    /// DMA transfers in the kernel, likewise.
    pub transfers: usize,
    /// Loops interchanged with the loops over work-items.
    pub interchanged_loops: usize,
    /// Regions between barriers.
    pub regions: usize,
    /// Elements of the widest vector in the optimised code; 1 if there is none.
    pub widest_vector: u32,
    /// Whether the loops over work-items became vector code. Not known where a region
    /// has loops of its own that may have become so, or where no loop is left.
    pub vectorised: Option<bool>,
}

impl std::fmt::Display for ResourceUse {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        writeln!(f, "local memory      {} bytes", self.local_memory_bytes)?;
        writeln!(
            f,
            "private memory    {} bytes per work-item, {} of them kept across barriers",
            self.private_memory.per_work_item(),
            self.private_memory.kept
        )?;
        writeln!(f, "code              {} bytes", self.code_bytes)?;
        writeln!(
            f,
            "regions           {} ({} barriers, {} DMA transfers, {} interchanged loops)",
            self.regions, self.barriers, self.transfers, self.interchanged_loops
        )?;
        let over = match self.vectorised {
            Some(true) => "over the work-items",
            Some(false) => "within each work-item",
            None => "over the work-items or within each",
        };
        match self.widest_vector {
            1 => writeln!(f, "vectors           none"),
            elements => writeln!(f, "vectors           {over}, up to {elements} elements"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn groups_have_what_fits() {
        let uses = |transient, kept| PrivateMemoryUse {
            transient,
            kept,
            is_optimised: true,
        };
        for (private, most) in [
            (uses(1000, 0), Some(1024)),
            (uses(1001, 0), None),
            (uses(100, 900), Some(1)),
            (uses(100, 901), None),
            (uses(0, 50), Some(16)),
            (uses(0, 100), Some(10)),
        ] {
            assert_eq!(private.most_work_items(1000, 16, 1024), most, "{private:?}");
            assert!(most.is_none_or(|items| private.fits(items, 1000)));
            assert_eq!(private.fits(1, 1000), most.is_some());
        }
        // Multiples of 16 are preferred, and more may fit.
        assert!(uses(0, 50).fits(20, 1000) && !uses(0, 50).fits(21, 1000));
        let plain = PrivateMemoryUse {
            is_optimised: false,
            ..uses(1001, 1001)
        };
        assert!(plain.fits(1024, 1000));
        assert_eq!(plain.most_work_items(1000, 16, 1024), Some(1024));
    }
}
