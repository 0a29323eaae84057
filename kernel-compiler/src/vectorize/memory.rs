//! Loads and stores for a group of lanes.

use super::access::{AccessKind, accessed, bytes_of};
use super::linearise::VectorBuilder;
use super::values::{Form, components};
use crate::ir::{Type, Value};

impl VectorBuilder<'_> {
    pub fn load(&mut self, load: Value) {
        let pointer = load.operand(0);
        let ty = load.ty();
        let parts = components(ty).expect("checked before");
        let made = match self.plan.access_kind(load) {
            AccessKind::UniformAtomic | AccessKind::Scalarized => return self.scalarize(load),
            AccessKind::Uniform => {
                let copy = load.clone_instruction();
                let pointer = self.scalar(pointer);
                copy.set_operand(0, pointer);
                self.b.insert(copy);
                self.forms.insert(load, Form::Scalar(copy));
                return;
            }
            AccessKind::Consecutive => {
                let first = self.scalar(pointer);
                let all = parts[0].vector(self.width() * parts.len() as u32);
                let all = match self.mask {
                    None => self.b.load(all, first, load.alignment()),
                    Some(_) if self.plan.touches_inactive_lanes(load) => {
                        self.b.load(all, first, self.alignment_of_a_component(load))
                    }
                    Some(mask) => {
                        let mask = self.spread_mask(mask, parts.len());
                        let alignment = self.alignment_of_a_component(load);
                        self.b.masked_load(all, first, alignment, mask)
                    }
                };
                self.deinterleave(all, parts.len(), parts.len())
            }
            AccessKind::Strided(step) if self.mask.is_none() && !self.plan.vectors.timed => {
                let first = self.scalar(pointer);
                let addresses = (0..i64::from(self.width()))
                    .map(|lane| {
                        let bytes = self.b.i64().constant((lane * step) as u64);
                        self.b.offset_each(first, bytes)
                    })
                    .collect();
                self.gathered(load, &parts, addresses)
            }
            _ => {
                let mut pointers = self.lanes_of(pointer)[0];
                if self.plan.vectors.gathers && (parts.len() == 1 || self.plan.vectors.timed) {
                    let mask = self.mask.unwrap_or_else(|| self.all_lanes());
                    let bytes = self.bytes_of_a_component(load);
                    let alignment = load.alignment().min(bytes as u32);
                    let component = |(number, part): (usize, &Type)| {
                        let moved = self.moved(pointers, bytes * number as u64);
                        let ty = part.vector(self.width());
                        self.b.masked_gather(ty, moved, alignment, mask)
                    };
                    parts.iter().enumerate().map(component).collect()
                } else {
                    if let Some(mask) = self.mask {
                        let place = self.somewhere(load);
                        let place = self.b.splat(place, self.width());
                        pointers = self.b.select(mask, pointers, place);
                    }
                    let addresses = (0..self.width())
                        .map(|lane| {
                            let lane = self.b.i64().constant(u64::from(lane));
                            self.b.extract_element(pointers, lane)
                        })
                        .collect();
                    self.gathered(load, &parts, addresses)
                }
            }
        };
        self.define(load, made);
    }

    /// Each lane's value from its own address.
    fn gathered(&self, load: Value, parts: &[Type], addresses: Vec<Value>) -> Vec<Value> {
        let ty = load.ty();
        let values: Vec<Value> = addresses
            .into_iter()
            .map(|address| self.b.load(ty, address, load.alignment()))
            .collect();
        if ty.is_vector() {
            let all = self.concatenate(&values);
            return self.deinterleave(all, parts.len(), parts.len());
        }
        let mut made: Vec<Value> = parts
            .iter()
            .map(|part| part.vector(self.width()).poison())
            .collect();
        for (lane, value) in values.into_iter().enumerate() {
            let lane = self.b.i64().constant(lane as u64);
            for (vector, part) in made.iter_mut().zip(self.parts_of(value)) {
                *vector = self.b.insert_element(*vector, part, lane);
            }
        }
        made
    }

    pub fn store(&mut self, store: Value) {
        let (value, pointer) = (store.operand(0), store.operand(1));
        let ty = value.ty();
        match self.plan.access_kind(store) {
            AccessKind::UniformAtomic | AccessKind::Scalarized => self.scalarize(store),
            AccessKind::Uniform => {
                let copy = store.clone_instruction();
                let value = if self.shape(value).is_uniform() {
                    self.scalar(value)
                } else {
                    // As if lanes stored one after the other.
                    let last = self.last_lane();
                    self.in_lane(value, last)
                };
                let pointer = self.scalar(pointer);
                copy.set_operand(0, value);
                copy.set_operand(1, pointer);
                self.b.insert(copy);
            }
            AccessKind::Consecutive => {
                let first = self.scalar(pointer);
                let values = self.lanes_of(value);
                let all = self.interleave(&values);
                match self.mask {
                    None => {
                        self.b.store(all, first, store.alignment());
                    }
                    Some(mask) => self.store_consecutive(store, all, first, mask),
                }
            }
            _ if self.mask.is_none() && !self.plan.vectors.timed => {
                let values = self.lanes_of(value);
                let step = self.shape(pointer).step();
                let (first, pointers) = match step {
                    Some(_) => (Some(self.scalar(pointer)), None),
                    None => (None, Some(self.lanes_of(pointer)[0])),
                };
                for lane in 0..u64::from(self.width()) {
                    let number = self.b.i64().constant(lane);
                    let address = match (first, step, pointers) {
                        (Some(first), Some(step), _) => {
                            let bytes = self.b.i64().constant((lane as i64 * step) as u64);
                            self.b.offset_each(first, bytes)
                        }
                        (_, _, Some(pointers)) => self.b.extract_element(pointers, number),
                        _ => unreachable!("a pointer has one form or the other"),
                    };
                    let parts: Vec<Value> = values
                        .iter()
                        .map(|part| self.b.extract_element(*part, number))
                        .collect();
                    let whole = self.whole_of(ty, &parts);
                    self.b.store(whole, address, store.alignment());
                }
            }
            _ => {
                let mask = self.mask.unwrap_or_else(|| self.all_lanes());
                let pointers = self.lanes_of(pointer)[0];
                let values = self.lanes_of(value);
                let bytes = self.bytes_of_a_component(store);
                for (number, part) in values.into_iter().enumerate() {
                    let moved = self.moved(pointers, bytes * number as u64);
                    let alignment = self.alignment_of_a_component(store);
                    self.b.masked_scatter(part, moved, alignment, mask);
                }
            }
        }
    }

    /// Stores what the active lanes have in a vector.
    fn store_consecutive(&self, store: Value, all: Value, first: Value, lanes: Value) {
        let b = self.b;
        let parts = all.ty().vector_elements().1 / self.width();
        let mask = self.spread_mask(lanes, parts as usize);
        let alignment = self.alignment_of_a_component(store);
        if self.plan.vectors.mask_registers {
            b.masked_store(all, first, alignment, mask);
        } else if self.plan.touches_inactive_lanes(store) {
            let before = b.load(all.ty(), first, alignment);
            b.store(b.select(mask, all, before), first, alignment);
        } else {
            // Without mask registers masked stores are slow, on AMD's CPUs very slow.
            let (whole, partly) = (self.new_block("whole"), self.new_block("partly"));
            let after = self.new_block("stored");
            let every = self.every(lanes);
            b.branch_if(every, whole, partly);
            b.at_end(whole);
            b.store(all, first, alignment);
            b.branch(after);
            b.at_end(partly);
            b.masked_store(all, first, alignment, mask);
            b.branch(after);
            b.at_end(after);
        }
    }

    /// The lanes' addresses, so many bytes further on.
    fn moved(&self, pointers: Value, bytes: u64) -> Value {
        if bytes == 0 {
            return pointers;
        }
        let bytes = self.b.i64().constant(bytes);
        self.b
            .offset_each(pointers, bytes.in_all_elements(self.width()))
    }

    fn bytes_of_a_component(&self, access: Value) -> u64 {
        let parts = components(accessed(access)).expect("checked before");
        bytes_of(parts[0], self.plan.layout).expect("components fill their bytes")
    }

    /// What is known where the first lanes may not take part.
    fn alignment_of_a_component(&self, access: Value) -> u32 {
        let bytes = self.bytes_of_a_component(access);
        access.alignment().min(bytes as u32)
    }

    /// A mask with each lane's bit `step` times.
    fn spread_mask(&self, mask: Value, step: usize) -> Value {
        if step == 1 {
            return mask;
        }
        let order: Vec<u32> = (0..self.width())
            .flat_map(|lane| std::iter::repeat_n(lane, step))
            .collect();
        self.b.shuffle(mask, mask.ty().poison(), &order)
    }
}
