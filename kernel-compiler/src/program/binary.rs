//! Program binaries (`CL_PROGRAM_BINARIES`): their content, and the checks before one is used.
//!
//! A binary holds bitcode, what it was built of, and nothing that is derived from them: the
//! interfaces of its kernels are read from their functions again. The bitcode may be forged, since a hash is no
//! signature. So it is read on a guarded thread, and LLVM's verifier and the checks here refuse
//! what the compiler is not made for. The code itself may do whatever a program's source may do.

use crate::cache::{Cache, CacheInput};
use crate::failure::BuildFailure;
use crate::guard::{self, Limits};
use crate::ir::Context;
use crate::ir::diagnostics::Errors;
use crate::kernel::interface::{self, KernelInterface};
use crate::process_end::Use;
use crate::program::build_input::BuildInput;
use crate::program::container::{self, Content};
use crate::program::executable::Executable;
use crate::target::{self, TRIPLE};
use crate::unit::Unit;
use once_cell::sync::Lazy;
use serde::Serialize;
use std::sync::Arc;

/// The program of a binary.
pub enum Program {
    /// Output of `clCompileProgram`.
    CompiledObject(Unit),
    /// Output of `clLinkProgram` with `-create-library`.
    Library(Unit),
    /// Output of `clBuildProgram` or `clLinkProgram`.
    Executable(Arc<Executable>),
}

/// What the checked kernels of a binary depend on.
#[derive(Serialize)]
struct BitcodeInput<'a>(#[serde(with = "serde_bytes")] &'a [u8]);

impl CacheInput for BitcodeInput<'_> {
    const KIND: &'static str = "binary";
    const VERSION: u32 = 1;
}

/// Most bytes of a kernel's arguments. Devices grant fewer; this is only for sums not to
/// overflow.
const LARGEST_ARGUMENT_BLOCK: usize = 1 << 30;

fn write(
    content: Content,
    bitcode: &[u8],
    initialises_private_memory: bool,
    input: Option<&BuildInput>,
) -> Vec<u8> {
    // Writing to a vector does not fail.
    let input = input.and_then(|input| postcard::to_stdvec(input).ok());
    let input = input.unwrap_or_default();
    let mut payload = vec![u8::from(initialises_private_memory)];
    payload.extend_from_slice(&(input.len() as u64).to_le_bytes());
    payload.extend_from_slice(&input);
    payload.extend_from_slice(bitcode);
    container::write(content, &payload)
}

/// The parts of a payload.
struct Parts<'a> {
    initialises_private_memory: bool,
    input: Option<BuildInput>,
    bitcode: &'a [u8],
}

impl<'a> Parts<'a> {
    /// The parts, if the payload has all.
    fn split(payload: &'a [u8]) -> Option<Self> {
        let (&initialises, rest) = payload.split_first()?;
        let (length, rest) = rest.split_first_chunk::<8>()?;
        let length = usize::try_from(u64::from_le_bytes(*length)).ok()?;
        let (input, bitcode) = rest.split_at_checked(length)?;
        Some(Self {
            initialises_private_memory: initialises != 0,
            input: match input {
                [] => None,
                input => Some(postcard::from_bytes(input).ok()?),
            },
            bitcode,
        })
    }
}

impl Executable {
    /// The program binary (`CL_PROGRAM_BINARIES`), with what it was built of. It has no native code:
    /// its bytes depend on the build alone, not on launches since, nor on the host.
    pub fn to_binary(&self, input: Option<&BuildInput>) -> Vec<u8> {
        let initialises_private_memory = self.initialises_private_memory();
        write(
            Content::Executable,
            self.bitcode(),
            initialises_private_memory,
            input,
        )
    }
}

impl Unit {
    /// The binary of a compiled object, or of a library, with what it was built of.
    pub fn to_binary(&self, library: bool, input: Option<&BuildInput>) -> Vec<u8> {
        let content = if library {
            Content::Library
        } else {
            Content::CompiledObject
        };
        write(
            content,
            &self.bitcode,
            self.initialises_private_memory,
            input,
        )
    }
}

/// Whether bytes are those of a program binary, of whatever version.
pub fn is_binary(bytes: &[u8]) -> bool {
    bytes.starts_with(container::MAGIC)
}

/// Reads a binary: its program, and what that was built of, if the binary says so.
///
/// # Errors
/// Not a binary, damaged, of another build, or with code that is not what this compiler makes:
/// `Cause::Program`. Or the host has no memory or no thread to check it.
pub fn read(bytes: &[u8]) -> Result<(Program, Option<BuildInput>), BuildFailure> {
    of_content(container::read(bytes))
}

/// As `read`, of a binary that another build of the same version has made, for inspection.
///
/// # Errors
/// As `read`.
pub fn read_of_any_build(bytes: &[u8]) -> Result<Program, BuildFailure> {
    of_content(container::read_of_any_build(bytes)).map(|(program, _)| program)
}

fn of_content(
    unwrapped: Result<(Content, &[u8]), String>,
) -> Result<(Program, Option<BuildInput>), BuildFailure> {
    let _in_use = Use::begin()?;
    let (content, payload) = unwrapped.map_err(BuildFailure::new)?;
    let Some(parts) = Parts::split(payload) else {
        return Err(BuildFailure::new("the program binary lacks a part"));
    };
    let (bitcode, initialises_private_memory) = (parts.bitcode, parts.initialises_private_memory);
    let kernels = kernels(bitcode)?;
    let unit = || Unit {
        bitcode: Arc::from(bitcode),
        log: String::new(),
        initialises_private_memory,
        origins: Vec::new(),
    };
    let program = match content {
        Content::CompiledObject => Program::CompiledObject(unit()),
        Content::Library => Program::Library(unit()),
        Content::Executable => {
            let bitcode = bitcode.to_vec();
            let made = Executable::of_bitcode(bitcode, kernels, initialises_private_memory)?;
            Program::Executable(made)
        }
    };
    Ok((program, parts.input))
}

/// The kernels of bitcode, which is checked now or was before.
fn kernels(bitcode: &[u8]) -> Result<Vec<KernelInterface>, BuildFailure> {
    let Some(cache) = Cache::get() else {
        return check(bitcode);
    };
    let input = BitcodeInput(bitcode);
    cache.get_or_make(&input, |_| true, || check(bitcode))
}

fn check(bitcode: &[u8]) -> Result<Vec<KernelInterface>, BuildFailure> {
    const WHAT: &str = "the program binary has code that no build of this version makes";
    // LLVM's reader takes bitcode of some forms for minutes, and for many gigabytes.
    let limits = Limits::of_the_environment().or(Limits {
        nanoseconds: 30_000_000_000,
        bytes: (1 << 30) + 64 * bitcode.len() as u64,
    });
    match guard::run_within(limits, || check_unguarded(bitcode)) {
        Ok(kernels) => kernels.map_err(|why| BuildFailure::new(format!("{WHAT}: {why}"))),
        Err(stopped) => Err(BuildFailure::stopped(WHAT, &stopped)),
    }
}

fn check_unguarded(bitcode: &[u8]) -> Result<Vec<KernelInterface>, String> {
    static DATA_LAYOUT: Lazy<String> = Lazy::new(|| {
        let layout = target::machine(true).get_target_data().get_data_layout();
        layout.as_str().to_string_lossy().into_owned()
    });
    let context = Context::create();
    let errors = Errors::collect(&context);
    let module = context.parse_bitcode(bitcode)?;
    module.verify()?;
    if let Some(error) = errors.first() {
        return Err(error);
    }
    if module.layout() != *DATA_LAYOUT || module.triple() != TRIPLE {
        return Err("it is for another target".into());
    }
    let kernels = interface::kernels(module.handle());
    kernels.iter().try_for_each(check_interface)?;
    Ok(kernels)
}

/// Refuses what clang lets no source say.
fn check_interface(kernel: &KernelInterface) -> Result<(), String> {
    let arguments = kernel.arguments.iter();
    let mut texts =
        arguments.flat_map(|argument| [&argument.type_name, &argument.base_type, &argument.name]);
    if kernel.name.is_empty() || kernel.name.contains('\0') || texts.any(|text| text.contains('\0'))
    {
        return Err("a kernel or an argument has an impossible name".into());
    }
    if kernel.argument_block_size > LARGEST_ARGUMENT_BLOCK {
        return Err("the arguments of a kernel are too large".into());
    }
    let sizes = kernel.required_work_group_size.unwrap_or([1; 3]);
    if sizes
        .iter()
        .any(|size| !(1..=u64::from(u32::MAX)).contains(size))
    {
        return Err("a kernel requires work-groups of an impossible size".into());
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::front_end::options::{BuildCall, BuildOptions};
    use inkwell::targets::TargetTriple;

    const SOURCE: &str = "typedef struct { char c; double d; } pair;
         kernel void none(void) {}
         kernel __attribute__((reqd_work_group_size(4, 2, 1), vec_type_hint(uint4)))
         void all(global const volatile float4 *restrict a, constant int *b, local char *c,
                  pair d, uchar3 e, read_only image2d_t f, sampler_t g, write_only image3d_t h) {
             c[get_local_id(0)] = *b + d.c + e.x;
         }";

    /// The place of the bitcode in the payload of a binary that has nothing it was built of.
    const BITCODE: usize = 9;

    fn unit(source: &str) -> Unit {
        let options = BuildOptions::parse("", BuildCall::Compile).unwrap();
        crate::compile(source, &options, &[]).unwrap()
    }

    fn executable(bytes: &[u8]) -> Arc<Executable> {
        match read(bytes).unwrap().0 {
            Program::Executable(executable) => executable,
            _ => panic!("it is no executable"),
        }
    }

    /// A binary of the same kind, with its hash, whose code is `change`d.
    fn forged(bytes: &[u8], change: impl FnOnce(&mut Vec<u8>)) -> Vec<u8> {
        let (content, payload) = container::read(bytes).unwrap();
        let mut payload = payload.to_vec();
        change(&mut payload);
        container::write(content, &payload)
    }

    #[test]
    fn a_binary_has_all_that_is_known_of_the_kernels() {
        let linked = Executable::link(&[&unit(SOURCE)]).unwrap();
        let again = executable(&linked.to_binary(None));
        assert!(again.is_same_as(&linked));
        let all = &again.kernels()[1];
        assert_eq!(all.arguments.len(), 8);
        let names: Vec<&str> = all.arguments[0].type_qualifiers.names().collect();
        assert_eq!(names, ["restrict", "const", "volatile"]);
        assert_eq!(all.required_work_group_size, Some([4, 2, 1]));
        assert!(all.attributes.contains("vec_type_hint(uint4)"));
    }

    #[test]
    fn a_binary_has_what_it_was_built_of() {
        let linked = Executable::link(&[&unit(SOURCE)]).unwrap();
        let input = BuildInput::of_source(SOURCE, "-DA=1 -cl-mocl3-remarks", &[]);
        assert_eq!(input, BuildInput::of_source(SOURCE, "-DA=1", &[]));
        for input in [None, Some(input)] {
            match read(&linked.to_binary(input.as_ref())).unwrap() {
                (Program::Executable(again), read) => {
                    assert!(again.is_same_as(&linked));
                    assert_eq!(read, input);
                }
                _ => panic!("it is no executable"),
            }
        }
    }

    #[test]
    fn each_kind_of_binary_is_read_as_what_it_is() {
        let unit = unit("int f(void) { return 1; } kernel void k(global int *x) { *x = f(); }");
        for library in [false, true] {
            match (read(&unit.to_binary(library, None)).unwrap().0, library) {
                (Program::CompiledObject(again), false) | (Program::Library(again), true) => {
                    assert_eq!(again.bitcode, unit.bitcode);
                }
                _ => panic!("it is read as something else"),
            }
        }
    }

    #[test]
    fn code_that_is_no_code_is_refused() {
        let bytes = Executable::link(&[&unit(SOURCE)]).unwrap().to_binary(None);
        let refusal = |change: &dyn Fn(&mut Vec<u8>)| {
            read(&forged(&bytes, change))
                .err()
                .expect("must be refused")
        };
        refusal(&Vec::clear);
        refusal(&|payload| payload.truncate(1));
        refusal(&|payload| payload.truncate(payload.len() / 2));
        refusal(&|payload| payload[BITCODE..].fill(0));
        refusal(&|payload| payload[1..BITCODE].fill(0xff));
        // What it was built of is no such thing.
        refusal(&|payload| payload[1] = 3);
        let other = refusal(&|payload| {
            let context = Context::create();
            let module = context.parse_bitcode(&payload[BITCODE..]).unwrap();
            module.set_triple(&TargetTriple::create("aarch64-unknown-linux-gnu"));
            payload.truncate(BITCODE);
            payload.extend_from_slice(&module.bitcode());
        });
        assert!(other.log.contains("another target"), "{other}");
    }

    #[test]
    fn interfaces_that_no_source_has_are_refused() {
        let linked = Executable::link(&[&unit(SOURCE)]).unwrap();
        let [none, all] = linked.kernels() else {
            panic!("two kernels");
        };
        let refused = |change: &dyn Fn(&mut KernelInterface)| {
            let mut kernel = all.clone();
            change(&mut kernel);
            check_interface(&kernel).is_err()
        };
        assert!(check_interface(none).is_ok() && check_interface(all).is_ok());
        assert!(refused(&|kernel| kernel.name.clear()));
        assert!(refused(&|kernel| kernel.name.push('\0')));
        assert!(refused(&|kernel| kernel.arguments[2].type_name.push('\0')));
        assert!(refused(&|kernel| kernel.argument_block_size = usize::MAX));
        assert!(refused(
            &|kernel| kernel.required_work_group_size = Some([4, 0, 1])
        ));
        assert!(refused(
            &|kernel| kernel.required_work_group_size = Some([1 << 40, 1, 1])
        ));
    }
}
