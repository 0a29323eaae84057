//! The one table of the C interface's functions. The dispatch table, the lookup by
//! name, the entry points themselves, the trace of calls and docs/generated/api-coverage.md all
//! come from it.
//!
//! A row: slot in the dispatch table (the order of CL/cl_icd.h, which only grows; -1 if none),
//! the OpenCL version or extension that brought the function, its status, its
//! arguments, and what it returns:
//!
//! - `status`: an error code;
//! - `object`: a pointer, or null on failure; `errcode_ret` follows the arguments;
//! - `address`: a pointer without `errcode_ret`, null on failure;
//! - `nothing`.
//!
//! Rows marked `#[unsafe(no_mangle)]` are the symbols the library exports.

use crate::abi::entry_point::functions;

functions! {
    0 "1.0" implemented clGetPlatformIDs(num_entries: cl_uint, platforms: Out<cl_platform_id>, num_platforms: Out<cl_uint>) -> status;
    #[unsafe(no_mangle)]
    1 "1.0" implemented clGetPlatformInfo(platform: cl_platform_id, param_name: cl_platform_info, param_value_size: usize, param_value: Out<c_void>, param_value_size_ret: Out<usize>) -> status;
    2 "1.0" implemented clGetDeviceIDs(platform: cl_platform_id, device_type: cl_device_type, num_entries: cl_uint, devices: Out<cl_device_id>, num_devices: Out<cl_uint>) -> status;
    3 "1.0" implemented clGetDeviceInfo(device: cl_device_id, param_name: cl_device_info, param_value_size: usize, param_value: Out<c_void>, param_value_size_ret: Out<usize>) -> status;
    4 "1.0" implemented clCreateContext(properties: In<cl_context_properties>, num_devices: cl_uint, devices: In<cl_device_id>, pfn_notify: Option<ContextCallback>, user_data: *mut c_void) -> object;
    5 "1.0" implemented clCreateContextFromType(properties: In<cl_context_properties>, device_type: cl_device_type, pfn_notify: Option<ContextCallback>, user_data: *mut c_void) -> object;
    6 "1.0" implemented clRetainContext(context: cl_context) -> status;
    7 "1.0" implemented clReleaseContext(context: cl_context) -> status;
    8 "1.0" implemented clGetContextInfo(context: cl_context, param_name: cl_context_info, param_value_size: usize, param_value: Out<c_void>, param_value_size_ret: Out<usize>) -> status;
    9 "1.0" implemented clCreateCommandQueue(context: cl_context, device: cl_device_id, properties: cl_command_queue_properties) -> object;
    10 "1.0" implemented clRetainCommandQueue(command_queue: cl_command_queue) -> status;
    11 "1.0" implemented clReleaseCommandQueue(command_queue: cl_command_queue) -> status;
    12 "1.0" implemented clGetCommandQueueInfo(command_queue: cl_command_queue, param_name: cl_command_queue_info, param_value_size: usize, param_value: Out<c_void>, param_value_size_ret: Out<usize>) -> status;
    13 "1.0, removed in 1.1" absent clSetCommandQueueProperty(command_queue: cl_command_queue, properties: cl_command_queue_properties, enable: cl_bool, old_properties: Out<cl_command_queue_properties>) -> status;
    14 "1.0" implemented clCreateBuffer(context: cl_context, flags: cl_mem_flags, size: usize, host_ptr: *mut c_void) -> object;
    15 "1.0" implemented clCreateImage2D(context: cl_context, flags: cl_mem_flags, image_format: In<cl_image_format>, image_width: usize, image_height: usize, image_row_pitch: usize, host_ptr: *mut c_void) -> object;
    16 "1.0" implemented clCreateImage3D(context: cl_context, flags: cl_mem_flags, image_format: In<cl_image_format>, image_width: usize, image_height: usize, image_depth: usize, image_row_pitch: usize, image_slice_pitch: usize, host_ptr: *mut c_void) -> object;
    17 "1.0" implemented clRetainMemObject(memobj: cl_mem) -> status;
    18 "1.0" implemented clReleaseMemObject(memobj: cl_mem) -> status;
    19 "1.0" implemented clGetSupportedImageFormats(context: cl_context, flags: cl_mem_flags, image_type: cl_mem_object_type, num_entries: cl_uint, image_formats: Out<cl_image_format>, num_image_formats: Out<cl_uint>) -> status;
    20 "1.0" implemented clGetMemObjectInfo(memobj: cl_mem, param_name: cl_mem_info, param_value_size: usize, param_value: Out<c_void>, param_value_size_ret: Out<usize>) -> status;
    21 "1.0" implemented clGetImageInfo(image: cl_mem, param_name: cl_image_info, param_value_size: usize, param_value: Out<c_void>, param_value_size_ret: Out<usize>) -> status;
    22 "1.0" implemented clCreateSampler(context: cl_context, normalized_coords: cl_bool, addressing_mode: cl_addressing_mode, filter_mode: cl_filter_mode) -> object;
    23 "1.0" implemented clRetainSampler(sampler: cl_sampler) -> status;
    24 "1.0" implemented clReleaseSampler(sampler: cl_sampler) -> status;
    25 "1.0" implemented clGetSamplerInfo(sampler: cl_sampler, param_name: cl_sampler_info, param_value_size: usize, param_value: Out<c_void>, param_value_size_ret: Out<usize>) -> status;
    26 "1.0" implemented clCreateProgramWithSource(context: cl_context, count: cl_uint, strings: In<In<c_char>>, lengths: In<usize>) -> object;
    27 "1.0" implemented clCreateProgramWithBinary(context: cl_context, num_devices: cl_uint, device_list: In<cl_device_id>, lengths: In<usize>, binaries: In<In<u8>>, binary_status: Out<cl_int>) -> object;
    28 "1.0" implemented clRetainProgram(program: cl_program) -> status;
    29 "1.0" implemented clReleaseProgram(program: cl_program) -> status;
    30 "1.0" implemented clBuildProgram(program: cl_program, num_devices: cl_uint, device_list: In<cl_device_id>, options: In<c_char>, pfn_notify: Option<ProgramCallback>, user_data: *mut c_void) -> status;
    31 "1.0" implemented clUnloadCompiler() -> status;
    32 "1.0" implemented clGetProgramInfo(program: cl_program, param_name: cl_program_info, param_value_size: usize, param_value: Out<c_void>, param_value_size_ret: Out<usize>) -> status;
    33 "1.0" implemented clGetProgramBuildInfo(program: cl_program, device: cl_device_id, param_name: cl_program_build_info, param_value_size: usize, param_value: Out<c_void>, param_value_size_ret: Out<usize>) -> status;
    34 "1.0" implemented clCreateKernel(program: cl_program, kernel_name: In<c_char>) -> object;
    35 "1.0" implemented clCreateKernelsInProgram(program: cl_program, num_kernels: cl_uint, kernels: Out<cl_kernel>, num_kernels_ret: Out<cl_uint>) -> status;
    36 "1.0" implemented clRetainKernel(kernel: cl_kernel) -> status;
    37 "1.0" implemented clReleaseKernel(kernel: cl_kernel) -> status;
    38 "1.0" implemented clSetKernelArg(kernel: cl_kernel, arg_index: cl_uint, arg_size: usize, arg_value: In<c_void>) -> status;
    39 "1.0" implemented clGetKernelInfo(kernel: cl_kernel, param_name: cl_kernel_info, param_value_size: usize, param_value: Out<c_void>, param_value_size_ret: Out<usize>) -> status;
    40 "1.0" implemented clGetKernelWorkGroupInfo(kernel: cl_kernel, device: cl_device_id, param_name: cl_kernel_work_group_info, param_value_size: usize, param_value: Out<c_void>, param_value_size_ret: Out<usize>) -> status;
    41 "1.0" implemented clWaitForEvents(num_events: cl_uint, event_list: In<cl_event>) -> status;
    42 "1.0" implemented clGetEventInfo(event: cl_event, param_name: cl_event_info, param_value_size: usize, param_value: Out<c_void>, param_value_size_ret: Out<usize>) -> status;
    43 "1.0" implemented clRetainEvent(event: cl_event) -> status;
    44 "1.0" implemented clReleaseEvent(event: cl_event) -> status;
    45 "1.0" implemented clGetEventProfilingInfo(event: cl_event, param_name: cl_profiling_info, param_value_size: usize, param_value: Out<c_void>, param_value_size_ret: Out<usize>) -> status;
    46 "1.0" implemented clFlush(command_queue: cl_command_queue) -> status;
    47 "1.0" implemented clFinish(command_queue: cl_command_queue) -> status;
    48 "1.0" implemented clEnqueueReadBuffer(command_queue: cl_command_queue, buffer: cl_mem, blocking_read: cl_bool, offset: usize, size: usize, ptr: *mut c_void, num_events_in_wait_list: cl_uint, event_wait_list: In<cl_event>, event: Out<cl_event>) -> status;
    49 "1.0" implemented clEnqueueWriteBuffer(command_queue: cl_command_queue, buffer: cl_mem, blocking_write: cl_bool, offset: usize, size: usize, ptr: *const c_void, num_events_in_wait_list: cl_uint, event_wait_list: In<cl_event>, event: Out<cl_event>) -> status;
    50 "1.0" implemented clEnqueueCopyBuffer(command_queue: cl_command_queue, src_buffer: cl_mem, dst_buffer: cl_mem, src_offset: usize, dst_offset: usize, size: usize, num_events_in_wait_list: cl_uint, event_wait_list: In<cl_event>, event: Out<cl_event>) -> status;
    51 "1.0" implemented clEnqueueReadImage(command_queue: cl_command_queue, image: cl_mem, blocking_read: cl_bool, origin: In<usize>, region: In<usize>, row_pitch: usize, slice_pitch: usize, ptr: *mut c_void, num_events_in_wait_list: cl_uint, event_wait_list: In<cl_event>, event: Out<cl_event>) -> status;
    52 "1.0" implemented clEnqueueWriteImage(command_queue: cl_command_queue, image: cl_mem, blocking_write: cl_bool, origin: In<usize>, region: In<usize>, input_row_pitch: usize, input_slice_pitch: usize, ptr: *const c_void, num_events_in_wait_list: cl_uint, event_wait_list: In<cl_event>, event: Out<cl_event>) -> status;
    53 "1.0" implemented clEnqueueCopyImage(command_queue: cl_command_queue, src_image: cl_mem, dst_image: cl_mem, src_origin: In<usize>, dst_origin: In<usize>, region: In<usize>, num_events_in_wait_list: cl_uint, event_wait_list: In<cl_event>, event: Out<cl_event>) -> status;
    54 "1.0" implemented clEnqueueCopyImageToBuffer(command_queue: cl_command_queue, src_image: cl_mem, dst_buffer: cl_mem, src_origin: In<usize>, region: In<usize>, dst_offset: usize, num_events_in_wait_list: cl_uint, event_wait_list: In<cl_event>, event: Out<cl_event>) -> status;
    55 "1.0" implemented clEnqueueCopyBufferToImage(command_queue: cl_command_queue, src_buffer: cl_mem, dst_image: cl_mem, src_offset: usize, dst_origin: In<usize>, region: In<usize>, num_events_in_wait_list: cl_uint, event_wait_list: In<cl_event>, event: Out<cl_event>) -> status;
    56 "1.0" implemented clEnqueueMapBuffer(command_queue: cl_command_queue, buffer: cl_mem, blocking_map: cl_bool, map_flags: cl_map_flags, offset: usize, size: usize, num_events_in_wait_list: cl_uint, event_wait_list: In<cl_event>, event: Out<cl_event>) -> object;
    57 "1.0" implemented clEnqueueMapImage(command_queue: cl_command_queue, image: cl_mem, blocking_map: cl_bool, map_flags: cl_map_flags, origin: In<usize>, region: In<usize>, image_row_pitch: Out<usize>, image_slice_pitch: Out<usize>, num_events_in_wait_list: cl_uint, event_wait_list: In<cl_event>, event: Out<cl_event>) -> object;
    58 "1.0" implemented clEnqueueUnmapMemObject(command_queue: cl_command_queue, memobj: cl_mem, mapped_ptr: *mut c_void, num_events_in_wait_list: cl_uint, event_wait_list: In<cl_event>, event: Out<cl_event>) -> status;
    59 "1.0" implemented clEnqueueNDRangeKernel(command_queue: cl_command_queue, kernel: cl_kernel, work_dim: cl_uint, global_work_offset: In<usize>, global_work_size: In<usize>, local_work_size: In<usize>, num_events_in_wait_list: cl_uint, event_wait_list: In<cl_event>, event: Out<cl_event>) -> status;
    60 "1.0" implemented clEnqueueTask(command_queue: cl_command_queue, kernel: cl_kernel, num_events_in_wait_list: cl_uint, event_wait_list: In<cl_event>, event: Out<cl_event>) -> status;
    61 "1.0" implemented clEnqueueNativeKernel(command_queue: cl_command_queue, user_func: Option<NativeKernel>, args: In<c_void>, cb_args: usize, num_mem_objects: cl_uint, mem_list: In<cl_mem>, args_mem_loc: In<*const c_void>, num_events_in_wait_list: cl_uint, event_wait_list: In<cl_event>, event: Out<cl_event>) -> status;
    62 "1.0" implemented clEnqueueMarker(command_queue: cl_command_queue, event: Out<cl_event>) -> status;
    63 "1.0" implemented clEnqueueWaitForEvents(command_queue: cl_command_queue, num_events: cl_uint, event_list: In<cl_event>) -> status;
    64 "1.0" implemented clEnqueueBarrier(command_queue: cl_command_queue) -> status;
    #[unsafe(no_mangle)]
    65 "1.0" implemented clGetExtensionFunctionAddress(function_name: In<c_char>) -> address;
    66 "cl_khr_gl_sharing" absent clCreateFromGLBuffer(context: cl_context, flags: cl_mem_flags, bufobj: cl_uint) -> object;
    67 "cl_khr_gl_sharing" absent clCreateFromGLTexture2D(context: cl_context, flags: cl_mem_flags, target: cl_uint, miplevel: cl_int, texture: cl_uint) -> object;
    68 "cl_khr_gl_sharing" absent clCreateFromGLTexture3D(context: cl_context, flags: cl_mem_flags, target: cl_uint, miplevel: cl_int, texture: cl_uint) -> object;
    69 "cl_khr_gl_sharing" absent clCreateFromGLRenderbuffer(context: cl_context, flags: cl_mem_flags, renderbuffer: cl_uint) -> object;
    70 "cl_khr_gl_sharing" absent clGetGLObjectInfo(memobj: cl_mem, gl_object_type: Out<cl_uint>, gl_object_name: Out<cl_uint>) -> status;
    71 "cl_khr_gl_sharing" absent clGetGLTextureInfo(memobj: cl_mem, param_name: cl_uint, param_value_size: usize, param_value: Out<c_void>, param_value_size_ret: Out<usize>) -> status;
    72 "cl_khr_gl_sharing" absent clEnqueueAcquireGLObjects(command_queue: cl_command_queue, num_objects: cl_uint, mem_objects: In<cl_mem>, num_events_in_wait_list: cl_uint, event_wait_list: In<cl_event>, event: Out<cl_event>) -> status;
    73 "cl_khr_gl_sharing" absent clEnqueueReleaseGLObjects(command_queue: cl_command_queue, num_objects: cl_uint, mem_objects: In<cl_mem>, num_events_in_wait_list: cl_uint, event_wait_list: In<cl_event>, event: Out<cl_event>) -> status;
    74 "cl_khr_gl_sharing" absent clGetGLContextInfoKHR(properties: In<cl_context_properties>, param_name: cl_uint, param_value_size: usize, param_value: Out<c_void>, param_value_size_ret: Out<usize>) -> status;
    75 "cl_khr_d3d10_sharing" absent clGetDeviceIDsFromD3D10KHR(platform: cl_platform_id, d3d_device_source: cl_uint, d3d_object: *mut c_void, d3d_device_set: cl_uint, num_entries: cl_uint, devices: Out<cl_device_id>, num_devices: Out<cl_uint>) -> status;
    76 "cl_khr_d3d10_sharing" absent clCreateFromD3D10BufferKHR(context: cl_context, flags: cl_mem_flags, resource: *mut c_void) -> object;
    77 "cl_khr_d3d10_sharing" absent clCreateFromD3D10Texture2DKHR(context: cl_context, flags: cl_mem_flags, resource: *mut c_void, subresource: cl_uint) -> object;
    78 "cl_khr_d3d10_sharing" absent clCreateFromD3D10Texture3DKHR(context: cl_context, flags: cl_mem_flags, resource: *mut c_void, subresource: cl_uint) -> object;
    79 "cl_khr_d3d10_sharing" absent clEnqueueAcquireD3D10ObjectsKHR(command_queue: cl_command_queue, num_objects: cl_uint, mem_objects: In<cl_mem>, num_events_in_wait_list: cl_uint, event_wait_list: In<cl_event>, event: Out<cl_event>) -> status;
    80 "cl_khr_d3d10_sharing" absent clEnqueueReleaseD3D10ObjectsKHR(command_queue: cl_command_queue, num_objects: cl_uint, mem_objects: In<cl_mem>, num_events_in_wait_list: cl_uint, event_wait_list: In<cl_event>, event: Out<cl_event>) -> status;
    81 "1.1" implemented clSetEventCallback(event: cl_event, command_exec_callback_type: cl_int, pfn_notify: Option<EventCallback>, user_data: *mut c_void) -> status;
    82 "1.1" implemented clCreateSubBuffer(buffer: cl_mem, flags: cl_mem_flags, buffer_create_type: cl_buffer_create_type, buffer_create_info: In<c_void>) -> object;
    83 "1.1" implemented clSetMemObjectDestructorCallback(memobj: cl_mem, pfn_notify: Option<MemObjectCallback>, user_data: *mut c_void) -> status;
    84 "1.1" implemented clCreateUserEvent(context: cl_context) -> object;
    85 "1.1" implemented clSetUserEventStatus(event: cl_event, execution_status: cl_int) -> status;
    86 "1.1" implemented clEnqueueReadBufferRect(command_queue: cl_command_queue, buffer: cl_mem, blocking_read: cl_bool, buffer_origin: In<usize>, host_origin: In<usize>, region: In<usize>, buffer_row_pitch: usize, buffer_slice_pitch: usize, host_row_pitch: usize, host_slice_pitch: usize, ptr: *mut c_void, num_events_in_wait_list: cl_uint, event_wait_list: In<cl_event>, event: Out<cl_event>) -> status;
    87 "1.1" implemented clEnqueueWriteBufferRect(command_queue: cl_command_queue, buffer: cl_mem, blocking_write: cl_bool, buffer_origin: In<usize>, host_origin: In<usize>, region: In<usize>, buffer_row_pitch: usize, buffer_slice_pitch: usize, host_row_pitch: usize, host_slice_pitch: usize, ptr: *const c_void, num_events_in_wait_list: cl_uint, event_wait_list: In<cl_event>, event: Out<cl_event>) -> status;
    88 "1.1" implemented clEnqueueCopyBufferRect(command_queue: cl_command_queue, src_buffer: cl_mem, dst_buffer: cl_mem, src_origin: In<usize>, dst_origin: In<usize>, region: In<usize>, src_row_pitch: usize, src_slice_pitch: usize, dst_row_pitch: usize, dst_slice_pitch: usize, num_events_in_wait_list: cl_uint, event_wait_list: In<cl_event>, event: Out<cl_event>) -> status;
    89 "cl_ext_device_fission" absent clCreateSubDevicesEXT(in_device: cl_device_id, partition_properties: *const c_void, num_entries: cl_uint, out_devices: Out<cl_device_id>, num_devices: Out<cl_uint>) -> status;
    90 "cl_ext_device_fission" absent clRetainDeviceEXT(device: cl_device_id) -> status;
    91 "cl_ext_device_fission" absent clReleaseDeviceEXT(device: cl_device_id) -> status;
    92 "cl_khr_gl_event" absent clCreateEventFromGLsyncKHR(context: cl_context, sync: *mut c_void) -> object;
    93 "1.2" implemented clCreateSubDevices(in_device: cl_device_id, partition_properties: In<cl_device_partition_property>, num_entries: cl_uint, out_devices: Out<cl_device_id>, num_devices: Out<cl_uint>) -> status;
    94 "1.2" implemented clRetainDevice(device: cl_device_id) -> status;
    95 "1.2" implemented clReleaseDevice(device: cl_device_id) -> status;
    96 "1.2" implemented clCreateImage(context: cl_context, flags: cl_mem_flags, image_format: In<cl_image_format>, image_desc: In<cl_image_desc>, host_ptr: *mut c_void) -> object;
    97 "1.2" implemented clCreateProgramWithBuiltInKernels(context: cl_context, num_devices: cl_uint, device_list: In<cl_device_id>, kernel_names: In<c_char>) -> object;
    98 "1.2" implemented clCompileProgram(program: cl_program, num_devices: cl_uint, device_list: In<cl_device_id>, options: In<c_char>, num_input_headers: cl_uint, input_headers: In<cl_program>, header_include_names: In<In<c_char>>, pfn_notify: Option<ProgramCallback>, user_data: *mut c_void) -> status;
    99 "1.2" implemented clLinkProgram(context: cl_context, num_devices: cl_uint, device_list: In<cl_device_id>, options: In<c_char>, num_input_programs: cl_uint, input_programs: In<cl_program>, pfn_notify: Option<ProgramCallback>, user_data: *mut c_void) -> object;
    100 "1.2" implemented clUnloadPlatformCompiler(platform: cl_platform_id) -> status;
    101 "1.2" implemented clGetKernelArgInfo(kernel: cl_kernel, arg_index: cl_uint, param_name: cl_kernel_arg_info, param_value_size: usize, param_value: Out<c_void>, param_value_size_ret: Out<usize>) -> status;
    102 "1.2" implemented clEnqueueFillBuffer(command_queue: cl_command_queue, buffer: cl_mem, pattern: In<c_void>, pattern_size: usize, offset: usize, size: usize, num_events_in_wait_list: cl_uint, event_wait_list: In<cl_event>, event: Out<cl_event>) -> status;
    103 "1.2" implemented clEnqueueFillImage(command_queue: cl_command_queue, image: cl_mem, fill_color: In<c_void>, origin: In<usize>, region: In<usize>, num_events_in_wait_list: cl_uint, event_wait_list: In<cl_event>, event: Out<cl_event>) -> status;
    104 "1.2" implemented clEnqueueMigrateMemObjects(command_queue: cl_command_queue, num_mem_objects: cl_uint, mem_objects: In<cl_mem>, flags: cl_mem_migration_flags, num_events_in_wait_list: cl_uint, event_wait_list: In<cl_event>, event: Out<cl_event>) -> status;
    105 "1.2" implemented clEnqueueMarkerWithWaitList(command_queue: cl_command_queue, num_events_in_wait_list: cl_uint, event_wait_list: In<cl_event>, event: Out<cl_event>) -> status;
    106 "1.2" implemented clEnqueueBarrierWithWaitList(command_queue: cl_command_queue, num_events_in_wait_list: cl_uint, event_wait_list: In<cl_event>, event: Out<cl_event>) -> status;
    107 "1.2" implemented clGetExtensionFunctionAddressForPlatform(platform: cl_platform_id, function_name: In<c_char>) -> address;
    108 "cl_khr_gl_sharing" absent clCreateFromGLTexture(context: cl_context, flags: cl_mem_flags, target: cl_uint, miplevel: cl_int, texture: cl_uint) -> object;
    109 "cl_khr_d3d11_sharing" absent clGetDeviceIDsFromD3D11KHR(platform: cl_platform_id, d3d_device_source: cl_uint, d3d_object: *mut c_void, d3d_device_set: cl_uint, num_entries: cl_uint, devices: Out<cl_device_id>, num_devices: Out<cl_uint>) -> status;
    110 "cl_khr_d3d11_sharing" absent clCreateFromD3D11BufferKHR(context: cl_context, flags: cl_mem_flags, resource: *mut c_void) -> object;
    111 "cl_khr_d3d11_sharing" absent clCreateFromD3D11Texture2DKHR(context: cl_context, flags: cl_mem_flags, resource: *mut c_void, subresource: cl_uint) -> object;
    112 "cl_khr_d3d11_sharing" absent clCreateFromD3D11Texture3DKHR(context: cl_context, flags: cl_mem_flags, resource: *mut c_void, subresource: cl_uint) -> object;
    113 "cl_khr_dx9_media_sharing" absent clCreateFromDX9MediaSurfaceKHR(context: cl_context, flags: cl_mem_flags, adapter_type: cl_uint, surface_info: *mut c_void, plane: cl_uint) -> object;
    114 "cl_khr_d3d11_sharing" absent clEnqueueAcquireD3D11ObjectsKHR(command_queue: cl_command_queue, num_objects: cl_uint, mem_objects: In<cl_mem>, num_events_in_wait_list: cl_uint, event_wait_list: In<cl_event>, event: Out<cl_event>) -> status;
    115 "cl_khr_d3d11_sharing" absent clEnqueueReleaseD3D11ObjectsKHR(command_queue: cl_command_queue, num_objects: cl_uint, mem_objects: In<cl_mem>, num_events_in_wait_list: cl_uint, event_wait_list: In<cl_event>, event: Out<cl_event>) -> status;
    116 "cl_khr_dx9_media_sharing" absent clGetDeviceIDsFromDX9MediaAdapterKHR(platform: cl_platform_id, num_media_adapters: cl_uint, media_adapters_type: *mut c_void, media_adapters: *mut c_void, media_adapter_set: cl_uint, num_entries: cl_uint, devices: Out<cl_device_id>, num_devices: Out<cl_uint>) -> status;
    117 "cl_khr_dx9_media_sharing" absent clEnqueueAcquireDX9MediaSurfacesKHR(command_queue: cl_command_queue, num_objects: cl_uint, mem_objects: In<cl_mem>, num_events_in_wait_list: cl_uint, event_wait_list: In<cl_event>, event: Out<cl_event>) -> status;
    118 "cl_khr_dx9_media_sharing" absent clEnqueueReleaseDX9MediaSurfacesKHR(command_queue: cl_command_queue, num_objects: cl_uint, mem_objects: In<cl_mem>, num_events_in_wait_list: cl_uint, event_wait_list: In<cl_event>, event: Out<cl_event>) -> status;
    119 "cl_khr_egl_image" absent clCreateFromEGLImageKHR(context: cl_context, display: *mut c_void, image: *mut c_void, flags: cl_mem_flags, properties: *const c_void) -> object;
    120 "cl_khr_egl_image" absent clEnqueueAcquireEGLObjectsKHR(command_queue: cl_command_queue, num_objects: cl_uint, mem_objects: In<cl_mem>, num_events_in_wait_list: cl_uint, event_wait_list: In<cl_event>, event: Out<cl_event>) -> status;
    121 "cl_khr_egl_image" absent clEnqueueReleaseEGLObjectsKHR(command_queue: cl_command_queue, num_objects: cl_uint, mem_objects: In<cl_mem>, num_events_in_wait_list: cl_uint, event_wait_list: In<cl_event>, event: Out<cl_event>) -> status;
    122 "cl_khr_egl_event" absent clCreateEventFromEGLSyncKHR(context: cl_context, sync: *mut c_void, display: *mut c_void) -> object;
    123 "2.0" absent clCreateCommandQueueWithProperties(context: cl_context, device: cl_device_id, properties: In<cl_queue_properties>) -> object;
    124 "2.0" absent clCreatePipe(context: cl_context, flags: cl_mem_flags, pipe_packet_size: cl_uint, pipe_max_packets: cl_uint, properties: In<cl_pipe_properties>) -> object;
    125 "2.0" absent clGetPipeInfo(pipe: cl_mem, param_name: cl_pipe_info, param_value_size: usize, param_value: Out<c_void>, param_value_size_ret: Out<usize>) -> status;
    126 "2.0" absent clSVMAlloc(context: cl_context, flags: cl_svm_mem_flags, size: usize, alignment: cl_uint) -> address;
    127 "2.0" absent clSVMFree(context: cl_context, svm_pointer: *mut c_void) -> nothing;
    128 "2.0" absent clEnqueueSVMFree(command_queue: cl_command_queue, num_svm_pointers: cl_uint, svm_pointers: In<*const c_void>, pfn_free_func: *const c_void, user_data: *mut c_void, num_events_in_wait_list: cl_uint, event_wait_list: In<cl_event>, event: Out<cl_event>) -> status;
    129 "2.0" absent clEnqueueSVMMemcpy(command_queue: cl_command_queue, blocking_copy: cl_bool, dst_ptr: *mut c_void, src_ptr: *const c_void, size: usize, num_events_in_wait_list: cl_uint, event_wait_list: In<cl_event>, event: Out<cl_event>) -> status;
    130 "2.0" absent clEnqueueSVMMemFill(command_queue: cl_command_queue, svm_ptr: *mut c_void, pattern: In<c_void>, pattern_size: usize, size: usize, num_events_in_wait_list: cl_uint, event_wait_list: In<cl_event>, event: Out<cl_event>) -> status;
    131 "2.0" absent clEnqueueSVMMap(command_queue: cl_command_queue, blocking_map: cl_bool, map_flags: cl_map_flags, svm_ptr: *mut c_void, size: usize, num_events_in_wait_list: cl_uint, event_wait_list: In<cl_event>, event: Out<cl_event>) -> status;
    132 "2.0" absent clEnqueueSVMUnmap(command_queue: cl_command_queue, svm_ptr: *mut c_void, num_events_in_wait_list: cl_uint, event_wait_list: In<cl_event>, event: Out<cl_event>) -> status;
    133 "2.0" absent clCreateSamplerWithProperties(context: cl_context, sampler_properties: In<cl_sampler_properties>) -> object;
    134 "2.0" absent clSetKernelArgSVMPointer(kernel: cl_kernel, arg_index: cl_uint, arg_value: In<c_void>) -> status;
    135 "2.0" absent clSetKernelExecInfo(kernel: cl_kernel, param_name: cl_kernel_exec_info, param_value_size: usize, param_value: Out<c_void>) -> status;
    136 "cl_khr_subgroups" absent clGetKernelSubGroupInfoKHR(in_kernel: cl_kernel, in_device: cl_device_id, param_name: cl_kernel_sub_group_info, input_value_size: usize, input_value: *const c_void, param_value_size: usize, param_value: Out<c_void>, param_value_size_ret: Out<usize>) -> status;
    137 "2.1" absent clCloneKernel(source_kernel: cl_kernel) -> object;
    138 "2.1" absent clCreateProgramWithIL(context: cl_context, il: *const c_void, length: usize) -> object;
    139 "2.1" absent clEnqueueSVMMigrateMem(command_queue: cl_command_queue, num_svm_pointers: cl_uint, svm_pointers: In<*const c_void>, sizes: In<usize>, flags: cl_mem_migration_flags, num_events_in_wait_list: cl_uint, event_wait_list: In<cl_event>, event: Out<cl_event>) -> status;
    140 "2.1" absent clGetDeviceAndHostTimer(device: cl_device_id, device_timestamp: Out<cl_ulong>, host_timestamp: Out<cl_ulong>) -> status;
    141 "2.1" absent clGetHostTimer(device: cl_device_id, host_timestamp: Out<cl_ulong>) -> status;
    142 "2.1" absent clGetKernelSubGroupInfo(kernel: cl_kernel, device: cl_device_id, param_name: cl_kernel_sub_group_info, input_value_size: usize, input_value: *const c_void, param_value_size: usize, param_value: Out<c_void>, param_value_size_ret: Out<usize>) -> status;
    143 "2.1" absent clSetDefaultDeviceCommandQueue(context: cl_context, device: cl_device_id, command_queue: cl_command_queue) -> status;
    144 "2.2" absent clSetProgramReleaseCallback(program: cl_program, pfn_notify: *const c_void, user_data: *mut c_void) -> status;
    145 "2.2" absent clSetProgramSpecializationConstant(program: cl_program, spec_id: cl_uint, spec_size: usize, spec_value: *const c_void) -> status;
    146 "3.0" absent clCreateBufferWithProperties(context: cl_context, properties: *const c_void, flags: cl_mem_flags, size: usize, host_ptr: *mut c_void) -> object;
    147 "3.0" absent clCreateImageWithProperties(context: cl_context, properties: *const c_void, flags: cl_mem_flags, image_format: In<cl_image_format>, image_desc: In<cl_image_desc>, host_ptr: *mut c_void) -> object;
    148 "3.0" absent clSetContextDestructorCallback(context: cl_context, pfn_notify: *const c_void, user_data: *mut c_void) -> status;
    149 "3.1" absent clGetKernelSuggestedLocalWorkSize(command_queue: cl_command_queue, kernel: cl_kernel, work_dim: cl_uint, global_work_offset: In<usize>, global_work_size: In<usize>, suggested_local_work_size: Out<usize>) -> status;

    #[unsafe(no_mangle)]
    -1 "cl_khr_icd" implemented clIcdGetPlatformIDsKHR(num_entries: cl_uint, platforms: Out<cl_platform_id>, num_platforms: Out<cl_uint>) -> status;
    -1 "cl_khr_create_command_queue" implemented clCreateCommandQueueWithPropertiesKHR(context: cl_context, device: cl_device_id, properties: In<cl_queue_properties>) -> object;
    -1 "cl_khr_terminate_context" implemented clTerminateContextKHR(context: cl_context) -> status;
    -1 "cl_khr_suggested_local_work_size" implemented clGetKernelSuggestedLocalWorkSizeKHR(command_queue: cl_command_queue, kernel: cl_kernel, work_dim: cl_uint, global_work_offset: In<usize>, global_work_size: In<usize>, suggested_local_work_size: Out<usize>) -> status;
}
