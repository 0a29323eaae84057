//! Launches.

use super::*;

/// The index space of a launch, as its arguments state it.
struct IndexSpace {
    /// `work_dim`
    stated: u64,
    /// Whether `global_work_offset` is passed; the offset is 0 otherwise.
    has_offset: bool,
    offset: Vec<usize>,
    global: Vec<usize>,
    /// `local_work_size`, if it is passed.
    local: Option<Vec<usize>>,
}

impl Run {
    /// Whether the kernel accesses its buffers only.
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

    /// Adds a size of the index space as argument.
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
            // Before its first launch, a kernel gets valid arguments.
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
        let kernel = self.handle("kernel", &[Kind::Kernel], wanted);
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

    /// Checks arguments and program of a kernel that is launched.
    fn check_launch(&mut self, issue: &crate::commands::submission::Issue, kernel: Option<Id>) {
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
            // Kernels do not retain their arguments.
            self.may(CL_INVALID_KERNEL_ARGS);
        }
        self.fault_if(too_much, CL_OUT_OF_RESOURCES);
        self.fault_if(foreign, CL_INVALID_PROGRAM_EXECUTABLE);
        if unknown {
            self.may(CL_INVALID_PROGRAM_EXECUTABLE);
        }
    }

    /// The arguments of a launch's index space. Returns its global size and offset.
    fn index_space(&mut self, required: Option<[usize; 3]>) -> (Vec<usize>, Vec<usize>) {
        let mut space = self.choose_index_space(required);
        if self.wrong() {
            self.spoil(&mut space, required.is_some());
        }
        self.number("work_dim", space.stated);
        let offset = space.has_offset.then_some(&space.offset[..]);
        self.grid("global_work_offset", offset);
        if self.wrong() {
            self.null("global_work_size");
            self.fault(CL_INVALID_GLOBAL_WORK_SIZE);
        } else {
            self.grid("global_work_size", Some(&space.global));
        }
        self.grid("local_work_size", space.local.as_deref());
        (space.global, space.offset)
    }

    /// A valid index space for a kernel that may have a required work-group size.
    fn choose_index_space(&mut self, required: Option<[usize; 3]>) -> IndexSpace {
        let dimensions = self.size(1, 3);
        let mut local: Option<Vec<usize>> = None;
        let mut global = Vec::new();
        if let Some(required) = required {
            let dimensions = self.size(2, 3);
            // Without a local size, the platform takes the required one.
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
        IndexSpace {
            stated: dimensions as u64,
            has_offset: offset.iter().any(|offset| *offset != 0) || self.one_in(2),
            global,
            local,
            offset,
        }
    }

    /// Makes an index space invalid.
    fn spoil(&mut self, space: &mut IndexSpace, has_required_size: bool) {
        let last = space.global.len() - 1;
        match self.random.below(6) {
            0 => {
                space.stated = self.one_of(&[0, 4, u32::MAX.into()]);
                self.fault(CL_INVALID_WORK_DIMENSION);
            }
            1 => {
                space.global[0] = 0;
                self.fault(CL_INVALID_GLOBAL_WORK_SIZE);
            }
            2 => {
                // The sum of size and offset overflows size_t.
                space.global[0] = usize::MAX;
                space.offset[0] = 1 + self.random.below(9) as usize;
                space.has_offset = true;
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
                space.offset[last] = usize::MAX - self.random.below(2) as usize;
                space.has_offset = true;
                self.fault(CL_INVALID_GLOBAL_OFFSET);
            }
            4 => {
                let mut sizes = vec![1; last + 1];
                sizes[last] = self.one_of(&[0, LARGEST_GROUP + 1, 33, usize::MAX]);
                space.local = Some(sizes);
                self.fault(CL_INVALID_WORK_GROUP_SIZE);
                self.fault(CL_INVALID_WORK_ITEM_SIZE);
            }
            _ => {
                if has_required_size {
                    // No multiple of the required work-group size.
                    space.global[0] += 1;
                    self.fault(CL_INVALID_WORK_GROUP_SIZE);
                }
            }
        }
    }

    /// Records the effect of a launch on memory.
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
        let queue = self.handle("command_queue", &[Kind::Queue], wanted);
        let context = queue.map(|queue| self.model.object(queue).context);
        let wanted = self.pick_in(Kind::Kernel, context);
        let kernel = self.handle("kernel", &[Kind::Kernel], wanted);
        // Other tests cover the function for kernels with unset arguments.
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
