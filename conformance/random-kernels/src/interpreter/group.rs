//! Work-groups: all work-items run until the next barrier.

use super::*;

impl<'a> Machine<'a> {
    pub(super) fn groups(&mut self) -> Result<(), Undefined> {
        let geometry = &self.program.geometry;
        let global = three(&geometry.global, 1);
        let local = three(&geometry.local, 1);
        for z in 0..global[2] / local[2] {
            for y in 0..global[1] / local[1] {
                for x in 0..global[0] / local[0] {
                    self.group = [x, y, z];
                    self.memory.next_group();
                    self.tickets.retain(|(space, _), _| *space == Space::Global);
                    self.one_group(local)?;
                }
            }
        }
        Ok(())
    }

    pub(super) fn one_group(&mut self, local: [usize; 3]) -> Result<(), Undefined> {
        let program = self.program;
        let mut items = Vec::new();
        for number in 0..local.iter().product() {
            let mut item = Item {
                number,
                local_id: [
                    number % local[0],
                    number / local[0] % local[1],
                    number / local[0] / local[1],
                ],
                frames: Vec::new(),
                private: Vec::new(),
            };
            let mut frame = self.frame(program.helpers.len(), &item, None);
            for (parameter, value) in &program.values {
                let Variable::Object { shape, .. } = &program.variables[*parameter] else {
                    return Err(Undefined::new("a value for a pointer"));
                };
                let Shape::Value(ty) = shape else {
                    return Err(Undefined::new("kernels take no structures"));
                };
                let address = allocate(&mut item, shape, program)?;
                frame.names.insert(*parameter, address);
                let bytes = bytes_of(*ty, std::slice::from_ref(value));
                item.private[address.offset..address.end].copy_from_slice(&bytes);
            }
            item.frames.push(frame);
            items.push(item);
        }
        loop {
            let mut stops = Vec::new();
            for item in &mut items {
                stops.push(
                    Worker {
                        machine: self,
                        item,
                    }
                    .run()?,
                );
            }
            if stops.iter().all(|stop| *stop == Stop::Finished) {
                return Ok(());
            }
            let place = |item: &Item| -> Vec<(usize, usize)> {
                item.frames
                    .iter()
                    .map(|f| (f.function, f.position))
                    .collect()
            };
            let first = place(&items[0]);
            if stops.contains(&Stop::Finished) || items.iter().any(|item| place(item) != first) {
                return Err(Undefined::with_cause(
                    Cause::Barrier,
                    "a barrier that not all work-items reach",
                ));
            }
            self.pass_barrier(&mut items)?;
        }
    }

    pub(super) fn frame(&self, function: usize, item: &Item, result: Option<VariableId>) -> Frame {
        let mut pointers = HashMap::new();
        let mut names = HashMap::new();
        for (variable, address) in self.objects.iter().enumerate() {
            if let Some(address) = address {
                match self.program.variables[variable] {
                    Variable::Object { .. } => names.insert(variable, *address),
                    Variable::Pointer { .. } => pointers.insert(variable, *address),
                };
            }
        }
        Frame {
            function,
            position: 0,
            names,
            pointers,
            private_bytes: item.private.len(),
            result,
        }
    }

    /// Executes a barrier or copy at which all work-items have arrived.
    pub(super) fn pass_barrier(&mut self, items: &mut [Item]) -> Result<(), Undefined> {
        let frame = items[0].frames.last().expect("it runs");
        let Instruction::Do(statement) = &self.code[frame.function][frame.position] else {
            return Err(Undefined::new("no barrier here"));
        };
        match *statement {
            Statement::Barrier { local, global } => self.memory.barrier(*local, *global),
            Statement::GroupCopy { to, from, count } => {
                let mut copies = Vec::new();
                for item in items.iter_mut() {
                    let mut worker = Worker {
                        machine: self,
                        item,
                    };
                    let (to, shape) = worker.pointer(to)?;
                    let (from, _) = worker.pointer(from)?;
                    copies.push((to, from, layout(shape, worker.machine.program_structs()).0));
                }
                let (to, from, size) = copies[0];
                if copies
                    .iter()
                    .any(|copy| (copy.0.offset, copy.1.offset) != (to.offset, from.offset))
                {
                    return Err(Undefined::with_cause(
                        Cause::Barrier,
                        "work-items copy different things",
                    ));
                }
                // The copy's own accesses, which race with those of all work-items.
                let copier = usize::MAX >> 33;
                let mut bytes = vec![0; size * count];
                if from.offset + bytes.len() > from.end || to.offset + bytes.len() > to.end {
                    return Err(Undefined::with_cause(
                        Cause::OutOfBounds,
                        "a copy of more than there is",
                    ));
                }
                self.memory
                    .read(from.space, from.offset, copier, Access::Read, &mut bytes)?;
                self.memory
                    .write(to.space, to.offset, copier, Access::Write, &bytes)?;
                self.memory.barrier(true, true);
            }
            _ => return Err(Undefined::new("no barrier here")),
        }
        for item in items {
            item.frames.last_mut().expect("it runs").position += 1;
        }
        Ok(())
    }

    pub(super) fn program_structs(&self) -> &'a crate::types::Structs {
        &self.program.structs
    }
}
