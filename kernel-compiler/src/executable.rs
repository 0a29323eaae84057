//! A linked program: its kernels' interfaces and, on demand, their native code.

use crate::binary::{self, Content};
use crate::cache::Cache;
use crate::image_argument::KnownArgument;
use crate::native::Image;
use crate::steps::{Both, Nobody, Observer, Step, show};
use crate::{
    BuildFailure, Origin, Unit, dump, initialise_private_memory, interface, link, native, origins,
    text_of,
};
use device_sim::work_group::WorkGroupFunction;
use inkwell::context::Context;
use once_cell::sync::OnceCell;
use parking_lot::Mutex;
use serde::{Deserialize, Serialize};
use std::collections::HashMap;
use std::sync::Arc;

type CompiledOnce = Arc<OnceCell<Result<Arc<WorkGroupCode>, BuildFailure>>>;

/// A linked program that holds kernels. Cheap to share; thread-safe.
pub struct Executable {
    linked: Linked,
    code: Mutex<HashMap<(usize, Specialisation), CompiledOnce>>,
    /// What it was linked from, if anybody may want to see that.
    origins: Vec<Arc<Origin>>,
}

/// What linking makes: what program binaries and the cache keep of an executable.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Linked {
    #[serde(with = "serde_bytes")]
    bitcode: Vec<u8>,
    /// Made of the bitcode's metadata; it need not be read for it.
    kernels: Vec<KernelInterface>,
    /// Private variables begin as zeros.
    initialises_private_memory: bool,
}

const KIND: &str = "executable";

/// What an argument is, for `clSetKernelArg`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum ArgumentKind {
    /// Passed by value: scalars, vectors, structs.
    Value,
    /// Pointer to `__global` memory; the block holds its address.
    GlobalPointer,
    /// Pointer to `__constant` memory; the block holds its address.
    ConstantPointer,
    /// Pointer to `__local` memory; the block holds its offset in bytes from
    /// `WorkGroupContext::local_memory` as u64.
    LocalPointer,
    /// An image; the block holds the address of its descriptor.
    Image,
    /// A sampler; the block holds its bits as u64.
    Sampler,
}

/// One argument of a kernel: its place in the argument block and what
/// `clGetKernelArgInfo` reports.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct KernelArgument {
    /// What may be set here.
    pub kind: ArgumentKind,
    /// Offset in the argument block, bytes.
    pub offset: usize,
    /// Size that `clSetKernelArg` must be given, bytes (8 for buffers; any for `LocalPointer`).
    pub size: usize,
    /// Name in the source.
    pub name: String,
    /// Type as written, without qualifiers, for example `float*`.
    pub type_name: String,
    /// Type with typedefs resolved.
    pub base_type: String,
    /// `CL_KERNEL_ARG_ADDRESS_QUALIFIER` as clang's number: 0 private, 1 global, 2 constant, 3 local.
    pub address_space: u32,
    /// `read_only`, `write_only`, `read_write` or `none`.
    pub access_qualifier: String,
    /// Space separated: `const`, `restrict`, `volatile`; empty if none.
    pub type_qualifier: String,
}

/// The interface of a kernel.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct KernelInterface {
    /// Function name.
    pub name: String,
    /// Its arguments in order.
    pub arguments: Vec<KernelArgument>,
    /// Bytes of the argument block.
    pub argument_block_size: usize,
    /// `reqd_work_group_size`, if the source demands one.
    pub required_work_group_size: Option<[u64; 3]>,
    /// Attributes as `CL_KERNEL_ATTRIBUTES` shows them.
    pub attributes: String,
}

/// Native code of one kernel. Keeps the code mapped while it lives.
pub struct WorkGroupCode {
    /// Entry point.
    pub function: WorkGroupFunction,
    /// Bytes of scratchpad for the kernel's own `__local` variables, at the start
    /// of local memory; `__local` arguments follow.
    pub local_memory_bytes: u64,
    /// Bytes of private memory per work-item, on the stack or across barriers
    /// (`CL_KERNEL_PRIVATE_MEM_SIZE`).
    pub private_memory_bytes: u64,
    /// Private memory that must be given to each group: fixed part, bytes.
    pub group_private_bytes: u64,
    /// And the part per work-item of the group, bytes.
    pub work_item_private_bytes: u64,
    pub(crate) _image: Image,
}

impl WorkGroupCode {
    /// Bytes `WorkGroupContext::private_memory` must hold for groups of `work_items`.
    pub fn private_bytes(&self, work_items: u64) -> u64 {
        self.group_private_bytes + self.work_item_private_bytes * work_items
    }
}

/// The object file of one kernel for one specialisation, and what is known of it.
pub struct KernelObject {
    /// ELF, relocatable.
    pub object: Vec<u8>,
    /// What the kernel uses.
    pub resources: ResourceUse,
}

/// What the work-group function of a kernel uses and what it is like.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ResourceUse {
    /// Bytes of local memory for the kernel's own `__local` variables.
    pub local_memory_bytes: u64,
    /// Bytes of private memory per work-item (`CL_KERNEL_PRIVATE_MEM_SIZE`).
    pub private_memory_bytes: u64,
    /// Of these, bytes that are kept for each work-item of the group across barriers.
    pub kept_across_barriers_bytes: u64,
    /// Bytes of instructions.
    pub code_bytes: u64,
    /// Barriers in the kernel, functions it calls included.
    pub barriers: usize,
    /// DMA transfers in the kernel, likewise.
    pub transfers: usize,
    /// Loops turned inside out.
    pub uniform_loops: usize,
    /// Pieces between cuts.
    pub regions: usize,
    /// Elements of the widest vector in the optimised code; 1 if there is none.
    pub widest_vector: u32,
    /// Whether the loops over work-items became vector code. Not known where a region
    /// has loops of its own that may have become so, or where no loop is left.
    pub vectorised: Option<bool>,
}

impl std::fmt::Display for ResourceUse {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        writeln!(f, "local memory      {} bytes", self.local_memory_bytes)?;
        writeln!(
            f,
            "private memory    {} bytes per work-item, {} of them kept across barriers",
            self.private_memory_bytes, self.kept_across_barriers_bytes
        )?;
        writeln!(f, "code              {} bytes", self.code_bytes)?;
        writeln!(
            f,
            "regions           {} ({} barriers, {} DMA transfers, {} uniform loops)",
            self.regions, self.barriers, self.transfers, self.uniform_loops
        )?;
        let over = match self.vectorised {
            Some(true) => "over the work-items",
            Some(false) => "within each work-item",
            None => "over the work-items or within each",
        };
        match self.widest_vector {
            1 => writeln!(f, "vectors           none"),
            elements => writeln!(f, "vectors           {over}, up to {elements} elements"),
        }
    }
}

/// What a version of the code may take for granted.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Specialisation {
    /// The local size, if fixed.
    pub local_size: Option<[u64; 3]>,
    /// All global ids (offset included) are below 2^31.
    pub small_grid: bool,
    /// What is known of each image and sampler among the arguments, in their order;
    /// empty if nothing is.
    pub images: Vec<KnownArgument>,
}

impl Executable {
    /// Links units and the builtin library.
    ///
    /// # Errors
    /// Functions used but not defined, by name; symbols defined twice; recursion.
    pub fn link(units: &[&Unit]) -> Result<Self, BuildFailure> {
        let Some(cache) = Cache::get() else {
            let origins = origins(units);
            let linked = Linked::link(units)
                .inspect_err(|failure| dump::failed_build(&origins, &failure.log))?;
            return Ok(Self::new(linked, origins));
        };
        let mut parts: Vec<&[u8]> = units.iter().map(|unit| &*unit.bitcode).collect();
        let initialises = [u8::from(initialise_private_memory(units))];
        parts.push(&initialises);
        let key = cache.key(KIND, &parts);
        if let Some(linked) = cache.load::<Linked>(KIND, &key) {
            return Ok(Self::new(linked, Vec::new()));
        }
        let linked = Linked::link(units)?;
        cache.store(KIND, &key, &linked);
        Ok(Self::new(linked, Vec::new()))
    }

    /// Whether it is the same program: any code made of one would be made of the other.
    pub fn is_same_as(&self, other: &Self) -> bool {
        self.linked == other.linked
    }

    fn new(linked: Linked, origins: Vec<Arc<Origin>>) -> Self {
        Self {
            linked,
            code: Mutex::default(),
            origins,
        }
    }

    /// Private variables begin as zeros.
    pub fn initialises_private_memory(&self) -> bool {
        self.linked.initialises_private_memory
    }

    /// The kernels, in source order.
    pub fn kernels(&self) -> &[KernelInterface] {
        &self.linked.kernels
    }

    /// Native code of kernel number `kernel` of `kernels()`; compiled on first use, then kept.
    ///
    /// # Errors
    /// Code generation failed (an error in this compiler).
    pub fn work_group_code(
        &self,
        kernel: usize,
        specialisation: Specialisation,
    ) -> Result<Arc<WorkGroupCode>, BuildFailure> {
        let cell = Arc::clone(
            self.code
                .lock()
                .entry((kernel, specialisation.clone()))
                .or_default(),
        );
        cell.get_or_init(|| {
            let interface = &self.linked.kernels[kernel];
            let bitcode = &self.linked.bitcode;
            match self.dump(interface, &specialisation) {
                Some(mut folder) => native::code(bitcode, interface, &specialisation, &mut folder),
                None => native::code(bitcode, interface, &specialisation, &mut Nobody),
            }
            .map(Arc::new)
        })
        .clone()
    }

    /// Compiles kernel number `kernel` for somebody who wants to see what becomes of it:
    /// shows `observer` the steps from `Step::Linked` on. Nothing is kept, nothing loaded.
    ///
    /// # Errors
    /// Code generation failed (an error in this compiler).
    pub fn look_at(
        &self,
        kernel: usize,
        specialisation: Specialisation,
        observer: &mut dyn Observer,
    ) -> Result<KernelObject, BuildFailure> {
        let interface = &self.linked.kernels[kernel];
        show(observer, Step::Linked, || self.text());
        match self.dump(interface, &specialisation) {
            Some(mut folder) => native::look_at(
                &self.linked.bitcode,
                interface,
                &specialisation,
                &mut Both(&mut folder, observer),
            ),
            None => native::look_at(&self.linked.bitcode, interface, &specialisation, observer),
        }
    }

    /// The folder that shows this kernel, if it is to be shown, with the steps before
    /// native compilation in it.
    fn dump(
        &self,
        interface: &KernelInterface,
        specialisation: &Specialisation,
    ) -> Option<dump::KernelFolder> {
        let mut folder = dump::folder(interface, specialisation)?;
        folder.write_origins(&self.origins);
        folder.see(Step::Linked, &self.text());
        Some(folder)
    }

    /// LLVM IR of the linked program, as text.
    pub fn text(&self) -> String {
        text_of(&self.linked.bitcode)
    }

    /// A program binary (`CL_PROGRAM_BINARIES`). It has no native code: its bytes
    /// depend on the build alone, not on what was launched since, nor on the host.
    pub fn to_binary(&self) -> Vec<u8> {
        let bytes = postcard::to_stdvec(&self.linked).expect("memory takes all bytes");
        binary::write(Content::Executable, &bytes)
    }

    /// Reads what `to_binary` wrote.
    ///
    /// # Errors
    /// Not such a binary, damaged, or of another build (`CL_INVALID_BINARY`).
    pub fn from_binary(bytes: &[u8]) -> Result<Self, String> {
        let (Content::Executable, bytes) = binary::read(bytes)? else {
            return Err("the program binary is not an executable".into());
        };
        let linked: Linked = postcard::from_bytes(bytes)
            .map_err(|error| format!("the program binary is damaged: {error}"))?;
        Ok(Self::new(linked, Vec::new()))
    }
}

impl Linked {
    fn link(units: &[&Unit]) -> Result<Self, BuildFailure> {
        let context = Context::create();
        let program = link::link(&context, units)?;
        link::complete(&program)?;
        Ok(Self {
            kernels: interface::kernels(program.as_mut_ptr()),
            initialises_private_memory: initialise_private_memory(units),
            bitcode: program.write_bitcode_to_memory().as_slice().to_vec(),
        })
    }
}

impl Unit {
    /// A program binary of a compiled object, or of a library.
    pub fn to_binary(&self, library: bool) -> Vec<u8> {
        let content = if library {
            Content::Library
        } else {
            Content::CompiledObject
        };
        let mut bytes = vec![u8::from(self.initialises_private_memory)];
        bytes.extend_from_slice(&self.bitcode);
        binary::write(content, &bytes)
    }

    /// Reads what `to_binary` wrote; says whether it is a library.
    ///
    /// # Errors
    /// Not such a binary, damaged, or of another build (`CL_INVALID_BINARY`).
    pub fn from_binary(bytes: &[u8]) -> Result<(Self, bool), String> {
        let (content, bytes) = binary::read(bytes)?;
        if content == Content::Executable {
            return Err("the program binary is an executable".into());
        }
        let Some((&initialises_private_memory, bitcode)) = bytes.split_first() else {
            return Err("the program binary is empty".into());
        };
        let unit = Self {
            bitcode: Arc::from(bitcode),
            log: String::new(),
            initialises_private_memory: initialises_private_memory != 0,
            origins: Vec::new(),
        };
        Ok((unit, content == Content::Library))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::options::{BuildOptions, Stage};

    fn unit(source: &str) -> Unit {
        let options = BuildOptions::parse("", Stage::Compile).unwrap();
        crate::compile(source, &options, &[]).unwrap()
    }

    #[test]
    fn a_binary_has_all_that_is_known_of_the_kernels() {
        let unit = unit(
            "typedef struct { char c; double d; } pair;
             kernel void none(void) {}
             kernel __attribute__((reqd_work_group_size(4, 2, 1), vec_type_hint(uint4)))
             void all(global const volatile float4 *restrict a, constant int *b, local char *c,
                      pair d, uchar3 e, read_only image2d_t f, sampler_t g, write_only image3d_t h) {
                 c[get_local_id(0)] = *b + d.c + e.x;
             }",
        );
        let executable = Executable::link(&[&unit]).unwrap();
        let again = Executable::from_binary(&executable.to_binary()).unwrap();
        assert_eq!(again.linked, executable.linked);
        let all = &again.kernels()[1];
        assert_eq!(all.arguments.len(), 8);
        assert_eq!(all.arguments[0].type_qualifier, "restrict const volatile");
        assert_eq!(all.required_work_group_size, Some([4, 2, 1]));
        assert!(all.attributes.contains("vec_type_hint(uint4)"));
    }

    #[test]
    fn each_kind_of_binary_is_read_as_what_it_is() {
        let unit = unit("int f(void) { return 1; } kernel void k(global int *x) { *x = f(); }");
        let executable = Executable::link(&[&unit]).unwrap().to_binary();
        assert!(Unit::from_binary(&executable).is_err());
        for library in [false, true] {
            let binary = unit.to_binary(library);
            let (again, is_library) = Unit::from_binary(&binary).unwrap();
            assert_eq!(is_library, library);
            assert_eq!(again.bitcode, unit.bitcode);
            assert!(Executable::from_binary(&binary).is_err());
        }
    }
}
