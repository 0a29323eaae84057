//! Data races (`Checks::RACES`). Each access of global and local memory is compared with the words of
//! its granules (`host_exec::races`) and entered there: loads and stores by code of their own
//! (`comparison`), other accesses by the platform. `phases` counts the fences that a work-item has passed,
//! `ordering` finds accesses that atomic operations may order.
//!
//! Accesses are instrumented after other checks, where they run only if they are within their
//! objects.

mod comparison;
mod ordering;
mod own_bytes;
mod phases;
mod sharing;
mod words;

use super::access::{Access, shared, written_bits};
use super::calls;
use super::provenance::{Provenance, Root, address};
use super::target::{Target, Targets};
use crate::intrinsics::{RACE_ACCESS, RACE_ROWS, address_space};
use crate::ir::{ModuleRef, Opcode, Value};
use crate::kernel::interface::KernelInterface;
use crate::work_group::branches::when;
use comparison::Comparison;
use host_exec::races::access::AccessMode;
use host_exec::races::checker::RaceTable;
use host_exec::races::shadows::TrackedMemory;
use llvm_sys::LLVMIntPredicate::LLVMIntEQ;
use ordering::{OrderedAccesses, is_atomic};
use phases::Phases;
use sharing::ComparedAccesses;
use words::WordsBuilder;

/// Largest granule, bytes.
const MAX_GRANULE: u64 = 8;

/// Most granules of an access that code compares itself.
const MAX_GRANULES: u64 = 4;

/// Instruments the marked accesses; returns what the numbers in reports mean.
pub fn insert(module: ModuleRef, interface: &KernelInterface) -> RaceTable {
    let targets = Targets::new(module, interface);
    let transfers = targets.transfers();
    let (b, provenance) = (&targets.b, &targets.provenance);
    let kernel = provenance.kernel;
    let accessed = shared(b, provenance.layout, kernel);
    let ordered = OrderedAccesses::compute(provenance);
    let compared = ComparedAccesses::compute(provenance, &accessed, &transfers);
    let memory = TrackedMemory {
        compares_local: !compared.is_empty(),
        ..tracked(provenance, &accessed, &transfers)
    };
    let phases = Phases::insert(b, kernel);
    let words = WordsBuilder {
        kernel,
        arguments: interface.arguments.len(),
        memory: &memory,
    };
    let mut pass = RaceChecks {
        targets,
        ordered,
        compared,
        phases,
        words,
    };
    for access in &accessed {
        pass.access(access);
    }
    for transfer in transfers {
        pass.transfer(transfer);
    }
    let accesses = pass.targets.sites.table;
    RaceTable { accesses, memory }
}

/// What of memory needs words, and of which size.
fn tracked(provenance: &Provenance<'_>, accessed: &[Access], transfers: &[Value]) -> TrackedMemory {
    let granule = |space: u32| {
        let of_the_space = accessed
            .iter()
            .filter(|access| access.pointer.ty().address_space() == space);
        of_the_space
            .map(|access| {
                let bytes = access.bytes.as_integer().filter(|bytes| *bytes > 0);
                let size = bytes.map_or(1, |bytes| 1 << bytes.trailing_zeros().min(3));
                // Copies of structures do not say how their addresses are aligned.
                match access.instruction.is(Opcode::LLVMCall) {
                    true => size,
                    false => size.min(access.alignment.max(1)),
                }
            })
            .fold(MAX_GRANULE, u64::min)
    };
    let pointers = accessed
        .iter()
        .map(|access| (access.pointer, access.writes));
    let ends = transfers
        .iter()
        .flat_map(|transfer| [0, 2].map(|operand| (transfer.operand(operand), operand == 0)));
    let mut memory = TrackedMemory {
        global_granule: granule(address_space::GLOBAL),
        local_granule: granule(address_space::LOCAL),
        race_free: sharing::race_free(provenance, accessed, transfers),
        ..TrackedMemory::default()
    };
    let add = |arguments: &mut Vec<usize>, index: usize| {
        if !arguments.contains(&index) {
            arguments.push(index);
        }
    };
    for (pointer, writes) in pointers.chain(ends) {
        for root in provenance.roots(pointer) {
            match root {
                Root::Argument(index, _) => {
                    add(&mut memory.accessed, index);
                    if writes {
                        add(&mut memory.written, index);
                    }
                }
                Root::Unknown(_) => memory.writes_anywhere |= writes,
                _ => {}
            }
        }
    }
    memory
}

struct RaceChecks<'a> {
    targets: Targets<'a>,
    ordered: OrderedAccesses,
    compared: ComparedAccesses,
    phases: Phases,
    words: WordsBuilder<'a>,
}

impl RaceChecks<'_> {
    fn access(&mut self, access: &Access) {
        let instruction = access.instruction;
        let Some(target) = self.targets.of_access(access) else {
            return;
        };
        if target.is_local() && !self.compared.contains(instruction, access.writes) {
            return;
        }
        let site = self.targets.sites.add(access);
        let is_atomic = is_atomic(instruction, access.pointer);
        let mut mode = AccessMode::empty();
        mode.set(AccessMode::WRITES, access.writes);
        mode.set(AccessMode::ATOMIC, is_atomic);
        mode.set(AccessMode::ORDERED, self.ordered.contains(instruction));
        let is_plain = instruction.is(Opcode::LLVMLoad) || instruction.is(Opcode::LLVMStore);
        let comparison = match is_plain && !is_atomic {
            true => self.comparison(access, target, site, mode),
            false => None,
        };
        match comparison {
            Some(comparison) if access.writes => comparison.of_store(),
            Some(comparison) => comparison.of_load(),
            None => self.call(access, target, site, mode),
        }
    }

    /// The comparison of an access that code compares itself, with the builder before it.
    fn comparison(
        &self,
        access: &Access,
        target: Target,
        site: u64,
        mode: AccessMode,
    ) -> Option<Comparison<'_>> {
        let b = &self.targets.b;
        let bytes = access.bytes.as_integer()?;
        let granules = bytes / self.words.granule(target);
        if granules > MAX_GRANULES {
            return None;
        }
        let words = self.words.words(b, target)?;
        let phase = self.phases.load(b, target.is_local());
        Some(Comparison {
            b,
            module: self.module(),
            instruction: access.instruction,
            words,
            target,
            site,
            bytes,
            granules,
            now: words::word(b, self.module(), phase, site),
            reports: !mode.contains(AccessMode::ORDERED),
            zero: self.words.zero(b),
        })
    }

    /// Leaves an access to the platform, if its memory has words.
    fn call(&self, access: &Access, target: Target, site: u64, mode: AccessMode) {
        let b = &self.targets.b;
        let words = self.words.words(b, target);
        match words.and_then(|words| words.is_tracked) {
            Some(is_tracked) => when(b, is_tracked, access.instruction, "tracked", |_| {
                self.report(access, target, site, mode);
            }),
            None => self.report(access, target, site, mode),
        }
    }

    fn report(&self, access: &Access, target: Target, site: u64, mode: AccessMode) {
        let b = &self.targets.b;
        let module = self.module();
        let number = |number| b.i64().constant(number);
        let [x, y, z] = calls::local_id(b, module);
        let arguments = [
            calls::context(b, module),
            number(site),
            number(target.object),
            target.place,
            address(b, access.pointer),
            access.bytes,
            number(mode.bits()),
            self.phases.both(b),
            written_bits(b, access.instruction),
            x,
            y,
            z,
        ];
        calls::writer(b, module, RACE_ACCESS, &arguments);
    }

    /// A transfer is the group's: its first work-item reports both ends.
    fn transfer(&mut self, call: Value) {
        self.targets.b.of_the_line_of(call);
        self.targets.b.before(call);
        let item = words::linear_item(&self.targets.b, self.module());
        let is_first = self
            .targets
            .b
            .compare(LLVMIntEQ, item, self.targets.b.i64().constant(0));
        let ends = [(0, AccessMode::WRITES), (2, AccessMode::empty())];
        let ends = ends.map(|(operand, mode)| {
            let target = self.targets.target(call.operand(operand));
            let site = self
                .targets
                .sites
                .add_transfer(call, mode.contains(AccessMode::WRITES));
            (target, call.operand(operand + 1), site, mode)
        });
        let b = &self.targets.b;
        let module = self.module();
        when(b, is_first, call, "copy", |_| {
            let number = |number| b.i64().constant(number);
            for (target, stride, site, mode) in ends {
                let is_compared = |target: &Target| {
                    !target.is_in_local_memory()
                        || self
                            .compared
                            .contains(call, mode.contains(AccessMode::WRITES))
                };
                let Some(target) = target.filter(is_compared) else {
                    continue;
                };
                let arguments = [
                    calls::context(b, module),
                    number(site),
                    number(target.object),
                    target.place,
                    address(b, target.pointer),
                    stride,
                    call.operand(4),
                    call.operand(5),
                    number(mode.bits()),
                    self.phases.both(b),
                ];
                calls::writer(b, module, RACE_ROWS, &arguments);
            }
        });
    }

    fn module(&self) -> ModuleRef {
        self.targets.module()
    }
}
