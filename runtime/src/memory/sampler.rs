//! Samplers (OpenCL 1.2, section 5.5).

use crate::context::Context;
use crate::error::{Code, Error, Result};
use crate::fault;
use crate::handle_slot::HandleSlot;
use kernel_compiler::image_argument::sampler_bits;
use std::sync::Arc;

macro_rules! modes {
    ($(#[$attribute:meta])* $type:ident: $($name:ident = $value:literal, $constant:literal, $bits:ident;)*) => {
        $(#[$attribute])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        #[repr(u32)]
        pub enum $type {
            $(#[doc = concat!("`", $constant, "`")] $name = $value,)*
        }

        impl $type {
            /// The mode with this value in OpenCL's headers.
            ///
            /// # Errors
            /// `InvalidValue`.
            pub fn from_value(value: u32) -> Result<Self> {
                match value {
                    $($value => Ok(Self::$name),)*
                    _ => Err(Error::new(
                        Code::InvalidValue,
                        format!(concat!("{:#x} is no ", stringify!($type)), value),
                    )),
                }
            }

            /// Its encoding in the sampler value that kernels receive.
            fn bits(self) -> u64 {
                match self {
                    $(Self::$name => sampler_bits::$bits,)*
                }
            }
        }
    };
}

modes! {
    /// `cl_addressing_mode`, with OpenCL's values.
    AddressingMode:
    None = 0x1130, "CL_ADDRESS_NONE", ADDRESS_NONE;
    ClampToEdge = 0x1131, "CL_ADDRESS_CLAMP_TO_EDGE", ADDRESS_CLAMP_TO_EDGE;
    Clamp = 0x1132, "CL_ADDRESS_CLAMP", ADDRESS_CLAMP;
    Repeat = 0x1133, "CL_ADDRESS_REPEAT", ADDRESS_REPEAT;
    MirroredRepeat = 0x1134, "CL_ADDRESS_MIRRORED_REPEAT", ADDRESS_MIRRORED_REPEAT;
}

modes! {
    /// `cl_filter_mode`, with OpenCL's values.
    FilterMode:
    Nearest = 0x1140, "CL_FILTER_NEAREST", FILTER_NEAREST;
    Linear = 0x1141, "CL_FILTER_LINEAR", FILTER_LINEAR;
}

/// A sampler.
pub struct Sampler {
    handle: HandleSlot,
    context: Arc<Context>,
    normalized_coords: bool,
    addressing_mode: AddressingMode,
    filter_mode: FilterMode,
}

impl Sampler {
    /// `clCreateSampler`.
    ///
    /// # Errors
    /// `InvalidValue`: a repeating mode without normalised coordinates (table 5.10). `InvalidOperation`: no
    /// device of the context supports images.
    pub fn new(
        context: &Arc<Context>,
        normalized_coords: bool,
        addressing_mode: AddressingMode,
        filter_mode: FilterMode,
    ) -> Result<Arc<Self>> {
        context.check_supports_images()?;
        let repeats = matches!(
            addressing_mode,
            AddressingMode::Repeat | AddressingMode::MirroredRepeat
        );
        if repeats && !normalized_coords {
            return Err(Error::new(
                Code::InvalidValue,
                format!("{addressing_mode:?} needs normalised coordinates"),
            ));
        }
        Ok(Arc::new(Self {
            handle: HandleSlot::default(),
            context: Arc::clone(context),
            normalized_coords,
            addressing_mode,
            filter_mode,
        }))
    }
    /// Its context.
    pub fn context(&self) -> &Arc<Context> {
        &self.context
    }
    /// Whether coordinates go from 0 to 1 over the image.
    pub fn normalized_coords(&self) -> bool {
        self.normalized_coords
    }
    /// How reads outside the image are resolved.
    pub fn addressing_mode(&self) -> AddressingMode {
        self.addressing_mode
    }
    /// How reads between pixels are resolved.
    pub fn filter_mode(&self) -> FilterMode {
        self.filter_mode
    }

    /// The sampler value that kernels receive.
    pub(crate) fn bits(&self) -> u64 {
        let coords = if self.normalized_coords {
            sampler_bits::NORMALIZED_COORDS
        } else {
            0
        };
        let addressing_mode = match self.addressing_mode {
            AddressingMode::Clamp if !fault::images_have_borders() => AddressingMode::ClampToEdge,
            mode => mode,
        };
        coords | addressing_mode.bits() | self.filter_mode.bits()
    }
}

impl crate::handle_slot::HasHandle for Sampler {
    fn handle_slot(&self) -> &HandleSlot {
        &self.handle
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::device::platform::Platform;

    #[test]
    fn kernels_get_the_bits_of_all_three_modes() {
        let context = Context::new(Platform::get().devices()[..1].to_vec(), None).unwrap();
        let bits = |coords, addressing: u32, filter: u32| {
            let modes = (
                AddressingMode::from_value(addressing)?,
                FilterMode::from_value(filter)?,
            );
            Sampler::new(&context, coords, modes.0, modes.1).map(|sampler| sampler.bits())
        };
        assert_eq!(bits(true, 0x1134, 0x1141).unwrap(), 1 | 8 | 0x20);
        assert_eq!(bits(false, 0x1132, 0x1140).unwrap(), 4 | 0x10);
        assert_eq!(bits(false, 0x1130, 0x1140).unwrap(), 0x10);
        for (coords, addressing, filter) in [
            (false, 0x1133, 0x1140),
            (false, 0x1134, 0x1140),
            (true, 0x1135, 0x1140),
            (true, 0x1131, 0x1142),
        ] {
            let error = bits(coords, addressing, filter).unwrap_err();
            assert_eq!(error.code, Code::InvalidValue);
        }
    }
}
