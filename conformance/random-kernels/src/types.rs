//! OpenCL C's types (sections 6.1.1 and 6.1.2), their values and their layout. Floating-point
//! values are small integers, so that all results are exact.

/// A scalar type.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
#[allow(missing_docs)]
pub enum Scalar {
    Char,
    Uchar,
    Short,
    Ushort,
    Int,
    Uint,
    Long,
    Ulong,
    Float,
    Double,
}

impl Scalar {
    /// Every integer type.
    pub const INTEGERS: [Self; 8] = [
        Self::Char,
        Self::Uchar,
        Self::Short,
        Self::Ushort,
        Self::Int,
        Self::Uint,
        Self::Long,
        Self::Ulong,
    ];

    /// The type with this number of bits: 8, 16, 32 or 64.
    pub fn with(bits: u32, signed: bool) -> Self {
        let pair = match bits {
            8 => [Self::Uchar, Self::Char],
            16 => [Self::Ushort, Self::Short],
            32 => [Self::Uint, Self::Int],
            _ => [Self::Ulong, Self::Long],
        };
        pair[usize::from(signed)]
    }

    /// The size in bits.
    pub fn bits(self) -> u32 {
        match self {
            Self::Char | Self::Uchar => 8,
            Self::Short | Self::Ushort => 16,
            Self::Int | Self::Uint | Self::Float => 32,
            Self::Long | Self::Ulong | Self::Double => 64,
        }
    }

    /// Whether the type has negative values.
    pub fn signed(self) -> bool {
        matches!(self, Self::Char | Self::Short | Self::Int | Self::Long) || self.is_real()
    }

    /// Whether it is a floating-point type.
    pub fn is_real(self) -> bool {
        matches!(self, Self::Float | Self::Double)
    }

    /// The floating-point type of the same size, if there is one.
    pub fn to_real(self) -> Option<Self> {
        match self.bits() {
            32 => Some(Self::Float),
            64 => Some(Self::Double),
            _ => None,
        }
    }

    /// The unsigned integer type of the same size.
    pub fn to_unsigned(self) -> Self {
        Self::with(self.bits(), false)
    }

    /// The signed integer type of the same size.
    pub fn to_signed(self) -> Self {
        Self::with(self.bits(), true)
    }

    /// The type's name in OpenCL C.
    pub fn name(self) -> &'static str {
        match self {
            Self::Char => "char",
            Self::Uchar => "uchar",
            Self::Short => "short",
            Self::Ushort => "ushort",
            Self::Int => "int",
            Self::Uint => "uint",
            Self::Long => "long",
            Self::Ulong => "ulong",
            Self::Float => "float",
            Self::Double => "double",
        }
    }

    /// The smallest value; the smallest generated value of floating-point types.
    pub fn min(self) -> i128 {
        if self.is_real() {
            -self.max()
        } else if self.signed() {
            -(1 << (self.bits() - 1))
        } else {
            0
        }
    }

    /// The largest value; the largest generated value of floating-point types, for which products
    /// and their sums are exact.
    pub fn max(self) -> i128 {
        match self {
            Self::Float => 1 << 11,
            Self::Double => 1 << 20,
            _ => self.min() + (1 << self.bits()) - 1,
        }
    }

    /// The value with the same low bits; the nearest value of floating-point types.
    pub fn wrap(self, value: i128) -> i128 {
        if self.is_real() {
            return self.saturate(value);
        }
        let unused = 128 - self.bits();
        if self.signed() {
            value << unused >> unused
        } else {
            ((value as u128) << unused >> unused) as i128
        }
    }

    /// The value nearest to `value`.
    pub fn saturate(self, value: i128) -> i128 {
        value.clamp(self.min(), self.max())
    }

    /// The bits of a value.
    pub fn to_bits(self, value: i128) -> u64 {
        match self {
            Self::Float => (value as f32).to_bits().into(),
            Self::Double => (value as f64).to_bits(),
            _ => value as u64,
        }
    }

    /// The value with these bits. Higher bits are ignored.
    pub fn of_bits(self, bits: u64) -> i128 {
        match self {
            Self::Float => f32::from_bits(bits as u32) as i128,
            Self::Double => f64::from_bits(bits) as i128,
            _ => self.wrap(bits.into()),
        }
    }

    /// Whether both bit patterns represent the same number.
    pub fn same(self, left: u64, right: u64) -> bool {
        match self {
            Self::Float => f32::from_bits(left as u32) == f32::from_bits(right as u32),
            Self::Double => f64::from_bits(left) == f64::from_bits(right),
            _ => left == right,
        }
    }

    /// The value's text in reports.
    pub fn shown(self, bits: u64) -> String {
        match self {
            Self::Float => f32::from_bits(bits as u32).to_string(),
            Self::Double => f64::from_bits(bits).to_string(),
            _ => self.of_bits(bits).to_string(),
        }
    }
}

/// A scalar (width 1) or a vector of 2, 3, 4, 8 or 16.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub struct Type {
    /// Type of a component.
    pub scalar: Scalar,
    /// Number of components.
    pub width: usize,
}

/// `int`, the type of comparisons of scalars.
pub const INT: Type = Type::new(Scalar::Int, 1);
/// `uint`, the type of subscripts.
pub const UINT: Type = Type::new(Scalar::Uint, 1);
/// `ulong`, which is `size_t` on devices of 64 bits.
pub const ULONG: Type = Type::new(Scalar::Ulong, 1);

impl Type {
    /// A type.
    pub const fn new(scalar: Scalar, width: usize) -> Self {
        Self { scalar, width }
    }

    /// A type with the same number of components of another scalar type.
    pub fn with_scalar(self, scalar: Scalar) -> Self {
        Self::new(scalar, self.width)
    }

    /// The type's name in OpenCL C.
    pub fn name(self) -> String {
        match self.width {
            1 => self.scalar.name().to_owned(),
            width => format!("{}{width}", self.scalar.name()),
        }
    }

    /// Size and alignment in bytes. A vector of 3 components has those of 4 (section 6.1.5).
    pub fn bytes(self) -> usize {
        let width = if self.width == 3 { 4 } else { self.width };
        width * self.scalar.bits() as usize / 8
    }
}

/// The type of an object.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Shape {
    /// A scalar or vector.
    Value(Type),
    /// An array with this number of elements.
    Array(Box<Shape>, usize),
    /// The structure with this number.
    Struct(usize),
}

impl Shape {
    /// An array of values.
    pub fn array(element: Type, length: usize) -> Self {
        Self::Array(Box::new(Self::Value(element)), length)
    }
}

/// The fields of each structure. Fields can have the types of earlier structures only.
pub type Structs = Vec<Vec<Shape>>;

/// Size and alignment in bytes.
pub fn layout(shape: &Shape, structs: &Structs) -> (usize, usize) {
    match shape {
        Shape::Value(ty) => (ty.bytes(), ty.bytes()),
        Shape::Array(element, length) => {
            let (size, align) = layout(element, structs);
            (size * length, align)
        }
        Shape::Struct(number) => {
            let (mut size, mut align) = (0usize, 1);
            for field in &structs[*number] {
                let (field_size, field_align) = layout(field, structs);
                size = size.next_multiple_of(field_align) + field_size;
                align = align.max(field_align);
            }
            (size.next_multiple_of(align), align)
        }
    }
}

/// The offset of a field in bytes.
pub fn field_offset(number: usize, field: usize, structs: &Structs) -> usize {
    let mut end = 0usize;
    for (index, shape) in structs[number].iter().enumerate() {
        let (size, align) = layout(shape, structs);
        let start = end.next_multiple_of(align);
        if index == field {
            return start;
        }
        end = start + size;
    }
    end
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_wrap_as_two_s_complement() {
        assert_eq!(Scalar::Char.wrap(128), -128);
        assert_eq!(Scalar::Uchar.wrap(-1), 255);
        assert_eq!(Scalar::Ulong.wrap(-1), i128::from(u64::MAX));
        assert_eq!(Scalar::Long.wrap(u64::MAX.into()), -1);
        assert_eq!((Scalar::Short.min(), Scalar::Short.max()), (-32768, 32767));
    }

    #[test]
    fn vectors_of_three_take_the_room_of_four_and_structures_are_padded() {
        let ushort3 = Shape::Value(Type::new(Scalar::Ushort, 3));
        let structs = vec![vec![Shape::Value(Type::new(Scalar::Char, 1)), ushort3]];
        assert_eq!(layout(&Shape::Struct(0), &structs), (16, 8));
        assert_eq!(field_offset(0, 1, &structs), 8);
    }
}
