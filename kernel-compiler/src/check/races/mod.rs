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
use crate::intrinsics::{DMA_TRANSFER, RACE_ACCESS, RACE_ROWS, address_space};
use crate::ir::{self, Builder, DataLayout, ModuleRef, Opcode, Value};
use crate::kernel::interface::KernelInterface;
use comparison::Comparison;
use host_exec::memory_checker::UNKNOWN_OBJECT;
use host_exec::races::access::AccessMode;
use host_exec::races::checker::RaceTable;
use host_exec::races::shadows::TrackedMemory;
use llvm_sys::LLVMIntPredicate::LLVMIntEQ;
use ordering::{OrderedAccesses, is_atomic};
use phases::Phases;
use words::{Target, WordsBuilder};

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
    let ordered = OrderedAccesses::of(&provenance);
    let phases = Phases::insert(&b, kernel);
    let words = WordsBuilder {
        kernel,
        arguments: interface.arguments.len(),
        memory: &memory,
    };
    let mut pass = RaceChecks {
        b,
        provenance,
        sites: Sites::new(kernel, interface, layout),
        ordered,
        phases,
        words,
    };
    for access in &accessed {
        pass.access(access);
    }
    for transfer in transfers {
        pass.transfer(transfer);
    }
    let accesses = pass.sites.table;
    RaceTable { accesses, memory }
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
    ordered: OrderedAccesses,
    phases: Phases,
    words: WordsBuilder<'a>,
}

impl RaceChecks<'_> {
    fn access(&mut self, access: &Access) {
        let instruction = access.instruction;
        self.b.of_the_line_of(instruction);
        self.b.before(instruction);
        let Some(target) = self.target(access.pointer) else {
            return;
        };
        let site = self.sites.add(instruction, access.writes, access.alignment);
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
        let b = &self.b;
        let bytes = access.bytes.as_integer()?;
        let granules = bytes / self.words.granule(target);
        if granules > MAX_GRANULES {
            return None;
        }
        let words = self.words.of(b, target)?;
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

    /// Leaves an access to the platform.
    fn call(&self, access: &Access, target: Target, site: u64, mode: AccessMode) {
        let b = &self.b;
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
            x,
            y,
            z,
        ];
        calls::writer(b, module, RACE_ACCESS, &arguments);
    }

    /// A transfer is the group's: its first work-item reports both ends.
    fn transfer(&mut self, call: Value) {
        self.b.of_the_line_of(call);
        self.b.before(call);
        let item = words::linear_item(&self.b, self.module());
        let is_first = self.b.compare(LLVMIntEQ, item, self.b.i64().constant(0));
        let ends = [(0, AccessMode::WRITES), (2, AccessMode::empty())];
        let ends = ends.map(|(operand, mode)| {
            let target = self.target(call.operand(operand));
            let site = self.sites.add(call, mode.contains(AccessMode::WRITES), 1);
            (target, call.operand(operand + 1), site, mode)
        });
        let b = &self.b;
        let module = self.module();
        when(b, is_first, call, "copy", |_| {
            let number = |number| b.i64().constant(number);
            for (target, stride, site, mode) in ends {
                let Some(target) = target else {
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

    /// What a pointer leads to, at the builder's position; none for memory of the implementation.
    fn target(&mut self, pointer: Value) -> Option<Target> {
        let b = &self.b;
        let roots = self.provenance.roots(pointer);
        if roots.contains(&Root::Trusted) {
            return None;
        }
        let root = match roots[..] {
            [root] if root.pointer().is_some() => Some(root),
            _ => None,
        };
        Some(Target {
            pointer,
            root,
            object: root.map_or(UNKNOWN_OBJECT, |root| self.sites.object(root)),
            place: match root.and_then(Root::pointer) {
                Some(start) => self.provenance.offset(b, pointer, start),
                None => address(b, pointer),
            },
        })
    }

    fn module(&self) -> ModuleRef {
        self.provenance.kernel.module()
    }
}
