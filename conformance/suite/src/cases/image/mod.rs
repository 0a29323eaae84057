//! Images of all types and formats, samplers and commands on images, compared with models on the
//! host.

mod formats;
mod host_memory;
mod model;
mod objects;
mod pixel;
mod samplers;
mod transfers;

use crate::case::{Case, Category};
use anyhow::Result;
use cl_sys::*;
use harness::feature::Feature;
use harness::session::Session;

const fn case(name: &'static str, what: &'static str, run: fn(&Session) -> Result<()>) -> Case {
    Case::new(Category::Image, name, what, run).needs(&[Feature::Images])
}

/// The cases of this category.
pub const CASES: &[Case] = &[
    case(
        "image_formats_read",
        "kernels read images of all types in every supported format (8.3)",
        formats::read,
    ),
    case(
        "image_formats_written",
        "kernels write images of all types in every supported format (8.3)",
        formats::written,
    ),
    case(
        "image_queries",
        "sizes, channel order and type that the host and kernels query",
        formats::queries,
    ),
    case(
        "image_samplers_nearest",
        "the nearest pixel, with all addressing modes, in all types (8.2)",
        |session| samplers::filtered(session, CL_FILTER_NEAREST),
    ),
    case(
        "image_samplers_linear",
        "pixels between pixels, with all addressing modes, in all types (8.2)",
        |session| samplers::filtered(session, CL_FILTER_LINEAR),
    ),
    case(
        "image_integer_coordinates",
        "integer coordinates inside and outside, with samplers and without",
        samplers::integer_coordinates,
    ),
    case(
        "image_borders",
        "the colour beyond the edge, for each order of channels (table of 8.2)",
        samplers::borders,
    ),
    case(
        "image_transfers",
        "random reads, writes, copies and fills of parts of images of all types",
        transfers::random,
    ),
    case(
        "image_maps",
        "mapped parts of images, with their pitches",
        transfers::maps,
    ),
    case(
        "image_host_pointers",
        "images made from and over the host's memory, with padding behind rows",
        host_memory::host_pointers,
    ),
    case(
        "image_of_buffer",
        "one-dimensional images over a buffer",
        transfers::of_buffer,
    ),
];
