//! Where the words of an access are, and the word of the access itself.

use crate::check::bounds::argument_bytes;
use crate::check::calls;
use crate::check::provenance::{Provenance, Root, address};
use crate::intrinsics::address_space;
use crate::ir::{Builder, ModuleRef, Opcode, Type, Value};
use host_exec::races::checker::UNKNOWN_PLACE;
use host_exec::races::shadow_word::{Field, GROUP, GROUPS, ITEM, PHASE, SITE};
use host_exec::races::shadows::TrackedMemory;
use llvm_sys::LLVMIntPredicate::LLVMIntNE;

/// Bytes of a word.
pub const WORD: u64 = 8;

/// The words of the first granule of an access.
#[derive(Clone, Copy)]
pub struct Words {
    /// Address of that of the last write.
    pub last_write: Value,
    /// Address of that of the last read.
    pub last_read: Value,
    /// Bytes from the object's start to the access, or `UNKNOWN_PLACE`.
    pub place: Value,
    /// Whether the memory has words, if that is not certain.
    pub is_tracked: Option<Value>,
}

/// Finds the words of accesses.
pub struct WordsBuilder {
    arguments: usize,
    global_granule: u64,
    local_granule: u64,
    /// Arguments through which the kernel writes: they have words unless they are null.
    written: Vec<usize>,
}

impl WordsBuilder {
    /// For a kernel with this many arguments.
    pub fn new(arguments: usize, memory: &TrackedMemory) -> Self {
        Self {
            arguments,
            global_granule: memory.global_granule,
            local_granule: memory.local_granule,
            written: memory.written.clone(),
        }
    }

    /// Bytes of a granule of the memory that a pointer leads to.
    pub fn granule(&self, pointer: Value) -> u64 {
        match pointer.ty().address_space() {
            address_space::LOCAL => self.local_granule,
            _ => self.global_granule,
        }
    }

    /// Zero, of which LLVM does not know that.
    pub fn zero(&self, b: &Builder, kernel: Value) -> Value {
        self.query(b, kernel, 2 * self.arguments + 3 * (self.arguments + 1))
    }

    /// The words of the first granule that a pointer leads to, if that is local memory or one
    /// argument.
    pub fn of(
        &self,
        b: &Builder,
        provenance: &Provenance<'_>,
        pointer: Value,
        roots: &[Root],
    ) -> Option<Words> {
        let kernel = provenance.kernel;
        let unknown = b.i64().constant(UNKNOWN_PLACE);
        let is_local = pointer.ty().address_space() == address_space::LOCAL;
        let (place, bytes, starts, is_tracked) = if is_local {
            let local = calls::local_memory(b, kernel.module());
            let base = address(b, local);
            let from_base = |pointer| b.binary(Opcode::LLVMSub, address(b, pointer), base);
            let root = match roots {
                [root] => root.pointer(),
                _ => None,
            };
            let (place, bytes) = match root {
                Some(root) => {
                    let place = provenance.offset(b, pointer, root);
                    (place, b.add(from_base(root), place))
                }
                None => (unknown, from_base(pointer)),
            };
            let starts = self
                .planes(b, kernel, self.arguments)
                .map(|distance| b.offset(local, distance));
            (place, bytes, starts, None)
        } else {
            let &[Root::Argument(index, start)] = roots else {
                return None;
            };
            let place = provenance.offset(b, pointer, start);
            let planes = self.planes(b, kernel, index);
            let is_tracked = match self.written.contains(&index) {
                true => None,
                false => Some(b.compare(LLVMIntNE, planes[0], b.i64().constant(0))),
            };
            let ty = Type::pointer(b.context, address_space::GLOBAL);
            let starts = planes.map(|plane| b.cast(Opcode::LLVMIntToPtr, plane, ty));
            (place, place, starts, is_tracked)
        };
        let scale = b.i64().constant(WORD / self.granule(pointer));
        let offset = b.multiply(bytes, scale);
        let [last_write, last_read] = starts.map(|start| b.offset(start, offset));
        Some(Words {
            last_write,
            last_read,
            place,
            is_tracked,
        })
    }

    /// Where the words of an argument, or of local memory, are.
    fn planes(&self, b: &Builder, kernel: Value, memory: usize) -> [Value; 2] {
        let memories = self.arguments + 1;
        [1, 2].map(|list| self.query(b, kernel, 2 * self.arguments + list * memories + memory))
    }

    fn query(&self, b: &Builder, kernel: Value, number: usize) -> Value {
        let query = argument_bytes(kernel, b);
        b.call(query, &[b.i32().constant(number as u64)])
    }
}

/// The word of an access.
#[derive(Clone, Copy)]
pub struct Now {
    pub word: Value,
    /// Without the work-item: the same for all of a group.
    pub of_group: Value,
}

/// The word of an access of the site in a phase.
pub fn word(b: &Builder, module: ModuleRef, phase: Value, site: u64) -> Now {
    let [x, y, z] = calls::group_id(b, module);
    let [width, height, _] = calls::group_count(b, module);
    let group = linear(b, [x, y, z], width, height);
    let group = b.binary(Opcode::LLVMURem, group, b.i64().constant(GROUPS));
    let group = b.add(group, b.i64().constant(1));
    let site = b.i64().constant(SITE.with(site.min(SITE.most())));
    let parts = [placed(b, GROUP, group), placed(b, PHASE, phase)];
    let join = |word, part| b.binary(Opcode::LLVMOr, word, part);
    let of_group = parts.into_iter().fold(site, join);
    let item = placed(b, ITEM, linear_item(b, module));
    Now {
        word: join(of_group, item),
        of_group,
    }
}

/// The linear local id.
pub fn linear_item(b: &Builder, module: ModuleRef) -> Value {
    let [width, height, _] = calls::local_size(b, module);
    linear(b, calls::local_id(b, module), width, height)
}

fn linear(b: &Builder, [x, y, z]: [Value; 3], width: Value, height: Value) -> Value {
    let rows = b.add(y, b.multiply(height, z));
    b.add(x, b.multiply(width, rows))
}

/// A value in the place of a field.
fn placed(b: &Builder, field: Field, value: Value) -> Value {
    let scaled = b.multiply(value, b.i64().constant(1 << field.shift));
    b.and(scaled, b.i64().constant(field.mask()))
}
