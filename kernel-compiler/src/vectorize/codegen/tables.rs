//! Accesses to a table by a number of each lane.

use super::builder::VectorBuilder;
use crate::ir::{self, Opcode, Type, TypeKind, Value};
use crate::vectorize::access::table_index::{NumberRange, TableIndex, TableNumber};

/// Bits of a register that numbers are extracted to.
const WORD_BITS: u32 = 64;

/// Factors of an index in an address.
const ADDRESS_SCALES: [i64; 4] = [8, 4, 2, 1];

/// Largest factor by which numbers of 16 bits fit 32 signed ones.
const MAX_FACTOR: u64 = 1 << 14;

/// The elements of a table that lanes access. A word holds the numbers of several lanes: on AMD's processors the extraction of
/// one from a vector takes a cycle, however many numbers are in it.
#[derive(Clone, Copy)]
pub struct TableLanes {
    /// The address of the element of number 0.
    table: Value,
    /// A vector of words with the numbers of all lanes, which are not negative.
    words: Value,
    /// Of a number.
    bits: u32,
    /// Bytes for each 1.
    scale: i64,
}

impl VectorBuilder<'_> {
    /// The table and the numbers of a pointer, if they can be read in this block.
    pub fn table_index(&self, pointer: Value) -> Option<TableIndex> {
        let index = self.plan().table_index(pointer)?;
        let mut values = index.values();
        let are_available = values.all(|value| self.is_available(value));
        drop(values);
        are_available.then_some(index)
    }

    /// The addresses that indices give, lane by lane.
    pub fn table_lanes(&mut self, index: &TableIndex) -> TableLanes {
        let TableNumber {
            value,
            range,
            scale,
        } = index.number;
        let bits = value.ty().integer_bits();
        let mut numbers = self.vectors_of(value)[0];
        let mut constant = index.constant;
        if range == NumberRange::Signed {
            numbers = self.flip_sign(numbers);
            constant = constant.wrapping_sub(scale << (bits - 1));
        }
        let word_bits = WORD_BITS.min(bits * self.lanes());
        let word = Type::integer(self.ir().context, word_bits);
        let words = self
            .ir()
            .bit_cast(numbers, word.vector(bits * self.lanes() / word_bits));
        TableLanes {
            table: self.table_address(index, constant),
            words,
            bits,
            scale,
        }
    }

    /// The address of a lane's element.
    pub fn address_in_table(&self, lanes: TableLanes, lane: u32) -> Value {
        let TableLanes {
            table,
            words,
            bits,
            scale,
        } = lanes;
        let b = self.ir();
        let word = words.ty().scalar();
        let in_a_word = word.integer_bits() / bits;
        let from = b.extract_element(words, b.i64().constant(u64::from(lane / in_a_word)));
        let first_bit = lane % in_a_word * bits;
        let mut number = from;
        if first_bit != 0 {
            number = b.binary(Opcode::LLVMLShr, number, word.constant(first_bit.into()));
        }
        if first_bit + bits < word.integer_bits() {
            number = b.and(number, word.constant((1 << bits) - 1));
        }
        let number = b.resize(number, b.i64());
        let bytes = address_scale(scale);
        let number = match scale / bytes {
            1 => number,
            factor => b.multiply(number, b.i64().constant(factor as u64)),
        };
        b.element(b.i8().array(bytes as u64), table, number)
    }

    /// Loads the active lanes' elements by gather instructions; none if the host has none for them.
    pub fn gather_from_table(
        &mut self,
        index: &TableIndex,
        element: Type,
        mask: Value,
    ) -> Option<Value> {
        let (name, at_once) = gather_instruction(element, self.lanes())?;
        let bytes = address_scale(index.number.scale);
        let (numbers, constant) = self.signed_numbers(&index.number, index.number.scale / bytes)?;
        let table = self.table_address(index, index.constant.wrapping_add(constant));
        let b = self.ir();
        let table = b.address_space_cast(table, Type::pointer(b.context, 0));
        let bits = 8 * self.plan().layout().size(element) as u32;
        let masks = Type::integer(b.context, bits).vector(self.lanes());
        let masks = b.sign_extend(mask, masks);
        let part = element.vector(at_once);
        let parameters = [part, table.ty(), b.i32().vector(at_once), part, b.i8()];
        let module = b.position().function().module();
        let function = ir::function(module, name)
            .unwrap_or_else(|| ir::add_function(module, name, Type::function(part, &parameters)));
        let gather = |first: u32| {
            let elements: Vec<u32> = (first..first + at_once).collect();
            let numbers = b.shuffle(numbers, numbers, &elements);
            let mask = b.bit_cast(b.shuffle(masks, masks, &elements), part);
            let scale = b.i8().constant(bytes as u64);
            b.call(function, &[part.zero(), table, numbers, mask, scale])
        };
        let firsts = (0..self.lanes()).step_by(at_once as usize);
        let parts: Vec<Value> = firsts.map(gather).collect();
        Some(b.concatenate(&parts))
    }

    /// Numbers as signed ones of 32 bits, times a factor, and the bytes by which the address of element 0 changes for that;
    /// none if they may not fit.
    fn signed_numbers(&mut self, number: &TableNumber, factor: i64) -> Option<(Value, i64)> {
        let TableNumber {
            value,
            range,
            scale,
        } = *number;
        let is_whole = value.ty().integer_bits() == u32::BITS;
        if factor != 1 && (is_whole || factor.unsigned_abs() > MAX_FACTOR) {
            return None;
        }
        let numbers = self.vectors_of(value)[0];
        let b = self.ir();
        if is_whole {
            return Some(match range {
                NumberRange::Unsigned => (self.flip_sign(numbers), scale << (u32::BITS - 1)),
                NumberRange::Signed | NumberRange::NotNegative => (numbers, 0),
            });
        }
        let ty = b.i32().vector(self.lanes());
        let numbers = match range {
            NumberRange::Signed => b.sign_extend(numbers, ty),
            NumberRange::Unsigned | NumberRange::NotNegative => b.zero_extend(numbers, ty),
        };
        let factor = b.i32().constant(factor as u64);
        let numbers = b.multiply(numbers, factor.in_all_elements(self.lanes()));
        Some((numbers, 0))
    }

    /// Adds half of the range to signed numbers, so that they are not negative, or takes it from unsigned ones.
    fn flip_sign(&self, numbers: Value) -> Value {
        let number = numbers.ty().scalar();
        let half = number.constant(1 << (number.integer_bits() - 1));
        let half = half.in_all_elements(self.lanes());
        self.ir().binary(Opcode::LLVMXor, numbers, half)
    }

    /// The address of element 0, and `constant` bytes.
    fn table_address(&mut self, index: &TableIndex, constant: i64) -> Value {
        let mut address = self.scalar(index.table);
        for (offset, scale) in &index.offsets {
            let offset = self.scalar(*offset);
            let b = self.ir();
            let offset = match offset.ty().integer_bits() {
                64 => offset,
                _ => b.sign_extend(offset, b.i64()),
            };
            let bytes = b.multiply(offset, b.i64().constant(*scale as u64));
            address = b.offset_each(address, bytes);
        }
        let b = self.ir();
        match constant {
            0 => address,
            bytes => b.offset_each(address, b.i64().constant(bytes as u64)),
        }
    }
}

/// The largest factor that addresses have for an index of elements of `scale` bytes.
fn address_scale(scale: i64) -> i64 {
    let mut scales = ADDRESS_SCALES.into_iter();
    scales
        .find(|of| scale % of == 0)
        .expect("the last one divides all")
}

/// The instruction of AVX2 that gathers elements by numbers of 32 bits, and how many at once.
fn gather_instruction(element: Type, lanes: u32) -> Option<(&'static str, u32)> {
    let bits = element.is_integer().then(|| element.integer_bits());
    Some(match (element.kind(), bits) {
        (TypeKind::LLVMFloatTypeKind, _) if lanes < 8 => ("llvm.x86.avx2.gather.d.ps", 4),
        (TypeKind::LLVMFloatTypeKind, _) => ("llvm.x86.avx2.gather.d.ps.256", 8),
        (TypeKind::LLVMDoubleTypeKind, _) => ("llvm.x86.avx2.gather.d.pd.256", 4),
        (_, Some(32)) if lanes < 8 => ("llvm.x86.avx2.gather.d.d", 4),
        (_, Some(32)) => ("llvm.x86.avx2.gather.d.d.256", 8),
        (_, Some(64)) => ("llvm.x86.avx2.gather.d.q.256", 4),
        _ => return None,
    })
}
