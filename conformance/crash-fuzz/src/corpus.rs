//! The sources of inputs: programs of the suite's category `program`, and random kernels.

use fastrand::Rng;
use random_kernels::generator::{Profile, generate};
use random_kernels::source;

macro_rules! programs {
    ($($path:literal)*) => {
        &[$(include_str!(concat!("../../suite/src/cases/programs/", $path, ".cl"))),*]
    };
}

/// Sources of the category `program`, except those that include a header of the host, and one that
/// defines an enumerator of [`DEFINITIONS`].
pub const PROGRAMS: &[&str] = programs!(
    "cryptography/aes" "text/aho_corasick" "cryptography/base64" "combinatorial/bfs"
    "data_parallel/bitonic_sort" "simulation/black_scholes" "linear_algebra/cholesky"
    "images/colour_conversion" "linear_algebra/conjugate_gradient" "cryptography/crc32"
    "images/dct" "simulation/double_buffer" "text/edit_distance" "linear_algebra/eigenvalues"
    "linear_algebra/fft" "combinatorial/floyd_warshall" "simulation/game_of_life"
    "linear_algebra/gauss_jordan" "images/gaussian_blur" "simulation/half_smoothing"
    "data_parallel/hash_table" "data_parallel/histogram" "text/huffman_decode"
    "images/image_layers" "images/image_resize" "data_parallel/kmeans" "combinatorial/knapsack"
    "images/label_components" "simulation/lattice_boltzmann" "simulation/lattice_gas"
    "images/mandelbrot" "linear_algebra/matrix_product" "cryptography/md5_search"
    "images/median_filter" "cryptography/modular_power" "simulation/monte_carlo"
    "combinatorial/n_queens" "simulation/nbody" "data_parallel/odd_even_sort" "language/printf"
    "data_parallel/radix_sort" "images/ray_tracer" "simulation/reaction_diffusion"
    "data_parallel/reduction" "data_parallel/scan" "cryptography/sha256" "text/smith_waterman"
    "images/sobel" "linear_algebra/spmv" "simulation/stencil" "images/tone_mapping"
    "linear_algebra/transpose" "linear_algebra/tridiagonal" "images/volume_projection"
    "data_parallel/work_queue"
);

/// The union of the macros that the programs' hosts define.
pub const DEFINITIONS: &str = "-DB=8 -DBITS=4 -DBLOCK=16 -DCHANNELS=2 -DCHUNK=8 -DDRAWS=4 \
    -DEXTEND=1 -DGROUP=16 -DK=4 -DLETTERS=26 -DLIMIT=50 -DLONGEST=8 -DN=16 -DNODES=32 -DOPEN=2 \
    -DROWS=4 -DSLOTS=64 -DSOFTENING=0.5f -DSTEPS=4 -DTAPS=5 -DTILE=16 -DTILE_X=8 -DTILE_Y=4 \
    -DTYPE=float -DWIDE=5";

/// A random one of [`PROGRAMS`].
pub fn program(random: &mut Rng) -> &'static str {
    PROGRAMS[random.usize(0..PROGRAMS.len())]
}

/// A random one of [`PROGRAMS`], or a generated kernel.
pub fn source(random: &mut Rng) -> String {
    if random.u32(0..3) == 0 {
        source::text(&generate(random.u64(..), 0, Profile::default()))
    } else {
        program(random).to_owned()
    }
}

/// Words of OpenCL C and of the preprocessor that are rare in these sources.
pub const WORDS: &[&str] = &[
    "kernel ",
    "__kernel ",
    "global ",
    "local ",
    "constant ",
    "private ",
    "generic ",
    "pipe ",
    "read_only ",
    "write_only ",
    "read_write ",
    "image1d_t ",
    "image1d_buffer_t ",
    "image2d_t ",
    "image2d_array_t ",
    "image3d_t ",
    "sampler_t ",
    "event_t ",
    "queue_t ",
    "half ",
    "half16 ",
    "double ",
    "double3 ",
    "char3 ",
    "long16 ",
    "bool ",
    "size_t ",
    "ptrdiff_t ",
    "void ",
    "void *",
    "volatile ",
    "restrict ",
    "const ",
    "static ",
    "extern ",
    "inline ",
    "typedef ",
    "struct ",
    "union ",
    "enum ",
    "goto ",
    "switch (0) { default: ",
    "case 1 ... 0x7fffffff: ",
    "for (;;) ",
    "while (1) ",
    "do ",
    "return ",
    "sizeof ",
    "asm(\"\") ",
    "__builtin_trap() ",
    "__builtin_unreachable() ",
    "__builtin_alloca(1 << 30) ",
    "barrier(CLK_LOCAL_MEM_FENCE); ",
    "mem_fence(0) ",
    "printf(\"%v4hlf %n %s\", 1) ",
    "get_global_id(3) ",
    "async_work_group_copy(0, 0, 0, 0) ",
    "vload_half16(0, 0) ",
    "as_float4(1) ",
    "convert_char16_sat_rtz(0) ",
    "shuffle2(0, 0, 0) ",
    "atomic_inc(0) ",
    "read_imagef(0, 0) ",
    "__attribute__((reqd_work_group_size(0, 1, 1))) ",
    "__attribute__((work_group_size_hint(1, 1, -1))) ",
    "__attribute__((vec_type_hint(double16))) ",
    "__attribute__((packed)) ",
    "__attribute__((aligned(1 << 28))) ",
    "__attribute__((noinline)) ",
    "__attribute__((always_inline)) ",
    "__attribute__((opencl_unroll_hint(1 << 20))) ",
    "__attribute__((ext_vector_type(1000))) ",
    "__attribute__((overloadable)) ",
    "\n#pragma OPENCL EXTENSION all : disable\n",
    "\n#pragma OPENCL FP_CONTRACT OFF\n",
    "\n#pragma unroll 100000\n",
    "\n#pragma clang ",
    "\n#define ",
    "\n#if ",
    "\n#else\n",
    "\n#endif\n",
    "\n#include \"",
    "\n#include __FILE__\n",
    "\n#error ",
    "\n#line 4294967295\n",
    "/*",
    "*/",
    "//",
    "\"",
    "'",
    "\\\n",
    "{",
    "}",
    "(",
    ")",
    "[",
    "]",
    "; ",
    ", ",
    "? ",
    ": ",
    "= ",
    "* ",
    "& ",
    "0 ",
    "-1 ",
    "1u ",
    "0x7fffffff ",
    "0x80000000 ",
    "9223372036854775808 ",
    "18446744073709551616 ",
    "1e400 ",
    "1e-400f ",
    "0x1p-1074 ",
    "nan(0u) ",
    "INFINITY ",
    "(float4)(0) ",
    "(int16)(1, 2, 3) ",
    "__LINE__ ",
    "__OPENCL_VERSION__ ",
    "x.s0123456789abcdef ",
    "x.hi.lo.even.odd ",
    "\u{0}",
    "\u{fffd}",
];

/// Build options: those of section 5.6.4, some of clang's, and invalid ones.
pub const OPTIONS: &[&str] = &[
    "-D X",
    "-D X=1",
    "-DX(a,b)=a##b",
    "-D",
    "-D =",
    "-I .",
    "-I /nonesuch",
    "-I",
    "-U X",
    "-cl-single-precision-constant",
    "-cl-denorms-are-zero",
    "-cl-fp32-correctly-rounded-divide-sqrt",
    "-cl-opt-disable",
    "-cl-strict-aliasing",
    "-cl-mad-enable",
    "-cl-no-signed-zeros",
    "-cl-unsafe-math-optimizations",
    "-cl-finite-math-only",
    "-cl-fast-relaxed-math",
    "-cl-uniform-work-group-size",
    "-cl-no-subgroup-ifp",
    "-cl-kernel-arg-info",
    "-cl-std=CL1.0",
    "-cl-std=CL1.1",
    "-cl-std=CL1.2",
    "-cl-std=CL2.0",
    "-cl-std=CL3.0",
    "-cl-std=CLC++",
    "-cl-std=",
    "-cl-nonesuch",
    "-create-library",
    "-enable-link-options",
    "-w",
    "-Werror",
    "-Wall",
    "-g",
    "-x spir",
    "-spir-std=1.2",
    "-O0",
    "-O3",
    "-include nonesuch.h",
    "-include /dev/null",
    "-Xclang -ast-dump",
    "-mllvm -debug",
    "-fsanitize=address",
    "-ftrapv",
    "-ftemplate-depth=1",
    "-fbracket-depth=1000000",
    "-ferror-limit=0",
    "-std=c99",
    "-E",
    "-S",
    "-emit-llvm",
    "-o output",
    "-MD",
    "-target spir64",
    "--help",
    "--version",
    "-###",
    "@options",
    "-",
    "--",
    "\"",
    "'",
    "\\",
    "source.cl",
];

#[cfg(test)]
mod tests {
    use super::PROGRAMS;
    use std::path::Path;

    #[test]
    fn all_sources_of_the_category_but_those_named_are_there() {
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../suite/src/cases/programs");
        let entries = |path: &Path| {
            std::fs::read_dir(path)
                .unwrap()
                .map(|entry| entry.unwrap().path())
        };
        let topics = entries(Path::new(folder)).filter(|path| path.is_dir());
        let sources = topics.flat_map(|topic| entries(&topic)).filter(|path| {
            let left_out = ["separate_compilation", "comment_count"];
            let stem = path.file_stem().unwrap().to_string_lossy().into_owned();
            path.extension().is_some_and(|extension| extension == "cl")
                && !left_out.iter().any(|name| stem.starts_with(name))
        });
        assert_eq!(sources.count(), PROGRAMS.len());
    }
}
