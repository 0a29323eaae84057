//! Kernel arguments.

use super::*;

/// A value for a kernel argument.
struct Candidate {
    bytes: Vec<u8>,
    /// The value in the model; `None` if it is invalid.
    value: Option<Value>,
    /// The value's text in logs.
    shown: String,
}

impl Candidate {
    fn handle(handle: u64, value: Option<Value>, shown: &str) -> Self {
        Self {
            bytes: handle.to_ne_bytes().to_vec(),
            value,
            shown: format!("[{shown}]"),
        }
    }
}

impl Run {
    pub fn set_kernel_arg(&mut self) -> Step {
        let wanted = self.pick(Kind::Kernel);
        // Unset arguments come first, so that the kernel can be launched soon.
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
    pub fn set_argument(&mut self, wanted: Option<Id>, index: usize) -> Step {
        self.begin("clSetKernelArg");
        let kernel = self.handle("kernel", &[Kind::Kernel], wanted);
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

    /// The arguments `arg_size` and `arg_value`. Returns the value if it is valid; `None` if there
    /// is no object to pass.
    fn argument_value(&mut self, argument: Argument, context: Option<Id>) -> Option<Option<Value>> {
        let Candidate {
            bytes,
            value,
            shown,
        } = match argument {
            Argument::Local => return Some(Some(self.local_value())),
            Argument::Bytes(count) => self.plain_value(count),
            Argument::Buffer(_) => self.buffer_value(context),
            Argument::Image { read } => self.image_value(read, context),
            Argument::Sampler => self.sampler_value(context),
        };
        let mut stated = bytes.len();
        if self.wrong() {
            stated = self.one_of(&[0, 1, 2, 3, 5, 7, 9, 15, 17, 64, usize::MAX]);
            self.fault_if(stated != bytes.len(), CL_INVALID_ARG_SIZE);
        }
        self.number("arg_size", stated);
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
            // Exactly the number of bytes that `arg_size` states.
            let mut given = bytes;
            given.resize(stated.min(64), 0);
            self.input("arg_value", &given, &shown);
        }
        Some(value)
    }

    /// The arguments `arg_size` and `arg_value` for a pointer to local memory.
    fn local_value(&mut self) -> Value {
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
        Value::Local(bytes)
    }

    /// A value of `count` bytes.
    fn plain_value(&mut self, count: usize) -> Candidate {
        let mut bytes = self.bytes(count);
        if count == 4 {
            // A number of elements, mostly a small one.
            let small = self.one_of(&[0, 1, 4, 16, 256]);
            bytes = u32::to_ne_bytes(small).to_vec();
        }
        Candidate {
            shown: format!("{bytes:?}"),
            value: Some(Value::Bytes(bytes.clone())),
            bytes,
        }
    }

    fn buffer_value(&mut self, context: Option<Id>) -> Candidate {
        if self.one_in(8) {
            return Candidate {
                bytes: vec![0; 8],
                value: Some(Value::Buffer(None)),
                shown: "[NULL]".to_owned(),
            };
        }
        let kind = if self.wrong() {
            Kind::Image
        } else {
            Kind::Buffer
        };
        let wanted = self.pick_in(kind, context);
        let kinds = [Kind::Buffer, Kind::Image];
        let before = self.faults();
        let (handle, shown, id) = self.choose_handle(&kinds, wanted, CL_INVALID_MEM_OBJECT);
        let null = handle == 0;
        if null {
            // NULL is valid: the kernel gets a null pointer.
            self.forgive(before);
        }
        if let Some(id) = id {
            let is_image = self.model.object(id).kind == Kind::Image;
            self.fault_if(is_image, CL_INVALID_MEM_OBJECT);
            self.check_argument_context(id, context, CL_INVALID_MEM_OBJECT);
        }
        let value = (id.is_some() || null).then_some(Value::Buffer(id));
        Candidate::handle(handle, value, &shown)
    }

    fn image_value(&mut self, read: bool, context: Option<Id>) -> Candidate {
        let forbidden = if read { WRITE_ONLY } else { READ_ONLY };
        let wanted = if self.wrong() {
            self.pick(Kind::Image)
        } else {
            self.pick_where(|object| {
                matches!(&object.details, Details::Image(image)
                    if object.is_alive()
                        && Some(object.context) == context
                        && image.image_type == IMAGE_2D
                        && image.flags & forbidden == 0)
            })
        };
        let (handle, shown, id) = self.choose_handle(&[Kind::Image], wanted, CL_INVALID_MEM_OBJECT);
        match id {
            Some(id) => {
                self.check_argument_context(id, context, CL_INVALID_MEM_OBJECT);
                let image = self.model.image(id);
                let other_type = image.image_type != IMAGE_2D;
                let no_access = image.flags & forbidden != 0;
                self.fault_if(other_type, CL_INVALID_MEM_OBJECT);
                self.fault_if(no_access, CL_INVALID_ARG_VALUE);
            }
            // The handle may be a buffer's.
            None => self.fault(CL_INVALID_MEM_OBJECT),
        }
        Candidate::handle(handle, id.map(Value::Image), &shown)
    }

    fn sampler_value(&mut self, context: Option<Id>) -> Candidate {
        let wanted = self.pick_in(Kind::Sampler, context);
        let (handle, shown, id) = self.choose_handle(&[Kind::Sampler], wanted, CL_INVALID_SAMPLER);
        if let Some(id) = id {
            self.check_argument_context(id, context, CL_INVALID_SAMPLER);
        }
        Candidate::handle(handle, id.map(Value::Sampler), &shown)
    }

    fn check_argument_context(&mut self, id: Id, context: Option<Id>, invalid: i32) {
        if context.is_some_and(|own| self.model.object(id).context != own) {
            // The specification does not name a code for this case.
            self.fault(invalid);
            self.may(CL_INVALID_CONTEXT);
        }
    }
}
