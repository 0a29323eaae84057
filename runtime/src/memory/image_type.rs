//! The types of images, their pitches and their layout in memory.

use crate::memory::rectangle::RectLayout;

macro_rules! image_types {
    ($($name:ident = $value:literal, $constant:literal, $kernel_type:literal;)*) => {
        /// The types of images among `cl_mem_object_type`, with OpenCL's values.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        #[repr(u32)]
        pub enum ImageType {
            $(#[doc = concat!("`", $constant, "`")] $name = $value,)*
        }

        impl ImageType {
            /// All types of images.
            pub const ALL: &[Self] = &[$(Self::$name),*];

            /// The type in OpenCL C, as kernels declare it.
            pub fn kernel_type(self) -> &'static str {
                match self {
                    $(Self::$name => $kernel_type,)*
                }
            }
        }
    };
}

image_types! {
    Image2d = 0x10F1, "CL_MEM_OBJECT_IMAGE2D", "image2d_t";
    Image3d = 0x10F2, "CL_MEM_OBJECT_IMAGE3D", "image3d_t";
    Image2dArray = 0x10F3, "CL_MEM_OBJECT_IMAGE2D_ARRAY", "image2d_array_t";
    Image1d = 0x10F4, "CL_MEM_OBJECT_IMAGE1D", "image1d_t";
    Image1dArray = 0x10F5, "CL_MEM_OBJECT_IMAGE1D_ARRAY", "image1d_array_t";
    Image1dBuffer = 0x10F6, "CL_MEM_OBJECT_IMAGE1D_BUFFER", "image1d_buffer_t";
}

/// The pitches of an image. A type without rows or slices has the pitch that a second row or
/// slice would need.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Pitches {
    /// Bytes from row to row.
    pub row: usize,
    /// Bytes from slice to slice of a 3D image, or from image to image of an array.
    pub slice: usize,
}

impl ImageType {
    /// The type with this value in OpenCL's headers.
    pub fn from_value(value: u32) -> Option<Self> {
        let mut all = Self::ALL.iter().copied();
        all.find(|known| *known as u32 == value)
    }

    /// Whether it has slices or array elements, and so a slice pitch.
    pub fn has_slices(self) -> bool {
        matches!(
            self,
            Self::Image3d | Self::Image2dArray | Self::Image1dArray
        )
    }

    /// The pitches of a region (pixels; rows, or images of a 1D array; slices). A pitch of 0
    /// means without padding.
    ///
    /// # Errors
    /// A sentence for the log: which of the given pitches is invalid.
    pub(crate) fn pitches(
        self,
        region: [usize; 3],
        element_size: usize,
        row_pitch: usize,
        slice_pitch: usize,
    ) -> std::result::Result<Pitches, &'static str> {
        let too_large = "the region is larger than memory";
        let [width, height, depth] = region;
        let tight_row = width.checked_mul(element_size).ok_or(too_large)?;
        let row = if row_pitch == 0 { tight_row } else { row_pitch };
        if row < tight_row {
            return Err("the row pitch is less than a row");
        }
        let rows = if self == Self::Image1dArray {
            1
        } else {
            height
        };
        let tight_slice = row.checked_mul(rows).ok_or(too_large)?;
        let slice = if slice_pitch == 0 || !self.has_slices() {
            tight_slice
        } else {
            slice_pitch
        };
        if slice < tight_slice {
            return Err("the slice pitch is less than a slice");
        }
        let slices = if self == Self::Image1dArray {
            height
        } else {
            depth
        };
        let bytes = slice.checked_mul(slices).ok_or(too_large)?;
        if isize::try_from(bytes).is_err() {
            return Err(too_large);
        }
        Ok(Pitches { row, slice })
    }

    /// Bytes of an image, including padding between rows and slices.
    pub(crate) fn bytes(self, extent: [usize; 3], pitches: Pitches) -> usize {
        match self {
            Self::Image1dArray => pitches.slice * extent[1],
            _ => pitches.slice * extent[2],
        }
    }

    /// The layout for rectangular copies: the images of a 1D array are its rows.
    pub(crate) fn layout(self, offset: usize, pitches: Pitches) -> RectLayout {
        RectLayout {
            offset,
            row_pitch: if self == Self::Image1dArray {
                pitches.slice
            } else {
                pitches.row
            },
            slice_pitch: pitches.slice,
        }
    }
}
