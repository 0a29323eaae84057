//! Programs: from source and from binaries, built, compiled and linked.

mod builds;

use crate::call::{Returns, Run, Step};
use crate::callbacks;
use crate::callbacks::Counter;
use crate::model::{Details, Id, Kind, Product, Program};
use crate::objects::queries::{Answer, size, sizes, text, uint};
use cl_sys::*;
use std::time::{Duration, Instant};

/// Sources, by their validity.
pub const SOURCES: &[&str] = &[
    include_str!("../../kernels.cl"),
    "kernel void broken(",
    "int twice(int x) { return 2 * x; }",
    "int twice(int x); kernel void doubles(global int *x) { if (x) x[0] = twice(21); }",
];
/// Indices into `SOURCES`.
pub const KERNELS: usize = 0;
const BROKEN: usize = 1;
const PART: usize = 2;
const USER: usize = 3;

/// Time limit of a build until its callback.
const PATIENCE: Duration = Duration::from_secs(60);

const OPTIONS: &[&str] = &["", "-cl-mad-enable", "-DSIZE=4 -w"];

impl Run {
    /// Creates a program from a random source.
    pub fn create_program_with_source(&mut self) -> Step {
        let which = match self.random.below(8) {
            0 => BROKEN,
            1 | 2 => PART,
            3 | 4 => USER,
            _ => KERNELS,
        };
        self.create_program(which)
    }

    pub fn create_program(&mut self, which: usize) -> Step {
        self.begin("clCreateProgramWithSource");
        let wanted = self.pick(Kind::Context);
        let context = self.handle("context", &[Kind::Context], wanted);
        let source = SOURCES[which].as_bytes();
        // The source is passed in pieces, with or without lengths.
        let pieces = self.size(1, 3);
        let mut cuts: Vec<usize> = (1..pieces)
            .map(|_| self.random.below(source.len() as u32) as usize)
            .collect();
        cuts.extend([0, source.len()]);
        cuts.sort_unstable();
        cuts.dedup();
        let has_lengths = self.one_in(2);
        let (mut strings, mut lengths) = (Vec::new(), Vec::new());
        for cut in cuts.windows(2) {
            let mut piece = source[cut[0]..cut[1]].to_vec();
            let mut length = piece.len();
            if !has_lengths || self.one_in(3) {
                piece.push(0);
                length = 0;
            }
            let mut address = self.momentary(&piece);
            if self.wrong() {
                address = 0;
                self.fault(CL_INVALID_VALUE);
            }
            strings.extend(address.to_ne_bytes());
            lengths.push(length);
        }
        if self.wrong() {
            self.number("count", 0u32);
            self.fault(CL_INVALID_VALUE);
        } else {
            self.number("count", lengths.len());
        }
        if self.wrong() {
            self.null("strings");
            self.fault(CL_INVALID_VALUE);
        } else {
            self.input("strings", &strings, &format!("source {which}"));
        }
        if has_lengths {
            self.sizes("lengths", &lengths);
        } else {
            self.null("lengths");
        }
        let done = self.make(Returns::Object)?;
        if let Some(context) = context.filter(|_| done.succeeded) {
            let program = Program {
                devices: self.model.context(context).devices.clone(),
                source: Some(which),
                parts: vec![which],
                product: Product::None,
                given: None,
                building: None,
                options: Some(""),
            };
            self.created_program(done.pointer, context, program);
        }
        Some(())
    }

    pub fn create_program_with_built_in_kernels(&mut self) -> Step {
        self.begin("clCreateProgramWithBuiltInKernels");
        let wanted = self.pick(Kind::Context);
        let context = self.handle("context", &[Kind::Context], wanted);
        let devices = context.map(|context| self.model.context(context).devices.clone());
        self.device_list(devices.as_deref(), false);
        // There are no built-in kernels.
        self.fault(CL_INVALID_VALUE);
        if self.one_in(2) {
            self.null("kernel_names");
        } else {
            self.input("kernel_names", b"fill;sum\0", "\"fill;sum\"");
        }
        self.make(Returns::Object)?;
        Some(())
    }

    /// Records a program object that the platform created.
    fn created_program(&mut self, handle: u64, context: Id, program: Program) {
        self.hold(context);
        let details = Details::Program(program);
        self.created(Kind::Program, handle, context, details);
    }

    /// Adds `num_devices` and `device_list`, which are optional for some functions, as arguments.
    /// Returns the devices, if known.
    fn device_list(&mut self, devices: Option<&[Id]>, optional: bool) -> Vec<Id> {
        let all = devices.unwrap_or(&[0]).to_vec();
        let leave_out = optional && !self.one_in(4);
        if leave_out || self.wrong() {
            self.fault_if(!optional, CL_INVALID_VALUE);
            if self.wrong() {
                self.number("num_devices", 1u32);
                self.fault(CL_INVALID_VALUE);
            } else {
                self.number("num_devices", 0u32);
            }
            self.null("device_list");
            return all;
        }
        let mut wanted = all.clone();
        if self.wrong() {
            let another = self.pick(Kind::Device);
            wanted.extend(another.filter(|device| !wanted.contains(device)));
        }
        let chosen = self.handles(("num_devices", "device_list"), &[Kind::Device], &wanted);
        let foreign = devices.is_some() && chosen.iter().any(|device| !all.contains(device));
        self.fault_if(foreign, CL_INVALID_DEVICE);
        chosen
    }

    /// Adds build options as argument.
    fn options(&mut self, invalid: i32) -> Option<&'static str> {
        if self.wrong() {
            self.fault(invalid);
            let text = self.one_of(&["-no-such-option\0", "-cl-std=\0", "-x \"\0"]);
            self.input("options", text.as_bytes(), &format!("{text:?}"));
            return None;
        }
        if self.one_in(2) {
            self.null("options");
            return Some("");
        }
        let options = self.one_of(OPTIONS);
        self.input(
            "options",
            format!("{options}\0").as_bytes(),
            &format!("{options:?}"),
        );
        Some(options)
    }

    /// Updates a program whose asynchronous build may have ended.
    fn settle(&mut self, program: Id) {
        let details = self.model.program(program);
        if let Some((counter, _)) = details.building
            && counter.calls() > 0
        {
            let details = self.model.program_mut(program);
            if let Some((_, product)) = details.building.take() {
                details.product = product;
            }
        }
    }

    /// Adds a program as argument. Returns it with its product.
    pub fn program_argument(&mut self, wanted: Option<Id>) -> (Option<Id>, Product) {
        let program = self.handle("program", &[Kind::Program], wanted);
        if let Some(program) = program {
            self.settle(program);
        }
        let product = program.map_or(Product::Unknown, |program| {
            self.model.program(program).product
        });
        (program, product)
    }

    /// Checks that the program has no kernels, which prevent builds.
    fn check_no_kernels(&mut self, program: Id) {
        let of_program = |object: &&crate::model::Object| matches!(&object.details, Details::Kernel(kernel) if kernel.program == program);
        let (mut alive, mut held) = (false, false);
        for kernel in self.model.objects().filter(of_program) {
            alive |= kernel.is_alive();
            held |= kernel.held;
        }
        self.fault_if(alive, CL_INVALID_OPERATION);
        if held {
            self.may(CL_INVALID_OPERATION);
        }
    }

    /// A program to build. Few programs are built, because builds take long.
    fn pick_unbuilt(&mut self) -> Option<Id> {
        if self.one_in(8) {
            return self.pick(Kind::Program);
        }
        self.pick_where(|object| {
            matches!(&object.details, Details::Program(program)
                if object.is_alive() && program.product == Product::None && program.building.is_none())
        })
    }

    pub fn get_program_info(&mut self) -> Step {
        self.begin("clGetProgramInfo");
        let wanted = self.pick(Kind::Program);
        let (program, product) = self.program_argument(wanted);
        let mut answers = vec![
            (CL_PROGRAM_REFERENCE_COUNT, Answer::Size(4)),
            (CL_PROGRAM_CONTEXT, Answer::Size(8)),
            (CL_PROGRAM_NUM_DEVICES, Answer::Size(4)),
            (CL_PROGRAM_DEVICES, Answer::Any),
            (CL_PROGRAM_SOURCE, Answer::Any),
            (CL_PROGRAM_BINARY_SIZES, Answer::Any),
            (CL_PROGRAM_NUM_KERNELS, Answer::Any),
            (CL_PROGRAM_KERNEL_NAMES, Answer::Any),
        ];
        if let Some(id) = program {
            let object = self.model.object(id);
            let details = self.model.program(id);
            let handles: Vec<u64> = details
                .devices
                .iter()
                .map(|id| self.model.object(*id).handle)
                .collect();
            let not_built = Answer::Refused(CL_INVALID_PROGRAM_EXECUTABLE);
            let (count, names) = match product {
                Product::Executable => {
                    let count = details.parts.iter().map(|part| match *part {
                        KERNELS => crate::objects::kernel_table::KERNELS.len(),
                        USER => 1,
                        _ => 0,
                    });
                    (size(count.sum::<usize>()), Answer::Any)
                }
                Product::Unknown => {
                    let code = CL_INVALID_PROGRAM_EXECUTABLE;
                    let count = Answer::Perhaps(code, Box::new(Answer::Size(8)));
                    (count, Answer::Perhaps(code, Box::new(Answer::Any)))
                }
                _ => (not_built.clone(), not_built),
            };
            answers = vec![
                (CL_PROGRAM_REFERENCE_COUNT, uint(object.references)),
                (
                    CL_PROGRAM_CONTEXT,
                    size(self.model.object(object.context).handle),
                ),
                (CL_PROGRAM_NUM_DEVICES, uint(handles.len() as u32)),
                (CL_PROGRAM_DEVICES, sizes(&handles)),
                (
                    CL_PROGRAM_SOURCE,
                    text(details.source.map_or("", |which| SOURCES[which])),
                ),
                (CL_PROGRAM_BINARY_SIZES, Answer::Size(8 * handles.len())),
                (CL_PROGRAM_NUM_KERNELS, count),
                (CL_PROGRAM_KERNEL_NAMES, names),
            ];
        }
        // CL_PROGRAM_BINARIES takes addresses of buffers: `recreate_program` queries it.
        self.query_among(&answers, true)
    }

    pub fn get_program_build_info(&mut self) -> Step {
        self.begin("clGetProgramBuildInfo");
        let wanted = self.pick(Kind::Program);
        let (program, product) = self.program_argument(wanted);
        let devices = program.map(|program| self.model.program(program).devices.clone());
        self.device_of("device", devices);
        let options = program.and_then(|program| self.model.program(program).options);
        let binary_type = match product {
            Product::Compiled => uint(1),
            Product::Library => uint(2),
            Product::Executable => uint(4),
            Product::Unknown | Product::None => Answer::Size(4),
        };
        let status = match product {
            Product::Compiled | Product::Library | Product::Executable => uint(0),
            Product::Unknown | Product::None => Answer::Size(4),
        };
        self.query(&[
            (CL_PROGRAM_BUILD_STATUS, status),
            (CL_PROGRAM_BUILD_OPTIONS, options.map_or(Answer::Any, text)),
            (CL_PROGRAM_BUILD_LOG, Answer::Any),
            (CL_PROGRAM_BINARY_TYPE, binary_type),
        ])
    }

    /// Creates another program from a program's binaries, possibly mutated.
    pub fn recreate_program(&mut self) -> Step {
        let program = self.pick_where(|object| {
            matches!(&object.details, Details::Program(program)
                if object.is_alive()
                    && matches!(program.product, Product::Executable | Product::Compiled))
        })?;
        let object = self.model.object(program);
        let (handle, context) = (object.handle, object.context);
        let details = self.model.program(program);
        let (devices, parts) = (details.devices.clone(), details.parts.clone());
        let product = details.product;
        let count = devices.len();
        self.begin("clGetProgramInfo");
        self.argument("program", handle, &format!("Program#{program}"));
        self.number("param_name", CL_PROGRAM_BINARY_SIZES);
        self.number("param_value_size", 8 * count);
        let at = self.output("param_value", 8 * count);
        self.null("param_value_size_ret");
        self.make(Returns::Status)?;
        let lengths: Vec<usize> = (0..count)
            .map(|place| self.word_at(at + 8 * place as u64) as usize)
            .collect();
        self.begin("clGetProgramInfo");
        self.argument("program", handle, &format!("Program#{program}"));
        self.number("param_name", CL_PROGRAM_BINARIES);
        self.number("param_value_size", 8 * count);
        let blocks: Vec<u64> = lengths
            .iter()
            .map(|length| self.momentary(&vec![0; *length]))
            .collect();
        let addresses: Vec<u8> = blocks
            .iter()
            .flat_map(|block| block.to_ne_bytes())
            .collect();
        self.input("param_value", &addresses, "addresses");
        self.null("param_value_size_ret");
        self.make(Returns::Status)?;
        let binaries: Vec<Vec<u8>> = blocks
            .iter()
            .zip(&lengths)
            .map(|(block, length)| self.bytes_at(*block, *length))
            .collect();
        self.create_program_with_binary(context, devices, (parts, product), binaries)
    }

    fn create_program_with_binary(
        &mut self,
        context: Id,
        devices: Vec<Id>,
        (parts, given): (Vec<usize>, Product),
        mut binaries: Vec<Vec<u8>>,
    ) -> Step {
        self.begin("clCreateProgramWithBinary");
        let context = self.handle("context", &[Kind::Context], Some(context));
        let of_context = context.map(|context| self.model.context(context).devices.clone());
        let chosen = self.handles(("num_devices", "device_list"), &[Kind::Device], &devices);
        let foreign = of_context.is_some_and(|all| chosen.iter().any(|id| !all.contains(id)));
        self.fault_if(foreign, CL_INVALID_DEVICE);
        if self.wrong() || self.one_in(4) {
            let place = self.random.below(binaries.len() as u32) as usize;
            let length = binaries[place].len().max(1);
            let at = self.random.below(length as u32) as usize;
            let noise = self.bytes(64);
            let binary = &mut binaries[place];
            match self.random.below(4) {
                0 => {
                    binary.clear();
                    self.fault(CL_INVALID_VALUE);
                }
                1 => {
                    binary.truncate(at);
                    self.fault(if at == 0 {
                        CL_INVALID_VALUE
                    } else {
                        CL_INVALID_BINARY
                    });
                }
                2 => {
                    *binary = noise;
                    self.fault(CL_INVALID_BINARY);
                }
                _ => {
                    binary[at] ^= 1 << (noise[0] % 8);
                    self.fault(CL_INVALID_BINARY);
                }
            }
        }
        let lengths: Vec<usize> = binaries.iter().map(Vec::len).collect();
        let mut pointers = Vec::new();
        for binary in &binaries {
            let mut address = self.momentary(binary);
            if self.wrong() {
                address = 0;
                self.fault(CL_INVALID_VALUE);
            }
            pointers.extend(address.to_ne_bytes());
        }
        self.sizes("lengths", &lengths);
        self.input("binaries", &pointers, "binaries");
        if self.one_in(2) {
            self.null("binary_status");
        } else {
            self.output("binary_status", 4 * binaries.len());
        }
        let done = self.make(Returns::Object)?;
        if let Some(context) = context.filter(|_| done.succeeded) {
            let program = Program {
                devices: chosen,
                source: None,
                parts,
                product: Product::None,
                given: Some(given),
                building: None,
                options: Some(""),
            };
            self.created_program(done.pointer, context, program);
        }
        Some(())
    }
}
