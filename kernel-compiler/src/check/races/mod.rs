//! Data races (`Checks::RACES`). Each access of global and local memory is compared with the words of
//! its granules (`host_exec::races`) and entered there: loads and stores by code of their own
//! (`comparison`), other accesses by the platform. `phases` counts the fences that a work-item has passed,
//! `ordering` finds accesses that atomic operations may order.
//!
//! Accesses are instrumented after other checks, where they run only if they are within their
//! objects.

mod comparison;
mod ordering;
mod phases;
mod words;

use super::access::{Access, accesses, marked};
use super::branches::when;
use super::calls;
use super::provenance::{Provenance, Root, address};
use super::sites::Sites;
use crate::intrinsics::{DMA_TRANSFER, RACE_ACCESS, RACE_COPY, address_space};
use crate::ir::{self, Builder, DataLayout, ModuleRef, Opcode, Value};
use crate::kernel::interface::KernelInterface;
use comparison::Comparison;
use host_exec::memory_checker::UNKNOWN_OBJECT;
use host_exec::races::access::AccessMode;
use host_exec::races::checker::RaceTable;
use host_exec::races::shadows::TrackedMemory;
use llvm_sys::LLVMIntPredicate::LLVMIntEQ;
use ordering::{Ordering, is_atomic};
use phases::Phases;
use words::WordsBuilder;

/// Largest granule, bytes.
const MAX_GRANULE: u64 = 8;

/// Most granules of an access that code compares itself.
const MAX_GRANULES: u64 = 4;

/// Instruments the marked accesses; returns what the numbers in reports mean.
pub fn insert(module: ModuleRef, interface: &KernelInterface) -> RaceTable {
    let kernel = ir::function(module, &interface.name).expect("the module holds the kernel");
    let b = Builder::new(kernel.ty().context());
    let layout = DataLayout::of(module);
    let transfers = kernel.instructions().into_iter();
    let transfers: Vec<Value> = transfers.filter(|i| i.calls(DMA_TRANSFER)).collect();
    let provenance = Provenance {
        kernel,
        interface,
        layout,
    };
    let accessed: Vec<Access> = marked(kernel)
        .into_iter()
        .flat_map(|instruction| accesses(&b, layout, instruction))
        .filter(|access| is_shared(access.pointer))
        .collect();
    let memory = tracked(&provenance, &accessed, &transfers);
    let ordering = Ordering::of(&provenance);
    let phases = Phases::insert(&b, kernel);
    let words = WordsBuilder::new(interface.arguments.len(), &memory);
    let mut pass = RaceChecks {
        b,
        provenance,
        sites: Sites::new(kernel, interface, layout),
        ordering,
        phases,
        words,
    };
    for access in &accessed {
        pass.access(access);
    }
    for transfer in transfers {
        pass.transfer(transfer);
    }
    RaceTable {
        accesses: pass.sites.table,
        memory,
    }
}

/// Whether several work-items may access what a pointer leads to.
fn is_shared(pointer: Value) -> bool {
    matches!(
        pointer.ty().address_space(),
        address_space::GLOBAL | address_space::LOCAL
    )
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
    let mut memory = TrackedMemory {
        global_granule: granule(address_space::GLOBAL),
        local_granule: granule(address_space::LOCAL),
        ..TrackedMemory::default()
    };
    let stores = accessed.iter().filter(|access| access.writes);
    let destinations = transfers.iter().map(|transfer| transfer.operand(0));
    for pointer in stores.map(|access| access.pointer).chain(destinations) {
        for root in provenance.roots(pointer) {
            match root {
                Root::Argument(index, _) if !memory.written.contains(&index) => {
                    memory.written.push(index);
                }
                Root::Unknown(_) => memory.writes_anywhere = true,
                _ => {}
            }
        }
    }
    memory
}

struct RaceChecks<'a> {
    b: Builder,
    provenance: Provenance<'a>,
    sites: Sites<'a>,
    ordering: Ordering,
    phases: Phases,
    words: WordsBuilder,
}

impl RaceChecks<'_> {
    fn access(&mut self, access: &Access) {
        let roots = self.provenance.roots(access.pointer);
        if roots.contains(&Root::Trusted) {
            return;
        }
        let instruction = access.instruction;
        self.b.of_the_line_of(instruction);
        let object = self.object(&roots);
        let site = self.sites.add(instruction, access.writes, access.alignment);
        let mut mode = AccessMode::empty();
        mode.set(AccessMode::WRITES, access.writes);
        let is_plain = instruction.is(Opcode::LLVMLoad) || instruction.is(Opcode::LLVMStore);
        mode.set(AccessMode::ATOMIC, is_atomic(instruction, access.pointer));
        mode.set(AccessMode::ORDERED, self.ordering.may_order(instruction));
        let comparison = match is_plain && !mode.contains(AccessMode::ATOMIC) {
            true => self.comparison(access, &roots, site, object, mode),
            false => None,
        };
        match comparison {
            Some(comparison) if access.writes => comparison.of_store(),
            Some(comparison) => comparison.of_load(),
            None => self.call(access, site, object, mode),
        }
    }

    /// The comparison of an access that code compares itself, with the builder before it.
    fn comparison(
        &self,
        access: &Access,
        roots: &[Root],
        site: u64,
        object: u64,
        mode: AccessMode,
    ) -> Option<Comparison<'_>> {
        let b = &self.b;
        let granule = self.words.granule(access.pointer);
        let bytes = access.bytes.as_integer()?;
        if bytes / granule > MAX_GRANULES {
            return None;
        }
        b.before(access.instruction);
        let words = self.words.of(b, &self.provenance, access.pointer, roots)?;
        let is_local = access.pointer.ty().address_space() == address_space::LOCAL;
        let phase = self.phases.load(b, is_local);
        Some(Comparison {
            b,
            module: self.module(),
            instruction: access.instruction,
            words,
            site,
            object,
            bytes,
            granules: bytes / granule,
            now: words::word(b, self.module(), phase, site),
            is_local,
            reports: !mode.contains(AccessMode::ORDERED),
            zero: self.words.zero(b, self.provenance.kernel),
        })
    }

    /// Leaves an access to the platform.
    fn call(&self, access: &Access, site: u64, object: u64, mode: AccessMode) {
        let b = &self.b;
        b.before(access.instruction);
        let module = self.module();
        let number = |number| b.i64().constant(number);
        let [x, y, z] = calls::local_id(b, module);
        let arguments = [
            calls::context(b, module),
            number(site),
            number(object),
            address(b, access.pointer),
            access.bytes,
            number(mode.bits()),
            self.phases.both(b),
            x,
            y,
            z,
        ];
        calls::writer(b, module, RACE_ACCESS, &arguments);
    }

    /// A transfer is the group's, which its first work-item reports.
    fn transfer(&mut self, call: Value) {
        self.b.of_the_line_of(call);
        let [destination, source] = [0, 2].map(|operand| call.operand(operand));
        let objects = [destination, source].map(|pointer| {
            let roots = self.provenance.roots(pointer);
            self.object(&roots)
        });
        let site = self.sites.add(call, true, 1);
        self.sites.add(call, false, 1);
        let b = &self.b;
        let module = self.module();
        b.before(call);
        let item = words::linear_item(b, module);
        let is_first = b.compare(LLVMIntEQ, item, b.i64().constant(0));
        when(b, is_first, call, "copy", |_| {
            let number = |number| b.i64().constant(number);
            let arguments = [
                calls::context(b, module),
                number(site),
                number(objects[0]),
                address(b, destination),
                call.operand(1),
                number(objects[1]),
                address(b, source),
                call.operand(3),
                call.operand(4),
                call.operand(5),
                self.phases.both(b),
            ];
            calls::writer(b, module, RACE_COPY, &arguments);
        });
    }

    /// The number of the only object that a pointer leads into.
    fn object(&mut self, roots: &[Root]) -> u64 {
        match roots {
            [root] => self.sites.object(*root),
            _ => UNKNOWN_OBJECT,
        }
    }

    fn module(&self) -> ModuleRef {
        self.provenance.kernel.module()
    }
}
