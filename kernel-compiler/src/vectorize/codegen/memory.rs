//! Loads and stores of all lanes.

use super::builder::VectorBuilder;
use super::tables::TableLanes;
use crate::ir::{Type, Value};
use crate::vectorize::access::AccessKind;
use crate::vectorize::instruction_queries::{accessed_type, component_bytes, components};
use crate::vectorize::unroll_and_jam::transpose;

/// Where lanes access memory.
#[derive(Clone, Copy)]
enum LaneAddresses {
    /// At lane 0's address, and a step in bytes from lane to lane.
    Strided(Value, i64),
    /// At the elements of a vector of pointers.
    Pointers(Value),
    /// The same, that many bytes further on.
    Offset(Value, Value),
    /// At elements of a table.
    Table(TableLanes),
}

impl VectorBuilder<'_> {
    /// Writes a load.
    pub fn load(&mut self, load: Value) {
        let pointer = load.operand(0);
        let parts = components(load.ty()).expect("checked before");
        let loaded = match self.plan().access_kind(load) {
            AccessKind::UniformAtomic | AccessKind::Scalarized => return self.scalarize(load),
            AccessKind::Uniform => {
                let copy = load.clone_instruction();
                let pointer = self.scalar(pointer);
                copy.set_operand(0, pointer);
                self.ir().insert(copy);
                self.define_scalar(load, copy);
                return;
            }
            AccessKind::Consecutive => {
                let first = self.scalar(pointer);
                self.load_consecutive(load, &parts, first)
            }
            AccessKind::Strided(_)
                if let Some(mask) = self.mask()
                    && self.reverses(load) =>
            {
                vec![self.load_descending(load, mask)]
            }
            AccessKind::Strided(_) | AccessKind::GatherScatter
                if let Some(pattern) = self.plan().lane_pattern(load) =>
            {
                self.load_pattern(load, &parts, &pattern)
            }
            AccessKind::Strided(step) if self.mask().is_none() && !self.plan().vectors().timed => {
                let first = self.scalar(pointer);
                self.load_each(load, &parts, LaneAddresses::Strided(first, step))
            }
            AccessKind::GatherScatter
                if self.mask().is_none() && self.plan().may_be_uniform(load) =>
            {
                self.define_operands(load);
                let (same, first) = self.are_same(load);
                let whole = |this: &mut Self| this.load_for_all(load, first);
                self.either_version(same, whole, |this| this.gather(load, &parts))
            }
            AccessKind::GatherScatter if self.plan().may_be_consecutive(load) => {
                self.define_operands(load);
                let (consecutive, first) = self.are_consecutive(load);
                let whole = |this: &mut Self| this.load_consecutive(load, &parts, first);
                self.either_version(consecutive, whole, |this| this.gather(load, &parts))
            }
            AccessKind::Strided(_) | AccessKind::GatherScatter => self.gather(load, &parts),
        };
        self.define(load, loaded);
    }

    /// Whether an access under a mask takes whole vectors in reverse.
    fn reverses(&self, access: Value) -> bool {
        !self.plan().vectors().timed && self.plan().is_descending(access)
    }

    /// Loads adjacent memory from `first` on.
    fn load_consecutive(&mut self, load: Value, parts: &[Type], first: Value) -> Vec<Value> {
        let ty = parts[0].vector(self.lanes() * parts.len() as u32);
        let all = match self.mask() {
            None => self.ir().load(ty, first, load.alignment()),
            Some(_) if self.plan().touches_inactive_lanes(load) => {
                self.ir().load(ty, first, self.component_alignment(load))
            }
            Some(mask) => {
                let mask = self.repeat_bits(mask, parts.len());
                let alignment = self.component_alignment(load);
                self.ir().masked_load(ty, first, alignment, mask)
            }
        };
        self.ir().deinterleave(all, parts.len())
    }

    /// Loads one element for all lanes.
    fn load_for_all(&self, load: Value, address: Value) -> Vec<Value> {
        let value = self.ir().load(load.ty(), address, load.alignment());
        let parts = self.parts_of(value).into_iter();
        parts
            .map(|part| self.ir().splat(part, self.lanes()))
            .collect()
    }

    /// Writes a load of an address for each active lane.
    pub fn gather(&mut self, load: Value, parts: &[Type]) -> Vec<Value> {
        let vectors = self.plan().vectors();
        let pointer = load.operand(0);
        // LLVM extracts the lanes of an address before the loop that adds to it.
        if self.mask().is_none()
            && self.plan().has_whole_groups(load)
            && let Some(offset) = self.plan().uniform_offset(pointer)
        {
            let bases = self.vectors_of(pointer.operand(0))[0];
            let offset = self.scalar(offset);
            return self.load_each(load, parts, LaneAddresses::Offset(bases, offset));
        }
        let bytes = self.bytes_of_a_component(load);
        if vectors.gathers(parts.len(), bytes) {
            let pointers = self.vectors_of(pointer)[0];
            let mask = self.mask().unwrap_or_else(|| self.all_lanes());
            let alignment = load.alignment().min(bytes as u32);
            let component = |(number, part): (usize, &Type)| {
                let pointers = self.offset_pointers(pointers, bytes * number as u64);
                let ty = part.vector(self.lanes());
                self.ir().masked_gather(ty, pointers, alignment, mask)
            };
            return parts.iter().enumerate().map(component).collect();
        }
        let Some(mask) = self.mask() else {
            let addresses = self.addresses(pointer);
            return self.load_each(load, parts, addresses);
        };
        if vectors.masked_table_gathers
            && let [part] = parts
            && let Some(index) = self.table_index(pointer)
            && let Some(gathered) = self.gather_from_table(&index, *part, mask)
        {
            return vec![gathered];
        }
        let dummy = self.dummy_memory(load);
        let dummy = self.ir().splat(dummy, self.lanes());
        let pointers = self.vectors_of(pointer)[0];
        let pointers = self.ir().select(mask, pointers, dummy);
        self.load_each(load, parts, LaneAddresses::Pointers(pointers))
    }

    /// The addresses of all lanes.
    fn addresses(&mut self, pointer: Value) -> LaneAddresses {
        match self.table_index(pointer) {
            Some(index) => LaneAddresses::Table(self.table_lanes(&index)),
            None => LaneAddresses::Pointers(self.vectors_of(pointer)[0]),
        }
    }

    /// Loads each lane's value by itself.
    fn load_each(&self, load: Value, parts: &[Type], addresses: LaneAddresses) -> Vec<Value> {
        let ty = load.ty();
        let addresses: Vec<Value> = (0..self.lanes())
            .map(|lane| self.lane_address(addresses, lane))
            .collect();
        if self.plan().unpacks(load) {
            return self.load_packed(parts, &addresses, load.alignment());
        }
        let values: Vec<Value> = addresses
            .into_iter()
            .map(|address| self.ir().load(ty, address, load.alignment()))
            .collect();
        if self.plan().transposes(load) {
            let count = parts.len();
            let set = |set| {
                let of_set = values.iter().skip(set).step_by(count);
                self.ir().concatenate(&of_set.copied().collect::<Vec<_>>())
            };
            let sets: Vec<Value> = (0..count).map(set).collect();
            return transpose(&sets, self.plan().layout(), self.ir());
        }
        if ty.is_vector() {
            let all = self.ir().concatenate(&values);
            return self.ir().deinterleave(all, parts.len());
        }
        let poison = parts.iter().map(|part| part.vector(self.lanes()).poison());
        let mut vectors: Vec<Value> = poison.collect();
        for (lane, value) in values.into_iter().enumerate() {
            let lane = self.ir().i64().constant(lane as u64);
            for (vector, part) in vectors.iter_mut().zip(self.parts_of(value)) {
                *vector = self.ir().insert_element(*vector, part, lane);
            }
        }
        vectors
    }

    /// Writes a store.
    pub fn store(&mut self, store: Value) {
        let pointer = store.operand(1);
        match self.plan().access_kind(store) {
            AccessKind::UniformAtomic | AccessKind::Scalarized => self.scalarize(store),
            AccessKind::Uniform => self.store_uniform(store),
            AccessKind::Consecutive => {
                let first = self.scalar(pointer);
                self.store_consecutive(store, first);
            }
            AccessKind::Strided(_)
                if let Some(mask) = self.mask()
                    && self.reverses(store) =>
            {
                self.store_descending(store, mask);
            }
            AccessKind::Strided(_) | AccessKind::GatherScatter
                if let Some(pattern) = self.plan().lane_pattern(store) =>
            {
                self.store_pattern(store, &pattern);
            }
            AccessKind::GatherScatter if self.plan().may_be_consecutive(store) => {
                self.define_operands(store);
                let (consecutive, first) = self.are_consecutive(store);
                let whole = |this: &mut Self| {
                    this.store_consecutive(store, first);
                    Vec::new()
                };
                let each = |this: &mut Self| {
                    this.store_to_each(store);
                    Vec::new()
                };
                self.either_version(consecutive, whole, each);
            }
            AccessKind::Strided(_) | AccessKind::GatherScatter => self.store_to_each(store),
        }
    }

    /// Stores to adjacent memory from `first` on.
    fn store_consecutive(&mut self, store: Value, first: Value) {
        let values = self.vectors_of(store.operand(0));
        let all = self.ir().interleave(&values);
        match self.mask() {
            None => {
                self.ir().store(all, first, store.alignment());
            }
            Some(mask) => self.store_masked(store, all, first, mask),
        }
    }

    /// Stores to an address for each active lane.
    fn store_to_each(&mut self, store: Value) {
        if self.mask().is_none() && !self.plan().vectors().timed {
            self.store_lane_by_lane(store);
        } else {
            self.scatter(store);
        }
    }

    fn store_uniform(&mut self, store: Value) {
        let (value, pointer) = (store.operand(0), store.operand(1));
        let copy = store.clone_instruction();
        let value = if self.shape(value).is_uniform() {
            self.scalar(value)
        } else {
            // As if lanes stored one after the other.
            let last = self.last_active_lane();
            self.in_lane(value, last)
        };
        let pointer = self.scalar(pointer);
        copy.set_operand(0, value);
        copy.set_operand(1, pointer);
        self.ir().insert(copy);
    }

    /// Stores each lane's value by itself.
    fn store_lane_by_lane(&mut self, store: Value) {
        let (value, pointer) = (store.operand(0), store.operand(1));
        let values = self.vectors_of(value);
        let addresses = match (
            self.shape(pointer).step(),
            self.plan().uniform_offset(pointer),
        ) {
            (Some(step), _) => LaneAddresses::Strided(self.scalar(pointer), step),
            // LLVM extracts the lanes of an address before the loop that adds to it.
            (None, Some(offset)) if self.plan().has_whole_groups(store) => {
                let bases = self.vectors_of(pointer.operand(0))[0];
                LaneAddresses::Offset(bases, self.scalar(offset))
            }
            (None, _) => self.addresses(pointer),
        };
        if self.plan().transposes(store) {
            return self.store_transposed(store, &values, addresses);
        }
        let elements = self.as_elements(value.ty(), &values);
        for lane in 0..self.lanes() {
            let address = self.lane_address(addresses, lane);
            let number = self.ir().i64().constant(u64::from(lane));
            let whole = match elements {
                Some(elements) => self.ir().extract_element(elements, number),
                None => {
                    let extract = |part: &Value| self.ir().extract_element(*part, number);
                    let parts: Vec<Value> = values.iter().map(extract).collect();
                    self.whole_of(value.ty(), &parts)
                }
            };
            self.ir().store(whole, address, store.alignment());
        }
    }

    /// Stores each lane's OpenCL vector by itself.
    fn store_transposed(&self, store: Value, values: &[Value], addresses: LaneAddresses) {
        let count = values.len() as u32;
        let sets = transpose(values, self.plan().layout(), self.ir());
        for lane in 0..self.lanes() {
            let set = sets[(lane % count) as usize];
            let first = lane / count * count;
            let elements: Vec<u32> = (first..first + count).collect();
            let whole = self.ir().shuffle(set, set, &elements);
            let address = self.lane_address(addresses, lane);
            self.ir().store(whole, address, store.alignment());
        }
    }

    /// A vector with an element for each lane's value of an OpenCL vector, if there are
    /// floating-point elements of its size: these are stored without a move to another register.
    fn as_elements(&self, ty: Type, parts: &[Value]) -> Option<Value> {
        let component = parts[0].ty().vector_elements().0;
        let bytes = self.plan().layout().size(component) * parts.len() as u64;
        let element = match bytes {
            4 => Type::float(self.ir().context),
            8 => Type::double(self.ir().context),
            _ => return None,
        };
        (ty.is_vector() && !component.is_pointer()).then(|| {
            let all = self.ir().interleave(parts);
            self.ir().bit_cast(all, element.vector(self.lanes()))
        })
    }

    /// Writes a scatter.
    pub fn scatter(&mut self, store: Value) {
        let mask = self.mask().unwrap_or_else(|| self.all_lanes());
        let pointers = self.vectors_of(store.operand(1))[0];
        let values = self.vectors_of(store.operand(0));
        let bytes = self.bytes_of_a_component(store);
        let alignment = self.component_alignment(store);
        for (number, part) in values.into_iter().enumerate() {
            let pointers = self.offset_pointers(pointers, bytes * number as u64);
            self.ir().masked_scatter(part, pointers, alignment, mask);
        }
    }

    /// Stores the active lanes of a vector.
    pub fn store_masked(&self, store: Value, all: Value, first: Value, lanes: Value) {
        let b = self.ir();
        let parts = all.ty().vector_elements().1 / self.lanes();
        let mask = self.repeat_bits(lanes, parts as usize);
        let alignment = self.component_alignment(store);
        if self.plan().vectors().mask_registers {
            b.masked_store(all, first, alignment, mask);
        } else if self.plan().touches_inactive_lanes(store) {
            let before = b.load(all.ty(), first, alignment);
            b.store(b.select(mask, all, before), first, alignment);
        } else {
            // Without mask registers masked stores are slow, on AMD's CPUs very slow.
            let (whole, partial) = (self.new_block("whole"), self.new_block("partial"));
            let after = self.new_block("stored");
            let every = self.every(lanes);
            b.branch_if(every, whole, partial);
            b.at_end(whole);
            b.store(all, first, alignment);
            b.branch(after);
            b.at_end(partial);
            b.masked_store(all, first, alignment, mask);
            b.branch(after);
            b.at_end(after);
        }
    }

    fn lane_address(&self, addresses: LaneAddresses, lane: u32) -> Value {
        match addresses {
            LaneAddresses::Strided(first, step) => {
                let bytes = self.ir().i64().constant((i64::from(lane) * step) as u64);
                self.ir().offset_each(first, bytes)
            }
            LaneAddresses::Pointers(pointers) => {
                let lane = self.ir().i64().constant(u64::from(lane));
                self.ir().extract_element(pointers, lane)
            }
            LaneAddresses::Table(lanes) => self.address_in_table(lanes, lane),
            LaneAddresses::Offset(pointers, bytes) => {
                let address = self.lane_address(LaneAddresses::Pointers(pointers), lane);
                self.ir().offset_each(address, bytes)
            }
        }
    }

    /// Pointers that many bytes after others.
    fn offset_pointers(&self, pointers: Value, bytes: u64) -> Value {
        if bytes == 0 {
            return pointers;
        }
        let bytes = self.ir().i64().constant(bytes);
        self.ir()
            .offset_each(pointers, bytes.in_all_elements(self.lanes()))
    }

    /// Bytes of a component of what lanes access.
    pub fn bytes_of_a_component(&self, access: Value) -> u64 {
        let parts = components(accessed_type(access)).expect("checked before");
        component_bytes(parts[0], self.plan().layout()).expect("components fill their bytes")
    }

    /// The alignment of an access whose first lanes may be inactive.
    pub fn component_alignment(&self, access: Value) -> u32 {
        let bytes = self.bytes_of_a_component(access);
        access.alignment().min(bytes as u32)
    }
}
