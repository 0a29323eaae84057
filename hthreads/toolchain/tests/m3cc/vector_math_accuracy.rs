//! The errors of libvm's functions against MPFR's values: those that their names state.

use crate::tree::{TREE, build_texts, repository};
use accuracy::format::Format;
use accuracy::function::{Denormals, Function, Limit, Style};
use accuracy::functions;
use accuracy::platform::FORMS;
use accuracy::samples;
use accuracy::sweep::{self, SweepOutcome};
use accuracy::types::Type;
use std::fmt::Write;
use std::fs;

/// Functions of libvm with the header's prototypes.
const PROTOTYPES: usize = 137;

/// Those with integers, which the program `vector_math` compares exactly.
const OF_INTEGERS: &[&str] = &["vm_expfrexpd16", "vm_ilogbd16", "vm_ldexpd16"];

/// Inputs besides special values, of functions of several arguments several times as many.
const SAMPLES: usize = 400;

/// The error of sinpi and sqrt that libvm's manual gives as measured, at most.
const HALF_A_UNIT: f64 = 0.51;

/// A result of a function of libvm.
struct Swept {
    /// The result in C, of the vectors `a`, `b` and `c`.
    expression: String,
    function: Function,
    inputs: Vec<Vec<u64>>,
}

impl Swept {
    /// The results of a prototype's name, without `vm_`; empty for functions of integers.
    fn of(name: &str) -> Vec<Self> {
        let (format, base, suffix) = ["d16", "f32"]
            .iter()
            .zip([Format::Double, Format::Single])
            .find_map(|(lanes, format)| {
                let (base, suffix) = name.rsplit_once(lanes)?;
                Some((format, base, suffix))
            })
            .unwrap_or_else(|| panic!("{name}"));
        let limit = match suffix {
            "_u05" => Limit::Ulp(HALF_A_UNIT),
            "_u10" => Limit::Ulp(1.0),
            "_u15" => Limit::Ulp(1.5),
            "_u35" => Limit::Ulp(3.5),
            _ => Limit::Exact,
        };
        // OpenCL's functions with the same results, and the member of a pair.
        let results: &[(&str, &str)] = match base {
            "sincos" => &[("sin", ".x"), ("cos", ".y")],
            "sincospi" => &[("sinpi", ".x"), ("cospi", ".y")],
            "modf" => &[("trunc", ".x"), ("modf", ".y")],
            "frfrexp" => &[("frexp", "")],
            "fdiv" => &[("x / y", "")],
            "frec" => &[("1 / x", "")],
            same => &[(same, "")],
        };
        let result = |(of_opencl, member): &(&str, &str)| {
            let mut all = functions::all().into_iter();
            let function = all.find(|f| f.name == *of_opencl && f.format == format);
            let mut function = function.unwrap_or_else(|| panic!("{of_opencl}"));
            let arguments = &["a", "b", "c"][..function.arguments.len()];
            let expression = format!("vm_{name}({}){member}", arguments.join(", "));
            function.name.clone_from(&expression);
            // Second results are other functions.
            function.results.truncate(1);
            function.limits = vec![limit];
            let of_all = function.reference;
            function.reference = Box::new(move |case| {
                let mut answers = of_all(case);
                answers.truncate(1);
                answers
            });
            function.denormals = match base {
                // The next number of zero is none.
                "nextafter" => Denormals::Unspecified,
                _ => Denormals::MayBeZerosUnrounded,
            };
            let inputs = samples::inputs(&function, SAMPLES, false, 1);
            Self {
                expression,
                function,
                inputs,
            }
        };
        results.iter().map(result).collect()
    }

    fn element(&self) -> &'static str {
        self.function.format.name()
    }

    /// A kernel that computes the result for a number of vectors.
    fn kernel(&self, number: usize) -> String {
        let element = self.element();
        let operands = &["a", "b", "c"][..self.function.arguments.len()];
        let loads: String = operands
            .iter()
            .enumerate()
            .map(|(index, operand)| {
                format!(
                    "        lvector {element} {operand};\n        \
                     vector_load(in + ({index} * vectors + i) * 128, &{operand}, 128);\n"
                )
            })
            .collect();
        format!(
            "__global__ void kernel{number}(long vectors, char *in, char *out)\n{{\n    \
             for (long i = get_thread_id(); i < vectors; i += get_group_size()) {{\n{loads}        \
             lvector {element} result = {};\n        \
             vector_store(&result, out + i * 128, 128);\n    }}\n}}\n",
            self.expression
        )
    }

    fn vectors(&self) -> usize {
        self.inputs
            .len()
            .div_ceil(128 / self.function.format.bytes())
    }

    /// The operands' arrays one after another, filled up to whole vectors.
    fn input(&self) -> Vec<u8> {
        let bytes = self.function.format.bytes();
        let mut all = Vec::new();
        for operand in 0..self.function.arguments.len() {
            let start = all.len();
            for input in &self.inputs {
                all.extend(&input[operand].to_le_bytes()[..bytes]);
            }
            all.resize(start + 128 * self.vectors(), 0);
        }
        all
    }

    fn judge(&self, output: &[u8]) -> SweepOutcome {
        let elements = output.chunks(self.function.format.bytes());
        let bits = elements.map(|element| {
            let mut bits = [0; 8];
            bits[..element.len()].copy_from_slice(element);
            u64::from_le_bytes(bits)
        });
        let run = (&FORMS[0], vec![bits.collect()]);
        sweep::judge(&self.function, &self.inputs, &[run], false)
    }
}

/// The functions of the header in its order.
fn all() -> Vec<Swept> {
    let header = repository("hthreads/device/include/vector_math.h");
    let text = fs::read_to_string(header).unwrap();
    let names = text.lines().filter_map(|line| {
        let (_, rest) = line.split_once(" vm_")?;
        let (name, _) = rest.split_once('(')?;
        Some(format!("vm_{name}"))
    });
    let names: Vec<String> = names.collect();
    assert_eq!(names.len(), PROTOTYPES);
    let swept = names
        .iter()
        .filter(|name| !OF_INTEGERS.contains(&name.as_str()));
    swept.flat_map(|name| Swept::of(&name[3..])).collect()
}

#[test]
fn errors_are_within_those_that_names_state() {
    let all = all();
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    let mut kernels = String::from("#include <hthread_device.h>\n#include <vector_math.h>\n");
    let mut inputs = Vec::new();
    let mut sizes = String::new();
    for (number, swept) in all.iter().enumerate() {
        assert!(
            swept
                .function
                .arguments
                .iter()
                .all(|of| *of == Type::Floating(swept.function.format))
        );
        assert_ne!(swept.function.style, Style::Conversion);
        kernels += &swept.kernel(number);
        let input = swept.input();
        write!(sizes, "{{{}, {}}}, ", swept.vectors(), input.len()).unwrap();
        inputs.extend(input);
    }
    fs::write(here.join("inputs"), inputs).unwrap();
    let program = format!(
        "#include <hthread_host.h>
#include <stdio.h>
static const struct {{ size_t vectors, bytes; }} sizes[] = {{ {sizes} }};
int main(void)
{{
    FILE *inputs = fopen(\"inputs\", \"rb\"), *outputs = fopen(\"outputs\", \"wb\");
    hthread_dev_open(0);
    hthread_dat_load(0, \"kernel.dat\");
    int group = hthread_group_create(0, 8);
    char *in = hthread_malloc(0, 1 << 24, HT_MEM_RO), *out = hthread_malloc(0, 1 << 23, HT_MEM_RW);
    for (int i = 0; i < {count}; i++) {{
        char name[20];
        sprintf(name, \"kernel%d\", i);
        if (fread(in, 1, sizes[i].bytes, inputs) != sizes[i].bytes)
            return 1;
        uint64_t arguments[] = {{sizes[i].vectors, (uint64_t)in, (uint64_t)out}};
        hthread_group_exec(group, name, 1, 2, arguments);
        hthread_group_wait(group);
        fwrite(out, 128, sizes[i].vectors, outputs);
    }}
    hthread_group_destroy(group);
    hthread_free(in);
    hthread_free(out);
    hthread_dev_close(0);
    return fclose(outputs);
}}
",
        count = all.len()
    );
    build_texts(here, &kernels, &program, "-O2");
    TREE.succeed("./program", here);
    let outputs = fs::read(here.join("outputs")).unwrap();
    let mut rest = outputs.as_slice();
    let mut wrong = String::new();
    for swept in &all {
        let (output, more) = rest.split_at(128 * swept.vectors());
        rest = more;
        let outcome = swept.judge(output);
        let of_form = &outcome.forms[0];
        println!("{}: {:.3} ulp", swept.expression, of_form.worst.error);
        if !outcome.holds() {
            writeln!(
                wrong,
                "{}: {} of {} inputs: {:#?}",
                swept.expression, of_form.broken, outcome.inputs, of_form.examples
            )
            .unwrap();
        }
    }
    assert!(rest.is_empty() && wrong.is_empty(), "{wrong}");
}
