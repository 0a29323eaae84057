//! Instruments memory accesses (`Checks::MEMORY`): an access runs only if it is within the object
//! that its pointer comes from, and aligned. Otherwise it is reported; a read gives zero. What only
//! the flags of a buffer or `const` forbid is reported, too, but made (`Checks::FLAGS`).

use super::access::{Access, accesses, written_bits};
use super::bounds::BoundsBuilder;
use super::calls;
use super::images::ImageChecks;
use super::omission::run_if;
use super::provenance::{Provenance, Root, address};
use super::sites::Sites;
use crate::intrinsics::{DMA_TRANSFER, IMAGE_ACCESS, MEMORY_ALLOWS, MEMORY_FINDING, address_space};
use crate::ir::{self, Builder, DataLayout, ModuleRef, Opcode, Type, Value};
use crate::kernel::interface::KernelInterface;
use crate::work_group::branches::unless;
use host_exec::memory_checker::access_table::{AccessTable, UNKNOWN_OBJECT};
use host_exec::memory_checker::{READS, WRITES};
use llvm_sys::LLVMIntPredicate::*;

/// Most rows of a transfer within any object.
const MAX_ROWS: u64 = 1 << 30;
/// Largest stride of a transfer of several rows within any object, bytes.
const MAX_STRIDE: u64 = 1 << 33;
/// More bytes than any object has; products of the limits above are no larger by much.
const TOO_MANY_BYTES: u64 = 1 << 62;

/// Instruments a kernel; returns what the numbers in its reports mean. With `has_flags`, for buffers
/// whose flags forbid accesses.
pub fn insert(module: ModuleRef, interface: &KernelInterface, has_flags: bool) -> AccessTable {
    let kernel = ir::function(module, &interface.name).expect("the module holds the kernel");
    for global in ir::globals(module) {
        global.expand_constant_users(kernel);
    }
    let layout = DataLayout::of_module(module);
    let provenance = Provenance {
        kernel,
        interface,
        layout,
    };
    let mut pass = MemoryChecks {
        b: Builder::new(kernel.ty().context()),
        bounds: BoundsBuilder::new(provenance, has_flags),
        sites: Sites::new(kernel, interface, layout),
        kernel,
    };
    for instruction in kernel.instructions() {
        if instruction.calls(DMA_TRANSFER) {
            pass.transfer(instruction);
        } else if instruction.calls(IMAGE_ACCESS) {
            let images = ImageChecks {
                b: &pass.b,
                kernel,
                interface,
            };
            images.check(&mut pass.sites, instruction);
        } else {
            for access in accesses(&pass.b, layout, instruction) {
                pass.check(&access);
            }
        }
    }
    // Code may rely on the promise that an address is in bounds.
    for instruction in kernel.instructions() {
        if instruction.is(Opcode::LLVMGetElementPtr) {
            instruction.drop_promises();
        }
    }
    pass.sites.table
}

/// The outcome of a check, at the builder's position.
struct Verdict {
    is_allowed: Value,
    /// Whether flags permit it, if that is checked.
    is_permitted: Option<Value>,
    object: Value,
    /// Offset in the object, or the address.
    place: Value,
}

struct MemoryChecks<'a> {
    b: Builder,
    bounds: BoundsBuilder<'a>,
    sites: Sites<'a>,
    kernel: Value,
}

impl MemoryChecks<'_> {
    /// Puts an access under a branch on whether it is allowed.
    fn check(&mut self, access: &Access) {
        let instruction = access.instruction;
        self.b.of_the_line_of(instruction);
        let Some(verdict) = self.verdict(access) else {
            return;
        };
        if verdict.is_allowed.as_integer() == Some(1) {
            return;
        }
        let site = self.sites.add(access);
        let b = &self.b;
        run_if(b, access, verdict.is_allowed, || {
            self.report(site, &verdict, access);
            None
        });
        if let Some(is_permitted) = verdict.is_permitted {
            unless(b, is_permitted, instruction, "report", |_| {
                self.report(site, &verdict, access);
            });
        }
    }

    /// Whether an access is allowed; none if it need not be checked.
    fn verdict(&mut self, access: &Access) -> Option<Verdict> {
        let roots = self.bounds.provenance.roots(access.pointer);
        if roots.contains(&Root::Trusted) {
            return None;
        }
        for root in &roots {
            if let Root::Argument(index, _) = *root {
                self.sites.table.add_argument(index, access.writes);
            }
        }
        if roots.iter().any(|root| matches!(root, Root::Unknown(_))) {
            return self.of_unknown(access);
        }
        let mut verdict = match roots[..] {
            [root] => self.of_object(access, root),
            _ => self.of_several(access),
        };
        if access.alignment > 1 && !self.is_aligned(access, &roots) {
            let b = &self.b;
            let low = b.and(
                address(b, access.pointer),
                b.i64().constant(access.alignment - 1),
            );
            let is_aligned = b.compare(LLVMIntEQ, low, b.i64().constant(0));
            verdict.is_allowed = b.and(verdict.is_allowed, is_aligned);
        }
        let space = access.pointer.ty().address_space();
        if access.writes && space == address_space::CONSTANT {
            verdict.is_allowed = verdict.is_allowed.ty().constant(0);
        }
        Some(verdict)
    }

    fn of_object(&mut self, access: &Access, root: Root) -> Verdict {
        let b = &self.b;
        b.before(access.instruction);
        let bytes = self.bounds.bytes(b, root);
        let permissions = self.bounds.permissions(b, root);
        let (place, object) = match root.pointer() {
            Some(start) => {
                let place = self.bounds.provenance.offset(b, access.pointer, start);
                (place, self.sites.object(root))
            }
            None => (address(b, access.pointer), UNKNOWN_OBJECT),
        };
        Verdict {
            is_allowed: within(b, place, access.bytes, bytes),
            is_permitted: permissions.map(|permissions| permits(b, permissions, access)),
            object: b.i64().constant(object),
            place,
        }
    }

    fn of_several(&mut self, access: &Access) -> Verdict {
        let b = &self.b;
        b.before(access.instruction);
        let bounds = self.bounds.bounds(b, &mut self.sites, access.pointer);
        b.before(access.instruction);
        let start = address(b, access.pointer);
        let place = b.binary(Opcode::LLVMSub, start, bounds.base);
        Verdict {
            is_allowed: within(b, place, access.bytes, bounds.bytes),
            is_permitted: bounds
                .permissions
                .map(|permissions| permits(b, permissions, access)),
            object: bounds.object,
            place,
        }
    }

    /// The object of an address from memory is looked up; of private memory it is not known which
    /// variable it is. The program's constants are in no object.
    fn of_unknown(&self, access: &Access) -> Option<Verdict> {
        let b = &self.b;
        b.before(access.instruction);
        let place = address(b, access.pointer);
        let zero = b.i64().constant(0);
        let space = access.pointer.ty().address_space();
        let is_private = space == address_space::PRIVATE;
        let is_allowed = if space == address_space::CONSTANT {
            b.compare(LLVMIntNE, place, zero)
        } else {
            let arguments = [
                calls::context(b, self.kernel.module()),
                place,
                access.bytes,
                b.i64().constant(is_private.into()),
            ];
            let module = self.kernel.module();
            let allows = calls::outside(b, module, MEMORY_ALLOWS, b.i64(), &arguments);
            b.compare(LLVMIntNE, allows, zero)
        };
        Some(Verdict {
            is_allowed,
            is_permitted: None,
            object: b.i64().constant(UNKNOWN_OBJECT),
            place,
        })
    }

    /// Whether an address is aligned whatever the indices are.
    fn is_aligned(&self, access: &Access, roots: &[Root]) -> bool {
        let [root] = roots else {
            return false;
        };
        let Some(start) = root.pointer() else {
            return true;
        };
        let is_start_aligned = match root {
            Root::Variable(variable) if !variable.is_constant() && !variable.is_instruction() => {
                true
            }
            Root::Variable(variable) => u64::from(variable.alignment()) >= access.alignment,
            _ => true,
        };
        is_start_aligned
            && self
                .bounds
                .provenance
                .keeps_alignment(access.pointer, start, access.alignment)
    }

    /// Reports an access, at the builder's position.
    fn report(&self, site: u64, verdict: &Verdict, access: &Access) {
        let b = &self.b;
        let module = self.kernel.module();
        let value = written_bits(b, access.instruction);
        let [x, y, z] = calls::local_id(b, module);
        let arguments = [
            calls::context(b, module),
            b.i64().constant(site),
            verdict.object,
            verdict.place,
            access.bytes,
            value,
            x,
            y,
            z,
        ];
        let void = Type::void(b.context);
        calls::outside(b, module, MEMORY_FINDING, void, &arguments);
    }

    /// Leaves a transfer out whose rows are not all allowed. It has no rows then: the group does it
    /// together, so that it is under no branch.
    fn transfer(&mut self, call: Value) {
        self.b.of_the_line_of(call);
        let (destination, source) = (call.operand(0), call.operand(2));
        for (pointer, stride, writes) in [
            (destination, call.operand(1), true),
            (source, call.operand(3), false),
        ] {
            self.b.before(call);
            let rows = call.operand(5);
            let access = Access {
                instruction: call,
                pointer,
                bytes: self.extent(call.operand(4), rows, stride),
                alignment: 1,
                writes,
            };
            let Some(verdict) = self.verdict(&access) else {
                continue;
            };
            if verdict.is_allowed.as_integer() == Some(1) {
                continue;
            }
            let site = self.sites.add(&access);
            let b = &self.b;
            b.before(call);
            let none = rows.ty().constant(0);
            let left = b.select(verdict.is_allowed, rows, none);
            call.set_operand(5, left);
            // One that only flags forbid is made.
            let is_right = match verdict.is_permitted {
                Some(is_permitted) => b.and(verdict.is_allowed, is_permitted),
                None => verdict.is_allowed,
            };
            unless(b, is_right, call, "report", |_| {
                self.report(site, &verdict, &access);
            });
        }
    }

    /// Bytes from the first to the last of a transfer's rows; too many where they would overflow.
    fn extent(&self, row_bytes: Value, rows: Value, stride: Value) -> Value {
        let b = &self.b;
        let number = |number| b.i64().constant(number);
        let exceeds = |value: Value, most| b.compare(LLVMIntUGT, value, number(most));
        let either = |one, other| b.binary(Opcode::LLVMOr, one, other);
        let has_several = exceeds(rows, 1);
        let is_far = b.and(has_several, exceeds(stride, MAX_STRIDE));
        let is_large = either(exceeds(rows, MAX_ROWS), exceeds(row_bytes, TOO_MANY_BYTES));
        let between = b.binary(Opcode::LLVMSub, rows, number(1));
        let extent = b.add(b.multiply(between, stride), row_bytes);
        let extent = b.select(either(is_far, is_large), number(TOO_MANY_BYTES), extent);
        let has_none = |value: Value| b.compare(LLVMIntEQ, value, number(0));
        let is_empty = either(has_none(rows), has_none(row_bytes));
        b.select(is_empty, number(0), extent)
    }
}

/// Whether permissions include an access.
fn permits(b: &Builder, permissions: Value, access: &Access) -> Value {
    let needed = b.i64().constant(if access.writes { WRITES } else { READS });
    b.compare(LLVMIntEQ, b.and(permissions, needed), needed)
}

/// Whether `bytes` bytes at `place` are within `size`: one comparison if the number of bytes is
/// known, for which a limit for `place` is computed that does not depend on it.
pub(crate) fn within(b: &Builder, place: Value, bytes: Value, size: Value) -> Value {
    match bytes.as_integer() {
        Some(0) => b.compare(LLVMIntEQ, size, size),
        Some(_) => {
            let less = b.add(bytes, b.i64().constant(u64::MAX));
            let fits = b.compare(LLVMIntULT, less, size);
            let rest = b.binary(Opcode::LLVMSub, size, less);
            let limit = b.select(fits, rest, b.i64().constant(0));
            b.compare(LLVMIntULT, place, limit)
        }
        None => {
            let fits = b.compare(LLVMIntULE, bytes, size);
            let rest = b.binary(Opcode::LLVMSub, size, bytes);
            let is_before = b.compare(LLVMIntULE, place, rest);
            let is_within = b.and(fits, is_before);
            let is_empty = b.compare(LLVMIntEQ, bytes, b.i64().constant(0));
            b.binary(Opcode::LLVMOr, is_within, is_empty)
        }
    }
}
