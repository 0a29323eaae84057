//! The accesses of checked code and the objects that they lead into: what the numbers in its reports
//! mean.

use findings::Place;
use serde::{Deserialize, Serialize};

/// A memory access in the source.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct AccessSite {
    /// The function in the source; empty if unknown.
    pub function: String,
    /// Where; none if it is not known.
    pub place: Option<Place>,
    /// Whether it writes.
    pub writes: bool,
    /// What its address has to be a multiple of, in bytes.
    pub alignment: u64,
    /// The type of the value that it writes, if findings show that.
    pub value: Option<ValueType>,
}

/// The type of a value that findings show.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum ValueType {
    /// Of that many bits, at most 64.
    Integer(u32),
    /// `float`
    Float,
    /// `double`
    Double,
    /// Any pointer.
    Pointer,
}

impl ValueType {
    /// The value with these bits, as a number.
    pub fn format(self, bits: u64) -> String {
        match self {
            Self::Integer(width) => {
                let shift = 64 - width.clamp(1, 64);
                match (bits << shift).cast_signed() >> shift {
                    value if value < 0 => format!("{value} ({:#x})", bits << shift >> shift),
                    value => value.to_string(),
                }
            }
            Self::Float => format!("{:?}", f32::from_bits(bits as u32)),
            Self::Double => format!("{:?}", f64::from_bits(bits)),
            Self::Pointer => format!("{bits:#x}"),
        }
    }
}

/// A kind of memory that kernels have objects in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Space {
    /// `__global`
    Global,
    /// `__constant`
    Constant,
    /// `__local`
    Local,
    /// `__private`
    Private,
}

/// What a pointer may lead into: known when the kernel is compiled, except for the size of
/// arguments.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum CheckedObject {
    /// A pointer argument.
    Argument {
        /// Its number.
        index: usize,
        /// Its name.
        name: String,
        /// The memory it points to.
        space: Space,
        /// The source declares what it points to `const`.
        is_const: bool,
    },
    /// A variable.
    Variable {
        /// Its name; empty if unknown.
        name: String,
        /// The memory it is in.
        space: Space,
        /// Its size.
        bytes: u64,
    },
}

/// An access to an image in the source.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ImageSite {
    /// Its place; whether it writes.
    pub site: AccessSite,
    /// The image, if it is known: number of the argument, name and type.
    pub argument: Option<ImageArgument>,
    /// How it addresses the image.
    pub form: ImageForm,
}

/// An argument that is an image.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ImageArgument {
    /// Its number.
    pub index: usize,
    /// Its name.
    pub name: String,
    /// Its type, such as `image2d_t`.
    pub type_name: String,
}

/// How a call of an image function addresses an image.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ImageForm {
    /// Coordinates of a pixel in an image, 1 to 3.
    pub dimensions: u8,
    /// The layer of an array of images follows.
    pub has_layer: bool,
    /// Coordinates and layer are of type `float`, not `int`.
    pub is_floating: bool,
    /// It has a sampler.
    pub has_sampler: bool,
}

impl ImageForm {
    /// Coordinates of a pixel, and the layer.
    pub fn coordinates(self) -> usize {
        usize::from(self.dimensions) + usize::from(self.has_layer)
    }
}

/// The accesses of a kernel and the objects that they may lead into; `report` gets their numbers.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct AccessTable {
    /// The accesses.
    pub sites: Vec<AccessSite>,
    /// The objects.
    pub objects: Vec<CheckedObject>,
    /// The accesses to images, which have numbers of their own.
    pub images: Vec<ImageSite>,
    /// Numbers of the arguments that it reads, directly.
    pub read: Vec<usize>,
    /// Numbers of the arguments that it writes, directly.
    pub written: Vec<usize>,
}

impl AccessTable {
    /// Notes an access to an argument.
    pub fn add_argument(&mut self, index: usize, writes: bool) {
        let known = match writes {
            true => &mut self.written,
            false => &mut self.read,
        };
        if !known.contains(&index) {
            known.push(index);
        }
    }

    /// Whether the code reads, or writes, an argument, as far as it is known; an image, too.
    pub fn accesses(&self, argument: usize, writes: bool) -> bool {
        let known = match writes {
            true => &self.written,
            false => &self.read,
        };
        let of_image = |image: &ImageSite| {
            let index = image.argument.as_ref().map(|argument| argument.index);
            index == Some(argument) && image.site.writes == writes
        };
        known.contains(&argument) || self.images.iter().any(of_image)
    }

    /// Whether an argument is a pointer to `const`.
    pub fn is_const(&self, argument: usize) -> bool {
        self.objects.iter().any(|object| {
            matches!(object, CheckedObject::Argument { index, is_const: true, .. } if *index == argument)
        })
    }
}

/// Number of an object that is not known: the place of the access is its address.
pub const UNKNOWN_OBJECT: u64 = u64::MAX;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_numbers_of_their_type() {
        for (ty, bits, text) in [
            (ValueType::Integer(32), 7, "7"),
            (ValueType::Integer(32), 0xffff_ffff, "-1 (0xffffffff)"),
            (ValueType::Integer(8), 0x80, "-128 (0x80)"),
            (ValueType::Integer(64), u64::MAX, "-1 (0xffffffffffffffff)"),
            (ValueType::Float, 0x3fc0_0000, "1.5"),
            (ValueType::Double, f64::NAN.to_bits(), "NaN"),
            (ValueType::Pointer, 4096, "0x1000"),
        ] {
            assert_eq!(ty.format(bits), text);
        }
    }
}
