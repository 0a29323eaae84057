//! Statements, declarations and calls.

use super::*;

impl<'a> Worker<'_, 'a> {
    /// Runs until the next barrier or the end.
    pub(super) fn run(&mut self) -> Result<Stop, Undefined> {
        while !self.item.frames.is_empty() {
            if self.step()? {
                return Ok(Stop::Barrier);
            }
        }
        Ok(Stop::Finished)
    }

    /// Executes one instruction. Returns true, without executing it, if it is a barrier.
    pub(super) fn step(&mut self) -> Result<bool, Undefined> {
        self.count_step()?;
        let frame = self.top();
        let (function, position) = (frame.function, frame.position);
        frame.position += 1;
        // The program outlives the borrow of the machine.
        let program = self.machine.program;
        let next = match &self.machine.code[function][position] {
            Instruction::Do(statement) => {
                let statement: &'a Statement = statement;
                match statement {
                    Statement::Barrier { .. } | Statement::GroupCopy { .. } => {
                        self.top().position = position;
                        return Ok(true);
                    }
                    _ => return self.statement(statement).map(|()| false),
                }
            }
            Instruction::Jump(target) => *target,
            Instruction::End => {
                let function = program.helpers.get(function);
                if function.is_some_and(|function| function.result.is_some()) {
                    return Err(Undefined::new("a function ends without its result"));
                }
                self.pop();
                return Ok(false);
            }
            Instruction::Start(variable, from) => {
                let (variable, from): (_, &'a Expression) = (*variable, from);
                let value = self.evaluate(from)?;
                let address = self.declare(variable)?;
                self.store(address, from.ty, None, &value)?;
                position + 1
            }
            Instruction::Count(variable, step) => {
                let (variable, step) = (*variable, *step);
                let address = self.name(variable)?;
                let ty = crate::types::INT;
                let mut value = self.load(address, ty, Access::Read)?;
                value[0] = arithmetic::binary(Operator::Add, ty, true, value[0], step)?;
                self.store(address, ty, None, &value)?;
                position + 1
            }
            Instruction::Below(variable, to, exit) => {
                let (variable, to, exit): (_, &'a Expression, _) = (*variable, to, *exit);
                let address = self.name(variable)?;
                let value = self.load(address, crate::types::INT, Access::Read)?;
                let end = self.evaluate(to)?;
                if value[0] < end[0] {
                    position + 1
                } else {
                    exit
                }
            }
            Instruction::JumpIf(wanted, condition, target) => {
                let (wanted, condition, target): (_, &'a Expression, _) =
                    (*wanted, condition, *target);
                let value = self.evaluate(condition)?;
                if (value[0] != 0) == wanted {
                    target
                } else {
                    position + 1
                }
            }
            Instruction::Switch(value, targets, default) => {
                let (value, targets, default): (&'a Expression, _, _) =
                    (value, targets.clone(), *default);
                let value = self.evaluate(value)?[0];
                let target = targets.iter().find(|target| target.0 == value);
                target.map_or(default, |target| target.1)
            }
        };
        self.top().position = next;
        Ok(false)
    }

    pub(super) fn count_step(&mut self) -> Result<(), Undefined> {
        self.machine.steps += 1;
        if self.machine.steps > MOST_STEPS {
            return Err(Undefined::new("too many steps"));
        }
        Ok(())
    }

    pub(super) fn pop(&mut self) {
        if let Some(frame) = self.item.frames.pop() {
            self.item.private.truncate(frame.private_bytes);
        }
    }

    pub(super) fn name(&mut self, variable: VariableId) -> Result<Address, Undefined> {
        self.top()
            .names
            .get(&variable)
            .copied()
            .ok_or_else(|| Undefined::new("a variable is used before it is set"))
    }

    /// The address of a private variable, which is allocated in the first iteration.
    pub(super) fn declare(&mut self, variable: VariableId) -> Result<Address, Undefined> {
        if let Some(address) = self.top().names.get(&variable) {
            return Ok(*address);
        }
        let Variable::Object { shape, .. } = &self.machine.program.variables[variable] else {
            return Err(Undefined::new("a pointer is no object"));
        };
        let address = allocate(self.item, shape, self.machine.program)?;
        self.top().names.insert(variable, address);
        Ok(address)
    }

    pub(super) fn statement(&mut self, statement: &'a Statement) -> Result<(), Undefined> {
        match statement {
            Statement::Declare(variable, initial) => {
                let Variable::Object { shape, .. } = &self.machine.program.variables[*variable]
                else {
                    return Err(Undefined::new("a pointer is no object"));
                };
                // The source of a copy may be the declared object in the previous iteration.
                let bytes = self.initial(shape, initial)?;
                let address = self.declare(*variable)?;
                self.item.private[address.offset..address.offset + bytes.len()]
                    .copy_from_slice(&bytes);
            }
            Statement::DeclarePointer(variable, pointer) => {
                let (address, _) = self.pointer(pointer)?;
                self.top().pointers.insert(*variable, address);
            }
            Statement::Assign(place, operator, value) => self.assign(place, *operator, value)?,
            Statement::Copy(to, from) => {
                let bytes = self.object_bytes(from)?;
                let (address, _) = self.resolve(to)?;
                self.write(address, Access::Write, &bytes)?;
            }
            Statement::VectorStore { value, offset, to } => self.vector_store(value, offset, to)?,
            Statement::Return(value) => {
                let value = match value {
                    None => None,
                    Some(value) => Some((self.evaluate(value)?, value.ty)),
                };
                let result = self.top().result;
                self.pop();
                if let (Some(variable), Some((value, ty))) = (result, value) {
                    let address = self.name(variable)?;
                    self.store(address, ty, None, &value)?;
                }
            }
            Statement::ReturnObject(place) => {
                let bytes = self.object_bytes(place)?;
                let result = self.top().result;
                self.pop();
                if let Some(variable) = result {
                    let address = self.name(variable)?;
                    self.write(address, Access::Write, &bytes)?;
                }
            }
            Statement::Atomic(atomic, place, value) => self.atomic(*atomic, place, value)?,
            Statement::Ticket {
                counter,
                up,
                total,
                factor,
            } => self.ticket(counter, *up, total, *factor)?,
            Statement::Call {
                helper,
                arguments,
                result,
            } => self.call(*helper, arguments, result.as_ref())?,
            // The accesses of one work-item are in program order, also without fences.
            Statement::Fence { .. } => {}
            _ => return Err(Undefined::new("not a simple statement")),
        }
        Ok(())
    }

    fn assign(
        &mut self,
        place: &'a Place,
        operator: Option<Operator>,
        value: &'a Expression,
    ) -> Result<(), Undefined> {
        let mut new = self.evaluate(value)?;
        let (address, ty) = self.value_place(place)?;
        if let Some(operator) = operator {
            let old = self.load(address, ty, Access::Read)?;
            let part = value.ty;
            let numbers = numbers(place.components.as_ref(), ty);
            for (index, component) in new.iter_mut().enumerate().take(part.width) {
                let left = old[numbers[index]];
                *component = arithmetic::binary(operator, part, false, left, *component)?;
            }
        }
        self.store(address, ty, place.components.as_ref(), &new)
    }

    fn vector_store(
        &mut self,
        value: &'a Expression,
        offset: &'a Expression,
        to: &'a Pointer,
    ) -> Result<(), Undefined> {
        let vector = self.evaluate(value)?;
        let offset = self.evaluate(offset)?[0] as usize;
        let (address, _) = self.pointer(to)?;
        let scalar = value.ty.scalar.bits() as usize / 8;
        for (index, &component) in vector.iter().enumerate().take(value.ty.width) {
            let address = address.plus((offset * value.ty.width + index) * scalar);
            let bits = value.ty.scalar.to_bits(component);
            self.write(address, Access::Write, &bits.to_le_bytes()[..scalar])?;
        }
        Ok(())
    }

    fn atomic(
        &mut self,
        atomic: Atomic,
        place: &'a Place,
        value: &'a Expression,
    ) -> Result<(), Undefined> {
        let operand = self.evaluate(value)?[0];
        let (address, ty) = self.value_place(place)?;
        let old = self.load(address, ty, Access::Atomic)?[0];
        let new = match atomic {
            Atomic::Add => old + operand,
            Atomic::Subtract => old - operand,
            Atomic::Increment => old + 1,
            Atomic::Decrement => old - 1,
            Atomic::And => old & operand,
            Atomic::Or => old | operand,
            Atomic::Xor => old ^ operand,
            Atomic::Min => old.min(operand),
            Atomic::Max => old.max(operand),
        };
        let bytes = ty.scalar.wrap(new).to_le_bytes();
        self.write(address, Access::Atomic, &bytes[..ty.bytes()])
    }

    fn ticket(
        &mut self,
        counter: &'a Place,
        up: bool,
        total: &'a Place,
        factor: i128,
    ) -> Result<(), Undefined> {
        let (from, _) = self.value_place(counter)?;
        let (to, _) = self.value_place(total)?;
        let tickets = Tickets {
            total: (to.space, to.offset),
            up,
            factor,
        };
        let all = &mut self.machine.tickets;
        if *all.entry((from.space, from.offset)).or_insert(tickets) != tickets {
            return Err(Undefined::new("the order of work-items decides"));
        }
        let number = self.add_at(counter, if up { 1 } else { -1 })?;
        self.add_at(total, Scalar::Ulong.wrap(number).wrapping_mul(factor))?;
        Ok(())
    }

    /// Adds atomically and returns the old value.
    fn add_at(&mut self, place: &'a Place, number: i128) -> Result<i128, Undefined> {
        let (address, ty) = self.value_place(place)?;
        let old = self.load(address, ty, Access::Atomic)?[0];
        let bits = ty.scalar.to_bits(ty.scalar.wrap(old.wrapping_add(number)));
        self.write(address, Access::Atomic, &bits.to_le_bytes()[..ty.bytes()])?;
        Ok(old)
    }

    pub(super) fn call(
        &mut self,
        helper: usize,
        arguments: &'a [Argument],
        result: Option<&Place>,
    ) -> Result<(), Undefined> {
        let program = self.machine.program;
        let result = match result {
            None => None,
            Some(place) if place.steps.is_empty() && place.components.is_none() => {
                self.name(place.root)?;
                Some(place.root)
            }
            Some(_) => return Err(Undefined::new("results go to variables")),
        };
        let mut frame = self.machine.frame(helper, self.item, result);
        let parameters = &program.helpers[helper].parameters;
        for (argument, &parameter) in arguments.iter().zip(parameters) {
            let bytes = match argument {
                Argument::Value(value) => {
                    let components = self.evaluate(value)?;
                    bytes_of(value.ty, &[components[..value.ty.width].to_vec()])
                }
                Argument::Object(place) => self.object_bytes(place)?,
                Argument::Pointer(pointer) => {
                    let (address, _) = self.pointer(pointer)?;
                    frame.pointers.insert(parameter, address);
                    continue;
                }
            };
            let Variable::Object { shape, .. } = &program.variables[parameter] else {
                return Err(Undefined::new("an object for a pointer"));
            };
            let address = allocate(self.item, shape, program)?;
            self.item.private[address.offset..address.end].copy_from_slice(&bytes);
            frame.names.insert(parameter, address);
        }
        self.item.frames.push(frame);
        Ok(())
    }

    /// The initial bytes of an object.
    pub(super) fn initial(
        &mut self,
        shape: &Shape,
        initial: &'a Initial,
    ) -> Result<Vec<u8>, Undefined> {
        let program = self.machine.program;
        match (initial, shape) {
            (Initial::Value(value), _) => {
                let components = self.evaluate(value)?;
                Ok(bytes_of(value.ty, &[components[..value.ty.width].to_vec()]))
            }
            (Initial::Copy(place), _) => self.object_bytes(place),
            (Initial::Unset, _) => {
                let fill = self.machine.fill.ok_or_else(|| {
                    Undefined::with_cause(Cause::Uninitialised, "a variable without a value")
                })?;
                Ok(vec![fill; layout(shape, &program.structs).0])
            }
            (Initial::List(values), Shape::Array(element, length)) => {
                let mut bytes = Vec::new();
                for value in values {
                    bytes.extend(self.initial(element, value)?);
                }
                // C initialises the remaining elements with zero.
                bytes.resize(layout(element, &program.structs).0 * length, 0);
                Ok(bytes)
            }
            (Initial::List(values), Shape::Struct(number)) => {
                let mut bytes = vec![0; layout(shape, &program.structs).0];
                for (field, value) in values.iter().enumerate() {
                    let part = self.initial(&program.structs[*number][field], value)?;
                    let start = field_offset(*number, field, &program.structs);
                    bytes[start..start + part.len()].copy_from_slice(&part);
                }
                Ok(bytes)
            }
            (Initial::List(_), Shape::Value(_)) => Err(Undefined::new("a list for a value")),
        }
    }
}
