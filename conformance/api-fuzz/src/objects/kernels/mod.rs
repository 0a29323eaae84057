//! Kernels, their arguments and launches.

mod arguments;
mod launches;

use crate::call::{Returns, Run, Step};
use crate::commands::submission::Effect;
use crate::model::{Details, Id, Kernel, Kind, Product, Value};
use crate::objects::buffers::{READ_ONLY, WRITE_ONLY};
use crate::objects::images::IMAGE_2D;
use crate::objects::kernel_table::{Argument, KERNELS};
use crate::objects::programs;
use crate::objects::queries::{Answer, size, sizes, text, uint};
use cl_sys::*;

/// Minimum size of local arguments, and more local memory than there is, in bytes.
const LOCAL_BYTES: usize = 16;
const TOO_MUCH_LOCAL: usize = 1 << 40;

/// The largest work-group of the devices.
const LARGEST_GROUP: usize = 1024;

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
            // The number of kernels is unknown.
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

    /// Adds the last arguments of a function that creates `count` objects, and makes the call.
    /// Returns the handles.
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
        let reported = self.half_word_at(count_at) as usize;
        if reported != count {
            return self.fail_call(&format!("there are {count}, not {reported}"));
        }
        let handles = at.map_or(Vec::new(), |at| {
            (0..count)
                .map(|place| self.word_at(at + 8 * place as u64))
                .collect()
        });
        Some(handles)
    }

    /// Queries a kernel's name.
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

    pub fn get_kernel_info(&mut self) -> Step {
        self.begin("clGetKernelInfo");
        let wanted = self.pick(Kind::Kernel);
        let kernel = self.handle("kernel", &[Kind::Kernel], wanted);
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
        let kernel = self.handle("kernel", &[Kind::Kernel], wanted);
        let count = kernel.map_or(0, |id| self.model.kernel(id).values.len() as u32);
        let mut index = u64::from(self.random.below(count.max(1)));
        if self.wrong() {
            index = self.garbage() & 0xFFFF_FFFF;
        }
        self.fault_if(index >= u64::from(count), CL_INVALID_ARG_INDEX);
        self.number("arg_index", index);
        // Programs from source have this information only with -cl-kernel-arg-info.
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
        let kernel = self.handle("kernel", &[Kind::Kernel], wanted);
        let program = kernel.map(|id| self.model.kernel(id).program);
        let devices = program.map(|id| self.model.program(id).devices.clone());
        let before = self.faults();
        if self.one_in(4) {
            self.null("device");
        } else {
            self.device_of("device", devices.clone());
        }
        if self.last_argument() == 0 {
            // NULL is valid for programs with one device.
            self.forgive(before);
            self.fault_if(
                devices.is_some_and(|devices| devices.len() != 1),
                CL_INVALID_DEVICE,
            );
        }
        if program.is_some_and(|id| self.model.program(id).product == Product::Unknown) {
            // The devices for which the program is built are unknown.
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
}
