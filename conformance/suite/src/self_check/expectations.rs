//! The cases that must notice each defect.

use crate::case::{Case, Category};
use fault_injection::Defect;

/// The expected results of a run with a defect.
pub struct Expectation {
    /// The defect.
    pub defect: Defect,
    /// Cases that check the broken feature, all of which fail.
    pub noticed_by: &'static [&'static str],
    /// Minimum number of failures among all cases.
    pub at_least: usize,
    /// Categories whose cases pass, except those of `noticed_by`.
    pub leaves: &'static [Category],
    /// Further cases that pass, as lists of names.
    pub leaves_cases: &'static [&'static [&'static str]],
}

impl Expectation {
    /// Whether a case is listed as not affected by the defect.
    pub fn leaves(&self, case: &Case) -> bool {
        self.leaves.contains(&case.category) || self.leaves_cases.concat().contains(&case.name)
    }
}

use Category::{Program, Regression, Runtime, WorkGroup};

/// Cases of ids and of arguments, whose work-items are independent.
const IDS_AND_ARGUMENTS: &[&str] = &[
    "workgroup_sizes_work_items_get_wrong_ids",
    "range_md_small_grid",
    "range_md_large_grid",
    "global_offsets",
    "global_offsets_beyond_32_bits",
    "ids_in_uneven_grids",
    "ids_with_a_chosen_local_size",
    "ids_of_computed_dimensions",
    "ids_beyond_the_third_dimension",
    "infinite_loop_REPL",
    "infinite_loop_LOOPS",
    "setting_a_buffer_argument_to_NULL_causes_a_segfault",
    "clSetKernelArg_overwriting_the_previous_kernel's_args",
    "passing_a_constant_array_as_an_arg",
    "test_issue_577",
    "test_issue_1826",
    "test_issue_2174",
    "test_workitem_func_outside_kernel",
];

/// Other cases with independent work-items and without barriers.
const WITHOUT_COOPERATION: &[&str] = &[
    "wrong_work_group_sizes",
    "struct_kernel_arguments",
    "vector_kernel_arguments",
    "test_global_atomics",
    "black_scholes",
    "sha256",
    "md5_search",
    "monte_carlo",
    "huffman_decode",
    "mandelbrot",
    "ray_tracer",
];

/// Cases of the host API that few defects affect.
const HOST_SIDE: &[&str] = &[
    "clGetDeviceInfo",
    "clGetKernelArgInfo",
    "test_read-copy-write-buffer",
    "test_fill-buffer",
    "clGetSupportedImageFormats",
    "test_image_normalized_conv",
    "wrong_work_group_sizes",
    "test_issue_577",
    "test_issue_1826",
];

/// The expectations, in the order of the defects. A case of an otherwise unaffected category is in
/// `noticed_by`.
pub const EXPECTATIONS: &[Expectation] = &[
    Expectation {
        defect: Defect::DroppedBarriers,
        noticed_by: &[
            "unconditional_barriers",
            "conditional_barrier",
            "cond_barriers_in_for",
            "barriered_for_loops",
            "b_loop_with_two_latches",
            "loop_with_two_paths_to_the_latch",
            "issue_548_convergent_propagation",
            "largest_work_groups",
            "barrier_between_two_for_loops_REPL",
            "barrier_between_two_for_loops_LOOPS",
            "simple_for-loop_with_a_barrier_inside_REPL",
            "simple_for-loop_with_a_barrier_inside_LOOPS",
            "test_flatten_barrier_subs",
            "test_enqueue_kernel_from_binary",
            "bitonic_sort",
            "reduction",
            "fft",
            "matrix_product",
        ],
        at_least: 60,
        leaves: &[Runtime],
        leaves_cases: &[
            IDS_AND_ARGUMENTS,
            WITHOUT_COOPERATION,
            &["unbarriered_for_loops", "game_of_life"],
        ],
    },
    Expectation {
        defect: Defect::SwappedDimensions,
        noticed_by: &[
            "global_offsets",
            "ids_in_uneven_grids",
            "ids_of_computed_dimensions",
            "range_md_small_grid",
            "workgroup_sizes_work_items_get_wrong_ids",
            "unconditional_barriers",
            "test_enqueue_kernel_from_binary",
            "alignment_with_dynamic_wg2",
            "transpose",
            "matrix_product",
            "gaussian_blur",
            "mandelbrot",
        ],
        at_least: 55,
        leaves: &[Runtime],
        leaves_cases: &[&[
            "all_small_work_groups",
            "wrong_work_group_sizes",
            "infinite_loop_REPL",
            "infinite_loop_LOOPS",
            "setting_a_buffer_argument_to_NULL_causes_a_segfault",
            "clSetKernelArg_overwriting_the_previous_kernel's_args",
            "passing_a_constant_array_as_an_arg",
            "test_issue_577",
            "test_issue_1826",
            "test_issue_2174",
            "test_workitem_func_outside_kernel",
            "test_issue_231",
            "test_issue_757",
            "test_flatten_barrier_subs",
            "test_global_atomics",
            "struct_kernel_arguments",
            "black_scholes",
            "sha256",
            "md5_search",
            "monte_carlo",
            "huffman_decode",
            "bitonic_sort",
            "reduction",
            "fft",
            "aes",
        ]],
    },
    Expectation {
        defect: Defect::LostPrivateVariables,
        noticed_by: &[
            "unconditional_barriers",
            "barriered_for_loops",
            "cond_barriers_in_for",
            "b_loop_with_two_latches",
            "uneven_work_groups",
            "phi_nodes_not_replicated_REPL",
            "phi_nodes_not_replicated_LOOPS",
            "for-loop_with_computation_after_the_brexit_REPL",
            "for-loop_with_computation_after_the_brexit_LOOPS",
            "undominated_variable_from_conditional_barrier_handling_REPL",
            "test_issue_893",
            "test_issue_1435",
            "test_issue_1525",
            "alignment_with_dynamic_wg_114",
            "nbody",
            "matrix_product",
            "fft",
        ],
        at_least: 60,
        leaves: &[Runtime],
        leaves_cases: &[IDS_AND_ARGUMENTS, WITHOUT_COOPERATION, &["game_of_life"]],
    },
    Expectation {
        defect: Defect::RepeatedLoads,
        noticed_by: &["test_localmem_load_across_barrier"],
        at_least: 1,
        leaves: &[Runtime],
        leaves_cases: &[IDS_AND_ARGUMENTS, WITHOUT_COOPERATION, &["game_of_life"]],
    },
    Expectation {
        defect: Defect::WorkItemsLeftOut,
        noticed_by: &[
            "ids_in_uneven_grids",
            "range_md_small_grid",
            "uneven_work_groups",
            "all_small_work_groups",
            "unconditional_barriers",
            "unbarriered_for_loops",
            "phi_nodes_not_replicated_REPL",
            "phi_nodes_not_replicated_LOOPS",
            "alignment_with_dynamic_wg_117",
            "clCreateProgramWithBinary",
            "test_enqueue_kernel_from_binary",
            "tridiagonal",
            "image_resize",
        ],
        at_least: 70,
        leaves: &[],
        leaves_cases: &[&[
            "range_md_large_grid",
            "wrong_work_group_sizes",
            "clGetDeviceInfo",
            "clGetKernelArgInfo",
            "clFinish",
            "test_link_error",
            "test_fill-buffer",
            "test_kernel_cache_includes",
            "infinite_loop_REPL",
            "test_issue_577",
            "test_issue_1826",
            "test_issue_2174",
            "passing_a_constant_array_as_an_arg",
            "fft",
            "bitonic_sort",
            "sha256",
            "aes",
            "matrix_product",
        ]],
    },
    Expectation {
        defect: Defect::GroupsLeftOut,
        noticed_by: &[
            "range_md_large_grid",
            "ids_in_uneven_grids",
            "uneven_work_groups",
            "test_global_atomics",
            "test_flatten_barrier_subs",
            "test_program_from_binary_with_local_1_1_1_REPL",
            "test_program_from_binary_with_local_1_1_1_LOOPS",
            "clCreateSubDevices",
            "histogram",
            "reduction",
            "scan",
            "transpose",
        ],
        at_least: 30,
        leaves: &[],
        leaves_cases: &[&[
            "unconditional_barriers",
            "conditional_barrier",
            "range_md_small_grid",
            "all_small_work_groups",
            "wrong_work_group_sizes",
            "clGetDeviceInfo",
            "clGetKernelArgInfo",
            "clFinish",
            "test_event_cycle",
            "test_link_error",
            "test_fill-buffer",
            "test_kernel_cache_includes",
            "phi_nodes_not_replicated_REPL",
            "test_issue_577",
            "test_issue_1826",
            "test_issue_2174",
            "struct_kernel_arguments",
            "fft",
            "matrix_product",
            "sha256",
            "n_queens",
        ]],
    },
    Expectation {
        defect: Defect::SharedLocalMemory,
        noticed_by: &["local_memory_of_groups_at_once"],
        at_least: 3,
        leaves: &[Runtime],
        leaves_cases: &[
            IDS_AND_ARGUMENTS,
            WITHOUT_COOPERATION,
            &["unbarriered_for_loops"],
        ],
    },
    Expectation {
        defect: Defect::OverlappingLocalArguments,
        noticed_by: &[
            "issues_with_local_pointers_REPL",
            "issues_with_local_pointers_LOOPS",
            "test_flatten_barrier_subs",
            "test_program_from_binary_with_local_1_1_1_REPL",
            "largest_work_groups",
            "bitonic_sort",
            "tridiagonal",
        ],
        at_least: 10,
        leaves: &[Runtime],
        leaves_cases: &[
            IDS_AND_ARGUMENTS,
            &[
                "unconditional_barriers",
                "barriered_for_loops",
                "switch_case",
                "test_issue_231",
                "phi_nodes_not_replicated_REPL",
                "transpose",
                "matrix_product",
                "fft",
                "histogram",
            ],
        ],
    },
    Expectation {
        defect: Defect::ShortGroupCopies,
        noticed_by: &[
            "test_program_from_binary_with_local_1_1_1_REPL",
            "test_program_from_binary_with_local_1_1_1_LOOPS",
            "double_buffer",
        ],
        at_least: 3,
        leaves: &[Runtime, WorkGroup, Regression, Program],
        leaves_cases: &[],
    },
    Expectation {
        defect: Defect::NarrowIds,
        noticed_by: &["global_offsets_beyond_32_bits"],
        at_least: 1,
        leaves: &[Runtime, WorkGroup, Regression, Program],
        leaves_cases: &[],
    },
    Expectation {
        defect: Defect::NoSaturation,
        noticed_by: &["sobel"],
        at_least: 1,
        leaves: &[Runtime, WorkGroup, Regression],
        leaves_cases: &[&["fft", "aes", "mandelbrot", "matrix_product"]],
    },
    Expectation {
        defect: Defect::NoRoundingModes,
        noticed_by: &["dct", "tone_mapping"],
        at_least: 2,
        leaves: &[Runtime, WorkGroup, Regression],
        leaves_cases: &[&["fft", "aes", "mandelbrot", "matrix_product"]],
    },
    Expectation {
        defect: Defect::LostPrintfArgument,
        noticed_by: &["printf"],
        at_least: 1,
        leaves: &[Runtime, WorkGroup],
        leaves_cases: &[&["fft", "aes", "mandelbrot", "matrix_product"]],
    },
    Expectation {
        defect: Defect::NoImageBorder,
        noticed_by: &["volume_projection"],
        at_least: 1,
        leaves: &[Runtime, WorkGroup, Regression],
        leaves_cases: &[&["image_layers", "image_resize", "gaussian_blur", "fft"]],
    },
    Expectation {
        defect: Defect::StaleHeaders,
        noticed_by: &["test_kernel_cache_includes"],
        at_least: 1,
        leaves: &[Runtime, WorkGroup, Regression, Program],
        leaves_cases: &[],
    },
    Expectation {
        defect: Defect::IgnoredGlobalOffsets,
        noticed_by: &[
            "global_offsets",
            "global_offsets_beyond_32_bits",
            "refused_global_offset",
            "game_of_life",
        ],
        at_least: 4,
        leaves: &[Runtime, Regression, Program],
        leaves_cases: &[&[
            "unconditional_barriers",
            "wrong_work_group_sizes",
            "range_md_small_grid",
        ]],
    },
    Expectation {
        defect: Defect::LateArguments,
        noticed_by: &[
            "clSetKernelArg_overwriting_the_previous_kernel's_args",
            "test_event_cycle",
        ],
        at_least: 2,
        leaves: &[],
        leaves_cases: &[HOST_SIDE],
    },
    Expectation {
        defect: Defect::StaleReads,
        noticed_by: &[
            "clFinish",
            "test_event_cycle",
            "clGetEventInfo",
            "clCreateKernel",
            "test_subbuffers",
            "unconditional_barriers",
            "global_offsets",
            "struct_kernel_arguments",
            "aes",
            "bfs",
            "sha256",
            "mandelbrot",
            "transpose",
        ],
        at_least: 100,
        leaves: &[],
        leaves_cases: &[
            HOST_SIDE,
            &["clSetMemObjectDestructorCallback", "test_buffer-image-copy"],
        ],
    },
    Expectation {
        defect: Defect::LostMigrations,
        noticed_by: &[
            "test_buffer_migration",
            "test_buffer_ping_pong",
            "lattice_gas",
        ],
        at_least: 3,
        leaves: &[Runtime, WorkGroup, Regression, Program],
        leaves_cases: &[],
    },
    Expectation {
        defect: Defect::MisplacedSubBuffers,
        noticed_by: &["test_subbuffers", "test_issue_2005", "cholesky"],
        at_least: 3,
        leaves: &[Runtime, WorkGroup, Program],
        leaves_cases: &[&["test_issue_231", "struct_kernel_arguments"]],
    },
    Expectation {
        defect: Defect::IgnoredSlicePitches,
        noticed_by: &["test_read-copy-write-buffer"],
        at_least: 1,
        leaves: &[Runtime, WorkGroup, Regression, Program],
        leaves_cases: &[],
    },
    Expectation {
        defect: Defect::IgnoredWaitLists,
        noticed_by: &[
            "test_user_event",
            "test_event_free",
            "test_event_failed_dependency",
        ],
        at_least: 4,
        leaves: &[WorkGroup, Regression],
        leaves_cases: &[HOST_SIDE],
    },
    Expectation {
        defect: Defect::IgnoredFailures,
        noticed_by: &[
            "test_user_event",
            "test_event_free",
            "test_event_failed_dependency",
            "a_chain_fails",
        ],
        at_least: 4,
        leaves: &[WorkGroup, Regression, Program],
        leaves_cases: &[HOST_SIDE],
    },
    Expectation {
        defect: Defect::RepeatedCallbacks,
        noticed_by: &["clSetEventCallback"],
        at_least: 1,
        leaves: &[WorkGroup, Regression, Program],
        leaves_cases: &[HOST_SIDE],
    },
    Expectation {
        defect: Defect::LostCallbacks,
        noticed_by: &["clSetMemObjectDestructorCallback"],
        at_least: 1,
        leaves: &[WorkGroup, Regression, Program],
        leaves_cases: &[HOST_SIDE],
    },
    Expectation {
        defect: Defect::UncheckedLocalSizes,
        noticed_by: &[
            "wrong_work_group_sizes",
            "required_work_group_size_left_out",
        ],
        at_least: 2,
        leaves: &[Runtime, Regression, Program],
        leaves_cases: &[],
    },
    Expectation {
        defect: Defect::UncheckedArgumentSizes,
        noticed_by: &["refused_argument_size"],
        at_least: 1,
        leaves: &[WorkGroup, Regression, Program],
        leaves_cases: &[HOST_SIDE],
    },
];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cases;

    #[test]
    fn each_defect_is_expected_and_each_case_exists() {
        let defects: Vec<Defect> = EXPECTATIONS.iter().map(|one| one.defect).collect();
        assert_eq!(defects, Defect::ALL);
        for expectation in EXPECTATIONS {
            let name = expectation.defect.name();
            assert!(!expectation.noticed_by.is_empty(), "{name}");
            for &case in expectation
                .noticed_by
                .iter()
                .chain(expectation.leaves_cases.iter().copied().flatten())
            {
                assert!(
                    cases::all().any(|known| known.name == case),
                    "{name}: {case}"
                );
            }
        }
    }
}
