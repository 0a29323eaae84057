//! The cases, by category. `cargo xtask conformance --list` prints them.

pub mod builtin;
mod calls;
pub mod error;
pub mod event;
pub mod fixed_bugs;
pub mod generated;
pub mod image;
pub mod kernel;
mod launch;
pub mod printf;
pub mod programs;
pub mod regression;
pub mod runtime;
mod watch;
pub mod work_group;

use crate::case::Case;

/// All cases, in the order of the report.
pub fn all() -> impl Iterator<Item = &'static Case> {
    [
        kernel::CASES,
        runtime::CASES,
        work_group::CASES,
        regression::CASES,
        fixed_bugs::cases(),
        image::CASES,
        event::CASES,
        printf::CASES,
        builtin::CASES,
        error::CASES,
        programs::ALL,
        generated::CASES,
    ]
    .into_iter()
    .flatten()
}

#[cfg(test)]
mod tests {
    use super::all;
    use crate::case::{Category, Origin};
    use std::collections::HashSet;

    /// The cases of PoCL 1.6 (`tests/` of its repository), by category. Each name in `PAIRS` has
    /// two cases, with the suffixes `_REPL` and `_LOOPS`.
    const KERNEL: &str = "test_as_type test_convert_type_1 test_convert_type_2 test_convert_type_4 \
         test_convert_type_8 test_convert_type_16 test_bitselect test_hadd_loopvec \
         test_hadd_loops test_min_max test_length_distance test_fmin_fmax_fma \
         test_local_struct_array test_convert_sat_regression test_rotate test_fabs \
         test_copy_signbit test_ilogb test_ldexp test_isnan test_short16 test_frexp_modf \
         test_sampler_address_clamp test_image_query_funcs test_shuffle_char \
         test_shuffle_short test_shuffle_ushort test_shuffle_half test_shuffle_int \
         test_shuffle_uint test_shuffle_float test_shuffle_long test_shuffle_ulong \
         test_shuffle_double test_printf test_sizeof_uint";
    const RUNTIME: &str = "clGetDeviceInfo clEnqueueNativeKernel clGetEventInfo clCreateProgramWithBinary \
         clBuildProgram test_kernel_cache_includes clFinish test_event_cycle test_link_error \
         test_read-copy-write-buffer test_fill-buffer test_buffer-image-copy clCreateKernel \
         clGetKernelArgInfo clSetEventCallback clGetSupportedImageFormats \
         clCreateKernelsInProgram clCreateSubDevices test_event_free test_event_double_wait \
         test_enqueue_kernel_from_binary test_user_event clSetMemObjectDestructorCallback";
    const WORK_GROUP: &str = "different_implicit_barrier_injection_scenarios unconditional_barriers \
         unbarriered_for_loops barriered_for_loops switch_case conditional_barrier \
         b_loop_with_none_of_the_WIs_reaching_the_barrier for_with_divergent_return \
         forcing_horizontal_parallelization_to_some_outer_loops \
         loop_with_two_paths_to_the_latch b_loop_with_two_latches \
         workgroup_sizes_work_items_get_wrong_ids issue_548_convergent_propagation \
         range_md_small_grid range_md_large_grid";
    const REGRESSION: &str = "test_issue_231 test_issue_445 test_issue_553 test_issue_577 test_issue_757 \
         test_flatten_barrier_subs alignment_with_dynamic_wg_114 \
         alignment_with_dynamic_wg_117 alignment_with_dynamic_wg_225 \
         alignment_with_dynamic_wg_173 alignment_with_dynamic_wg_183 \
         alignment_with_dynamic_wg_283 alignment_with_dynamic_wg_332 \
         alignment_with_dynamic_wg_323 alignment_with_dynamic_wg2 alignment_with_dynamic_wg3 \
         setting_a_buffer_argument_to_NULL_causes_a_segfault \
         clSetKernelArg_overwriting_the_previous_kernel's_args \
         passing_a_constant_array_as_an_arg \
         case_with_multiple_variable_length_loops_and_a_barrier_in_one \
         autolocals_in_constexprs struct_kernel_arguments vector_kernel_arguments";
    const PAIRS: &str = "phi_nodes_not_replicated issues_with_local_pointers barrier_between_two_for_loops \
         simple_for-loop_with_a_barrier_inside for-loop_with_computation_after_the_brexit \
         for-loop_with_a_variable_iteration_count early_return_before_a_barrier_region \
         id-dependent_computation_before_kernel_exit barrier_just_before_return infinite_loop \
         undominated_variable_from_conditional_barrier_handling \
         assigning_a_loop_iterator_variable_to_a_private_makes_it_local \
         assigning_a_loop_iterator_variable_to_a_private_makes_it_local_2 \
         test_program_from_binary_with_local_1_1_1";

    #[test]
    fn the_125_cases_of_pocl_1_6_are_there_under_their_names() {
        let of = |category, names: &str| -> Vec<(Category, String)> {
            let names = names.split_whitespace();
            names.map(|name| (category, name.to_owned())).collect()
        };
        let pairs = of(Category::Regression, PAIRS);
        let pairs = pairs.iter().flat_map(|(category, name)| {
            ["_REPL", "_LOOPS"].map(|end| (*category, format!("{name}{end}")))
        });
        let mut expected = [
            of(Category::Kernel, KERNEL),
            of(Category::Runtime, RUNTIME),
            of(Category::WorkGroup, WORK_GROUP),
            of(Category::Regression, REGRESSION),
            pairs.collect(),
        ]
        .concat();
        let mut there: Vec<(Category, String)> = all()
            .filter(|case| case.origin == Origin::Pocl16)
            .map(|case| (case.category, case.name.to_owned()))
            .collect();
        expected.sort();
        there.sort();
        assert_eq!(there, expected);
        assert_eq!(there.len(), 125);
    }

    #[test]
    fn each_case_has_a_name_of_its_own_of_one_word() {
        let mut names = HashSet::new();
        for case in all() {
            assert!(names.insert(case.name), "{} is there twice", case.name);
            assert!(!case.name.contains(char::is_whitespace), "{}", case.name);
        }
    }
}
