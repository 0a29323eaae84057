//! Structures that a recording has thousands of: as rows of numbers, since names of fields are most of
//! the text, and of the time to write it.

/// Serializes a structure as the array of its fields, in this order.
macro_rules! serialized_as_row {
    ($structure:ident { $($field:ident),+ }) => {
        impl serde::Serialize for $structure {
            fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                ($(&self.$field,)+).serialize(serializer)
            }
        }

        impl<'de> serde::Deserialize<'de> for $structure {
            fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                let ($($field,)+) = serde::Deserialize::deserialize(deserializer)?;
                Ok(Self { $($field),+ })
            }
        }
    };
}

pub(crate) use serialized_as_row;
