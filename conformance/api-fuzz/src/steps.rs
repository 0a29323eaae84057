//! The steps of a sequence.

use crate::call::{Run, Step};
use crate::objects::programs;

/// A step with its weight in the random choice.
type Weighted = (u32, fn(&mut Run) -> Step);

/// The first steps of each sequence: they create objects for the others to use.
pub const FIRST: &[fn(&mut Run) -> Step] = &[
    Run::create_context,
    Run::create_command_queue,
    Run::create_buffer,
    Run::create_buffer,
    |run| run.create_program(programs::KERNELS),
    Run::build_program,
    Run::create_buffer,
    Run::create_image,
    Run::create_image,
    Run::create_kernel,
    Run::create_sampler,
    Run::create_kernel,
    Run::create_command_queue,
    Run::create_buffer,
];

/// The steps that are chosen at random after [`FIRST`].
const LATER: &[Weighted] = &[
    (1, Run::get_platform_ids),
    (1, Run::get_platform_info),
    (2, Run::get_device_ids),
    (4, Run::get_device_info),
    (3, Run::create_sub_devices),
    (1, Run::get_extension_function_address),
    (1, Run::unload_compiler),
    (3, Run::create_context),
    (3, Run::get_context_info),
    (8, Run::create_command_queue),
    (4, Run::get_command_queue_info),
    (14, Run::retain),
    (34, Run::release),
    (16, Run::create_buffer),
    (10, Run::create_sub_buffer),
    (8, Run::get_mem_object_info),
    (6, Run::set_destructor_callback),
    (12, Run::create_image),
    (2, Run::get_supported_image_formats),
    (5, Run::get_image_info),
    (4, Run::create_sampler),
    (2, Run::get_sampler_info),
    (2, Run::create_program_with_source),
    (1, Run::create_program_with_built_in_kernels),
    (1, Run::build_program),
    (1, Run::compile_program),
    (2, Run::link_program),
    (1, Run::recreate_program),
    (4, Run::get_program_info),
    (3, Run::get_program_build_info),
    (5, Run::create_kernel),
    (1, Run::create_kernels_in_program),
    (26, Run::set_kernel_arg),
    (3, Run::get_kernel_info),
    (3, Run::get_kernel_arg_info),
    (3, Run::get_kernel_work_group_info),
    (1, Run::get_suggested_local_work_size),
    (14, Run::enqueue_kernel),
    (6, Run::enqueue_native_kernel),
    (10, Run::create_user_event),
    (12, Run::set_user_event_status),
    (8, Run::wait_for_events),
    (8, Run::get_event_info),
    (6, Run::get_event_profiling_info),
    (8, Run::set_event_callback),
    (8, Run::marker_or_barrier),
    (5, Run::old_marker_or_barrier),
    (10, Run::flush_or_finish),
    (30, Run::enqueue_read_or_write_buffer),
    (20, Run::enqueue_rectangle),
    (12, Run::enqueue_fill_buffer),
    (14, Run::enqueue_copy_buffer),
    (12, Run::enqueue_copy_rectangle),
    (12, Run::enqueue_map_buffer),
    (14, Run::enqueue_unmap),
    (5, Run::enqueue_migrate),
    (16, Run::enqueue_read_or_write_image),
    (6, Run::enqueue_fill_image),
    (8, Run::enqueue_copy_image),
    (10, Run::enqueue_copy_image_and_buffer),
    (8, Run::enqueue_map_image),
];

/// A random step, by the generator of this step.
pub fn choose(run: &mut Run) -> fn(&mut Run) -> Step {
    let total: u32 = LATER.iter().map(|(weight, _)| weight).sum();
    let mut drawn = run.random.below(total);
    for (weight, step) in LATER {
        if drawn < *weight {
            return *step;
        }
        drawn -= weight;
    }
    LATER[0].1
}
