//! Loads of OpenCL vectors of small elements, each at an address of its own: each lane's is one integer, from which shifts
//! take the elements of all lanes.

use super::builder::VectorBuilder;
use crate::ir::{Opcode, Type, Value};

impl VectorBuilder<'_> {
    /// Loads elements of these types for each lane, the first ones at the lanes' addresses.
    pub fn load_packed(
        &self,
        elements: &[Type],
        addresses: &[Value],
        alignment: u32,
    ) -> Vec<Value> {
        let b = self.ir();
        let bits = 8 * self.plan().layout().size(elements[0]) as u32;
        let integer = |bits: u32| Type::integer(b.context, bits);
        let packed = integer(bits * elements.len() as u32);
        let insert = |vector, (lane, address): (u64, &Value)| {
            let value = b.load(packed, *address, alignment);
            b.insert_element(vector, value, b.i64().constant(lane))
        };
        let poison = packed.vector(self.lanes()).poison();
        let all = (0..).zip(addresses).fold(poison, insert);
        // The host is little-endian.
        let element = |(number, element): (u64, &Type)| {
            let distance = packed.constant(number * u64::from(bits));
            let distance = distance.in_all_elements(self.lanes());
            let shifted = b.binary(Opcode::LLVMLShr, all, distance);
            let value = b.truncate(shifted, integer(bits).vector(self.lanes()));
            b.bit_cast(value, element.vector(self.lanes()))
        };
        (0..).zip(elements).map(element).collect()
    }
}
