//! Kernel compilation: the language and its builtins.

mod bits;
mod calls;
mod conversions;
mod element;
mod expressions;
mod floats;
mod geometry;
mod halves;
mod images;
mod integers;
mod printf;
mod values;

use crate::case::Origin::{Pocl16, PoclLater};
use crate::case::{Case, Category};
use anyhow::Result;
use element::{CHAR, DOUBLE, FLOAT, HALF, INT, LONG, SHORT, UINT, ULONG, USHORT};
use harness::feature::{DOUBLES, Feature, HALVES};
use harness::session::Session;

const fn case(name: &'static str, what: &'static str, run: fn(&Session) -> Result<()>) -> Case {
    Case::new(Category::Kernel, name, what, run)
}

/// The description of the cases of explicit conversions.
const CONVERSIONS: &str = "all convert functions at the borders of all types, each rounding mode";

/// The description of the cases of shuffles.
const SHUFFLES: &str = "shuffle and shuffle2 from all widths to all, by variables and constants";

/// The cases of this category.
pub const CASES: &[Case] = &[
    case(
        "test_as_type",
        "the bytes of vectors as all other types of their size",
        bits::as_type,
    )
    .from(Pocl16),
    case("test_convert_type_1", CONVERSIONS, |session| {
        conversions::all(session, 1)
    })
    .from(Pocl16),
    case("test_convert_type_2", CONVERSIONS, |session| {
        conversions::all(session, 2)
    })
    .from(Pocl16),
    case("convert_type_3", CONVERSIONS, |session| {
        conversions::all(session, 3)
    }),
    case("test_convert_type_4", CONVERSIONS, |session| {
        conversions::all(session, 4)
    })
    .from(Pocl16),
    case("test_convert_type_8", CONVERSIONS, |session| {
        conversions::all(session, 8)
    })
    .from(Pocl16),
    case("test_convert_type_16", CONVERSIONS, |session| {
        conversions::all(session, 16)
    })
    .from(Pocl16),
    case(
        "test_convert_sat_regression",
        "saturation of vectors of wide integers, of sums, of constants",
        conversions::saturation,
    )
    .from(Pocl16),
    case(
        "test_bitselect",
        "bitselect, abs, clz, popcount, min and max of integers",
        integers::bitselect,
    )
    .from(Pocl16),
    case(
        "test_hadd_loopvec",
        "hadd and rhadd without overflow",
        integers::hadd,
    )
    .from(Pocl16),
    case(
        "test_hadd_loops",
        "hadd and rhadd without overflow, without optimisation",
        integers::hadd,
    )
    .options("-cl-opt-disable")
    .from(Pocl16),
    case(
        "integer_functions",
        "saturating, high and 24-bit arithmetic, abs_diff, clamp, select, upsample",
        integers::others,
    ),
    case(
        "test_min_max",
        "min, max and clamp of vectors with vectors and with scalars",
        |session| {
            integers::with_scalars(session)?;
            floats::min_max(session)
        },
    )
    .from(Pocl16),
    case(
        "test_rotate",
        "shifts and rotate by any amount, by vectors, scalars and constants",
        integers::rotate,
    )
    .from(Pocl16),
    case(
        "test_length_distance",
        "length, distance and normalize of vectors that are very large or small",
        geometry::length_distance,
    )
    .from(Pocl16),
    case(
        "test_dot",
        "dot and cross products of integers",
        geometry::dot,
    )
    .from(PoclLater),
    case(
        "test_fmin_fmax_fma",
        "fmin and fmax of numbers and NaNs, fma rounded once",
        floats::fmin_fmax_fma,
    )
    .from(Pocl16),
    case(
        "test_fabs",
        "fabs by itself and in expressions",
        floats::fabs,
    )
    .from(Pocl16),
    case(
        "test_copy_signbit",
        "copysign and signbit of all sorts of numbers",
        floats::copysign_signbit,
    )
    .from(Pocl16),
    case(
        "test_ilogb",
        "exponents, of denormalised numbers too, and what has none",
        floats::ilogb,
    )
    .from(Pocl16),
    case(
        "test_ldexp",
        "ldexp by all exponents, into denormalised numbers",
        floats::ldexp,
    )
    .from(Pocl16),
    case(
        "test_isnan",
        "what numbers are and how they compare: 1 of scalars, -1 of vectors",
        floats::isnan,
    )
    .from(Pocl16),
    case(
        "test_frexp_modf",
        "frexp and modf, with pointers to all address spaces",
        floats::frexp_modf,
    )
    .from(Pocl16),
    case(
        "test_local_struct_array",
        "structs of a local array, by value into functions and back",
        |session| calls::LOCAL_STRUCTS.run(session),
    )
    .from(Pocl16),
    case(
        "test_short16",
        "vectors of 32 bytes and more through functions that are not inlined",
        calls::wide_vectors,
    )
    .from(Pocl16),
    case(
        "test_ucharn",
        "vectors of bytes through functions that are not inlined",
        calls::narrow_vectors,
    )
    .from(PoclLater),
    case(
        "test_ptr_compare_build",
        "pointers of all address spaces compared",
        |session| calls::POINTERS.run(session),
    )
    .from(PoclLater),
    case(
        "test_sizeof_uint",
        "sizes of all types, in arrays and structs too",
        bits::sizes,
    )
    .from(Pocl16),
    case(
        "test_sampler_address_clamp",
        "reads beyond images give the border's colour",
        images::address_clamp,
    )
    .needs(&[Feature::Images])
    .from(Pocl16),
    case(
        "test_image_query_funcs",
        "sizes and formats of images, reads with samplers of program and host",
        images::queries,
    )
    .needs(&[Feature::Images])
    .from(Pocl16),
    case("test_shuffle_char", SHUFFLES, |session| {
        bits::shuffles(session, CHAR)
    })
    .from(Pocl16),
    case("test_shuffle_short", SHUFFLES, |session| {
        bits::shuffles(session, SHORT)
    })
    .from(Pocl16),
    case("test_shuffle_ushort", SHUFFLES, |session| {
        bits::shuffles(session, USHORT)
    })
    .from(Pocl16),
    case("test_shuffle_half", SHUFFLES, |session| {
        bits::shuffles(session, HALF)
    })
    .needs(&[HALVES])
    .from(Pocl16),
    case("test_shuffle_int", SHUFFLES, |session| {
        bits::shuffles(session, INT)
    })
    .from(Pocl16),
    case("test_shuffle_uint", SHUFFLES, |session| {
        bits::shuffles(session, UINT)
    })
    .from(Pocl16),
    case("test_shuffle_float", SHUFFLES, |session| {
        bits::shuffles(session, FLOAT)
    })
    .from(Pocl16),
    case("test_shuffle_long", SHUFFLES, |session| {
        bits::shuffles(session, LONG)
    })
    .from(Pocl16),
    case("test_shuffle_ulong", SHUFFLES, |session| {
        bits::shuffles(session, ULONG)
    })
    .from(Pocl16),
    case("test_shuffle_double", SHUFFLES, |session| {
        bits::shuffles(session, DOUBLE)
    })
    .needs(&[DOUBLES])
    .from(Pocl16),
    case(
        "test_printf",
        "flags, widths, precisions, lengths and conversions of scalars; text",
        printf::scalar,
    )
    .prints(printf::scalar_printed)
    .from(Pocl16),
    case(
        "test_printf_vectors",
        "vectors of integers and floats of all widths",
        printf::vectors,
    )
    .prints(printf::vectors_printed)
    .from(PoclLater),
    case(
        "test_printf_doublen",
        "doubles and vectors of them",
        printf::doubles,
    )
    .prints(printf::doubles_printed)
    .needs(&[DOUBLES])
    .from(PoclLater),
    case("test_printf_ulongn", "vectors of ulong", printf::ulongs)
        .prints(printf::ulongs_printed)
        .from(PoclLater),
    case("test_printf_halfn", "vectors of half", printf::halves)
        .prints(printf::halves_printed)
        .needs(&[HALVES])
        .from(PoclLater),
    case(
        "test_fp16_math_builtins",
        "functions of all halves within the extension's limits",
        halves::functions,
    )
    .needs(&[HALVES])
    .from(PoclLater),
    case(
        "test_halfs",
        "operators of halves, and their loads and stores in all modes",
        halves::operators,
    )
    .needs(&[HALVES])
    .from(PoclLater),
];

#[cfg(test)]
mod tests {
    use super::CASES;
    use crate::case::Origin;

    #[test]
    fn all_that_opencl_1_2_covers_is_there() {
        let from = |origin| CASES.iter().filter(|case| case.origin == origin).count();
        assert_eq!(from(Origin::Pocl16), 36);
        assert_eq!(from(Origin::PoclLater), 9);
    }
}
