//! A program of a thousand lines, the same each time, and what its kernels compute.

use std::fmt::Write;

/// Functions that mix numbers, and kernels that call some of them.
pub struct LargeProgram {
    functions: Vec<[Step; STEPS]>,
}

/// Statements in the loop of a function.
const STEPS: usize = 12;

/// Calls in a kernel.
const CALLS: usize = 4;

/// A statement.
#[derive(Clone, Copy)]
enum Step {
    Multiply(u32, u32),
    Rotate(u32),
    FoldDown(u32),
    AddIfSet(u32),
}

impl Step {
    fn text(self) -> String {
        match self {
            Self::Multiply(by, plus) => format!("s = s * {by}u + (i ^ {plus}u);"),
            Self::Rotate(bits) => format!("s = rotate(s, {bits}u);"),
            Self::FoldDown(bits) => format!("s ^= s >> {bits};"),
            Self::AddIfSet(mask) => format!("if (s & {mask}u) s += x;"),
        }
    }

    fn apply(self, s: u32, x: u32, i: u32) -> u32 {
        match self {
            Self::Multiply(by, plus) => s.wrapping_mul(by).wrapping_add(i ^ plus),
            Self::Rotate(bits) => s.rotate_left(bits),
            Self::FoldDown(bits) => s ^ (s >> bits),
            Self::AddIfSet(mask) if s & mask != 0 => s.wrapping_add(x),
            Self::AddIfSet(_) => s,
        }
    }
}

impl LargeProgram {
    /// Number of kernels in the program.
    pub const KERNELS: usize = 20;

    /// Work-items per work-group.
    pub const LOCAL_SIZE: usize = 64;

    const FUNCTIONS: usize = 32;

    pub fn new() -> Self {
        let step = |number: usize| {
            let n = number as u32;
            match number % 4 {
                0 => Step::Multiply(1_664_525 + 8 * n, 7 * n),
                1 => Step::Rotate(1 + n % 31),
                2 => Step::FoldDown(1 + n % 31),
                _ => Step::AddIfSet(1 << (n % 32)),
            }
        };
        let function = |number: usize| std::array::from_fn(|place| step(number * STEPS + place));
        Self {
            functions: (0..Self::FUNCTIONS).map(function).collect(),
        }
    }

    pub fn kernel_name(number: usize) -> String {
        format!("stage_{number}")
    }

    /// The function that a kernel calls, and the offset of the element that it passes.
    fn call(kernel: usize, call: usize) -> (usize, usize) {
        ((kernel * 3 + call * 2) % Self::FUNCTIONS, call + 1)
    }

    /// The program's source in OpenCL C.
    pub fn source(&self) -> String {
        let mut text = String::new();
        for (number, steps) in self.functions.iter().enumerate() {
            let _ = write!(
                text,
                "uint mix_{number}(uint x, uint rounds)\n{{\n    uint s = x;\n    \
                 for (uint i = 0; i < rounds; i++) {{\n"
            );
            for step in steps {
                let _ = writeln!(text, "        {}", step.text());
            }
            text.push_str("    }\n    return s;\n}\n\n");
        }
        for kernel in 0..Self::KERNELS {
            let (name, size) = (Self::kernel_name(kernel), Self::LOCAL_SIZE);
            let _ = write!(
                text,
                "kernel void {name}(global const uint *from, global uint *to, uint rounds)\n{{\n    \
                 local uint shared[{size}];\n    \
                 size_t l = get_local_id(0);\n    \
                 shared[l] = from[get_global_id(0)];\n    \
                 barrier(CLK_LOCAL_MEM_FENCE);\n    \
                 uint sum = 0;\n"
            );
            for call in 0..CALLS {
                let (function, distance) = Self::call(kernel, call);
                let _ = writeln!(
                    text,
                    "    sum += mix_{function}(shared[(l + {distance}) % {size}], rounds);"
                );
            }
            // The result is exact for every error that OpenCL's limits allow these functions.
            text.push_str(
                "    float y = convert_float(sum & 0xff) + 1.0f;\n    \
                 if (sum & 1)\n        \
                 sum += convert_uint_rte(sqrt(y * y));\n    \
                 else\n        \
                 sum += convert_uint_rte(exp2(log2(y)));\n    \
                 to[get_global_id(0)] = sum;\n}\n\n",
            );
        }
        text
    }

    /// A kernel's result for one input.
    pub fn expected(&self, kernel: usize, input: &[u32], rounds: u32) -> Vec<u32> {
        let mix = |function: usize, x: u32| {
            (0..rounds).fold(x, |s, i| {
                let steps = self.functions[function].iter();
                steps.fold(s, |s, step| step.apply(s, x, i))
            })
        };
        let size = Self::LOCAL_SIZE;
        let element = |place: usize| {
            let (group, l) = (place / size * size, place % size);
            let sum = (0..CALLS).fold(0u32, |sum, call| {
                let (function, distance) = Self::call(kernel, call);
                sum.wrapping_add(mix(function, input[group + (l + distance) % size]))
            });
            sum.wrapping_add((sum & 0xff) + 1)
        };
        (0..input.len()).map(element).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_has_a_thousand_lines_and_is_always_the_same() {
        let source = LargeProgram::new().source();
        let lines = source.lines().count();
        assert!((1000..1100).contains(&lines), "{lines}");
        assert_eq!(source, LargeProgram::new().source());
    }
}
