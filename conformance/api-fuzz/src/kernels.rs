//! Kernels, their arguments and launches.

use super::buffers::{READ_ONLY, WRITE_ONLY};
use super::call::{Returns, Run, Step};
use super::commands::Effect;
use super::images::IMAGE_2D;
use super::model::{Details, Id, Kernel, Kind, Product};
use super::programs;
use super::queries::{Answer, size, sizes, text, uint};
use cl_sys::*;

/// What an argument of a kernel is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Argument {
    /// A buffer, with at least so many bytes if the kernel is to stay within it.
    Buffer(usize),
    Bytes(usize),
    Local,
    /// An image that the kernel reads, or else writes.
    Image {
        read: bool,
    },
    Sampler,
}

/// A kernel of kernels.cl.
pub struct Entry {
    name: &'static str,
    arguments: &'static [Argument],
    required: Option<[usize; 3]>,
}

/// All of them.
pub const KERNELS: &[Entry] = &[
    Entry {
        name: "fill",
        arguments: &[Argument::Buffer(0), Argument::Bytes(4), Argument::Bytes(1)],
        required: None,
    },
    Entry {
        name: "sum",
        arguments: &[
            Argument::Buffer(0),
            Argument::Buffer(4),
            Argument::Bytes(4),
            Argument::Local,
        ],
        required: None,
    },
    Entry {
        name: "fixed",
        arguments: &[
            Argument::Buffer(32),
            Argument::Buffer(16),
            Argument::Bytes(16),
        ],
        required: Some([4, 2, 1]),
    },
    Entry {
        name: "pixels",
        arguments: &[
            Argument::Image { read: true },
            Argument::Sampler,
            Argument::Buffer(16),
            Argument::Image { read: false },
        ],
        required: None,
    },
    Entry {
        name: "nothing",
        arguments: &[],
        required: None,
    },
];

/// The least local memory an argument needs, and more than there is.
const LOCAL_BYTES: usize = 16;
const TOO_MUCH_LOCAL: usize = 1 << 40;

/// The largest work-group of the devices.
const LARGEST_GROUP: usize = 1024;

/// A value that an argument has been set to.
#[derive(Clone, Debug)]
pub enum Value {
    Buffer(Option<Id>),
    Bytes(Vec<u8>),
    Local(usize),
    Image(Id),
    Sampler(Id),
}

impl Value {
    /// The object among the values.
    fn object(&self) -> Option<Id> {
        match self {
            Self::Buffer(Some(id)) | Self::Image(id) | Self::Sampler(id) => Some(*id),
            _ => None,
        }
    }
}

impl Run {
    pub fn create_kernel(&mut self) -> Step {
        self.begin("clCreateKernel");
        let executable = self.pick_where(|object| {
            matches!(&object.details, Details::Program(program)
                if object.is_alive() && program.product == Product::Executable)
        });
        let wanted = if self.wrong() {
            self.pick(Kind::Program)
        } else {
            executable
        };
        let wanted = wanted.or_else(|| self.pick(Kind::Program));
        let (program, product) = self.program_argument(wanted);
        let which = self.random.below(KERNELS.len() as u32) as usize;
        self.check_executable(product);
        let has_kernels =
            program.is_some_and(|id| self.model.program(id).parts.contains(&programs::KERNELS));
        if self.wrong() {
            if self.one_in(2) {
                self.null("kernel_name");
                self.fault(CL_INVALID_VALUE);
            } else {
                let name = self.one_of(&["fil\0", "fills\0", "\0", "struct pair\0", "\u{e9}\0"]);
                self.input("kernel_name", name.as_bytes(), &format!("{name:?}"));
                self.fault(CL_INVALID_KERNEL_NAME);
            }
        } else {
            let name = KERNELS[which].name;
            self.input(
                "kernel_name",
                format!("{name}\0").as_bytes(),
                &format!("{name:?}"),
            );
            self.fault_if(!has_kernels, CL_INVALID_KERNEL_NAME);
        }
        let done = self.make(Returns::Object)?;
        if let Some(program) = program.filter(|_| done.succeeded) {
            self.kernel_created(program, which, done.pointer);
        }
        Some(())
    }

    fn check_executable(&mut self, product: Product) {
        match product {
            Product::Executable => {}
            Product::Unknown => self.may(CL_INVALID_PROGRAM_EXECUTABLE),
            _ => self.fault(CL_INVALID_PROGRAM_EXECUTABLE),
        }
    }

    fn kernel_created(&mut self, program: Id, which: usize, handle: u64) {
        self.hold(program);
        let context = self.model.object(program).context;
        let kernel = Kernel {
            program,
            which,
            values: vec![None; KERNELS[which].arguments.len()],
        };
        self.created(Kind::Kernel, handle, context, Details::Kernel(kernel));
    }

    pub fn create_kernels_in_program(&mut self) -> Step {
        self.begin("clCreateKernelsInProgram");
        let wanted = self.pick_where(|object| {
            matches!(&object.details, Details::Program(program)
                if object.is_alive() && program.parts == [programs::KERNELS])
        });
        let wanted = if self.wrong() {
            self.pick(Kind::Program)
        } else {
            wanted
        };
        let (program, product) = self.program_argument(wanted);
        self.check_executable(product);
        let ours = program
            .filter(|id| self.model.program(*id).parts == [programs::KERNELS])
            .filter(|_| product == Product::Executable);
        if ours.is_none() && !self.is_faulty() {
            // How many there are is not known.
            self.leave_open();
            self.number("num_kernels", 0u32);
            self.null("kernels");
            self.output("num_kernels_ret", 4);
            self.make(Returns::Status)?;
            return Some(());
        }
        let names = ["num_kernels", "kernels", "num_kernels_ret"];
        let numbers: Vec<u64> = (0..KERNELS.len() as u64).collect();
        let handles = self.new_handles(names, numbers.len())?;
        for handle in handles {
            let name = self.kernel_name(handle)?;
            let which = KERNELS.iter().position(|entry| entry.name == name);
            match (which, program) {
                (Some(which), Some(program)) => self.kernel_created(program, which, handle),
                _ => return self.fail(format!("there is no kernel called {name:?}")),
            }
        }
        Some(())
    }

    /// The last arguments of a function that makes a known number of objects, and the
    /// call: the handles.
    fn new_handles(&mut self, names: [&str; 3], count: usize) -> Option<Vec<u64>> {
        let mut entries = count;
        let mut at = None;
        if self.one_in(3) {
            self.number(names[0], 0u32);
            self.null(names[1]);
        } else {
            if self.wrong() {
                entries = self.size(0, count - 1);
                self.fault(CL_INVALID_VALUE);
            }
            self.number(names[0], entries);
            at = Some(self.output(names[1], 8 * entries));
        }
        let count_at = self.output(names[2], 4);
        if !self.make(Returns::Status)?.succeeded {
            return Some(Vec::new());
        }
        let told = self.half_word_at(count_at) as usize;
        if told != count {
            return self.fail_call(&format!("there are {count}, not {told}"));
        }
        let handles = at.map_or(Vec::new(), |at| {
            (0..count)
                .map(|place| self.word_at(at + 8 * place as u64))
                .collect()
        });
        Some(handles)
    }

    /// Asks for a kernel's name.
    fn kernel_name(&mut self, handle: u64) -> Option<String> {
        self.begin("clGetKernelInfo");
        self.argument("kernel", handle, "a new kernel");
        self.number("param_name", CL_KERNEL_FUNCTION_NAME);
        self.number("param_value_size", 64u32);
        let at = self.output("param_value", 64);
        self.null("param_value_size_ret");
        self.make(Returns::Status)?;
        let bytes = self.bytes_at(at, 64);
        let name = bytes.split(|byte| *byte == 0).next().unwrap_or_default();
        Some(String::from_utf8_lossy(name).into_owned())
    }

    pub fn set_kernel_arg(&mut self) -> Step {
        let wanted = self.pick(Kind::Kernel);
        // What is not set yet first: then the kernel can be launched.
        let mut index = 0;
        if let Some(id) = wanted {
            let values = &self.model.kernel(id).values;
            let unset = values.iter().position(Option::is_none);
            let count = values.len() as u32;
            index = match unset {
                Some(unset) if !self.one_in(4) => unset,
                _ => self.random.below(count.max(1)) as usize,
            };
        }
        self.set_argument(wanted, index)
    }

    /// Sets an argument of a kernel.
    fn set_argument(&mut self, wanted: Option<Id>, index: usize) -> Step {
        self.begin("clSetKernelArg");
        let kernel = self.handle("kernel", &[Kind::Kernel], wanted, CL_INVALID_KERNEL);
        let mut index = index as u64;
        if self.wrong() {
            index = self.garbage() & 0xFFFF_FFFF;
        }
        let (arguments, context) = match kernel {
            Some(id) => (
                KERNELS[self.model.kernel(id).which].arguments,
                Some(self.model.object(id).context),
            ),
            None => (KERNELS[0].arguments, None),
        };
        let argument = arguments.get(index as usize);
        self.fault_if(kernel.is_some() && argument.is_none(), CL_INVALID_ARG_INDEX);
        let argument = argument.copied().unwrap_or(Argument::Bytes(4));
        self.number("arg_index", index);
        let value = self.argument_value(argument, context)?;
        if self.make(Returns::Status)?.succeeded
            && let (Some(kernel), Some(value)) = (kernel, value)
        {
            if let Some(id) = value.object() {
                self.hold(id);
            }
            self.model.kernel_mut(kernel).values[index as usize] = Some(value);
        }
        Some(())
    }

    /// Size and value for an argument, as arguments; the value, if it is one. Nothing if
    /// there is none to be had.
    fn argument_value(&mut self, argument: Argument, context: Option<Id>) -> Option<Option<Value>> {
        if argument == Argument::Local {
            let mut bytes = self.size(LOCAL_BYTES, 256);
            if self.one_in(16) {
                bytes = TOO_MUCH_LOCAL;
            }
            if self.wrong() {
                bytes = 0;
                self.fault(CL_INVALID_ARG_SIZE);
            }
            self.number("arg_size", bytes);
            if self.wrong() {
                self.input("arg_value", &[0; 8], "8 bytes");
                self.fault(CL_INVALID_ARG_VALUE);
            } else {
                self.null("arg_value");
            }
            return Some(Some(Value::Local(bytes)));
        }
        let (bytes, value, shown) = match argument {
            Argument::Bytes(count) => {
                let mut bytes = self.bytes(count);
                if count == 4 {
                    // A count of elements, mostly of few.
                    let small = self.one_of(&[0, 1, 4, 16, 256]);
                    bytes = u32::to_ne_bytes(small).to_vec();
                }
                let shown = format!("{bytes:?}");
                (bytes.clone(), Some(Value::Bytes(bytes)), shown)
            }
            Argument::Buffer(_) => {
                if self.one_in(8) {
                    (vec![0; 8], Some(Value::Buffer(None)), "[NULL]".to_owned())
                } else {
                    let kind = if self.wrong() {
                        Kind::Image
                    } else {
                        Kind::Buffer
                    };
                    let wanted = self.pick_in(kind, context);
                    let kinds = [Kind::Buffer, Kind::Image];
                    let before = self.faults();
                    let (handle, shown, id) =
                        self.choose_handle(&kinds, wanted, CL_INVALID_MEM_OBJECT);
                    let null = handle == 0;
                    if null {
                        // That is a null pointer in the kernel: no mistake.
                        self.forgive(before);
                    }
                    if let Some(id) = id {
                        let is_image = self.model.object(id).kind == Kind::Image;
                        self.fault_if(is_image, CL_INVALID_MEM_OBJECT);
                        self.check_argument_context(id, context, CL_INVALID_MEM_OBJECT);
                    }
                    let value = (id.is_some() || null).then_some(Value::Buffer(id));
                    (handle.to_ne_bytes().to_vec(), value, format!("[{shown}]"))
                }
            }
            Argument::Image { read } => {
                let wanted = if self.wrong() {
                    self.pick(Kind::Image)
                } else {
                    self.pick_where(|object| {
                        let forbidden = if read { WRITE_ONLY } else { READ_ONLY };
                        matches!(&object.details, Details::Image(image)
                            if object.is_alive()
                                && Some(object.context) == context
                                && image.image_type == IMAGE_2D
                                && image.flags & forbidden == 0)
                    })
                };
                let (handle, shown, id) =
                    self.choose_handle(&[Kind::Image], wanted, CL_INVALID_MEM_OBJECT);
                match id {
                    Some(id) => {
                        self.check_argument_context(id, context, CL_INVALID_MEM_OBJECT);
                        let image = self.model.image(id);
                        let forbidden = if read { WRITE_ONLY } else { READ_ONLY };
                        let other_type = image.image_type != IMAGE_2D;
                        let no_access = image.flags & forbidden != 0;
                        self.fault_if(other_type, CL_INVALID_MEM_OBJECT);
                        self.fault_if(no_access, CL_INVALID_ARG_VALUE);
                    }
                    // A buffer, perhaps.
                    None => self.fault(CL_INVALID_MEM_OBJECT),
                }
                let value = id.map(Value::Image);
                (handle.to_ne_bytes().to_vec(), value, format!("[{shown}]"))
            }
            Argument::Sampler => {
                let wanted = self.pick_in(Kind::Sampler, context);
                let (handle, shown, id) =
                    self.choose_handle(&[Kind::Sampler], wanted, CL_INVALID_SAMPLER);
                if let Some(id) = id {
                    self.check_argument_context(id, context, CL_INVALID_SAMPLER);
                }
                (
                    handle.to_ne_bytes().to_vec(),
                    id.map(Value::Sampler),
                    format!("[{shown}]"),
                )
            }
            Argument::Local => return None,
        };
        let mut told = bytes.len();
        if self.wrong() {
            told = self.one_of(&[0, 1, 2, 3, 5, 7, 9, 15, 17, 64, usize::MAX]);
            self.fault_if(told != bytes.len(), CL_INVALID_ARG_SIZE);
        }
        self.number("arg_size", told);
        let null = match argument {
            Argument::Buffer(_) => None,
            Argument::Image { .. } => Some(CL_INVALID_MEM_OBJECT),
            Argument::Sampler => Some(CL_INVALID_SAMPLER),
            Argument::Bytes(_) | Argument::Local => Some(CL_INVALID_ARG_VALUE),
        };
        if let Some(code) = null
            && self.wrong()
        {
            self.null("arg_value");
            self.fault(code);
        } else {
            // As many bytes as the call says, and no more.
            let mut given = bytes;
            given.resize(told.min(64), 0);
            self.input("arg_value", &given, &shown);
        }
        Some(value)
    }

    fn check_argument_context(&mut self, id: Id, context: Option<Id>, invalid: i32) {
        if context.is_some_and(|own| self.model.object(id).context != own) {
            // Which code that is, the specification does not say.
            self.fault(invalid);
            self.fault(CL_INVALID_CONTEXT);
        }
    }

    pub fn get_kernel_info(&mut self) -> Step {
        self.begin("clGetKernelInfo");
        let wanted = self.pick(Kind::Kernel);
        let kernel = self.handle("kernel", &[Kind::Kernel], wanted, CL_INVALID_KERNEL);
        let mut answers = vec![
            (CL_KERNEL_FUNCTION_NAME, Answer::Any),
            (CL_KERNEL_NUM_ARGS, Answer::Size(4)),
            (CL_KERNEL_REFERENCE_COUNT, Answer::Size(4)),
            (CL_KERNEL_CONTEXT, Answer::Size(8)),
            (CL_KERNEL_PROGRAM, Answer::Size(8)),
            (CL_KERNEL_ATTRIBUTES, Answer::Any),
        ];
        if let Some(id) = kernel {
            let object = self.model.object(id);
            let details = self.model.kernel(id);
            let entry = &KERNELS[details.which];
            answers = vec![
                (CL_KERNEL_FUNCTION_NAME, text(entry.name)),
                (CL_KERNEL_NUM_ARGS, uint(entry.arguments.len() as u32)),
                (CL_KERNEL_REFERENCE_COUNT, uint(object.references)),
                (
                    CL_KERNEL_CONTEXT,
                    size(self.model.object(object.context).handle),
                ),
                (
                    CL_KERNEL_PROGRAM,
                    size(self.model.object(details.program).handle),
                ),
                (CL_KERNEL_ATTRIBUTES, Answer::Any),
            ];
        }
        self.query(&answers)
    }

    pub fn get_kernel_arg_info(&mut self) -> Step {
        self.begin("clGetKernelArgInfo");
        let wanted = self.pick(Kind::Kernel);
        let kernel = self.handle("kernel", &[Kind::Kernel], wanted, CL_INVALID_KERNEL);
        let count = kernel.map_or(0, |id| self.model.kernel(id).values.len() as u32);
        let mut index = u64::from(self.random.below(count.max(1)));
        if self.wrong() {
            index = self.garbage() & 0xFFFF_FFFF;
        }
        self.fault_if(index >= u64::from(count), CL_INVALID_ARG_INDEX);
        self.number("arg_index", index);
        // Only kept by programs from source if asked for.
        let code = CL_KERNEL_ARG_INFO_NOT_AVAILABLE;
        let perhaps = |answer| Answer::Perhaps(code, Box::new(answer));
        self.query(&[
            (CL_KERNEL_ARG_ADDRESS_QUALIFIER, perhaps(Answer::Size(4))),
            (CL_KERNEL_ARG_ACCESS_QUALIFIER, perhaps(Answer::Size(4))),
            (CL_KERNEL_ARG_TYPE_NAME, perhaps(Answer::Any)),
            (CL_KERNEL_ARG_TYPE_QUALIFIER, perhaps(Answer::Size(8))),
            (CL_KERNEL_ARG_NAME, perhaps(Answer::Any)),
        ])
    }

    pub fn get_kernel_work_group_info(&mut self) -> Step {
        self.begin("clGetKernelWorkGroupInfo");
        let wanted = self.pick(Kind::Kernel);
        let kernel = self.handle("kernel", &[Kind::Kernel], wanted, CL_INVALID_KERNEL);
        let program = kernel.map(|id| self.model.kernel(id).program);
        let devices = program.map(|id| self.model.program(id).devices.clone());
        let before = self.faults();
        if self.one_in(4) {
            self.null("device");
        } else {
            self.device_of("device", devices.clone());
        }
        if self.last_argument() == 0 {
            // That stands for the one device that there is.
            self.forgive(before);
            self.fault_if(
                devices.is_some_and(|devices| devices.len() != 1),
                CL_INVALID_DEVICE,
            );
        }
        if program.is_some_and(|id| self.model.program(id).product == Product::Unknown) {
            // For which devices it is built is not known.
            self.leave_open();
        }
        let required = kernel.map(|id| KERNELS[self.model.kernel(id).which].required);
        let required = required.map(|required| required.unwrap_or([0; 3]).map(|size| size as u64));
        self.query_among(
            &[
                (CL_KERNEL_WORK_GROUP_SIZE, size(LARGEST_GROUP)),
                (
                    CL_KERNEL_COMPILE_WORK_GROUP_SIZE,
                    required.map_or(Answer::Size(24), |required| sizes(&required)),
                ),
                (CL_KERNEL_LOCAL_MEM_SIZE, Answer::Size(8)),
                (
                    CL_KERNEL_PREFERRED_WORK_GROUP_SIZE_MULTIPLE,
                    Answer::Size(8),
                ),
                (CL_KERNEL_PRIVATE_MEM_SIZE, Answer::Size(8)),
            ],
            true,
        )
    }

    /// Whether the kernel stays within its arguments.
    fn is_safe(&self, kernel: Id) -> bool {
        let details = self.model.kernel(kernel);
        let bytes = |value: &Option<Value>| match value {
            Some(Value::Buffer(Some(id))) => Some(self.model.buffer(*id).size),
            _ => None,
        };
        let count = |value: &Option<Value>| match value {
            Some(Value::Bytes(bytes)) => bytes
                .as_slice()
                .try_into()
                .map_or(0, |bytes| u32::from_ne_bytes(bytes) as usize),
            _ => 0,
        };
        let entry = &KERNELS[details.which];
        let large_enough = entry
            .arguments
            .iter()
            .zip(&details.values)
            .all(|(argument, value)| match argument {
                Argument::Buffer(least) => bytes(value).is_none_or(|bytes| bytes >= *least),
                _ => true,
            });
        let values = &details.values;
        large_enough
            && match entry.name {
                "fill" => count(&values[1]) <= bytes(&values[0]).unwrap_or(0),
                "sum" => 4 * count(&values[2]) <= bytes(&values[0]).unwrap_or(0),
                _ => true,
            }
    }

    /// A size of the index space, as an argument.
    fn grid(&mut self, name: &str, sizes: Option<&[usize]>) {
        match sizes {
            Some(sizes) => self.sizes(name, sizes),
            None => self.null(name),
        }
    }

    pub fn enqueue_kernel(&mut self) -> Step {
        let task = self.one_in(5);
        let salt = self.random.bits();
        if let Some(kernel) = self.pick(Kind::Kernel)
            && !self.is_safe(kernel)
        {
            // First it gets arguments that it can be launched with.
            let count = self.model.kernel(kernel).values.len() as u64;
            return self.set_argument(Some(kernel), (salt % count.max(1)) as usize);
        }
        self.begin(if task {
            "clEnqueueTask"
        } else {
            "clEnqueueNDRangeKernel"
        });
        let mut issue = self.issue();
        let wanted = self.pick_in(Kind::Kernel, issue.context);
        let wanted = wanted.filter(|kernel| self.is_safe(*kernel));
        let kernel = self.handle("kernel", &[Kind::Kernel], wanted, CL_INVALID_KERNEL);
        if kernel.is_some_and(|kernel| !self.is_safe(kernel)) {
            return None;
        }
        self.same_context(&issue, kernel);
        let mut global = vec![1];
        let mut offset = vec![0];
        let required = kernel.and_then(|id| KERNELS[self.model.kernel(id).which].required);
        if task {
            self.fault_if(
                required.is_some_and(|required| required != [1, 1, 1]),
                CL_INVALID_WORK_GROUP_SIZE,
            );
        } else {
            (global, offset) = self.index_space(required);
        }
        self.check_launch(&issue, kernel);
        self.waits_and_event(&mut issue);
        let mut objects = Vec::new();
        if let Some(id) = kernel {
            for value in self.model.kernel(id).values.iter().flatten() {
                if let Value::Buffer(Some(id)) | Value::Image(id) = value {
                    objects.push(*id);
                }
            }
        }
        let command_type = if task { 0x11F1 } else { 0x11F0 };
        let (_, effect) = self.enqueue(&issue, Returns::Status, command_type, &objects)?;
        if let Some(kernel) = kernel.filter(|_| effect != Effect::None) {
            self.hold(kernel);
            self.launched(kernel, &objects, effect, offset[0], global[0]);
        }
        Some(())
    }

    /// Arguments and program of a kernel that is launched.
    fn check_launch(&mut self, issue: &super::commands::Issue, kernel: Option<Id>) {
        let Some(id) = kernel else { return };
        let details = self.model.kernel(id);
        let missing = details.values.iter().any(Option::is_none);
        let too_much = details
            .values
            .iter()
            .any(|value| matches!(value, Some(Value::Local(TOO_MUCH_LOCAL))));
        let objects = details.values.iter().flatten().filter_map(Value::object);
        let released = objects
            .into_iter()
            .any(|id| !self.model.object(id).is_alive());
        let program = self.model.program(details.program);
        let unknown = program.product != Product::Executable;
        let device = issue.queue.map(|queue| self.model.queue(queue).device);
        let foreign = device.is_some_and(|device| !self.serves(&program.devices, device));
        self.fault_if(missing, CL_INVALID_KERNEL_ARGS);
        if released {
            // Kernels do not keep what they have as arguments.
            self.may(CL_INVALID_KERNEL_ARGS);
        }
        self.fault_if(too_much, CL_OUT_OF_RESOURCES);
        self.fault_if(foreign, CL_INVALID_PROGRAM_EXECUTABLE);
        if unknown {
            self.may(CL_INVALID_PROGRAM_EXECUTABLE);
        }
    }

    /// The index space of a launch, as arguments: global size and offset.
    fn index_space(&mut self, required: Option<[usize; 3]>) -> (Vec<usize>, Vec<usize>) {
        let dimensions = self.size(1, 3);
        let mut local: Option<Vec<usize>> = None;
        let mut global = Vec::new();
        if let Some(required) = required {
            let dimensions = self.size(2, 3);
            // Left out, it is the same.
            local = (!self.one_in(3)).then(|| required[..dimensions].to_vec());
            for size in &required[..dimensions] {
                global.push(size * self.size(1, 2));
            }
        } else {
            for _ in 0..dimensions {
                global.push(self.size(1, 4) * 4);
            }
            if self.one_in(2) {
                let size = if self.one_in(2) { 4 } else { 2 };
                local = Some(vec![size; dimensions]);
            }
        }
        let dimensions = global.len();
        let mut offset = vec![0; dimensions];
        if self.one_in(4) {
            offset = (0..dimensions)
                .map(|_| self.random.below(5) as usize)
                .collect();
        }
        let mut has_offset = offset.iter().any(|offset| *offset != 0) || self.one_in(2);
        let mut told = dimensions as u64;
        if self.wrong() {
            match self.random.below(6) {
                0 => {
                    told = self.one_of(&[0, 4, u32::MAX.into()]);
                    self.fault(CL_INVALID_WORK_DIMENSION);
                }
                1 => {
                    global[0] = 0;
                    self.fault(CL_INVALID_GLOBAL_WORK_SIZE);
                }
                2 => {
                    // With the offset more than a size_t can hold.
                    global[0] = usize::MAX;
                    offset[0] = 1 + self.random.below(9) as usize;
                    has_offset = true;
                    for code in [
                        CL_INVALID_GLOBAL_WORK_SIZE,
                        CL_INVALID_GLOBAL_OFFSET,
                        CL_INVALID_WORK_GROUP_SIZE,
                        CL_OUT_OF_RESOURCES,
                    ] {
                        self.fault(code);
                    }
                }
                3 => {
                    offset[dimensions - 1] = usize::MAX - self.random.below(2) as usize;
                    has_offset = true;
                    self.fault(CL_INVALID_GLOBAL_OFFSET);
                }
                4 => {
                    let mut sizes = vec![1; dimensions];
                    sizes[dimensions - 1] = self.one_of(&[0, LARGEST_GROUP + 1, 33, usize::MAX]);
                    local = Some(sizes);
                    self.fault(CL_INVALID_WORK_GROUP_SIZE);
                    self.fault(CL_INVALID_WORK_ITEM_SIZE);
                }
                _ => {
                    if required.is_some() {
                        // Neither the size that the kernel requires nor another one fits.
                        global[0] += 1;
                        self.fault(CL_INVALID_WORK_GROUP_SIZE);
                    }
                }
            }
        }
        self.number("work_dim", told);
        let offsets = offset.clone();
        self.grid("global_work_offset", has_offset.then_some(&offsets[..]));
        if self.wrong() {
            self.null("global_work_size");
            self.fault(CL_INVALID_GLOBAL_WORK_SIZE);
        } else {
            self.grid("global_work_size", Some(&global));
        }
        self.grid("local_work_size", local.as_deref());
        (global, offset)
    }

    /// What a launch does to the memory that it works on.
    fn launched(&mut self, kernel: Id, objects: &[Id], effect: Effect, first: usize, items: usize) {
        let details = self.model.kernel(kernel);
        if KERNELS[details.which].name == "fill"
            && let [
                Some(Value::Buffer(Some(buffer))),
                Some(Value::Bytes(count)),
                Some(Value::Bytes(value)),
            ] = &details.values[..]
        {
            let (buffer, value) = (*buffer, value[0]);
            let count = count.as_slice().try_into().map_or(0, u32::from_ne_bytes) as usize;
            let end = first.saturating_add(items).min(count);
            if first < end {
                let filled: Vec<u8> = (first..end).map(|i| value.wrapping_add(i as u8)).collect();
                let sure = effect == Effect::Sure;
                self.model
                    .write(buffer, first, end - first, sure.then_some(&filled[..]));
            }
            return;
        }
        for object in objects {
            self.forget_object(*object);
        }
    }

    /// The local size that the platform would choose (cl_khr_suggested_local_work_size).
    pub fn get_suggested_local_work_size(&mut self) -> Step {
        let name = "clGetKernelSuggestedLocalWorkSizeKHR";
        if !self.has(name) {
            return None;
        }
        self.begin(name);
        let wanted = self.pick(Kind::Queue);
        let queue = self.handle(
            "command_queue",
            &[Kind::Queue],
            wanted,
            CL_INVALID_COMMAND_QUEUE,
        );
        let context = queue.map(|queue| self.model.object(queue).context);
        let wanted = self.pick_in(Kind::Kernel, context);
        let kernel = self.handle("kernel", &[Kind::Kernel], wanted, CL_INVALID_KERNEL);
        // What it says of arguments that are not set is for other tests.
        self.leave_open();
        if kernel.is_none() || queue.is_none() {
            return None;
        }
        let global = vec![self.size(1, 64); 2];
        self.number("work_dim", 2u32);
        self.null("global_work_offset");
        self.sizes("global_work_size", &global);
        let at = self.output("suggested_local_work_size", 16);
        if self.make(Returns::Status)?.succeeded {
            let required = kernel.and_then(|id| KERNELS[self.model.kernel(id).which].required);
            for (axis, size) in global.iter().enumerate() {
                let local = self.word_at(at + 8 * axis as u64) as usize;
                if local == 0 || !size.is_multiple_of(local) {
                    return self.fail_call(&format!("{local} does not divide {size}"));
                }
                if required.is_some_and(|required| required[axis] != local) {
                    return self.fail_call(&format!("{local} is not what the kernel requires"));
                }
            }
        }
        Some(())
    }
}
