//! Kernel arguments.

use super::*;

impl Run {
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
            // As many bytes as the call says, and no more.
            let mut given = bytes;
            given.resize(stated.min(64), 0);
            self.input("arg_value", &given, &shown);
        }
        Some(value)
    }

    fn check_argument_context(&mut self, id: Id, context: Option<Id>, invalid: i32) {
        if context.is_some_and(|own| self.model.object(id).context != own) {
            // The specification does not name a code for this case.
            self.fault(invalid);
            self.may(CL_INVALID_CONTEXT);
        }
    }
}
