//! The types of commands.

/// `CL_EVENT_COMMAND_TYPE` with the values of OpenCL's headers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u32)]
#[allow(missing_docs, reason = "named as in the specification")]
pub enum CommandType {
    NdRangeKernel = 0x11F0,
    Task = 0x11F1,
    NativeKernel = 0x11F2,
    ReadBuffer = 0x11F3,
    WriteBuffer = 0x11F4,
    CopyBuffer = 0x11F5,
    ReadImage = 0x11F6,
    WriteImage = 0x11F7,
    CopyImage = 0x11F8,
    CopyImageToBuffer = 0x11F9,
    CopyBufferToImage = 0x11FA,
    MapBuffer = 0x11FB,
    MapImage = 0x11FC,
    UnmapMemObject = 0x11FD,
    Marker = 0x11FE,
    ReadBufferRect = 0x1201,
    WriteBufferRect = 0x1202,
    CopyBufferRect = 0x1203,
    User = 0x1204,
    Barrier = 0x1205,
    MigrateMemObjects = 0x1206,
    FillBuffer = 0x1207,
    FillImage = 0x1208,
}

impl CommandType {
    /// The constant's name in OpenCL's headers.
    pub fn name(self) -> &'static str {
        match self {
            Self::NdRangeKernel => "CL_COMMAND_NDRANGE_KERNEL",
            Self::Task => "CL_COMMAND_TASK",
            Self::NativeKernel => "CL_COMMAND_NATIVE_KERNEL",
            Self::ReadBuffer => "CL_COMMAND_READ_BUFFER",
            Self::WriteBuffer => "CL_COMMAND_WRITE_BUFFER",
            Self::CopyBuffer => "CL_COMMAND_COPY_BUFFER",
            Self::ReadImage => "CL_COMMAND_READ_IMAGE",
            Self::WriteImage => "CL_COMMAND_WRITE_IMAGE",
            Self::CopyImage => "CL_COMMAND_COPY_IMAGE",
            Self::CopyImageToBuffer => "CL_COMMAND_COPY_IMAGE_TO_BUFFER",
            Self::CopyBufferToImage => "CL_COMMAND_COPY_BUFFER_TO_IMAGE",
            Self::MapBuffer => "CL_COMMAND_MAP_BUFFER",
            Self::MapImage => "CL_COMMAND_MAP_IMAGE",
            Self::UnmapMemObject => "CL_COMMAND_UNMAP_MEM_OBJECT",
            Self::Marker => "CL_COMMAND_MARKER",
            Self::ReadBufferRect => "CL_COMMAND_READ_BUFFER_RECT",
            Self::WriteBufferRect => "CL_COMMAND_WRITE_BUFFER_RECT",
            Self::CopyBufferRect => "CL_COMMAND_COPY_BUFFER_RECT",
            Self::User => "CL_COMMAND_USER",
            Self::Barrier => "CL_COMMAND_BARRIER",
            Self::MigrateMemObjects => "CL_COMMAND_MIGRATE_MEM_OBJECTS",
            Self::FillBuffer => "CL_COMMAND_FILL_BUFFER",
            Self::FillImage => "CL_COMMAND_FILL_IMAGE",
        }
    }
}
