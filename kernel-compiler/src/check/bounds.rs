//! What may be accessed of the object that a pointer leads into, as values of the kernel. A pointer
//! that may lead into several objects has values of its own, merged where the pointers are.

use super::provenance::{Provenance, Root, address, variable_type};
use super::sites::Sites;
use crate::intrinsics::ARGUMENT_BYTES;
use crate::ir::{self, Builder, Opcode, Type, Value};
use host_exec::memory_checker::{READS, WRITES};
use std::collections::HashMap;

/// The object of a pointer: integers of 64 bits.
#[derive(Clone, Copy)]
pub struct Bounds {
    /// Its address.
    pub base: Value,
    /// Its size in bytes.
    pub bytes: Value,
    /// Its number in the table of objects.
    pub object: Value,
    /// What may be done with it (`host_exec::memory_checker::ArgumentBounds`), if code respects that.
    pub permissions: Option<Value>,
}

impl Bounds {
    fn values(self) -> Vec<Value> {
        let always = [self.base, self.bytes, self.object];
        always.into_iter().chain(self.permissions).collect()
    }

    fn of_values(values: &[Value]) -> Self {
        Self {
            base: values[0],
            bytes: values[1],
            object: values[2],
            permissions: values.get(3).copied(),
        }
    }
}

/// Computes bounds.
pub struct BoundsBuilder<'a> {
    pub provenance: Provenance<'a>,
    /// Whether accesses may be forbidden by flags.
    has_flags: bool,
    /// Those of φs and selects.
    merged: HashMap<Value, Bounds>,
}

impl<'a> BoundsBuilder<'a> {
    pub fn new(provenance: Provenance<'a>, has_flags: bool) -> Self {
        Self {
            provenance,
            has_flags,
            merged: HashMap::new(),
        }
    }

    /// The size of an object, at the builder's position.
    pub fn bytes(&self, b: &Builder, root: Root) -> Value {
        match root {
            Root::Argument(index, _) => self.of_argument(b, 2 * index as u64),
            Root::Variable(variable) => {
                let ty = variable_type(self.provenance.kernel, variable);
                let bytes = ty.map_or(0, |ty| self.provenance.layout.size(ty));
                b.i64().constant(bytes)
            }
            Root::Null | Root::Trusted | Root::Unknown(_) => b.i64().constant(0),
        }
    }

    /// What may be done with an object, if code respects that.
    pub fn permissions(&self, b: &Builder, root: Root) -> Option<Value> {
        self.has_flags.then(|| match root {
            Root::Argument(index, _) => self.of_argument(b, 2 * index as u64 + 1),
            _ => b.i64().constant(READS | WRITES),
        })
    }

    fn of_argument(&self, b: &Builder, field: u64) -> Value {
        let query = argument_bytes(self.provenance.kernel, b);
        b.call(query, &[b.i32().constant(field)])
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
                let both = yes.into_iter().zip(no);
                let merged: Vec<Value> =
                    both.map(|(yes, no)| b.select(condition, yes, no)).collect();
                let bounds = Bounds::of_values(&merged);
                self.merged.insert(pointer, bounds);
                bounds
            }
            Opcode::LLVMIntToPtr => self.bounds(b, sites, pointer.operand(0).operand(0)),
            _ => self.bounds(b, sites, pointer.operand(0)),
        }
    }

    fn of_phi(&mut self, b: &Builder, sites: &mut Sites<'_>, phi: Value) -> Bounds {
        b.before(phi);
        let count = 3 + usize::from(self.has_flags);
        let phis: Vec<Value> = (0..count).map(|_| b.phi(b.i64(), "")).collect();
        let bounds = Bounds::of_values(&phis);
        // Loops lead back to it.
        self.merged.insert(phi, bounds);
        for (value, from) in phi.incoming() {
            b.before(from.terminator());
            let values = self.bounds(b, sites, value).values();
            for (phi, value) in phis.iter().zip(values) {
                phi.add_incoming(value, from);
            }
        }
        bounds
    }

    fn of_root(&mut self, b: &Builder, sites: &mut Sites<'_>, root: Root) -> Bounds {
        Bounds {
            base: match root.pointer() {
                Some(pointer) => address(b, pointer),
                None => b.i64().constant(0),
            },
            bytes: self.bytes(b, root),
            permissions: self.permissions(b, root),
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
