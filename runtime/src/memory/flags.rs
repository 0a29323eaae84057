//! The flags of memory objects and of maps.

use crate::error::{Code, Error, Result};

bitflags::bitflags! {
    /// `cl_mem_flags`.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub struct MemFlags: u64 {
        /// `CL_MEM_READ_WRITE`
        const READ_WRITE = 1;
        /// `CL_MEM_WRITE_ONLY`
        const WRITE_ONLY = 1 << 1;
        /// `CL_MEM_READ_ONLY`
        const READ_ONLY = 1 << 2;
        /// `CL_MEM_USE_HOST_PTR`
        const USE_HOST_PTR = 1 << 3;
        /// `CL_MEM_ALLOC_HOST_PTR`
        const ALLOC_HOST_PTR = 1 << 4;
        /// `CL_MEM_COPY_HOST_PTR`
        const COPY_HOST_PTR = 1 << 5;
        /// `CL_MEM_HOST_WRITE_ONLY`
        const HOST_WRITE_ONLY = 1 << 7;
        /// `CL_MEM_HOST_READ_ONLY`
        const HOST_READ_ONLY = 1 << 8;
        /// `CL_MEM_HOST_NO_ACCESS`
        const HOST_NO_ACCESS = 1 << 9;
    }
}

impl MemFlags {
    /// Access by kernels; `READ_WRITE` if none is given.
    pub const DEVICE_ACCESS: Self = Self::READ_WRITE
        .union(Self::WRITE_ONLY)
        .union(Self::READ_ONLY);
    /// Access by the host; unrestricted if none is given.
    pub const HOST_ACCESS: Self = Self::HOST_WRITE_ONLY
        .union(Self::HOST_READ_ONLY)
        .union(Self::HOST_NO_ACCESS);
    /// Use of the host pointer.
    pub const HOST_POINTER: Self = Self::USE_HOST_PTR
        .union(Self::ALLOC_HOST_PTR)
        .union(Self::COPY_HOST_PTR);

    /// The flags in force: `READ_WRITE` if none are given.
    pub(crate) fn or_default(self) -> Self {
        if self.is_empty() {
            Self::READ_WRITE
        } else {
            self
        }
    }

    /// The flags of an object created from one with the flags `parent`; missing ones are
    /// inherited (5.2.1, 5.3.1).
    ///
    /// # Errors
    /// `InvalidValue`: they widen the parent's access, or name a host pointer.
    pub(crate) fn inherited_from(self, parent: Self) -> Result<Self> {
        let device = self & Self::DEVICE_ACCESS;
        let host = self & Self::HOST_ACCESS;
        let widens = (parent.contains(Self::WRITE_ONLY)
            && device.intersects(Self::READ_WRITE | Self::READ_ONLY))
            || (parent.contains(Self::READ_ONLY)
                && device.intersects(Self::READ_WRITE | Self::WRITE_ONLY))
            || (parent.contains(Self::HOST_WRITE_ONLY) && host.contains(Self::HOST_READ_ONLY))
            || (parent.contains(Self::HOST_READ_ONLY) && host.contains(Self::HOST_WRITE_ONLY))
            || (parent.contains(Self::HOST_NO_ACCESS)
                && host.intersects(Self::HOST_READ_ONLY | Self::HOST_WRITE_ONLY));
        if widens {
            return Err(Error::new(
                Code::InvalidValue,
                format!("flags {self:?} allow what the buffer's {parent:?} do not"),
            ));
        }
        if self.intersects(Self::HOST_POINTER) {
            return Err(Error::new(
                Code::InvalidValue,
                "what is made from a buffer takes its host pointer flags from the buffer",
            ));
        }
        let inherits = |mask: Self| {
            if self.intersects(mask) {
                self & mask
            } else {
                parent & mask
            }
        };
        Ok(inherits(Self::DEVICE_ACCESS)
            | inherits(Self::HOST_ACCESS)
            | (parent & Self::HOST_POINTER))
    }

    /// # Errors
    /// `InvalidOperation`: the flags forbid that access by the host.
    pub(crate) fn check_host_access(self, reads: bool, writes: bool) -> Result<()> {
        if self.contains(Self::HOST_NO_ACCESS)
            || (reads && self.contains(Self::HOST_WRITE_ONLY))
            || (writes && self.contains(Self::HOST_READ_ONLY))
        {
            return Err(Error::new(
                Code::InvalidOperation,
                format!("the memory object's flags are {self:?}"),
            ));
        }
        Ok(())
    }
}

bitflags::bitflags! {
    /// `cl_map_flags`.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub struct MapFlags: u64 {
        /// `CL_MAP_READ`
        const READ = 1;
        /// `CL_MAP_WRITE`
        const WRITE = 2;
        /// `CL_MAP_WRITE_INVALIDATE_REGION`
        const WRITE_INVALIDATE_REGION = 4;
    }
}

impl MapFlags {
    /// Whether the host may write to the mapped region.
    pub(crate) fn writes(self) -> bool {
        self.intersects(Self::WRITE | Self::WRITE_INVALIDATE_REGION)
    }

    /// # Errors
    /// `InvalidValue`: mutually exclusive flags.
    pub(crate) fn check(self) -> Result<()> {
        if self.contains(Self::WRITE_INVALIDATE_REGION) && self.intersects(Self::READ | Self::WRITE)
        {
            return Err(Error::new(
                Code::InvalidValue,
                format!("{self:?} exclude each other"),
            ));
        }
        Ok(())
    }
}
