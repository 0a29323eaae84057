//! Complete programs as in published benchmarks and SDKs, each with a reference on the host: one
//! Rust file and one OpenCL C file per program, in folders by topic.

mod combinatorial;
mod cryptography;
mod data_parallel;
mod images;
mod language;
mod linear_algebra;
mod simulation;
mod text;

use crate::case::{Case, Category};
use anyhow::Result;
use combinatorial::{bfs, floyd_warshall, knapsack, n_queens};
use cryptography::{aes, base64, crc32, md5_search, modular_power, sha256};
use data_parallel::{
    bitonic_sort, hash_table, histogram, kmeans, odd_even_sort, radix_sort, reduction, scan,
    work_queue,
};
use harness::feature::{DOUBLES, Feature};
use harness::session::Session;
use images::{
    colour_conversion, dct, gaussian_blur, image_layers, image_resize, label_components,
    mandelbrot, median_filter, ray_tracer, sobel, tone_mapping, volume_projection,
};
use language::{printf, separate_compilation};
use linear_algebra::{
    cholesky, conjugate_gradient, eigenvalues, fft, gauss_jordan, matrix_product, spmv, transpose,
    tridiagonal,
};
use simulation::{
    black_scholes, double_buffer, game_of_life, half_smoothing, lattice_boltzmann, lattice_gas,
    monte_carlo, nbody, reaction_diffusion, stencil,
};
use text::{aho_corasick, comment_count, edit_distance, huffman_decode, smith_waterman};

const fn program(name: &'static str, what: &'static str, run: fn(&Session) -> Result<()>) -> Case {
    Case::new(Category::Program, name, what, run)
}

const LONG_ATOMICS: Feature = Feature::Extension("cl_khr_int64_base_atomics");

/// All programs.
pub const ALL: &[Case] = &[
    program(
        "aes",
        "AES-128 in counter mode, unions of vectors and bytes, a table in local memory",
        aes::run,
    ),
    program(
        "aho_corasick",
        "many patterns in a text by an automaton, structs in global memory",
        aho_corasick::run,
    ),
    program(
        "base64",
        "base64 there and back, vectors of three, upsample, select and shifts of vectors",
        base64::run,
    ),
    program(
        "bfs",
        "breadth-first search in many launches, flags in global memory",
        bfs::run,
    ),
    program(
        "bitonic_sort",
        "bitonic sorting network over records, in local and global memory",
        bitonic_sort::run,
    ),
    program(
        "black_scholes",
        "European options in float and double from one source, erfc of vectors",
        black_scholes::run,
    ),
    program(
        "cholesky",
        "Cholesky decomposition of tiles, sub-buffers, out of order with events",
        cholesky::run,
    )
    .needs(&[DOUBLES]),
    program(
        "colour_conversion",
        "RGB to Y'CbCr and back, 24-bit products, saturating conversions of vectors",
        colour_conversion::run,
    ),
    program(
        "comment_count",
        "a state machine by composing its functions, a kernel that calls a kernel",
        comment_count::run,
    ),
    program(
        "conjugate_gradient",
        "a Poisson problem by conjugate gradients, five kernels, scalars on the device",
        conjugate_gradient::run,
    )
    .needs(&[DOUBLES]),
    program(
        "crc32",
        "CRC-32 by tables made on the device, pointers to arrays",
        crc32::run,
    ),
    program(
        "dct",
        "JPEG's 8x8 cosine transform and quantisation, rounding and saturating conversions",
        dct::run,
    ),
    program(
        "double_buffer",
        "FIR filter with two tiles and asynchronous copies, strided and in both directions",
        double_buffer::run,
    ),
    program(
        "edit_distance",
        "Levenshtein distances, 64 rows in a ulong",
        edit_distance::run,
    ),
    program(
        "eigenvalues",
        "eigenvalues by Jacobi's rotations, nested loops with barriers in called functions",
        eigenvalues::run,
    )
    .needs(&[DOUBLES]),
    program(
        "fft",
        "radix-4 Stockham FFT in local memory, barriers in called functions",
        fft::run,
    ),
    program(
        "floyd_warshall",
        "shortest paths by blocks, pointers to local arrays, saturating addition",
        floyd_warshall::run,
    ),
    program(
        "game_of_life",
        "cells as bits, a launch with a global offset",
        game_of_life::run,
    ),
    program(
        "gauss_jordan",
        "matrix inversion with pivoting in four kernels, doubles, structs in local memory",
        gauss_jordan::run,
    )
    .needs(&[DOUBLES]),
    program(
        "gaussian_blur",
        "blur of an image of bytes, a sampler in the kernel, two passes",
        gaussian_blur::run,
    )
    .needs(&[Feature::Images]),
    program(
        "half_smoothing",
        "arithmetic of half4, rounded each time",
        half_smoothing::run,
    )
    .needs(&[Feature::Extension("cl_khr_fp16")]),
    program(
        "hash_table",
        "counting in a hash table, compare-and-exchange in global memory",
        hash_table::run,
    ),
    program(
        "histogram",
        "bytes counted with local and global atomics, 16 at a time",
        histogram::run,
    ),
    program(
        "huffman_decode",
        "Huffman decoding, bit by bit from a ulong, pointers in private structs",
        huffman_decode::run,
    ),
    program(
        "image_layers",
        "an array of images and a table as a one-dimensional image",
        image_layers::run,
    )
    .needs(&[Feature::Images]),
    program(
        "image_resize",
        "bilinear resizing, a sampler from the host, normalised coordinates",
        image_resize::run,
    )
    .needs(&[Feature::Images]),
    program(
        "kmeans",
        "k-means in integers, local atomics and 64-bit global ones",
        kmeans::run,
    )
    .needs(&[LONG_ATOMICS]),
    program(
        "knapsack",
        "0/1 knapsack by dynamic programming, a launch per thing, bits by atomics",
        knapsack::run,
    ),
    program(
        "label_components",
        "connected parts of a picture, atomics until nothing changes",
        label_components::run,
    ),
    program(
        "lattice_boltzmann",
        "D2Q9 lattice Boltzmann flow, __constant tables, a struct by value",
        lattice_boltzmann::run,
    ),
    program(
        "lattice_gas",
        "a lattice gas in strips on all devices, rows copied between them, mapped buffers",
        lattice_gas::run,
    ),
    program(
        "mandelbrot",
        "the Mandelbrot set, double4, FP_CONTRACT OFF, switch",
        mandelbrot::run,
    )
    .needs(&[DOUBLES]),
    program(
        "matrix_product",
        "matrix product with tiles and float4 registers, restrict, aligned local memory",
        matrix_product::run,
    ),
    program(
        "md5_search",
        "words found by their MD5, goto, macros, compare-and-exchange",
        md5_search::run,
    ),
    program(
        "median_filter",
        "medians of 3x3 pixels, sixteen at once, a sorting network of uchar16",
        median_filter::run,
    ),
    program(
        "modular_power",
        "powers modulo 256-bit numbers, mul_hi of 64 bits, structs by value",
        modular_power::run,
    ),
    program(
        "monte_carlo",
        "pi and an Asian option from PCG streams, 64-bit integers, doubles",
        monte_carlo::run,
    )
    .needs(&[DOUBLES]),
    program(
        "n_queens",
        "queens on a board with a stack of rows, goto",
        n_queens::run,
    ),
    program(
        "nbody",
        "gravity of all pairs by tiles, float3 and float4",
        nbody::run,
    ),
    program(
        "odd_even_sort",
        "a sort until nothing changes, loops that end by local memory",
        odd_even_sort::run,
    ),
    program("printf", "a table printed by a kernel", printf::run).prints(printf::check),
    program(
        "radix_sort",
        "least-significant-digit radix sort in three kernels, private counters",
        radix_sort::run,
    ),
    program(
        "ray_tracer",
        "spheres that mirror each other, double3, enum, pointers to __constant",
        ray_tracer::run,
    )
    .needs(&[DOUBLES]),
    program(
        "reaction_diffusion",
        "a reaction in three dimensions, 3D groups, float2, a struct with uint3",
        reaction_diffusion::run,
    ),
    program(
        "reduction",
        "sum, minimum and maximum with places, structs through two stages",
        reduction::run,
    ),
    program(
        "scan",
        "work-efficient prefix sums over several levels, barriers in called functions",
        scan::run,
    ),
    program(
        "separate_compilation",
        "orbits from three units with a header, compiled, put into a library and linked",
        separate_compilation::run,
    )
    .needs(&[DOUBLES]),
    program(
        "sha256",
        "SHA-256 of messages of any length, a union, __constant tables, rotate and bitselect",
        sha256::run,
    ),
    program(
        "smith_waterman",
        "local alignment with affine gaps along antidiagonals, shorts, a packed struct",
        smith_waterman::run,
    ),
    program(
        "sobel",
        "edges of an image of integers without a sampler",
        sobel::run,
    )
    .needs(&[Feature::Images]),
    program(
        "spmv",
        "sparse matrix times vector (CSR, doubles), by row and by group",
        spmv::run,
    )
    .needs(&[DOUBLES]),
    program(
        "stencil",
        "heat equation with tiles and halos in local memory",
        stencil::run,
    ),
    program(
        "tone_mapping",
        "pictures of halves: vload_half, vstore_half, saturating conversions",
        tone_mapping::run,
    ),
    program(
        "transpose",
        "matrices of four element types through tiles, the type by -D",
        transpose::run,
    ),
    program(
        "tridiagonal",
        "tridiagonal systems by cyclic reduction, groups of odd sizes",
        tridiagonal::run,
    )
    .needs(&[DOUBLES]),
    program(
        "volume_projection",
        "rays through a three-dimensional image with a border",
        volume_projection::run,
    )
    .needs(&[Feature::Images]),
    program(
        "work_queue",
        "groups that take tasks from a counter, barriers in a loop's condition",
        work_queue::run,
    ),
];

#[cfg(test)]
mod tests {
    use super::ALL;

    #[test]
    fn programs_are_in_the_order_of_their_names_and_have_one_name_each() {
        assert!(ALL.is_sorted_by(|a, b| a.name < b.name));
    }
}
