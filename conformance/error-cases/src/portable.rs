//! The cases that leave a platform no choice: one thing is wrong with the call, the specification
//! names one code for it, and handles are valid ones or null.

use crate::table::ErrorCase;

/// Rows `function { CODE: condition … }`, as triples.
macro_rules! list {
    ($($function:ident { $($code:ident: $($condition:ident)+;)+ })+) => {
        &[$($($((stringify!($function), stringify!($code), stringify!($condition)),)+)+)+]
    };
}

/// Function, code and condition.
type Row = (&'static str, &'static str, &'static str);

/// In every version of OpenCL since 1.2.
#[rustfmt::skip]
const EVERY_VERSION: &[Row] = list! {
    clGetPlatformIDs {
        CL_INVALID_VALUE: no_entries_but_a_list_at_the_loader neither_list_nor_count_at_the_loader;
    }
    clGetPlatformInfo { CL_INVALID_VALUE: unknown_query too_little_room; }
    clGetDeviceIDs {
        CL_INVALID_DEVICE_TYPE: none;
        CL_INVALID_VALUE: no_entries_for_a_list neither_list_nor_count;
    }
    clGetDeviceInfo {
        CL_INVALID_DEVICE: null;
        CL_INVALID_VALUE: unknown_param_name param_value_too_small;
    }
    clCreateSubDevices { CL_INVALID_VALUE: null_properties unknown_scheme; }
    clRetainDevice { CL_INVALID_DEVICE: null; }
    clReleaseDevice { CL_INVALID_DEVICE: null; }

    clCreateContext {
        CL_INVALID_PROPERTY: unknown_name the_platform_twice;
        CL_INVALID_VALUE: no_devices_at_the_loader user_data_without_callback;
        CL_INVALID_DEVICE: null;
    }
    clCreateContextFromType {
        CL_INVALID_VALUE: user_data_without_callback;
        CL_INVALID_DEVICE_TYPE: no_type;
    }
    clRetainContext { CL_INVALID_CONTEXT: null; }
    clReleaseContext { CL_INVALID_CONTEXT: null; }
    clGetContextInfo {
        CL_INVALID_CONTEXT: null;
        CL_INVALID_VALUE: unknown_query too_little_room_for_a_device;
    }

    clCreateCommandQueue {
        CL_INVALID_CONTEXT: null;
        CL_INVALID_DEVICE: null;
        CL_INVALID_VALUE: unknown_property;
    }
    clGetCommandQueueInfo {
        CL_INVALID_COMMAND_QUEUE: null;
        CL_INVALID_VALUE: unknown_query too_little_room_for_a_handle;
    }
    clRetainCommandQueue { CL_INVALID_COMMAND_QUEUE: null; }
    clReleaseCommandQueue { CL_INVALID_COMMAND_QUEUE: null; }
    clFlush { CL_INVALID_COMMAND_QUEUE: null; }
    clFinish { CL_INVALID_COMMAND_QUEUE: null; }

    clCreateUserEvent { CL_INVALID_CONTEXT: null; }
    clSetUserEventStatus {
        CL_INVALID_EVENT: null the_event_of_a_command;
        CL_INVALID_VALUE: submitted;
        CL_INVALID_OPERATION: complete_before;
    }
    clWaitForEvents {
        CL_INVALID_VALUE: no_events null_list;
        CL_INVALID_CONTEXT: events_of_two_contexts;
        CL_INVALID_EVENT: null;
    }
    clGetEventInfo {
        CL_INVALID_EVENT: null;
        CL_INVALID_VALUE: no_such_query too_little_room;
    }
    clSetEventCallback {
        CL_INVALID_EVENT: null;
        CL_INVALID_VALUE: null_function queued;
    }
    clGetEventProfilingInfo {
        CL_PROFILING_INFO_NOT_AVAILABLE: a_queue_that_does_not_profile a_user_event;
        CL_INVALID_EVENT: null;
    }
    clRetainEvent { CL_INVALID_EVENT: null; }
    clReleaseEvent { CL_INVALID_EVENT: null; }

    clCreateBuffer {
        CL_INVALID_CONTEXT: null;
        CL_INVALID_BUFFER_SIZE: no_bytes;
        CL_INVALID_VALUE: an_unknown_flag reading_only_and_writing_only memory_used_and_copied
            memory_used_and_allocated the_host_only_reads_and_only_writes;
        CL_INVALID_HOST_PTR: nothing_to_use nothing_to_copy memory_without_a_flag;
    }
    clCreateSubBuffer {
        CL_INVALID_MEM_OBJECT: null a_sub_buffer;
        CL_INVALID_VALUE: an_unknown_type null_region writing_what_is_only_read
            copying_host_memory a_region_beyond_the_end an_origin_beyond_the_end;
        CL_INVALID_BUFFER_SIZE: no_bytes;
        CL_MISALIGNED_SUB_BUFFER_OFFSET: an_origin_at_byte_1;
    }
    clGetMemObjectInfo {
        CL_INVALID_MEM_OBJECT: null;
        CL_INVALID_VALUE: no_such_query too_little_room_for_an_address;
    }
    clSetMemObjectDestructorCallback { CL_INVALID_VALUE: null_function; }
    clRetainMemObject { CL_INVALID_MEM_OBJECT: null; }
    clReleaseMemObject { CL_INVALID_MEM_OBJECT: null; }

    clCreateImage {
        CL_INVALID_CONTEXT: null;
        CL_INVALID_VALUE: read_only_and_write_only;
        CL_INVALID_IMAGE_FORMAT_DESCRIPTOR: null unknown_channel_order;
        CL_INVALID_IMAGE_DESCRIPTOR: null unknown_image_type num_mip_levels num_samples
            no_width_of_a_2d_image no_height_of_a_2d_image
            row_pitch_of_a_2d_image_without_host_ptr row_pitch_less_than_a_row_of_a_2d_image
            row_pitch_not_of_whole_pixels_of_a_2d_image;
        CL_INVALID_IMAGE_SIZE: too_wide_a_2d_image;
        CL_INVALID_HOST_PTR: null_to_copy given_without_a_flag;
    }
    clGetImageInfo {
        CL_INVALID_MEM_OBJECT: null a_buffer;
        CL_INVALID_VALUE: unknown_param_name too_little_room_for_width;
    }
    clGetSupportedImageFormats {
        CL_INVALID_CONTEXT: null;
        CL_INVALID_VALUE: image_type_of_a_buffer list_of_no_entries;
    }

    clCreateSampler {
        CL_INVALID_CONTEXT: null;
        CL_INVALID_VALUE: unknown_addressing_mode unknown_filter_mode;
    }
    clGetSamplerInfo {
        CL_INVALID_SAMPLER: null;
        CL_INVALID_VALUE: unknown_param_name too_little_room_for_context;
    }
    clRetainSampler { CL_INVALID_SAMPLER: null; }
    clReleaseSampler { CL_INVALID_SAMPLER: null; }

    clCreateProgramWithSource {
        CL_INVALID_CONTEXT: null;
        CL_INVALID_VALUE: count_0 strings_null a_string_null;
    }
    clCreateProgramWithBinary {
        CL_INVALID_VALUE: num_devices_0 device_list_null lengths_null the_only_length_0;
        CL_INVALID_BINARY: four_bytes;
    }
    clCreateProgramWithBuiltInKernels { CL_INVALID_VALUE: no_such_kernel; }
    clRetainProgram { CL_INVALID_PROGRAM: null; }
    clReleaseProgram { CL_INVALID_PROGRAM: null; }
    clBuildProgram {
        CL_INVALID_PROGRAM: null;
        CL_INVALID_VALUE: device_list_null num_devices_0 user_data_without_function;
        CL_INVALID_DEVICE: null;
        CL_INVALID_BUILD_OPTIONS: unknown;
        CL_BUILD_PROGRAM_FAILURE: does_not_compile;
        CL_INVALID_OPERATION: kernels_are_attached;
    }
    clCompileProgram {
        CL_INVALID_VALUE: headers_without_names;
        CL_INVALID_COMPILER_OPTIONS: unknown;
        CL_COMPILE_PROGRAM_FAILURE: does_not_compile;
    }
    clLinkProgram {
        CL_INVALID_VALUE: num_input_programs_0 input_programs_null;
        CL_INVALID_LINKER_OPTIONS: unknown;
        CL_INVALID_OPERATION: not_compiled;
    }
    clGetProgramInfo {
        CL_INVALID_PROGRAM: null;
        CL_INVALID_VALUE: no_such_query context_too_large;
        CL_INVALID_PROGRAM_EXECUTABLE: number_of_kernels_before_the_build;
    }
    clGetProgramBuildInfo {
        CL_INVALID_PROGRAM: null;
        CL_INVALID_DEVICE: null;
        CL_INVALID_VALUE: no_such_query status_too_large;
    }

    clCreateKernel {
        CL_INVALID_PROGRAM: null;
        CL_INVALID_PROGRAM_EXECUTABLE: before_the_build;
        CL_INVALID_KERNEL_NAME: no_such_function;
        CL_INVALID_VALUE: name_null;
    }
    clCreateKernelsInProgram {
        CL_INVALID_PROGRAM: null;
        CL_INVALID_PROGRAM_EXECUTABLE: only_counting_before_the_build;
        CL_INVALID_VALUE: too_few_entries;
    }
    clSetKernelArg {
        CL_INVALID_KERNEL: null;
        CL_INVALID_ARG_INDEX: behind_the_last;
        CL_INVALID_ARG_SIZE: a_number_too_large a_number_of_no_bytes a_buffer_by_value
            local_memory_of_no_bytes;
        CL_INVALID_ARG_VALUE: a_number_null local_memory_with_a_value;
    }
    clGetKernelInfo {
        CL_INVALID_KERNEL: null;
        CL_INVALID_VALUE: no_such_query program_too_large;
    }
    clGetKernelWorkGroupInfo {
        CL_INVALID_KERNEL: null;
        CL_INVALID_VALUE: no_such_query size_too_large;
    }
    clRetainKernel { CL_INVALID_KERNEL: null; }
    clReleaseKernel { CL_INVALID_KERNEL: null; }

    clEnqueueNDRangeKernel {
        CL_INVALID_COMMAND_QUEUE: null;
        CL_INVALID_KERNEL: null;
        CL_INVALID_KERNEL_ARGS: not_set;
        CL_INVALID_CONTEXT: a_kernel_of_another_context an_event_of_another_context;
        CL_INVALID_WORK_DIMENSION: none four;
        CL_INVALID_WORK_GROUP_SIZE: does_not_divide not_as_the_kernel_demands;
        CL_INVALID_EVENT_WAIT_LIST: null_but_counted count_0 a_null_event;
    }
    clEnqueueTask { CL_INVALID_KERNEL_ARGS: not_set; }

    clEnqueueReadBuffer {
        CL_INVALID_COMMAND_QUEUE: null;
        CL_INVALID_MEM_OBJECT: null;
        CL_INVALID_EVENT_WAIT_LIST: a_null_list_of_one;
        CL_INVALID_CONTEXT: a_memory_object_of_another_context;
        CL_INVALID_VALUE: beyond_the_end an_end_beyond_all_memory null_pointer;
        CL_INVALID_OPERATION: a_buffer_that_the_host_only_writes;
    }
    clEnqueueWriteBuffer {
        CL_INVALID_MEM_OBJECT: null;
        CL_INVALID_VALUE: beyond_the_end an_end_beyond_all_memory null_pointer;
        CL_INVALID_OPERATION: a_buffer_that_the_host_only_reads;
    }
    clEnqueueCopyBuffer {
        CL_INVALID_MEM_OBJECT: null_destination;
        CL_INVALID_CONTEXT: a_destination_of_another_context;
        CL_INVALID_VALUE: beyond_the_end_of_the_source beyond_the_end_of_the_destination
            an_end_beyond_all_memory;
        CL_MEM_COPY_OVERLAP: within_a_buffer;
    }
    clEnqueueFillBuffer {
        CL_INVALID_VALUE: beyond_the_end null_pattern an_empty_pattern a_pattern_of_three_bytes
            a_pattern_of_more_than_the_largest_type
            an_offset_that_is_no_multiple_of_the_pattern
            a_size_that_is_no_multiple_of_the_pattern;
    }
    clEnqueueReadBufferRect {
        CL_INVALID_VALUE: a_region_without_width a_region_without_height a_region_without_depth
            a_row_pitch_of_less_than_a_row a_slice_pitch_of_less_than_a_slice
            a_slice_pitch_that_is_no_number_of_rows beyond_the_end;
    }
    clEnqueueWriteBufferRect {
        CL_INVALID_VALUE: a_region_without_width a_region_without_height a_region_without_depth
            a_row_pitch_of_less_than_a_row a_slice_pitch_of_less_than_a_slice
            a_slice_pitch_that_is_no_number_of_rows beyond_the_end;
    }
    clEnqueueCopyBufferRect {
        CL_INVALID_VALUE: a_region_without_width a_region_without_height a_region_without_depth
            a_row_pitch_of_less_than_a_row a_slice_pitch_of_less_than_a_slice
            a_slice_pitch_that_is_no_number_of_rows beyond_the_end_of_the_source;
        CL_MEM_COPY_OVERLAP: within_a_buffer;
    }
    clEnqueueMapBuffer {
        CL_INVALID_MEM_OBJECT: null;
        CL_INVALID_VALUE: beyond_the_end an_unknown_flag reading_and_invalidating;
        CL_INVALID_OPERATION: writing_what_the_host_only_reads;
    }
    clEnqueueUnmapMemObject { CL_INVALID_VALUE: a_pointer_that_is_not_mapped; }
    clEnqueueMigrateMemObjects { CL_INVALID_VALUE: no_objects a_null_list an_unknown_flag; }
    clEnqueueMarkerWithWaitList { CL_INVALID_EVENT_WAIT_LIST: a_null_list_of_one; }
    clEnqueueBarrierWithWaitList { CL_INVALID_EVENT_WAIT_LIST: a_null_list_of_one; }

    clEnqueueReadImage {
        CL_INVALID_MEM_OBJECT: null_image;
        CL_INVALID_VALUE: region_wider_than_the_image region_higher_than_the_image origin_outside
            second_slice_of_a_2d_image two_slices_of_a_2d_image no_width no_depth
            row_pitch_less_than_a_row null_ptr;
    }
    clEnqueueWriteImage {
        CL_INVALID_VALUE: region_wider_than_the_image region_higher_than_the_image origin_outside
            second_slice_of_a_2d_image two_slices_of_a_2d_image no_width no_depth
            row_pitch_less_than_a_row null_ptr;
    }
    clEnqueueCopyImage {
        CL_INVALID_VALUE: region_wider_than_the_image region_higher_than_the_image origin_outside
            second_slice_of_a_2d_image two_slices_of_a_2d_image no_width no_depth;
        CL_IMAGE_FORMAT_MISMATCH: other_type_of_the_same_size;
        CL_MEM_COPY_OVERLAP: regions_with_a_pixel_in_common;
    }
    clEnqueueFillImage {
        CL_INVALID_VALUE: region_wider_than_the_image region_higher_than_the_image origin_outside
            second_slice_of_a_2d_image two_slices_of_a_2d_image no_width no_depth null_color;
    }
    clEnqueueMapImage {
        CL_INVALID_VALUE: region_wider_than_the_image region_higher_than_the_image origin_outside
            second_slice_of_a_2d_image two_slices_of_a_2d_image no_width no_depth;
    }
    clEnqueueCopyImageToBuffer {
        CL_INVALID_MEM_OBJECT: null_buffer;
        CL_INVALID_VALUE: region_beyond_the_buffer;
    }
    clEnqueueCopyBufferToImage { CL_INVALID_VALUE: region_beyond_the_buffer; }
};

/// Before OpenCL 2.1, which gives such calls a meaning.
#[rustfmt::skip]
const BEFORE_2_1: &[Row] = list! {
    clEnqueueNDRangeKernel { CL_INVALID_GLOBAL_WORK_SIZE: null size_0; }
};

/// The portable cases of some functions; `before_2_1` adds those of OpenCL versions before 2.1.
pub fn cases(functions: &[&str], before_2_1: bool) -> Vec<ErrorCase> {
    let older: &[Row] = if before_2_1 { BEFORE_2_1 } else { &[] };
    let mut cases = crate::all();
    cases.retain(|case| {
        let row = (case.function, case.code_name, case.condition);
        functions.contains(&case.function) && [EVERY_VERSION, older].concat().contains(&row)
    });
    cases
}

#[cfg(test)]
mod tests {
    use super::{BEFORE_2_1, EVERY_VERSION};

    #[test]
    fn the_table_has_each_of_them_once() {
        let all = crate::all();
        for row in [EVERY_VERSION, BEFORE_2_1].concat() {
            let same = |case: &&crate::table::ErrorCase| {
                (case.function, case.code_name, case.condition) == row
            };
            assert_eq!(all.iter().filter(same).count(), 1, "{row:?}");
        }
    }
}
