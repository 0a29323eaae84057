//! Code that compares a load or store with the words of its granules, and enters it there. The lanes
//! of a vector run it together: a word that is read again after it was written shows whether several
//! lanes have the granule.

use super::words::{AccessWord, WORD, Words};
use crate::check::access::written_bits;
use crate::check::calls;
use crate::check::target::Target;
use crate::intrinsics::RACE_FINDING;
use crate::ir::{Builder, ModuleRef, Opcode, Type, TypeKind, Value};
use crate::work_group::branches::when;
use host_exec::races::shadow_word::{GROUP, ITEM, PHASE, SEVERAL_GROUPS, SEVERAL_ITEMS};
use llvm_sys::LLVMIntPredicate::{LLVMIntEQ, LLVMIntNE};

/// A load or store, and its words.
pub struct Comparison<'a> {
    pub b: &'a Builder,
    pub module: ModuleRef,
    pub instruction: Value,
    pub words: Words,
    pub target: Target,
    /// Its number.
    pub site: u64,
    pub bytes: u64,
    pub granules: u64,
    /// Its word.
    pub now: AccessWord,
    /// Whether a conflict is a finding.
    pub reports: bool,
    /// Zero, of which LLVM does not know that.
    pub zero: Value,
}

impl Comparison<'_> {
    /// Inserts the code for a load, before it. Leaves the builder there.
    pub fn of_load(&self) {
        self.if_tracked(self.instruction, |before| self.compare_load(before));
    }

    /// Has `emit` insert code before an instruction that runs if the memory has words.
    fn if_tracked(&self, before: Value, emit: impl FnOnce(Value)) {
        match self.words.is_tracked {
            Some(is_tracked) => when(self.b, is_tracked, before, "tracked", emit),
            None => emit(before),
        }
    }

    /// Most loads are of what several work-items have read in this phase, and none has written.
    /// These take one branch, on conditions that are the same for all work-items.
    fn compare_load(&self, before: Value) {
        let b = self.b;
        b.before(before);
        let writes = self.read_words(self.words.last_write);
        let reads = self.read_words(self.words.last_read);
        let may_conflict = writes.iter().map(|word| self.may_conflict(*word));
        let may_be_new = reads.iter().map(|word| self.may_be_new(*word));
        let any = self.any(may_conflict.chain(may_be_new));
        when(b, any, before, "compare", |end| {
            if self.reports {
                let conflicts = writes.iter().map(|word| self.conflict(*word));
                let conflicts: Vec<Value> = conflicts.collect();
                self.report(&writes, &conflicts, None, end);
            }
            for (granule, read) in (0..).zip(reads) {
                let is_same = GROUP.mask() | PHASE.mask() | ITEM.mask();
                let is_new = b.compare(LLVMIntNE, self.differing(read, is_same), self.number(0));
                when(b, is_new, end, "enter", |end| {
                    self.enter_read(granule, read, end)
                });
            }
        });
    }

    /// Whether a read may conflict with the last write.
    fn may_conflict(&self, write: Value) -> Value {
        let b = self.b;
        match self.target.is_local() {
            true => {
                let phase = self.differing(write, GROUP.mask() | PHASE.mask());
                b.compare(LLVMIntEQ, phase, self.number(0))
            }
            false => b.compare(LLVMIntNE, write, self.number(0)),
        }
    }

    /// Whether the word of the last read may change by this one.
    fn may_be_new(&self, read: Value) -> Value {
        let b = self.b;
        let flag = self.number(SEVERAL_ITEMS);
        let phase = GROUP.mask() | PHASE.mask() | SEVERAL_ITEMS;
        let is_new_in_phase = b.compare(LLVMIntNE, self.differing(read, phase), flag);
        if self.target.is_local() {
            return is_new_in_phase;
        }
        let groups = b.and(read, self.number(SEVERAL_GROUPS));
        let is_new_in_launch = b.compare(LLVMIntEQ, groups, self.number(0));
        b.and(is_new_in_phase, is_new_in_launch)
    }

    fn enter_read(&self, granule: u64, read: Value, before: Value) {
        let b = self.b;
        let place = self.word_at(self.words.last_read, granule);
        b.store(self.after_read(read), place, WORD as u32);
        let again = self.read_again(place);
        let several = b.compare(
            LLVMIntNE,
            self.differing(again, ITEM.mask()),
            self.number(0),
        );
        when(b, several, before, "several", |_| {
            let all = b.binary(Opcode::LLVMOr, again, self.number(SEVERAL_ITEMS));
            b.store(all, place, WORD as u32);
        });
    }

    /// Inserts the code for a store, before and after it.
    pub fn of_store(&self) {
        let Some(next) = self.instruction.next_instruction() else {
            return;
        };
        if self.reports {
            self.if_tracked(self.instruction, |before| self.compare_store(before));
        }
        self.b.before(next);
        self.if_tracked(next, |before| self.enter_store(before));
    }

    fn compare_store(&self, before: Value) {
        let b = self.b;
        b.before(before);
        let writes = self.read_words(self.words.last_write);
        let reads = self.read_words(self.words.last_read);
        let with_writes = writes.iter().map(|word| self.conflict(*word));
        let with_writes: Vec<Value> = with_writes.collect();
        let with_reads: Vec<Value> = reads.iter().map(|word| self.conflict(*word)).collect();
        let any = self.any(with_writes.iter().chain(&with_reads).copied());
        when(b, any, before, "conflict", |end| {
            self.report_if_changed(&writes, &with_writes, end);
            self.report(&reads, &with_reads, None, end);
        });
    }

    fn enter_store(&self, before: Value) {
        let b = self.b;
        b.before(before);
        let places: Vec<Value> = (0..self.granules)
            .map(|granule| self.word_at(self.words.last_write, granule))
            .collect();
        for place in &places {
            b.store(self.now.word, *place, WORD as u32);
        }
        if !self.reports {
            return;
        }
        let again: Vec<Value> = places.iter().map(|place| self.read_again(*place)).collect();
        let of_others = again.iter().map(|word| {
            b.compare(
                LLVMIntNE,
                self.differing(*word, ITEM.mask()),
                self.number(0),
            )
        });
        let of_others: Vec<Value> = of_others.collect();
        let any = self.any(of_others.iter().copied());
        when(b, any, before, "overwritten", |end| {
            self.report_if_changed(&again, &of_others, end);
        });
    }

    /// Reports conflicts with writes, unless memory has the value that is stored: several work-items
    /// may set a flag.
    fn report_if_changed(&self, words: &[Value], conflicts: &[Value], before: Value) {
        let b = self.b;
        let [value, pointer] = [0, 1].map(|operand| self.instruction.operand(operand));
        let memory = b.load(value.ty(), pointer, self.instruction.alignment());
        let is_same = self.is_same(memory, value);
        self.report(words, conflicts, Some(is_same), before);
    }

    /// Reports the first of these conflicts, unless it is harmless.
    fn report(
        &self,
        words: &[Value],
        conflicts: &[Value],
        is_harmless: Option<Value>,
        before: Value,
    ) {
        let b = self.b;
        let any = self.any(conflicts.iter().copied());
        let is_finding = match is_harmless {
            Some(is_harmless) => {
                let no = is_harmless.ty().constant(0);
                b.and(any, b.compare(LLVMIntEQ, is_harmless, no))
            }
            None => any,
        };
        let (last, others) = words.split_last().expect("an access has a granule");
        let others = others.iter().zip(conflicts).rev();
        let word = others.fold(*last, |later, (word, conflict)| {
            b.select(*conflict, *word, later)
        });
        when(b, is_finding, before, "race", |_| {
            let [x, y, z] = calls::local_id(b, self.module);
            let arguments = [
                calls::context(b, self.module),
                self.number(self.site),
                self.number(self.target.object),
                self.target.place,
                self.number(self.bytes),
                word,
                written_bits(b, self.instruction),
                x,
                y,
                z,
            ];
            let void = Type::void(b.context);
            calls::outside(b, self.module, RACE_FINDING, void, &arguments);
        });
    }

    /// Whether the access conflicts with that of a word
    /// (`host_exec::races::shadow_word::conflict`).
    fn conflict(&self, word: Value) -> Value {
        let b = self.b;
        let is = |predicate, mask| b.compare(predicate, self.differing(word, mask), self.number(0));
        let is_of_another_item = is(LLVMIntNE, ITEM.mask() | SEVERAL_ITEMS);
        if self.target.is_local() {
            let is_same_phase = is(LLVMIntEQ, GROUP.mask() | PHASE.mask());
            return b.and(is_same_phase, is_of_another_item);
        }
        let exists = b.compare(LLVMIntNE, word, self.number(0));
        let unordered = b.and(is(LLVMIntEQ, PHASE.mask()), is_of_another_item);
        let is_of_another_group = is(LLVMIntNE, GROUP.mask() | SEVERAL_GROUPS);
        b.and(
            exists,
            b.binary(Opcode::LLVMOr, is_of_another_group, unordered),
        )
    }

    /// The word of the last read after this one (`host_exec::races::shadow_word::after_read`).
    fn after_read(&self, before: Value) -> Value {
        let b = self.b;
        let several_items = self.number(SEVERAL_ITEMS);
        let flags = match self.target.is_local() {
            true => several_items,
            false => {
                let mask = GROUP.mask() | SEVERAL_GROUPS;
                let is_of_another_group =
                    b.compare(LLVMIntNE, self.differing(before, mask), self.number(0));
                b.select(
                    is_of_another_group,
                    self.number(SEVERAL_GROUPS),
                    several_items,
                )
            }
        };
        let flags = b.select(self.conflict(before), flags, self.number(0));
        b.binary(Opcode::LLVMOr, self.now.word, flags)
    }

    /// The bits of a mask in which a word differs from that of the access.
    fn differing(&self, word: Value, mask: u64) -> Value {
        let b = self.b;
        // All work-items of a group have the same bits but for the item's.
        let now = match mask & ITEM.mask() {
            0 => self.now.of_group,
            _ => self.now.word,
        };
        b.and(b.binary(Opcode::LLVMXor, word, now), self.number(mask))
    }

    fn read_words(&self, first: Value) -> Vec<Value> {
        (0..self.granules)
            .map(|granule| {
                let place = self.word_at(first, granule);
                self.b.load(self.b.i64(), place, WORD as u32)
            })
            .collect()
    }

    fn word_at(&self, first: Value, granule: u64) -> Value {
        match granule {
            0 => first,
            _ => self.b.offset(first, self.number(granule * WORD)),
        }
    }

    /// A word that the lanes have just written.
    fn read_again(&self, place: Value) -> Value {
        let place = self.b.offset(place, self.zero);
        self.b.load(self.b.i64(), place, WORD as u32)
    }

    fn any(&self, conditions: impl Iterator<Item = Value>) -> Value {
        let any = conditions.reduce(|any, one| self.b.binary(Opcode::LLVMOr, any, one));
        any.expect("an access has a granule")
    }

    /// Whether two values have the same bits.
    fn is_same(&self, one: Value, other: Value) -> Value {
        let b = self.b;
        let ty = one.ty();
        let as_integer = |value: Value| match value.ty().kind() {
            TypeKind::LLVMIntegerTypeKind => value,
            TypeKind::LLVMPointerTypeKind => b.cast(Opcode::LLVMPtrToInt, value, b.i64()),
            kind => {
                let bits = match kind {
                    TypeKind::LLVMHalfTypeKind => 16,
                    TypeKind::LLVMFloatTypeKind => 32,
                    _ => 64,
                };
                b.cast(Opcode::LLVMBitCast, value, Type::integer(b.context, bits))
            }
        };
        let is_equal = |one, other| b.compare(LLVMIntEQ, as_integer(one), as_integer(other));
        if !ty.is_vector() {
            return is_equal(one, other);
        }
        let (_, count) = ty.vector_elements();
        let equal = (0..count).map(|element| {
            let element = b.i32().constant(element.into());
            is_equal(
                b.extract_element(one, element),
                b.extract_element(other, element),
            )
        });
        let all = equal.reduce(|all, one| b.and(all, one));
        all.expect("a vector has an element")
    }

    fn number(&self, number: u64) -> Value {
        self.b.i64().constant(number)
    }
}
