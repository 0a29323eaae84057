//! The format of values in the trace: by the name of their C type, or by the name of the parameter
//! where the type does not determine it (the length of an array, for example).

use super::constants::{self as of, Constant};

/// The format of a value in the trace.
#[derive(Clone, Copy)]
pub enum Format {
    /// A number without sign.
    Unsigned,
    /// A number with a sign.
    Signed,
    /// A name of a constant.
    Name(&'static [Constant]),
    /// Names of constants joined by `|`.
    Bits(&'static [Constant]),
    /// A status of a command: a constant, or an error code if negative.
    ExecutionStatus,
    /// An error code or `CL_SUCCESS`.
    ErrorCode,
    /// A handle: its kind and address.
    Handle,
    /// A pointer that is not followed.
    Address,
    /// `major.minor.patch`.
    Version,
    /// A name in a list of properties, which ends with 0; a value follows each name.
    Property(&'static [Constant]),
    /// Bytes, as they lie.
    Bytes,
    /// Fields, laid out as C does.
    Structure(&'static [Field]),
}

/// A field of a structure: its name, and that of its type.
pub type Field = (&'static str, &'static str);

/// A type.
pub struct Type {
    /// As the table of functions or `Constant::answer` calls it.
    pub name: &'static str,
    /// Bytes.
    pub size: usize,
    /// Its format.
    pub format: Format,
}

const fn row(name: &'static str, size: usize, format: Format) -> Type {
    Type { name, size, format }
}

/// All types with a format of their own; pointers to others are shown as addresses.
#[rustfmt::skip]
pub static TYPES: &[Type] = &[
    row("cl_uint", 4, Format::Unsigned),
    row("cl_int", 4, Format::Signed),
    row("cl_ulong", 8, Format::Unsigned),
    row("usize", 8, Format::Unsigned),
    row("void *", 8, Format::Address),
    row("uuid", 16, Format::Bytes),
    row("cl_platform_id", 8, Format::Handle),
    row("cl_device_id", 8, Format::Handle),
    row("cl_context", 8, Format::Handle),
    row("cl_command_queue", 8, Format::Handle),
    row("cl_mem", 8, Format::Handle),
    row("cl_program", 8, Format::Handle),
    row("cl_kernel", 8, Format::Handle),
    row("cl_event", 8, Format::Handle),
    row("cl_sampler", 8, Format::Handle),
    row("cl_bool", 4, Format::Name(of::BOOL)),
    row("cl_version", 4, Format::Version),
    row("cl_device_type", 8, Format::Bits(of::DEVICE_TYPE)),
    row("cl_platform_info", 4, Format::Name(of::PLATFORM_INFO)),
    row("cl_device_info", 4, Format::Name(of::DEVICE_INFO)),
    row("cl_device_fp_config", 8, Format::Bits(of::FP_CONFIG)),
    row("cl_device_mem_cache_type", 4, Format::Name(of::MEM_CACHE_TYPE)),
    row("cl_device_local_mem_type", 4, Format::Name(of::LOCAL_MEM_TYPE)),
    row("cl_device_exec_capabilities", 8, Format::Bits(of::EXECUTION_CAPABILITIES)),
    row("cl_device_affinity_domain", 8, Format::Bits(of::AFFINITY_DOMAIN)),
    row("cl_device_partition_property", 8, Format::Property(of::PARTITION_PROPERTY)),
    row("cl_context_properties", 8, Format::Property(of::CONTEXT_PROPERTY)),
    row("cl_context_memory_initialize_khr", 8, Format::Unsigned),
    row("cl_device_terminate_capability_khr", 8, Format::Bits(of::TERMINATE_CAPABILITY)),
    row("cl_context_info", 4, Format::Name(of::CONTEXT_INFO)),
    row("cl_command_queue_properties", 8, Format::Bits(of::QUEUE_PROPERTIES)),
    row("cl_queue_properties", 8, Format::Property(of::QUEUE_PROPERTY)),
    row("cl_command_queue_info", 4, Format::Name(of::QUEUE_INFO)),
    row("cl_mem_flags", 8, Format::Bits(of::MEM_FLAGS)),
    row("cl_mem_migration_flags", 8, Format::Bits(of::MIGRATION_FLAGS)),
    row("cl_mem_object_type", 4, Format::Name(of::MEM_OBJECT_TYPE)),
    row("cl_mem_info", 4, Format::Name(of::MEM_INFO)),
    row("cl_image_info", 4, Format::Name(of::IMAGE_INFO)),
    row("cl_channel_order", 4, Format::Name(of::CHANNEL_ORDER)),
    row("cl_channel_type", 4, Format::Name(of::CHANNEL_TYPE)),
    row("cl_buffer_create_type", 4, Format::Name(of::BUFFER_CREATE_TYPE)),
    row("cl_map_flags", 8, Format::Bits(of::MAP_FLAGS)),
    row("cl_addressing_mode", 4, Format::Name(of::ADDRESSING_MODE)),
    row("cl_filter_mode", 4, Format::Name(of::FILTER_MODE)),
    row("cl_sampler_info", 4, Format::Name(of::SAMPLER_INFO)),
    row("cl_program_info", 4, Format::Name(of::PROGRAM_INFO)),
    row("cl_program_build_info", 4, Format::Name(of::PROGRAM_BUILD_INFO)),
    row("cl_program_binary_type", 4, Format::Name(of::PROGRAM_BINARY_TYPE)),
    row("cl_build_status", 4, Format::Name(of::BUILD_STATUS)),
    row("cl_kernel_info", 4, Format::Name(of::KERNEL_INFO)),
    row("cl_kernel_arg_info", 4, Format::Name(of::KERNEL_ARG_INFO)),
    row("cl_kernel_arg_address_qualifier", 4, Format::Name(of::KERNEL_ARG_ADDRESS)),
    row("cl_kernel_arg_access_qualifier", 4, Format::Name(of::KERNEL_ARG_ACCESS)),
    row("cl_kernel_arg_type_qualifier", 8, Format::Bits(of::KERNEL_ARG_TYPE)),
    row("cl_kernel_work_group_info", 4, Format::Name(of::KERNEL_WORK_GROUP_INFO)),
    row("cl_event_info", 4, Format::Name(of::EVENT_INFO)),
    row("cl_profiling_info", 4, Format::Name(of::PROFILING_INFO)),
    row("cl_command_type", 4, Format::Name(of::COMMAND_TYPE)),
    row("cl_execution_status", 4, Format::ExecutionStatus),
    row("cl_error_code", 4, Format::ErrorCode),
    row("cl_image_format", 8, Format::Structure(&[
        ("image_channel_order", "cl_channel_order"),
        ("image_channel_data_type", "cl_channel_type"),
    ])),
    row("cl_image_desc", 72, Format::Structure(&[
        ("image_type", "cl_mem_object_type"),
        ("image_width", "usize"),
        ("image_height", "usize"),
        ("image_depth", "usize"),
        ("image_array_size", "usize"),
        ("image_row_pitch", "usize"),
        ("image_slice_pitch", "usize"),
        ("num_mip_levels", "cl_uint"),
        ("num_samples", "cl_uint"),
        ("buffer", "cl_mem"),
    ])),
    row("cl_buffer_region", 16, Format::Structure(&[("origin", "usize"), ("size", "usize")])),
];

/// The type of that name.
pub fn named(name: &str) -> Option<&'static Type> {
    TYPES.iter().find(|row| row.name == name)
}

/// What a pointer points to, where its type does not tell.
#[derive(Clone, Copy)]
pub enum Extent {
    /// As many as one of these parameters says.
    Counted(&'static [&'static str]),
    /// As many as `work_dim` says, three at most.
    WorkDimensions,
    /// An origin or a region: three.
    Three,
    /// As many bytes as that parameter says.
    Bytes(&'static str),
    /// The colour of an image: 16 bytes.
    Color,
    /// The answer to `param_name`.
    Answer,
    /// One of that type, whatever is declared.
    One(&'static str),
    /// As `Counted` by the first, each of that type, whatever is declared.
    CountedOf(&'static str, &'static str),
}

/// Parameters whose values or extents their types do not tell.
#[rustfmt::skip]
pub static PARAMETERS: &[(&str, Extent)] = &[
    ("platforms", Extent::Counted(&["num_entries"])),
    ("devices", Extent::Counted(&["num_entries", "num_devices"])),
    ("out_devices", Extent::Counted(&["num_entries"])),
    ("device_list", Extent::Counted(&["num_devices"])),
    ("image_formats", Extent::Counted(&["num_entries"])),
    ("kernels", Extent::Counted(&["num_kernels"])),
    ("event_list", Extent::Counted(&["num_events"])),
    ("event_wait_list", Extent::Counted(&["num_events_in_wait_list"])),
    ("mem_list", Extent::Counted(&["num_mem_objects"])),
    ("args_mem_loc", Extent::CountedOf("num_mem_objects", "void *")),
    ("mem_objects", Extent::Counted(&["num_mem_objects", "num_objects"])),
    ("input_headers", Extent::Counted(&["num_input_headers"])),
    ("header_include_names", Extent::Counted(&["num_input_headers"])),
    ("input_programs", Extent::Counted(&["num_input_programs"])),
    ("strings", Extent::Counted(&["count"])),
    ("lengths", Extent::Counted(&["count", "num_devices"])),
    ("binaries", Extent::CountedOf("num_devices", "void *")),
    ("binary_status", Extent::CountedOf("num_devices", "cl_error_code")),
    ("global_work_offset", Extent::WorkDimensions),
    ("global_work_size", Extent::WorkDimensions),
    ("local_work_size", Extent::WorkDimensions),
    ("suggested_local_work_size", Extent::WorkDimensions),
    ("origin", Extent::Three),
    ("src_origin", Extent::Three),
    ("dst_origin", Extent::Three),
    ("buffer_origin", Extent::Three),
    ("host_origin", Extent::Three),
    ("region", Extent::Three),
    ("arg_value", Extent::Bytes("arg_size")),
    ("pattern", Extent::Bytes("pattern_size")),
    ("fill_color", Extent::Color),
    ("buffer_create_info", Extent::One("cl_buffer_region")),
    ("execution_status", Extent::One("cl_execution_status")),
    ("command_exec_callback_type", Extent::One("cl_execution_status")),
    ("param_value", Extent::Answer),
];

/// The extent of a parameter.
pub fn extent(parameter: &str) -> Option<Extent> {
    let row = PARAMETERS.iter().find(|(name, _)| *name == parameter);
    row.map(|(_, extent)| *extent)
}
