//! Accesses of which the lanes' addresses differ by constants: vector accesses and shuffles.

use super::builder::VectorBuilder;
use crate::ir::{Type, Value};
use crate::vectorize::instruction_queries::{accessed_type, components, pointer_of};
use crate::vectorize::lane_pattern::{LanePattern, PatternAccesses};

impl VectorBuilder<'_> {
    /// Writes a load; while lanes are inactive, as a gather.
    pub fn load_pattern(
        &mut self,
        load: Value,
        parts: &[Type],
        pattern: &LanePattern,
    ) -> Vec<Value> {
        let Some(mask) = self.mask() else {
            return self.load_pattern_of_all(load, parts, pattern);
        };
        self.define_operands(load);
        let every = self.every(mask);
        let whole = |this: &mut Self| this.load_pattern_of_all(load, parts, pattern);
        self.either_version(every, whole, |this| this.gather(load, parts))
    }

    fn load_pattern_of_all(
        &mut self,
        load: Value,
        parts: &[Type],
        pattern: &LanePattern,
    ) -> Vec<Value> {
        let lowest = self.lowest_of_pattern(load, pattern);
        let count = parts.len() as u32;
        match pattern.accesses {
            PatternAccesses::Window => self.load_window(load, lowest, &pattern.places, count),
            PatternAccesses::Runs(run) => {
                let ty = parts[0].vector(run * count);
                let alignment = self.component_alignment(load);
                let runs: Vec<Value> = pattern
                    .places
                    .iter()
                    .step_by(run as usize)
                    .map(|place| {
                        let address = self.component_address(load, lowest, place * count);
                        self.ir().load(ty, address, alignment)
                    })
                    .collect();
                let all = self.ir().concatenate(&runs);
                self.ir().deinterleave(all, parts.len())
            }
        }
    }

    /// Loads whole vectors, and shuffles from them the elements of `count` components at `places`,
    /// counted from the address `lowest`. Nothing after the last of these elements is read.
    pub fn load_window(
        &self,
        load: Value,
        lowest: Value,
        places: &[u32],
        count: u32,
    ) -> Vec<Value> {
        let component = components(accessed_type(load)).expect("checked before")[0];
        let extent = places.iter().max().map_or(0, |last| last + 1) * count;
        let length = extent.min(self.lanes());
        let ty = component.vector(length);
        let alignment = self.component_alignment(load);
        let number_of_vectors = extent.div_ceil(length);
        let first_of_last = extent - length;
        let vectors: Vec<Value> = (0..number_of_vectors)
            .map(|number| {
                let first = (number * length).min(first_of_last);
                let address = self.component_address(load, lowest, first);
                self.ir().load(ty, address, alignment)
            })
            .collect();
        let last = (number_of_vectors - 1) * length;
        let all = self.ir().concatenate(&vectors);
        let part = |part: u32| {
            let order: Vec<u32> = places
                .iter()
                .map(|place| match place * count + part {
                    position if position < last => position,
                    position => last + (position - first_of_last),
                })
                .collect();
            self.ir().shuffle(all, all.ty().poison(), &order)
        };
        (0..count).map(part).collect()
    }

    /// Writes a store; while lanes are inactive, as a scatter.
    pub fn store_pattern(&mut self, store: Value, pattern: &LanePattern) {
        let Some(mask) = self.mask() else {
            return self.store_pattern_of_all(store, pattern);
        };
        self.define_operands(store);
        let every = self.every(mask);
        let whole = |this: &mut Self| {
            this.store_pattern_of_all(store, pattern);
            Vec::new()
        };
        let each = |this: &mut Self| {
            this.scatter(store);
            Vec::new()
        };
        self.either_version(every, whole, each);
    }

    fn store_pattern_of_all(&mut self, store: Value, pattern: &LanePattern) {
        let lowest = self.lowest_of_pattern(store, pattern);
        let values = self.vectors_of(store.operand(0));
        let count = values.len() as u32;
        let alignment = self.component_alignment(store);
        match pattern.accesses {
            PatternAccesses::Window => {
                let lane_of = |place: u32| {
                    let lane = pattern.places.iter().position(|of_lane| *of_lane == place);
                    lane.expect("a store's window is full") as u32
                };
                let lanes: Vec<u32> = (0..self.lanes()).map(lane_of).collect();
                let ordered: Vec<Value> = values
                    .iter()
                    .map(|part| self.ir().shuffle(*part, part.ty().poison(), &lanes))
                    .collect();
                let all = self.ir().interleave(&ordered);
                self.ir().store(all, lowest, alignment);
            }
            PatternAccesses::Runs(run) => {
                let all = self.ir().interleave(&values);
                for (number, place) in pattern.places.iter().step_by(run as usize).enumerate() {
                    let first = number as u32 * run * count;
                    let elements: Vec<u32> = (first..first + run * count).collect();
                    let part = self.ir().shuffle(all, all.ty().poison(), &elements);
                    let address = self.component_address(store, lowest, place * count);
                    self.ir().store(part, address, alignment);
                }
            }
        }
    }

    /// The lowest address of all lanes'.
    fn lowest_of_pattern(&mut self, access: Value, pattern: &LanePattern) -> Value {
        let first = self.in_lane_0(pointer_of(access));
        let bytes = self.ir().i64().constant(pattern.lowest as u64);
        self.ir().offset_each(first, bytes)
    }

    /// The address of a component, by its number from the address `lowest`.
    fn component_address(&self, access: Value, lowest: Value, number: u32) -> Value {
        let bytes = self.bytes_of_a_component(access) * u64::from(number);
        self.ir()
            .offset_each(lowest, self.ir().i64().constant(bytes))
    }
}
