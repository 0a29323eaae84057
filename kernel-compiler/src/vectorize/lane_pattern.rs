//! Accesses of which the lanes' addresses differ by constants, by a small stride or by none: a few vector
//! accesses instead of one for each lane.

use super::access::AccessKind;
use super::instruction_queries::{accessed_type, pointer_of};
use super::plan::VectorPlan;
use crate::analysis::lane_constants;
use crate::intrinsics::address_space;
use crate::ir::{Opcode, Value};
use std::collections::HashSet;

/// Most elements from the lowest to the highest, for each lane, where all between are loaded.
const MAX_SPREAD: u32 = 4;

/// The same for elements of several components, of which a load for each lane takes all.
const MAX_SPREAD_OF_VECTORS: u32 = 2;

/// Where the elements of all lanes lie, and how they are accessed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LanePattern {
    /// Bytes from lane 0's element to that at the lowest address; 0 or less.
    pub lowest: i64,
    /// Elements from that at the lowest address to each lane's.
    pub places: Vec<u32>,
    /// The accesses.
    pub accesses: PatternAccesses,
}

/// The accesses that an access with a pattern becomes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PatternAccesses {
    /// All elements from the lowest to the highest are accessed, and shuffled. A store has no others
    /// than those of lanes.
    Window,
    /// One access for each run of that many lanes, whose elements are adjacent.
    Runs(u32),
}

impl LanePattern {
    /// Elements from the lowest to the highest address, both included.
    pub fn extent(&self) -> u32 {
        self.places.iter().max().map_or(0, |last| last + 1)
    }
}

impl VectorPlan<'_> {
    /// The pattern of a load or a store while all lanes are active, if vector accesses are cheaper
    /// than one for each lane.
    pub fn lane_pattern(&self, access: Value) -> Option<LanePattern> {
        let pointer = pointer_of(access);
        let is_other = match self.access_kind(access) {
            AccessKind::Strided(_) => false,
            // Indices of private arrays have other strides in vector code.
            AccessKind::GatherScatter => pointer.ty().address_space() == address_space::PRIVATE,
            _ => true,
        };
        if is_other || self.vectors().timed {
            return None;
        }
        let ty = accessed_type(access);
        let (bytes, components) = self.component_size(ty)?;
        let bytes = i64::try_from(bytes * components).ok()?;
        if u64::try_from(bytes) != Ok(self.layout().stored(ty)) {
            return None;
        }
        let shape = |value| self.shape(value);
        let offsets = lane_constants::differences(pointer, self.lanes(), self.layout(), &shape)?;
        let lowest = *offsets.iter().min()?;
        let place = |offset: &i64| {
            let bytes_from_lowest = offset.checked_sub(lowest)?;
            let place = u32::try_from(bytes_from_lowest / bytes).ok()?;
            (bytes_from_lowest % bytes == 0).then_some(place)
        };
        let places: Vec<u32> = offsets.iter().map(place).collect::<Option<_>>()?;
        let accesses = match access.is(Opcode::LLVMLoad) {
            true => self.accesses_of_load(&places, components > 1),
            false => self.accesses_of_store(&places),
        }?;
        Some(LanePattern {
            lowest,
            places,
            accesses,
        })
    }

    fn accesses_of_load(&self, places: &[u32], is_of_vectors: bool) -> Option<PatternAccesses> {
        let run = longest_run(places);
        let spread = if is_of_vectors {
            MAX_SPREAD_OF_VECTORS
        } else {
            MAX_SPREAD
        };
        if run > 1 && self.lanes() / run <= 2 {
            Some(PatternAccesses::Runs(run))
        } else if *places.iter().max()? < spread * self.lanes() {
            Some(PatternAccesses::Window)
        } else {
            (run > 1).then_some(PatternAccesses::Runs(run))
        }
    }

    fn accesses_of_store(&self, places: &[u32]) -> Option<PatternAccesses> {
        let different: HashSet<u32> = places.iter().copied().collect();
        let run = longest_run(places);
        // The last of several lanes that store to one place prevails.
        if different.len() < places.len() {
            None
        } else if *places.iter().max()? < self.lanes() {
            Some(PatternAccesses::Window)
        } else {
            (run > 1).then_some(PatternAccesses::Runs(run))
        }
    }

    /// Estimated cycles of an access with a pattern.
    pub fn pattern_cost(&self, access: Value, pattern: &LanePattern, masked: bool) -> f64 {
        let registers = self.registers(accessed_type(access));
        let check = if masked { 2.0 } else { 0.0 };
        check
            + match pattern.accesses {
                PatternAccesses::Window => {
                    let vectors = f64::from(pattern.extent()) / f64::from(self.lanes());
                    registers * (2.0 * vectors).max(2.0)
                }
                PatternAccesses::Runs(run) => {
                    let runs = f64::from(self.lanes() / run);
                    registers.max(runs) * 2.0
                }
            }
    }
}

/// The most lanes, a power of two, such that the elements of as many are adjacent everywhere.
fn longest_run(places: &[u32]) -> u32 {
    let is_run = |run: &[u32]| run.windows(2).all(|pair| pair[0] + 1 == pair[1]);
    let mut length = places.len();
    while length > 1 && !places.chunks(length).all(is_run) {
        length /= 2;
    }
    length as u32
}
