//! The output of `printf` in kernels (OpenCL C 1.2, section 6.12.13).

mod conversions;
mod order;
mod output;

use crate::case::{Case, Category};
use anyhow::Result;
use harness::feature::DOUBLES;
use harness::session::Session;

const fn case(name: &'static str, what: &'static str, run: fn(&Session) -> Result<()>) -> Case {
    Case::new(Category::Printf, name, what, run)
}

/// The cases of this category.
pub const CASES: &[Case] = &[
    case(
        "printf_numbers",
        "flags, widths, precisions and lengths of all conversions, compared with the host's C",
        conversions::numbers,
    )
    .prints(conversions::numbers_printed),
    case(
        "printf_doubles",
        "doubles with all their digits",
        conversions::doubles,
    )
    .needs(&[DOUBLES])
    .prints(conversions::doubles_printed),
    case(
        "printf_values_of_several_forms",
        "hexadecimal floating-point numbers, infinities and pointers",
        conversions::forms,
    )
    .prints(conversions::forms_printed),
    case(
        "printf_vectors",
        "vectors of all types and widths",
        conversions::vectors,
    )
    .prints(conversions::vectors_printed),
    case(
        "printf_strings",
        "%s and %c with widths and precisions, long and empty ones, %%",
        conversions::strings,
    )
    .prints(conversions::strings_printed),
    case(
        "printf_results",
        "printf returns 0, also for an empty format, which prints nothing",
        order::results,
    )
    .prints(order::results_printed),
    case(
        "printf_order_within_work_items",
        "each work-item's lines in its order, however work-items interleave",
        order::within,
    )
    .prints(order::within_printed),
    case(
        "printf_between_barriers",
        "what a group prints before a barrier comes before what it prints after it",
        order::between_barriers,
    )
    .prints(order::between_barriers_printed),
    case(
        "printf_of_many_work_items",
        "20,000 work-items print a line each",
        order::many,
    )
    .prints(order::many_printed),
    case(
        "printf_of_long_lines",
        "formats and strings of thousands of characters, 200 arguments",
        conversions::long,
    )
    .prints(conversions::long_printed),
    case(
        "printf_is_there_after_finish",
        "clFinish leaves nothing unprinted: the host prints between two kernels",
        order::finish,
    )
    .prints(order::finish_printed),
];
