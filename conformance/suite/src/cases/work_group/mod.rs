//! Barriers, loops, and sizes of work-groups.

mod at_once;
mod barriers;
mod ids;
mod loops;
mod sizes;

use crate::case::Origin::{Pocl16, PoclLater};
use crate::case::{Case, Category};
use anyhow::Result;
use harness::session::Session;

const fn case(name: &'static str, what: &'static str, run: fn(&Session) -> Result<()>) -> Case {
    Case::new(Category::WorkGroup, name, what, run)
}

/// The cases of this category.
pub const CASES: &[Case] = &[
    case(
        "different_implicit_barrier_injection_scenarios",
        "loops with and without barriers side by side",
        |session| loops::SIDE_BY_SIDE.run(session),
    )
    .from(Pocl16),
    case(
        "unconditional_barriers",
        "what was written before a barrier is seen after it, by all",
        |session| barriers::UNCONDITIONAL.run(session),
    )
    .from(Pocl16),
    case(
        "unbarriered_for_loops",
        "loops of all sorts without barriers",
        |session| loops::WITHOUT_BARRIERS.run(session),
    )
    .from(Pocl16),
    case(
        "barriered_for_loops",
        "barriers anywhere in loops one within the other",
        |session| loops::WITH_BARRIERS.run(session),
    )
    .from(Pocl16),
    case(
        "switch_case",
        "barriers in some cases of a switch, returns in those of another",
        |session| barriers::SWITCH.run(session),
    )
    .from(Pocl16),
    case(
        "conditional_barrier",
        "barriers under conditions that hold for whole groups",
        |session| barriers::CONDITIONAL.run(session),
    )
    .from(Pocl16),
    case(
        "b_loop_with_none_of_the_WIs_reaching_the_barrier",
        "all work-items break out of a loop before its barrier",
        |session| loops::BARRIER_NOT_REACHED.run(session),
    )
    .from(Pocl16),
    case(
        "for_with_divergent_return",
        "work-items return out of loops, each in a round of its own",
        |session| loops::DIVERGENT_RETURN.run(session),
    )
    .from(Pocl16),
    case(
        "forcing_horizontal_parallelization_to_some_outer_loops",
        "outer loops of the same length for all around inner ones that differ",
        |session| loops::OUTER_LOOPS.run(session),
    )
    .from(Pocl16),
    case(
        "loop_with_two_paths_to_the_latch",
        "a loop with a barrier whose end is reached with and without a store",
        |session| loops::TWO_PATHS.run(session),
    )
    .from(Pocl16),
    case(
        "b_loop_with_two_latches",
        "a loop with a barrier that some work-items continue early",
        |session| loops::TWO_LATCHES.run(session),
    )
    .from(Pocl16),
    case(
        "workgroup_sizes_work_items_get_wrong_ids",
        "ids in groups of one, two or four work-items along each axis",
        ids::small_groups,
    )
    .from(Pocl16),
    case(
        "issue_548_convergent_propagation",
        "barriers in functions that are called under conditions",
        |session| barriers::IN_FUNCTIONS.run(session),
    )
    .from(Pocl16),
    case(
        "range_md_small_grid",
        "ids in a group of 13 work-items",
        ids::small_grid,
    )
    .from(Pocl16),
    case(
        "range_md_large_grid",
        "ids in a thousand groups of 128 work-items",
        ids::large_grid,
    )
    .from(Pocl16),
    case(
        "cond_barriers_in_for",
        "barriers in a loop under conditions that hold for whole groups",
        |session| loops::CONDITIONS_IN_LOOP.run(session),
    )
    .from(PoclLater),
    case(
        "cond_barrier_in_var_for",
        "a barrier in those rounds of a loop that all work-items get to",
        |session| loops::ROUNDS_OF_ALL.run(session),
    )
    .from(PoclLater),
    case(
        "conditional_barrier_dynamic",
        "a barrier under a condition on the local id that holds for all or none",
        |session| barriers::CONDITION_ON_ID.run(session),
    )
    .from(PoclLater),
    case(
        "issue_1747_wg_divergent_barrier",
        "a barrier under a condition on global ids that holds for whole groups",
        |session| barriers::CONDITION_ON_GROUP.run(session),
    )
    .from(PoclLater),
    case(
        "global_offsets",
        "ids with global offsets in one to three dimensions",
        ids::offsets,
    ),
    case(
        "global_offsets_beyond_32_bits",
        "ids that 32 bits do not hold",
        ids::far_offsets,
    ),
    case(
        "ids_in_uneven_grids",
        "ids where sizes are odd, prime and unlike each other",
        ids::uneven_grids,
    ),
    case(
        "ids_with_a_chosen_local_size",
        "ids where the platform chooses the local size",
        ids::chosen_sizes,
    ),
    case(
        "ids_of_computed_dimensions",
        "ids along dimensions that are read from a buffer",
        ids::computed_axes,
    ),
    case(
        "ids_beyond_the_third_dimension",
        "ids are 0 and sizes 1 in dimensions there are not",
        ids::axes_beyond,
    ),
    case(
        "largest_work_groups",
        "barriers and local memory in the largest groups along each axis and all",
        sizes::largest,
    ),
    case(
        "uneven_work_groups",
        "barriers and local memory in groups of odd and prime sizes",
        sizes::uneven,
    ),
    case(
        "all_small_work_groups",
        "barriers and local memory in groups of 1 to 33 work-items",
        sizes::all_small,
    ),
    case(
        "local_memory_of_groups_at_once",
        "no group sees the local memory of another that runs at the same time",
        at_once::local_memory,
    ),
    case(
        "atomics_of_groups_at_once",
        "work-items of groups that run at the same time draw each ticket once",
        at_once::atomics,
    ),
    case(
        "wrong_work_group_sizes",
        "local sizes that do not fit are refused",
        sizes::refused,
    ),
    case(
        "required_work_group_size_left_out",
        "launches without local size have the size that the kernel requires",
        sizes::required_left_out,
    ),
];

#[cfg(test)]
mod tests {
    use super::CASES;
    use crate::case::Origin;

    #[test]
    fn all_of_pocls_cases_are_here() {
        let from = |origin| CASES.iter().filter(|case| case.origin == origin).count();
        assert_eq!(from(Origin::Pocl16), 15);
        assert_eq!(from(Origin::PoclLater), 4);
    }
}
