//! Where the words of an access are, and the word of the access itself.

use crate::check::bounds::argument_bytes;
use crate::check::calls;
use crate::check::provenance::{Root, address};
use crate::check::target::Target;
use crate::intrinsics::address_space;
use crate::ir::{Builder, ModuleRef, Opcode, Type, Value};
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
    /// Whether the memory has words, if that is not certain.
    pub is_tracked: Option<Value>,
}

/// Finds the words of accesses of a kernel.
pub struct WordsBuilder<'a> {
    pub kernel: Value,
    /// The number of its arguments.
    pub arguments: usize,
    pub memory: &'a TrackedMemory,
}

impl WordsBuilder<'_> {
    /// Bytes of a granule of the memory.
    pub fn granule(&self, target: Target) -> u64 {
        match target.is_local() {
            true => self.memory.local_granule,
            false => self.memory.global_granule,
        }
    }

    /// Zero, of which LLVM does not know that.
    pub fn zero(&self, b: &Builder) -> Value {
        self.query(b, 2 * self.arguments + 3 * (self.arguments + 1))
    }

    /// The words of the first granule, if that is of local memory or of one argument.
    pub fn words(&self, b: &Builder, target: Target) -> Option<Words> {
        let (bytes, starts, is_tracked) = if target.is_local() {
            let local = calls::local_memory(b, self.kernel.module());
            let start = target.root.and_then(Root::pointer);
            let start = start.map_or(b.i64().constant(0), |start| address(b, start));
            let before = b.binary(Opcode::LLVMSub, start, address(b, local));
            let planes = self.planes(b, self.arguments);
            let starts = planes.map(|distance| b.offset(local, distance));
            (b.add(before, target.place), starts, None)
        } else {
            let Some(Root::Argument(index, _)) = target.root else {
                return None;
            };
            let planes = self.planes(b, index);
            // Those that are written and shared have words unless they are null.
            let is_race_free = self.memory.race_free.iter().any(|(of, _)| *of == index);
            let is_tracked = match self.memory.written.contains(&index) && !is_race_free {
                true => None,
                false => Some(b.compare(LLVMIntNE, planes[0], b.i64().constant(0))),
            };
            let ty = Type::pointer(b.context, address_space::GLOBAL);
            let starts = planes.map(|plane| b.cast(Opcode::LLVMIntToPtr, plane, ty));
            (target.place, starts, is_tracked)
        };
        let scale = b.i64().constant(WORD / self.granule(target));
        let offset = b.multiply(bytes, scale);
        let [last_write, last_read] = starts.map(|start| b.offset(start, offset));
        Some(Words {
            last_write,
            last_read,
            is_tracked,
        })
    }

    /// Where the words of an argument, or of local memory, are.
    fn planes(&self, b: &Builder, memory: usize) -> [Value; 2] {
        let memories = self.arguments + 1;
        [1, 2].map(|list| self.query(b, 2 * self.arguments + list * memories + memory))
    }

    fn query(&self, b: &Builder, number: usize) -> Value {
        let query = argument_bytes(self.kernel, b);
        b.call(query, &[b.i32().constant(number as u64)])
    }
}

/// The word of an access.
#[derive(Clone, Copy)]
pub struct AccessWord {
    pub word: Value,
    /// Without the work-item: the same for all of a group.
    pub of_group: Value,
}

/// The word of an access of the site in a phase.
pub fn word(b: &Builder, module: ModuleRef, phase: Value, site: u64) -> AccessWord {
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
    AccessWord {
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
