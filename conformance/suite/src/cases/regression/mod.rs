//! Kernels that were once miscompiled, mostly by PoCL.

mod alignment;
mod arguments;
mod barriers;
mod flatten_barrier_subs;
mod guarded;
mod infinite_loop;
mod issues;
mod loop_variable;
mod memory;
mod program_from_binary;
mod work_item_functions;

use crate::case::Origin::{Pocl16, PoclLater};
use crate::case::{Case, Category};
use anyhow::Result;
use harness::feature::{DOUBLES, Feature};
use harness::session::Session;

const fn case(name: &'static str, what: &'static str, run: fn(&Session) -> Result<()>) -> Case {
    Case::new(Category::Regression, name, what, run)
}

/// The cases of this category. An entry of `pairs` makes two cases: one with optimisation
/// (`_REPL`) and one without (`_LOOPS`). They correspond to the two methods by which PoCL runs the
/// work-items of a group.
macro_rules! cases {
    (
        pairs { $($name:literal, $what:literal, $run:expr $(, $prints:expr)?;)* }
        single { $($case:expr,)* }
    ) => {
        /// The cases of this category.
        pub const CASES: &[Case] = &[
            $(
                case(concat!($name, "_REPL"), $what, $run)$(.prints($prints))?.from(Pocl16),
                case(
                    concat!($name, "_LOOPS"),
                    concat!($what, ", without optimisation"),
                    $run,
                )
                $(.prints($prints))?
                .options("-cl-opt-disable")
                .from(Pocl16),
            )*
            $($case,)*
        ];
    };
}

cases! {
    pairs {
        "phi_nodes_not_replicated",
        "loop-carried variables are live across the barrier in the loop",
        |session| barriers::LOOP_VARIABLES.run(session);

        "issues_with_local_pointers",
        "one pointer to a local variable or to a local argument",
        |session| barriers::LOCAL_POINTERS.run(session);

        "barrier_between_two_for_loops",
        "a loop reads what all work-items wrote in the loop before",
        |session| barriers::BETWEEN_LOOPS.run(session);

        "simple_for-loop_with_a_barrier_inside",
        "words that rotate among the work-items of a group through local memory",
        |session| barriers::IN_LOOP.run(session);

        "for-loop_with_computation_after_the_brexit",
        "computations after an inner loop with a barrier",
        |session| barriers::AFTER_INNER_LOOP.run(session);

        "for-loop_with_a_variable_iteration_count",
        "an argument and the group's id set the iteration count of a loop with a barrier",
        |session| barriers::VARIABLE_COUNT.run(session);

        "early_return_before_a_barrier_region",
        "whole groups return before a barrier that the others execute",
        |session| barriers::EARLY_RETURN.run(session);

        "id-dependent_computation_before_kernel_exit",
        "work-items leave the kernel on different paths after a barrier",
        |session| barriers::BEFORE_EXIT.run(session);

        "barrier_just_before_return",
        "barriers with nothing between them and the kernel's ends",
        |session| barriers::BEFORE_RETURN.run(session);

        "infinite_loop",
        "the host does other work and ends while a kernel loops for ever",
        infinite_loop::in_function, infinite_loop::ended;

        "undominated_variable_from_conditional_barrier_handling",
        "variables of branches with and without a barrier",
        |session| barriers::UNDER_CONDITION.run(session);

        "assigning_a_loop_iterator_variable_to_a_private_makes_it_local",
        "one of many work-items saves a loop's counter",
        loop_variable::one_of_many;

        "assigning_a_loop_iterator_variable_to_a_private_makes_it_local_2",
        "one of eight work-items saves a loop's counter and prints it",
        loop_variable::one_of_eight, loop_variable::printed;

        "test_program_from_binary_with_local_1_1_1",
        "a program from its binary, asynchronous copies, one work-item per group",
        program_from_binary::run;
    }
    single {
        case(
            "test_issue_231",
            "a scan over intervals with structs in local memory",
            issues::scan_of_intervals,
        )
        .from(Pocl16),
        case(
            "test_issue_445",
            "a private array with initial values is each work-item's own",
            issues::private_array,
        )
        .from(Pocl16),
        case(
            "test_issue_553",
            "two loops and two conditional barriers: each body runs once per round",
            |session| barriers::TWO_CONDITIONAL_BARRIERS.run(session),
        )
        .from(Pocl16),
        case(
            "test_issue_577",
            "an invalid program also fails to build the second time",
            issues::wrong_program_twice,
        )
        .from(Pocl16),
        case(
            "test_issue_757",
            "nothing beyond a guard is read or written",
            issues::guarded_copy,
        )
        .needs(&[DOUBLES])
        .from(Pocl16),
        case(
            "test_flatten_barrier_subs",
            "a scan whose barriers are in called functions",
            flatten_barrier_subs::run,
        )
        .from(Pocl16),
        case("alignment_with_dynamic_wg_114", alignment::WHAT, alignment::sizes::<1, 1, 4>)
            .from(Pocl16),
        case("alignment_with_dynamic_wg_117", alignment::WHAT, alignment::sizes::<1, 1, 7>)
            .from(Pocl16),
        case("alignment_with_dynamic_wg_225", alignment::WHAT, alignment::sizes::<2, 2, 5>)
            .from(Pocl16),
        case("alignment_with_dynamic_wg_173", alignment::WHAT, alignment::sizes::<1, 7, 3>)
            .from(Pocl16),
        case("alignment_with_dynamic_wg_183", alignment::WHAT, alignment::sizes::<1, 8, 3>)
            .from(Pocl16),
        case("alignment_with_dynamic_wg_283", alignment::WHAT, alignment::sizes::<2, 8, 3>)
            .from(Pocl16),
        case("alignment_with_dynamic_wg_332", alignment::WHAT, alignment::sizes::<3, 3, 2>)
            .from(Pocl16),
        case("alignment_with_dynamic_wg_323", alignment::WHAT, alignment::sizes::<3, 2, 3>)
            .from(Pocl16),
        case(
            "alignment_with_dynamic_wg2",
            "private arrays of three dimensions with extents of one, groups along y",
            alignment::extents_of_one,
        )
        .from(Pocl16),
        case(
            "alignment_with_dynamic_wg3",
            "a private array of three dimensions that is set in part, groups along y",
            alignment::set_in_part,
        )
        .from(Pocl16),
        case(
            "setting_a_buffer_argument_to_NULL_causes_a_segfault",
            "NULL in place of a buffer is NULL in the kernel",
            arguments::null_buffer,
        )
        .from(Pocl16),
        case(
            "clSetKernelArg_overwriting_the_previous_kernel's_args",
            "a command has the arguments of when it was enqueued",
            arguments::overwritten,
        )
        .from(Pocl16),
        case(
            "passing_a_constant_array_as_an_arg",
            "constant arrays are passed to a function that is not inlined",
            arguments::constant_array,
        )
        .from(Pocl16),
        case(
            "case_with_multiple_variable_length_loops_and_a_barrier_in_one",
            "three loops of different lengths, a barrier in one of them",
            |session| barriers::LOOPS_OF_ALL_LENGTHS.run(session),
        )
        .from(Pocl16),
        case(
            "autolocals_in_constexprs",
            "addresses of local variables in constant expressions",
            memory::local_addresses,
        )
        .from(Pocl16),
        case(
            "struct_kernel_arguments",
            "structs by value, with padding, arrays and structs in them",
            arguments::structs,
        )
        .from(Pocl16),
        case(
            "vector_kernel_arguments",
            "vectors of all integer types and widths by value",
            arguments::vectors,
        )
        .from(Pocl16),
        case(
            "test_issue_893",
            "a variable that some work-items never set, across barriers in a loop",
            |session| barriers::UNSET_VARIABLE.run(session),
        )
        .from(PoclLater),
        case(
            "test_global_atomics",
            "no update by an atomic function is lost",
            memory::global_atomics,
        )
        .from(PoclLater),
        case(
            "test_issue_1435",
            "a union of array and vector across barriers under conditions",
            |session| barriers::ARRAY_AND_VECTOR.run(session),
        )
        .from(PoclLater),
        case(
            "test_issue_1525",
            "sixteen longs per work-item across a barrier in the largest groups",
            issues::sixteen_longs,
        )
        .from(PoclLater),
        case(
            "test_issue_1608",
            "products of ids as indices, functions with variables that stay unset",
            |session| barriers::PRODUCTS_OF_IDS.run(session),
        )
        .from(PoclLater),
        case(
            "test_issue_1826",
            "recursion fails to build, and the next program builds",
            issues::recursion,
        )
        .from(PoclLater),
        case(
            "test_llvm_segfault_issue_889",
            "dot products with strides, built with debug information",
            issues::dot_product,
        )
        .from(PoclLater),
        case(
            "test_mem_host_ptr_issue",
            "a buffer on two devices is released before its sub-buffer",
            memory::released_before_part,
        )
        .needs(&[Feature::Devices(2)])
        .from(PoclLater),
        case(
            "test_issue_2005",
            "buffers up to the largest size, their ends written through sub-buffers",
            memory::large_buffers,
        )
        .from(PoclLater),
        case(
            "test_issue_2174",
            "vectors are aligned in kernels as on the host",
            alignment::of_vectors,
        )
        .from(PoclLater),
        case(
            "test_workitem_func_outside_kernel",
            "functions outside kernels query ids and print",
            work_item_functions::run,
        )
        .prints(work_item_functions::printed)
        .from(PoclLater),
        case(
            "test_divergent_implicit_barrier_entry",
            "a condition and a return between barriers that no work-item takes",
            |session| barriers::RETURN_NEVER_EXECUTED.run(session),
        )
        .from(PoclLater),
        case(
            "test_localmem_load_across_barrier",
            "a value loaded before a barrier is not loaded again after it",
            |session| barriers::LOADED_BEFORE_BARRIER.run(session),
        )
        .from(PoclLater),
        case(
            "infinite_loop_with_barrier",
            "a kernel loops for ever after a barrier",
            infinite_loop::after_barrier,
        )
        .prints(infinite_loop::ended)
        .from(PoclLater),
    }
}

#[cfg(test)]
mod tests {
    use super::CASES;
    use crate::case::Origin;

    #[test]
    fn all_of_pocls_cases_are_here() {
        let from = |origin| CASES.iter().filter(|case| case.origin == origin).count();
        assert_eq!(from(Origin::Pocl16), 51);
        assert_eq!(from(Origin::PoclLater), 14);
    }
}
