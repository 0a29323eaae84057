//! Arguments of which each work-item accesses bytes of its own: they need no words. Whether that
//! holds depends on the launch: the address is a sum of ids times factors that it sets.

use crate::work_group::NdRange;
use serde::{Deserialize, Serialize};

/// A number that the launch sets.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Factor {
    /// A signed integer passed by value: where it is in the argument block, and its size in bytes.
    Argument(usize, usize),
    /// `get_global_size` of a dimension.
    GlobalSize(usize),
    /// `get_local_size` of a dimension.
    LocalSize(usize),
    /// `get_num_groups` of a dimension.
    GroupCount(usize),
}

/// A constant times numbers that the launch sets.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Product {
    /// The constant.
    pub constant: i64,
    /// The numbers, sorted.
    pub factors: Vec<Factor>,
}

/// An id of a work-item in a dimension.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Id {
    /// `get_global_id`
    Global(usize),
    /// `get_local_id`
    Local(usize),
    /// `get_group_id`
    Group(usize),
}

/// The bytes of an argument that a work-item accesses: `bytes` bytes at the sum of ids times strides,
/// and of a number that is the same for all work-items.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct OwnBytes {
    /// The strides of ids in bytes, each a sum of products.
    pub strides: Vec<(Id, Vec<Product>)>,
    /// The size of the part.
    pub bytes: u64,
}

/// What a launch sets.
#[derive(Clone, Copy, Debug)]
pub struct LaunchValues<'a> {
    /// The index space.
    pub nd_range: &'a NdRange,
    /// The argument block.
    pub arguments: &'a [u8],
}

/// Largest offset of a byte: 32-bit arithmetic of indices does not wrap below.
const MAX_BYTES: i128 = 1 << 31;

impl Product {
    fn value(&self, launch: LaunchValues<'_>) -> Option<i128> {
        let constant = i128::from(self.constant);
        self.factors.iter().try_fold(constant, |product, factor| {
            let value = factor.value(launch)?;
            product.checked_mul(value).filter(|p| p.abs() < MAX_BYTES)
        })
    }
}

impl Factor {
    fn value(self, launch: LaunchValues<'_>) -> Option<i128> {
        let nd_range = launch.nd_range;
        Some(match self {
            Self::Argument(offset, 4) => {
                let bytes = launch.arguments.get(offset..offset + 4)?;
                i32::from_le_bytes(bytes.try_into().ok()?).into()
            }
            Self::Argument(offset, 8) => {
                let bytes = launch.arguments.get(offset..offset + 8)?;
                i64::from_le_bytes(bytes.try_into().ok()?).into()
            }
            Self::Argument(..) => return None,
            Self::GlobalSize(dimension) => nd_range.global_size[dimension].into(),
            Self::LocalSize(dimension) => nd_range.local_size[dimension].into(),
            Self::GroupCount(dimension) => nd_range.group_count[dimension].into(),
        })
    }
}

impl Id {
    /// The values that it has in a launch.
    fn count(self, nd_range: &NdRange) -> u64 {
        match self {
            Self::Global(dimension) => nd_range.global_size[dimension],
            Self::Local(dimension) => nd_range.local_size[dimension],
            Self::Group(dimension) => nd_range.group_count[dimension],
        }
    }
}

impl OwnBytes {
    /// Whether the bytes of any two work-items of a launch are distinct.
    pub fn are_distinct(&self, launch: LaunchValues<'_>) -> bool {
        self.extent(launch).is_some()
    }

    /// Bytes from the first to the last of all work-items, if they are distinct.
    fn extent(&self, launch: LaunchValues<'_>) -> Option<i128> {
        if !self.tell_work_items_apart(launch.nd_range) {
            return None;
        }
        let mut strides = Vec::new();
        for (id, products) in &self.strides {
            let count = id.count(launch.nd_range);
            let values = products.iter().map(|product| product.value(launch));
            let stride: i128 = values.sum::<Option<i128>>()?;
            if count > 1 {
                strides.push((stride, i128::from(count)));
            }
        }
        strides.sort_unstable();
        let mut extent = i128::from(self.bytes);
        for (stride, count) in strides {
            if stride < extent {
                return None;
            }
            extent += stride.checked_mul(count - 1)?;
        }
        Some(extent).filter(|extent| *extent < MAX_BYTES)
    }

    /// Whether the ids differ between any two work-items.
    fn tell_work_items_apart(&self, nd_range: &NdRange) -> bool {
        let has = |id: Id| id.count(nd_range) == 1 || self.strides.iter().any(|(of, _)| *of == id);
        (0..3).all(|dimension| {
            has(Id::Global(dimension)) || has(Id::Local(dimension)) && has(Id::Group(dimension))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn product(constant: i64, factors: &[Factor]) -> Vec<Product> {
        let factors = factors.to_vec();
        vec![Product { constant, factors }]
    }

    fn distinct(strides: &[(Id, Vec<Product>)], bytes: u64, width: i32) -> bool {
        let nd_range = NdRange {
            work_dimensions: 2,
            global_offset: [0; 3],
            global_size: [64, 32, 1],
            local_size: [16, 4, 1],
            group_count: [4, 8, 1],
        };
        let own = OwnBytes {
            strides: strides.to_vec(),
            bytes,
        };
        own.are_distinct(LaunchValues {
            nd_range: &nd_range,
            arguments: &width.to_le_bytes(),
        })
    }

    #[test]
    fn rows_are_distinct_if_they_are_wide_enough() {
        let width = Factor::Argument(0, 4);
        let of = [
            (Id::Global(0), product(4, &[])),
            (Id::Global(1), product(4, &[width])),
        ];
        assert!(distinct(&of, 4, 64));
        assert!(!distinct(&of, 4, 63));
        assert!(!distinct(&of, 5, 64));
        assert!(!distinct(&of, 4, -64));
        assert!(!distinct(&of, 4, i32::MAX));
        // Columns of lines as wide as there are rows.
        let columns = [
            (Id::Global(0), product(4, &[Factor::GlobalSize(1)])),
            (Id::Global(1), product(4, &[])),
        ];
        assert!(distinct(&columns, 4, 0));
    }

    #[test]
    fn all_ids_have_to_be_there() {
        let of = |ids: &[(Id, i64)]| {
            let strides: Vec<_> = ids.iter().map(|(id, s)| (*id, product(*s, &[]))).collect();
            distinct(&strides, 4, 0)
        };
        assert!(!of(&[(Id::Global(0), 4)]));
        assert!(of(&[(Id::Global(0), 4), (Id::Global(1), 256)]));
        assert!(!of(&[(Id::Local(0), 4), (Id::Global(1), 256)]));
        let parts = [(Id::Local(0), 4), (Id::Group(0), 64), (Id::Global(1), 256)];
        assert!(of(&parts));
        // Groups overlap.
        let parts = [(Id::Local(0), 4), (Id::Group(0), 60), (Id::Global(1), 256)];
        assert!(!of(&parts));
        // The third dimension has size 1.
        assert!(of(&[
            (Id::Global(0), 4),
            (Id::Global(1), 256),
            (Id::Global(2), 0)
        ]));
    }
}
