//! Loads and stores for a group of lanes.

use super::body::Body;
use super::linearise::Group;
use super::shape::Shape;
use super::values::{Form, components};
use crate::intrinsics::address_space;
use crate::ir::{Opcode, Type, Value};
use device_sim::scratchpad;

/// How lanes' places follow one another.
enum Places {
    /// One after another, this many components each.
    Dense { step: usize },
    /// As many bytes from one to the next.
    Strided(i64),
    /// Anywhere.
    Scattered,
}

/// The type that is loaded or stored.
fn accessed(access: Value) -> Type {
    if access.opcode() == Opcode::LLVMStore {
        access.operand(0).ty()
    } else {
        access.ty()
    }
}

fn pointer_of(access: Value) -> Value {
    access.operand(if access.opcode() == Opcode::LLVMStore {
        1
    } else {
        0
    })
}

impl Body<'_> {
    /// Whether an access touches memory for lanes that take part only, by itself.
    pub fn is_masked_access(&self, access: Value) -> bool {
        !access.is_volatile()
            && !access.is_atomic()
            && !self.facts.of(pointer_of(access)).is_uniform()
            && components(accessed(access)).is_some_and(|parts| parts.len() == 1)
    }
}

impl Group<'_> {
    pub fn load(&mut self, load: Value) {
        let pointer = load.operand(0);
        let ty = load.ty();
        if self.shape(load).is_uniform() {
            let copy = load.clone_instruction();
            let pointer = self.scalar(pointer);
            copy.set_operand(0, pointer);
            self.b.insert(copy);
            self.forms.insert(load, Form::Scalar(copy));
            return;
        }
        let parts = components(ty).expect("checked before");
        let alike = parts.iter().all(|part| *part == parts[0]);
        let bytes = self.bytes_of(parts[0]);
        let (Some(bytes), true, false, false) =
            (bytes, alike, load.is_volatile(), load.is_atomic())
        else {
            return self.per_lane(load);
        };
        let made = match self.places(pointer, ty, parts.len(), bytes) {
            Places::Dense { step } => {
                let first = self.scalar(pointer);
                let alignment = load.alignment();
                let all = parts[0].vector(self.width() * step as u32);
                let all = match self.mask {
                    None => self.b.load(all, first, alignment),
                    Some(_) if self.may_touch_all(pointer, all) => {
                        self.b.load(all, first, alignment.min(bytes as u32))
                    }
                    Some(mask) => {
                        let mask = self.spread_mask(mask, step);
                        let alignment = alignment.min(bytes as u32);
                        self.b.masked_load(all, first, alignment, mask)
                    }
                };
                self.take_apart(all, parts.len(), step)
            }
            Places::Strided(step) if self.mask.is_none() => {
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
                if parts.len() == 1
                    && self.body.vectors.gathers
                    && let mask = self.mask.unwrap_or_else(|| self.all_lanes())
                {
                    let ty = parts[0].vector(self.width());
                    vec![self.b.masked_gather(ty, pointers, load.alignment(), mask)]
                } else {
                    if let Some(mask) = self.mask {
                        let place = self.somewhere(ty, pointer.ty().address_space());
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
        self.made(load, made);
    }

    /// Each lane's value from its own address.
    fn gathered(&self, load: Value, parts: &[Type], addresses: Vec<Value>) -> Vec<Value> {
        let ty = load.ty();
        let values: Vec<Value> = addresses
            .into_iter()
            .map(|address| self.b.load(ty, address, load.alignment()))
            .collect();
        if ty.is_vector() {
            let all = self.join(&values);
            return self.take_apart(all, parts.len(), parts.len());
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
        let parts = components(ty).expect("checked before");
        let bytes = self.bytes_of(parts[0]);
        let alike = parts.iter().all(|part| *part == parts[0]);
        let (Some(bytes), true, false, false) =
            (bytes, alike, store.is_volatile(), store.is_atomic())
        else {
            return self.per_lane(store);
        };
        if self.shape(pointer).is_uniform() {
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
            return;
        }
        match self.places(pointer, ty, parts.len(), bytes) {
            Places::Dense { step } => {
                let first = self.scalar(pointer);
                let values = self.lanes_of(value);
                let all = self.interleave(&values);
                match self.mask {
                    None => {
                        self.b.store(all, first, store.alignment());
                    }
                    Some(mask) => {
                        let alignment = store.alignment().min(bytes as u32);
                        self.store_dense(all, first, alignment, mask, step);
                    }
                }
            }
            _ if self.mask.is_none() => {
                let values = self.lanes_of(value);
                let step = match self.shape(pointer) {
                    Shape::Varying => None,
                    shape => shape.step(),
                };
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
                for (number, part) in values.into_iter().enumerate() {
                    let offset = bytes * number as u64;
                    let moved = if offset == 0 {
                        pointers
                    } else {
                        let offset = self.b.i64().constant(offset);
                        let offset = offset.in_all_elements(self.width());
                        self.b.offset_each(pointers, offset)
                    };
                    let alignment = store.alignment().min(bytes as u32);
                    self.b.masked_scatter(part, moved, alignment, mask);
                }
            }
        }
    }

    /// Whether an access that inactive lanes take part in does no harm: local memory is the
    /// group's alone, whose work-items all run here.
    fn may_touch_all(&self, pointer: Value, ty: Type) -> bool {
        pointer.ty().address_space() == address_space::LOCAL
            && self.body.layout.size(ty) <= scratchpad::MARGIN as u64
    }

    /// Stores what the active lanes have in a vector, `step` elements each.
    fn store_dense(&self, all: Value, first: Value, alignment: u32, lanes: Value, step: usize) {
        let b = self.b;
        let mask = self.spread_mask(lanes, step);
        if self.may_touch_all(first, all.ty()) {
            let before = b.load(all.ty(), first, alignment);
            b.store(b.select(mask, all, before), first, alignment);
        } else if self.body.vectors.mask_registers {
            b.masked_store(all, first, alignment, mask);
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

    fn places(&self, pointer: Value, ty: Type, parts: usize, bytes: u64) -> Places {
        match self.shape(pointer) {
            Shape::Strided(stride) => {
                let dense = bytes * parts as u64;
                if i64::try_from(dense) == Ok(stride.step) && self.body.layout.stored(ty) == dense {
                    Places::Dense { step: parts }
                } else {
                    Places::Strided(stride.step)
                }
            }
            _ => Places::Scattered,
        }
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
