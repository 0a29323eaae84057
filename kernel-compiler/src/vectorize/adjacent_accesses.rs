//! Loads, and stores, of neighbouring elements by one work-item become one access of an OpenCL vector, as those of
//! `a[3 * i]`, `a[3 * i + 1]` and `a[3 * i + 2]`. Where those of work-items lie side by side, lanes access adjacent memory
//! then, and the elements are shuffled. Elsewhere each lane loads its elements at once, as those of `a[4 * j[i] + k]`.

use super::access::AccessKind;
use super::index_ranges;
use super::instruction_queries::{accessed_type, component_bytes, components, pointer_of};
use super::legality;
use super::loop_body::LoopBody;
use super::plan::VectorPlan;
use super::private_arrays;
use super::rejection::Rejection;
use super::vector_unit::VectorUnit;
use super::work_item_loop::WorkItemLoop;
use crate::analysis::effects::{Effect, effect};
use crate::analysis::linear_address::LinearAddress;
use crate::intrinsics::address_space;
use crate::ir::{Builder, DataLayout, Opcode, Value};

/// Most elements of a vector, beyond which LLVM's shuffles take as long as an access for each lane.
const MAX_ELEMENTS: i64 = 4;

/// Least bytes of an element of lanes that lie side by side. Hosts without AVX-512 shuffle smaller ones one by one.
const MIN_BYTES: i64 = 4;

/// Numbers of elements that a lane loads at once at an address of its own, the best one first.
const GROUPS_OF_A_LANE: &[usize] = &[4, 2];

/// Most elements for which a gather of each costs no more than the extraction of the lanes' addresses.
const MOST_GATHERED: usize = 2;

/// An access that may become an element of a vector.
struct Element {
    access: Value,
    address: LinearAddress,
    lanes: Lanes,
}

/// How the elements of lanes lie.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Lanes {
    /// Side by side, that many elements from one lane's to the next lane's.
    Adjacent(usize),
    /// Anywhere.
    Apart,
}

/// Merges accesses of a loop over work-items.
///
/// # Errors
/// The loop cannot be vectorised.
pub fn merge(
    function: Value,
    work_items: &WorkItemLoop,
    lanes: u32,
    vectors: VectorUnit,
) -> Result<(), Rejection> {
    let layout = DataLayout::of_function(function);
    let body = LoopBody::new(work_items)?;
    let arrays = private_arrays::layouts(work_items, lanes, layout);
    // A merged access is right in all index ranges; whether it pays is decided by the first one's shapes.
    let mut ranges = index_ranges::split(work_items, lanes).into_iter();
    let range = ranges.next().expect("a row has a range");
    let plan = VectorPlan::new(function, &body, range, lanes, vectors, &arrays);
    legality::check(&plan)?;
    let blocks = plan.blocks().iter();
    let groups: Vec<_> = blocks
        .flat_map(|block| groups_of(&plan, &block.instructions()))
        .collect();
    let b = Builder::new(function.ty().context());
    for group in groups {
        merge_group(&b, &group, layout);
    }
    Ok(())
}

/// Accesses of a block that become one each, in the order of the block. Between those of a group
/// there is no access that may read what they write, or write what they access.
fn groups_of(plan: &VectorPlan<'_>, instructions: &[Value]) -> Vec<Vec<Element>> {
    let mut groups = Vec::new();
    let (mut loads, mut stores) = (Vec::new(), Vec::new());
    for instruction in instructions {
        let element = element(plan, *instruction);
        match effect(*instruction) {
            Effect::None => continue,
            Effect::Read => {
                groups.append(&mut groups_among(plan, &mut stores));
                loads.extend(element);
            }
            Effect::Write => {
                groups.append(&mut groups_among(plan, &mut loads));
                let is_next = element.as_ref().is_some_and(|element| {
                    stores.last().is_none_or(|last: &Element| {
                        last.address.bytes_to(&element.address).is_some()
                    })
                });
                if !is_next {
                    groups.append(&mut groups_among(plan, &mut stores));
                }
                stores.extend(element);
            }
            Effect::Fence | Effect::Observable => {
                groups.append(&mut groups_among(plan, &mut loads));
                groups.append(&mut groups_among(plan, &mut stores));
            }
        }
    }
    groups.append(&mut groups_among(plan, &mut loads));
    groups.append(&mut groups_among(plan, &mut stores));
    groups
}

fn element(plan: &VectorPlan<'_>, access: Value) -> Option<Element> {
    if !access.is(Opcode::LLVMLoad) && !access.is(Opcode::LLVMStore) {
        return None;
    }
    let (ty, pointer) = (accessed_type(access), pointer_of(access));
    let is_element = !ty.is_pointer() && components(ty)?.len() == 1 && !ty.is_vector();
    // Elements of private arrays lie elsewhere in vector code.
    let is_private = pointer.ty().address_space() == address_space::PRIVATE;
    if !is_element || is_private {
        return None;
    }
    let bytes = i64::try_from(component_bytes(ty, plan.layout())?).ok()?;
    let is_dense = |step: i64| {
        bytes >= MIN_BYTES && step % bytes == 0 && (2..=MAX_ELEMENTS).contains(&(step / bytes))
    };
    let lanes = match plan.access_kind(access) {
        AccessKind::Strided(step) if is_dense(step) => Lanes::Adjacent((step / bytes) as usize),
        AccessKind::GatherScatter if is_gather(plan, access) => Lanes::Apart,
        _ => return None,
    };
    Some(Element {
        access,
        address: LinearAddress::of(pointer, plan.layout())?,
        lanes,
    })
}

/// Whether a load is a gather in each execution.
fn is_gather(plan: &VectorPlan<'_>, access: Value) -> bool {
    access.is(Opcode::LLVMLoad)
        && plan.lane_pattern(access).is_none()
        && !plan.may_be_consecutive(access)
        && !plan.may_be_uniform(access)
}

/// Takes the groups out of accesses between which nothing else matters.
fn groups_among(plan: &VectorPlan<'_>, accesses: &mut Vec<Element>) -> Vec<Vec<Element>> {
    let mut groups = Vec::new();
    let mut rest: Vec<Element> = std::mem::take(accesses);
    while let Some(first) = rest.first() {
        let ty = accessed_type(first.access);
        let (address, lanes) = (first.address.clone(), first.lanes);
        let bytes_to = |of: &Element| {
            let is_alike = accessed_type(of.access) == ty && of.lanes == lanes;
            is_alike.then(|| address.bytes_to(&of.address))?
        };
        let bytes = component_bytes(ty, plan.layout()).map_or(1, |bytes| bytes as i64);
        let mut offsets: Vec<i64> = rest.iter().filter_map(bytes_to).collect();
        offsets.sort_unstable();
        let is_dense = |window: &[i64]| window.windows(2).all(|pair| pair[0] + bytes == pair[1]);
        let of_length = |count: usize| {
            offsets
                .windows(count)
                .find(|window| window.contains(&0) && is_dense(window))
                .map(<[i64]>::to_vec)
        };
        let found = match lanes {
            Lanes::Adjacent(count) => of_length(count),
            Lanes::Apart => {
                let has_gather = plan.vectors().gathers(1, bytes as u64);
                let counts = GROUPS_OF_A_LANE.iter().copied();
                let mut counts = counts.filter(|count| *count > MOST_GATHERED || !has_gather);
                counts.find_map(of_length)
            }
        };
        let is_in_group = |of: &Element| match &found {
            Some(window) => bytes_to(of).is_some_and(|bytes| window.contains(&bytes)),
            None => of.access == rest[0].access,
        };
        let members: Vec<bool> = rest.iter().map(is_in_group).collect();
        let mut members = members.into_iter();
        let (group, others): (Vec<_>, Vec<_>) =
            rest.into_iter().partition(|_| members.next() == Some(true));
        rest = others;
        // Of two accesses to one place, the order would matter.
        if found.is_some_and(|window| window.len() == group.len()) {
            groups.push(group);
        }
    }
    groups
}

fn merge_group(b: &Builder, group: &[Element], layout: DataLayout) {
    let first = &group[0];
    let ty = accessed_type(first.access);
    let bytes = component_bytes(ty, layout).expect("checked before") as i64;
    let offset = |of: &Element| first.address.bytes_to(&of.address).expect("the same terms");
    let lowest = group
        .iter()
        .min_by_key(|of| offset(of))
        .expect("a group has members");
    let place = |of: &Element| ((offset(of) - offset(lowest)) / bytes) as u64;
    let alignment = lowest.access.alignment();
    let vector = ty.vector(group.len() as u32);
    let is_load = first.access.is(Opcode::LLVMLoad);
    // Loads move to the first one, stores to the last.
    let (at, known) = if is_load {
        (first, first)
    } else {
        (&group[group.len() - 1], lowest)
    };
    b.before(at.access);
    let address = match offset(lowest) - offset(known) {
        0 => pointer_of(known.access),
        bytes => b.offset_each(pointer_of(known.access), b.i64().constant(bytes as u64)),
    };
    if is_load {
        let all = b.load(vector, address, alignment);
        for of in group {
            let value = b.extract_element(all, b.i64().constant(place(of)));
            of.access.replace_all_uses_with(value);
        }
    } else {
        let insert = |all, of: &Element| {
            b.insert_element(all, of.access.operand(0), b.i64().constant(place(of)))
        };
        let all = group.iter().fold(vector.poison(), insert);
        b.store(all, address, alignment);
    }
    for of in group {
        of.access.erase();
    }
}
