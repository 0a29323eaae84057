//! Accesses that are part of no race whatever the work-items do, and arguments that need no words.
//!
//! Work-items of a group are between the same two barriers at any time: accesses of local memory can
//! conflict only if both can be reached from one barrier without passing another one. If all of these
//! that are of one object are reads, or all are atomic, they need no comparison.

use super::ordering::is_atomic;
use super::own_bytes;
use super::phases::fences;
use crate::check::access::Access;
use crate::check::provenance::{Provenance, Root};
use crate::intrinsics::{DMA_TRANSFER, address_space};
use crate::ir::{Block, Value};
use host_exec::races::shadows::RaceFree;
use std::collections::{HashMap, HashSet};

/// An access of an object of local memory.
#[derive(Clone, Copy)]
struct LocalAccess {
    /// Its only object; none if there may be several.
    object: Option<Root>,
    writes: bool,
    is_atomic: bool,
}

/// What there is among accesses that may be of the same object.
#[derive(Clone, Copy, Default)]
struct Kinds {
    write: bool,
    not_atomic: bool,
}

impl Kinds {
    fn add(&mut self, access: &LocalAccess) {
        self.write |= access.writes;
        self.not_atomic |= !access.is_atomic;
    }

    fn and(self, other: Self) -> Self {
        Self {
            write: self.write || other.write,
            not_atomic: self.not_atomic || other.not_atomic,
        }
    }

    fn may_conflict(self) -> bool {
        self.write && self.not_atomic
    }
}

/// The accesses of local memory of a kernel that have to be compared with others.
pub struct ComparedAccesses(HashSet<(Value, bool)>);

impl ComparedAccesses {
    /// Of these accesses and transfers.
    pub fn compute(provenance: &Provenance<'_>, accessed: &[Access], transfers: &[Value]) -> Self {
        let mut accesses: HashMap<Value, Vec<LocalAccess>> = HashMap::new();
        let mut add = |instruction: Value, pointer: Value, writes: bool| {
            let roots = provenance.roots(pointer);
            let object = match roots[..] {
                [root] if root.pointer().is_some() => Some(root),
                _ => None,
            };
            let is_transfer = instruction.calls(DMA_TRANSFER);
            let of_instruction = accesses.entry(instruction).or_default();
            of_instruction.push(LocalAccess {
                object,
                writes,
                is_atomic: !is_transfer && is_atomic(instruction, pointer),
            });
        };
        for access in accessed.iter().filter(|access| is_local(access.pointer)) {
            add(access.instruction, access.pointer, access.writes);
        }
        for transfer in transfers {
            add(*transfer, transfer.operand(0), true);
            add(*transfer, transfer.operand(2), false);
        }
        let mut compared = HashSet::new();
        for start in interval_starts(provenance.kernel) {
            let of_interval: Vec<(Value, LocalAccess)> = interval(start)
                .into_iter()
                .filter_map(|instruction| Some((instruction, accesses.get(&instruction)?)))
                .flat_map(|(instruction, all)| all.iter().map(move |one| (instruction, *one)))
                .collect();
            let mut of_objects: HashMap<Option<Root>, Kinds> = HashMap::new();
            let mut of_all = Kinds::default();
            for (_, access) in &of_interval {
                of_objects.entry(access.object).or_default().add(access);
                of_all.add(access);
            }
            let of_any = of_objects.get(&None).copied().unwrap_or_default();
            for (instruction, access) in &of_interval {
                let of_same = match access.object {
                    Some(_) => of_objects[&access.object].and(of_any),
                    None => of_all,
                };
                if of_same.may_conflict() {
                    compared.insert((*instruction, access.writes));
                }
            }
        }
        Self(compared)
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Whether an access that an instruction makes is one of them.
    pub fn contains(&self, instruction: Value, writes: bool) -> bool {
        self.0.contains(&(instruction, writes))
    }
}

fn is_local(pointer: Value) -> bool {
    pointer.ty().address_space() == address_space::LOCAL
}

/// The first instruction of a kernel, and those after fences of local memory.
fn interval_starts(kernel: Value) -> Vec<Value> {
    let instructions = kernel.instructions();
    let first = instructions.first().copied();
    let behind = instructions
        .iter()
        .filter(|instruction| fences(**instruction).is_some_and(|[local, _]| local))
        .filter_map(|barrier| barrier.next_instruction());
    first.into_iter().chain(behind).collect()
}

/// The instructions that can be reached from one without passing a fence of local memory.
fn interval(start: Value) -> Vec<Value> {
    let mut reached = Vec::new();
    let mut seen: HashSet<Block> = HashSet::new();
    let mut pending = vec![start];
    while let Some(first) = pending.pop() {
        let mut next = Some(first);
        while let Some(instruction) = next {
            if fences(instruction).is_some_and(|[local, _]| local) {
                break;
            }
            reached.push(instruction);
            if instruction.is_terminator() {
                let successors = instruction.successors().into_iter();
                let new = successors.filter(|block| seen.insert(*block));
                pending.extend(new.filter_map(Block::first_instruction));
            }
            next = instruction.next_instruction();
        }
    }
    reached
}

/// Arguments whose accesses are no races among themselves, with the reason.
pub fn race_free(
    provenance: &Provenance<'_>,
    accessed: &[Access],
    transfers: &[Value],
) -> Vec<(usize, RaceFree)> {
    let mut of_arguments: HashMap<Root, Vec<&Access>> = HashMap::new();
    let mut shared: HashSet<Root> = HashSet::new();
    for access in accessed.iter().filter(|access| !is_local(access.pointer)) {
        let roots = provenance.roots(access.pointer);
        if roots.iter().any(|root| matches!(root, Root::Unknown(_))) {
            return Vec::new();
        }
        match roots[..] {
            [root] => of_arguments.entry(root).or_default().push(access),
            _ => shared.extend(roots),
        }
    }
    for transfer in transfers {
        for operand in [0, 2] {
            shared.extend(provenance.roots(transfer.operand(operand)));
        }
    }
    let mut race_free: Vec<(usize, RaceFree)> = of_arguments
        .into_iter()
        .filter(|(root, _)| !shared.contains(root))
        .filter_map(|(root, accesses)| match root {
            Root::Argument(index, start) => Some((index, reason(provenance, &accesses, start)?)),
            _ => None,
        })
        .collect();
    race_free.sort_by_key(|(index, _)| *index);
    race_free
}

fn reason(provenance: &Provenance<'_>, accesses: &[&Access], start: Value) -> Option<RaceFree> {
    let mut accesses_are_atomic = accesses
        .iter()
        .map(|access| is_atomic(access.instruction, access.pointer));
    if accesses_are_atomic.all(|is_atomic| is_atomic) {
        return Some(RaceFree::Atomic);
    }
    own_bytes::own_bytes(provenance, accesses, start).map(RaceFree::Own)
}
