//! What may be accessed of the object that a pointer leads into, as values of the kernel. A pointer
//! that may lead into several objects has values of its own, merged where the pointers are.

use super::provenance::{Provenance, Root, address, variable_type};
use super::sites::Sites;
use crate::intrinsics::{ARGUMENT_BYTES, address_space};
use crate::ir::{self, Builder, Opcode, Type, Value};
use std::collections::HashMap;

/// The object of a pointer: integers of 64 bits.
#[derive(Clone, Copy)]
pub struct Bounds {
    /// Its address.
    pub base: Value,
    /// Bytes that may be read.
    pub readable: Value,
    /// Bytes that may be written.
    pub writable: Value,
    /// Its number in the table of objects.
    pub object: Value,
}

impl Bounds {
    fn values(self) -> [Value; 4] {
        [self.base, self.readable, self.writable, self.object]
    }

    fn of_values([base, readable, writable, object]: [Value; 4]) -> Self {
        Self {
            base,
            readable,
            writable,
            object,
        }
    }
}

/// Computes bounds.
pub struct BoundsBuilder<'a> {
    pub provenance: Provenance<'a>,
    /// Those of φs and selects.
    merged: HashMap<Value, Bounds>,
}

impl<'a> BoundsBuilder<'a> {
    pub fn new(provenance: Provenance<'a>) -> Self {
        Self {
            provenance,
            merged: HashMap::new(),
        }
    }

    /// The bytes that may be read and written of an object, at the builder's position.
    pub fn sizes(&self, b: &Builder, root: Root) -> [Value; 2] {
        let number = |bytes| b.i64().constant(bytes);
        match root {
            Root::Argument(index, _) => {
                let query = argument_bytes(self.provenance.kernel, b);
                [0, 1].map(|field| {
                    let field = 2 * index as u64 + field;
                    b.call(query, &[b.i32().constant(field)])
                })
            }
            Root::Variable(variable) => {
                let ty = variable_type(self.provenance.kernel, variable);
                let bytes = ty.map_or(0, |ty| self.provenance.layout.size(ty));
                let is_constant = variable.ty().address_space() == address_space::CONSTANT;
                [number(bytes), number(if is_constant { 0 } else { bytes })]
            }
            Root::Null | Root::Trusted | Root::Unknown(_) => [number(0), number(0)],
        }
    }

    /// The bounds of a pointer that has several roots, each of them an object or null.
    pub fn bounds(&mut self, b: &Builder, sites: &mut Sites<'_>, pointer: Value) -> Bounds {
        if let Some(known) = self.merged.get(&pointer) {
            return *known;
        }
        if let &[root] = self.provenance.roots(pointer).as_slice() {
            return self.of_root(b, sites, root);
        }
        match pointer.opcode() {
            Opcode::LLVMPHI => self.of_phi(b, sites, pointer),
            Opcode::LLVMSelect => {
                b.before(pointer);
                let yes = self.bounds(b, sites, pointer.operand(1)).values();
                b.before(pointer);
                let no = self.bounds(b, sites, pointer.operand(2)).values();
                b.before(pointer);
                let condition = pointer.operand(0);
                let select = |at: usize| b.select(condition, yes[at], no[at]);
                let bounds = Bounds::of_values([0, 1, 2, 3].map(select));
                self.merged.insert(pointer, bounds);
                bounds
            }
            Opcode::LLVMIntToPtr => self.bounds(b, sites, pointer.operand(0).operand(0)),
            _ => self.bounds(b, sites, pointer.operand(0)),
        }
    }

    fn of_phi(&mut self, b: &Builder, sites: &mut Sites<'_>, phi: Value) -> Bounds {
        b.before(phi);
        let phis = [(); 4].map(|()| b.phi(b.i64(), ""));
        let bounds = Bounds::of_values(phis);
        // Loops lead back to it.
        self.merged.insert(phi, bounds);
        for (value, from) in phi.incoming() {
            b.before(from.terminator());
            let values = self.bounds(b, sites, value).values();
            for (phi, value) in phis.into_iter().zip(values) {
                phi.add_incoming(value, from);
            }
        }
        bounds
    }

    fn of_root(&mut self, b: &Builder, sites: &mut Sites<'_>, root: Root) -> Bounds {
        let [readable, writable] = self.sizes(b, root);
        Bounds {
            base: match root.pointer() {
                Some(pointer) => address(b, pointer),
                None => b.i64().constant(0),
            },
            readable,
            writable,
            object: b.i64().constant(sites.object(root)),
        }
    }
}

/// The query of what is known of arguments.
pub fn argument_bytes(kernel: Value, b: &Builder) -> Value {
    let module = kernel.module();
    ir::function(module, ARGUMENT_BYTES).unwrap_or_else(|| {
        let ty = Type::function(b.i64(), &[b.i32()]);
        ir::add_query(module, ARGUMENT_BYTES, ty)
    })
}
