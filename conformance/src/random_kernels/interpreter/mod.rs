//! Runs programs as the specification describes it: work-item by work-item, each with
//! its own stack and place in the code, stopping at barriers. Whatever is undefined or
//! depends on an order is an error.

mod arithmetic;
mod lower;
mod memory;

use super::ast::*;
use super::types::{Scalar, Shape, Type, field_offset, layout};
use arithmetic::Components as Value;
use lower::{Code, Instruction};
use memory::{Access, Memory};
use std::collections::HashMap;

/// Why a program has no defined result.
#[derive(Debug)]
pub struct Undefined(String);

impl Undefined {
    fn new(reason: impl Into<String>) -> Self {
        Self(reason.into())
    }
}

impl std::fmt::Display for Undefined {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str(&self.0)
    }
}

/// Steps after which a program is given up.
const MOST_STEPS: usize = 400_000;
/// Bytes of private memory after which a work-item is given up.
const MOST_PRIVATE_BYTES: usize = 1 << 16;

/// The bytes of values of one type, one after another.
pub fn bytes_of(ty: Type, elements: &[Vec<i128>]) -> Vec<u8> {
    let mut bytes = Vec::new();
    for element in elements {
        let start = bytes.len();
        for &component in element {
            let size = ty.scalar.bits() as usize / 8;
            bytes.extend_from_slice(&component.to_le_bytes()[..size]);
        }
        bytes.resize(start + ty.bytes(), 0);
    }
    bytes
}

/// What the buffers hold after a run, in the order of [`Program::buffers`].
///
/// # Errors
/// The program is not valid, or its result is not defined.
pub fn run(program: &Program) -> Result<Vec<Vec<u8>>, Undefined> {
    let mut global = Vec::new();
    let mut objects = vec![None; program.variables.len()];
    let mut ranges = Vec::new();
    for contents in program.constants.iter().chain(&program.buffers) {
        let ty = match &program.variables[contents.variable] {
            Variable::Object {
                shape: Shape::Array(element, _),
                ..
            } => (**element).clone(),
            Variable::Pointer { element, .. } => element.clone(),
            Variable::Object { .. } => return Err(Undefined::new("not an array")),
        };
        let Shape::Value(ty) = ty else {
            return Err(Undefined::new("buffers hold scalars and vectors"));
        };
        global.resize(global.len().next_multiple_of(128), 0);
        let start = global.len();
        global.extend(bytes_of(ty, &contents.elements));
        objects[contents.variable] = Some(Address {
            space: Space::Global,
            start,
            end: global.len(),
            offset: start,
        });
        ranges.push(start..global.len());
    }
    let mut local_bytes = 0usize;
    let mut add_local = |size: usize| {
        let start = local_bytes.next_multiple_of(128);
        local_bytes = start + size;
        Some(Address {
            space: Space::Local,
            start,
            end: local_bytes,
            offset: start,
        })
    };
    for &array in &program.kernel.local_arrays {
        if let Variable::Object { shape, .. } = &program.variables[array] {
            objects[array] = add_local(layout(shape, &program.structs).0);
        }
    }
    for &(parameter, elements) in &program.local_parameters {
        if let Variable::Pointer { element, .. } = &program.variables[parameter] {
            objects[parameter] = add_local(layout(element, &program.structs).0 * elements);
        }
    }
    let mut code = Vec::new();
    for function in program.helpers.iter().chain([&program.kernel]) {
        code.push(lower::function(program, function)?);
    }
    let mut machine = Machine {
        program,
        code,
        memory: Memory::new(&global, local_bytes),
        objects,
        steps: 0,
        group: [0; 3],
    };
    machine.groups()?;
    let global = machine.memory.global();
    let buffers = ranges.into_iter().skip(program.constants.len());
    Ok(buffers.map(|range| global[range].to_vec()).collect())
}

/// A place in memory, and the object it may not leave.
#[derive(Clone, Copy, Debug)]
struct Address {
    space: Space,
    start: usize,
    end: usize,
    offset: usize,
}

impl Address {
    fn plus(self, bytes: usize) -> Self {
        Self {
            offset: self.offset + bytes,
            ..self
        }
    }
}

struct Frame {
    function: usize,
    /// Next instruction.
    position: usize,
    /// Where names are.
    names: HashMap<VariableId, Address>,
    /// Where pointers point.
    pointers: HashMap<VariableId, Address>,
    /// Size of private memory before the call.
    private_bytes: usize,
    /// Where the caller wants the result.
    result: Option<VariableId>,
}

struct Item {
    number: usize,
    local_id: [usize; 3],
    frames: Vec<Frame>,
    private: Vec<u8>,
}

/// Why a work-item stops.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Stop {
    Finished,
    Barrier,
}

struct Machine<'a> {
    program: &'a Program,
    code: Vec<Code<'a>>,
    memory: Memory,
    /// Buffers, constants and local memory.
    objects: Vec<Option<Address>>,
    steps: usize,
    group: [usize; 3],
}

/// Sizes of all three dimensions.
fn three(sizes: &[usize], missing: usize) -> [usize; 3] {
    let mut all = [missing; 3];
    all[..sizes.len()].copy_from_slice(sizes);
    all
}

impl<'a> Machine<'a> {
    fn groups(&mut self) -> Result<(), Undefined> {
        let geometry = &self.program.geometry;
        let global = three(&geometry.global, 1);
        let local = three(&geometry.local, 1);
        for z in 0..global[2] / local[2] {
            for y in 0..global[1] / local[1] {
                for x in 0..global[0] / local[0] {
                    self.group = [x, y, z];
                    self.memory.next_group();
                    self.one_group(local)?;
                }
            }
        }
        Ok(())
    }

    fn one_group(&mut self, local: [usize; 3]) -> Result<(), Undefined> {
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
                return Err(Undefined::new("a barrier that not all work-items reach"));
            }
            self.pass_barrier(&mut items)?;
        }
    }

    fn frame(&self, function: usize, item: &Item, result: Option<VariableId>) -> Frame {
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

    /// All work-items are at the same barrier or copy: does it, and goes on.
    fn pass_barrier(&mut self, items: &mut [Item]) -> Result<(), Undefined> {
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
                    return Err(Undefined::new("work-items copy different things"));
                }
                // The machine's own access: one that races with all work-items'.
                let copier = usize::MAX >> 33;
                let mut bytes = vec![0; size * count];
                if from.offset + bytes.len() > from.end || to.offset + bytes.len() > to.end {
                    return Err(Undefined::new("a copy of more than there is"));
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

    fn program_structs(&self) -> &'a super::types::Structs {
        &self.program.structs
    }
}

/// Room for an object in private memory.
fn allocate(item: &mut Item, shape: &Shape, program: &Program) -> Result<Address, Undefined> {
    let (size, _) = layout(shape, &program.structs);
    let start = item.private.len();
    if start + size > MOST_PRIVATE_BYTES {
        return Err(Undefined::new("too much private memory"));
    }
    item.private.resize(start + size, 0xa5);
    Ok(Address {
        space: Space::Private,
        start,
        end: start + size,
        offset: start,
    })
}

/// A work-item at work.
struct Worker<'w, 'a> {
    machine: &'w mut Machine<'a>,
    item: &'w mut Item,
}

impl<'a> Worker<'_, 'a> {
    fn top(&mut self) -> &mut Frame {
        self.item.frames.last_mut().expect("a function runs")
    }

    /// Until the next barrier, or the end.
    fn run(&mut self) -> Result<Stop, Undefined> {
        while !self.item.frames.is_empty() {
            if self.step()? {
                return Ok(Stop::Barrier);
            }
        }
        Ok(Stop::Finished)
    }

    /// One instruction; whether it is a barrier, which is then not passed.
    fn step(&mut self) -> Result<bool, Undefined> {
        self.count_step()?;
        let frame = self.top();
        let (function, position) = (frame.function, frame.position);
        frame.position += 1;
        // The code outlives the changes of everything else.
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
                let ty = super::types::INT;
                let mut value = self.load(address, ty, Access::Read)?;
                value[0] = arithmetic::binary(Operator::Add, ty, true, value[0], step)?;
                self.store(address, ty, None, &value)?;
                position + 1
            }
            Instruction::Below(variable, to, exit) => {
                let (variable, to, exit): (_, &'a Expression, _) = (*variable, to, *exit);
                let address = self.name(variable)?;
                let value = self.load(address, super::types::INT, Access::Read)?;
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

    fn count_step(&mut self) -> Result<(), Undefined> {
        self.machine.steps += 1;
        if self.machine.steps > MOST_STEPS {
            return Err(Undefined::new("too many steps"));
        }
        Ok(())
    }

    fn pop(&mut self) {
        if let Some(frame) = self.item.frames.pop() {
            self.item.private.truncate(frame.private_bytes);
        }
    }

    fn name(&mut self, variable: VariableId) -> Result<Address, Undefined> {
        self.top()
            .names
            .get(&variable)
            .copied()
            .ok_or_else(|| Undefined::new("a variable is used before it is set"))
    }

    /// Room for a private variable: that of the round before, or new.
    fn declare(&mut self, variable: VariableId) -> Result<Address, Undefined> {
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

    fn statement(&mut self, statement: &'a Statement) -> Result<(), Undefined> {
        match statement {
            Statement::Declare(variable, initial) => {
                let Variable::Object { shape, .. } = &self.machine.program.variables[*variable]
                else {
                    return Err(Undefined::new("a pointer is no object"));
                };
                // A copy's source may lie in what is declared, in the round before.
                let bytes = self.initial(shape, initial)?;
                let address = self.declare(*variable)?;
                self.item.private[address.offset..address.offset + bytes.len()]
                    .copy_from_slice(&bytes);
            }
            Statement::DeclarePointer(variable, pointer) => {
                let (address, _) = self.pointer(pointer)?;
                self.top().pointers.insert(*variable, address);
            }
            Statement::Assign(place, operator, value) => {
                let mut new = self.evaluate(value)?;
                let (address, ty) = self.value_place(place)?;
                if let Some(operator) = operator {
                    let old = self.load(address, ty, Access::Read)?;
                    let part = value.ty;
                    let numbers = numbers(place.components.as_ref(), ty);
                    for (index, component) in new.iter_mut().enumerate().take(part.width) {
                        let left = old[numbers[index]];
                        *component = arithmetic::binary(*operator, part, false, left, *component)?;
                    }
                }
                self.store(address, ty, place.components.as_ref(), &new)?;
            }
            Statement::Copy(to, from) => {
                let bytes = self.object_bytes(from)?;
                let (address, _) = self.resolve(to)?;
                self.write(address, Access::Write, &bytes)?;
            }
            Statement::VectorStore { value, offset, to } => {
                let vector = self.evaluate(value)?;
                let offset = self.evaluate(offset)?[0] as usize;
                let (address, _) = self.pointer(to)?;
                let scalar = value.ty.scalar.bits() as usize / 8;
                for (index, &component) in vector.iter().enumerate().take(value.ty.width) {
                    let address = address.plus((offset * value.ty.width + index) * scalar);
                    self.write(address, Access::Write, &component.to_le_bytes()[..scalar])?;
                }
            }
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
            Statement::Atomic(atomic, place, value) => {
                let operand = self.evaluate(value)?[0];
                let (address, ty) = self.value_place(place)?;
                let mut old = self.load(address, ty, Access::Atomic)?;
                old[0] = match atomic {
                    Atomic::Add => old[0] + operand,
                    Atomic::Subtract => old[0] - operand,
                    Atomic::Increment => old[0] + 1,
                    Atomic::Decrement => old[0] - 1,
                    Atomic::And => old[0] & operand,
                    Atomic::Or => old[0] | operand,
                    Atomic::Xor => old[0] ^ operand,
                    Atomic::Min => old[0].min(operand),
                    Atomic::Max => old[0].max(operand),
                };
                let size = ty.bytes();
                let bytes = ty.scalar.wrap(old[0]).to_le_bytes();
                self.write(address, Access::Atomic, &bytes[..size])?;
            }
            Statement::Call {
                helper,
                arguments,
                result,
            } => self.call(*helper, arguments, result.as_ref())?,
            _ => return Err(Undefined::new("not a simple statement")),
        }
        Ok(())
    }

    fn call(
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

    /// The bytes of an object that is declared so.
    fn initial(&mut self, shape: &Shape, initial: &'a Initial) -> Result<Vec<u8>, Undefined> {
        let program = self.machine.program;
        match (initial, shape) {
            (Initial::Value(value), _) => {
                let components = self.evaluate(value)?;
                Ok(bytes_of(value.ty, &[components[..value.ty.width].to_vec()]))
            }
            (Initial::Copy(place), _) => self.object_bytes(place),
            (Initial::List(values), Shape::Array(element, length)) => {
                let mut bytes = Vec::new();
                for value in values {
                    bytes.extend(self.initial(element, value)?);
                }
                // C sets the rest to zero.
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

    fn object_bytes(&mut self, place: &'a Place) -> Result<Vec<u8>, Undefined> {
        let (address, shape) = self.resolve(place)?;
        let mut bytes = vec![0; layout(shape, &self.machine.program.structs).0];
        self.read(address, Access::Read, &mut bytes)?;
        Ok(bytes)
    }

    /// Where the steps of a place lead to.
    fn resolve(&mut self, place: &'a Place) -> Result<(Address, &'a Shape), Undefined> {
        let program = self.machine.program;
        let mut steps = place.steps.iter();
        let (mut address, mut shape) = match &program.variables[place.root] {
            Variable::Object { shape, .. } => (self.name(place.root)?, shape),
            Variable::Pointer { element, .. } => {
                let address = self
                    .top()
                    .pointers
                    .get(&place.root)
                    .copied()
                    .ok_or_else(|| Undefined::new("a pointer is used before it is set"))?;
                let Some(Step::Index(index)) = steps.next() else {
                    return Err(Undefined::new("a pointer is used as an object"));
                };
                let index = self.evaluate(index)?[0] as usize;
                let size = layout(element, &program.structs).0;
                (address.plus(index * size), element)
            }
        };
        for step in steps {
            (address, shape) = match (step, shape) {
                (Step::Index(index), Shape::Array(element, length)) => {
                    let index = self.evaluate(index)?[0];
                    if index < 0 || index >= *length as i128 {
                        return Err(Undefined::new("an index outside of its array"));
                    }
                    let size = layout(element, &program.structs).0;
                    (address.plus(index as usize * size), &**element)
                }
                (Step::Field(field), Shape::Struct(number)) => {
                    let offset = field_offset(*number, *field, &program.structs);
                    (address.plus(offset), &program.structs[*number][*field])
                }
                _ => return Err(Undefined::new("a step that does not fit")),
            };
        }
        Ok((address, shape))
    }

    fn value_place(&mut self, place: &'a Place) -> Result<(Address, Type), Undefined> {
        match self.resolve(place)? {
            (address, Shape::Value(ty)) => Ok((address, *ty)),
            _ => Err(Undefined::new("not a value")),
        }
    }

    /// Where a pointer points, and to what.
    fn pointer(&mut self, pointer: &'a Pointer) -> Result<(Address, &'a Shape), Undefined> {
        let program = self.machine.program;
        match pointer {
            Pointer::Either(condition, pointers) => {
                let condition = self.evaluate(condition)?[0];
                self.pointer(&pointers[usize::from(condition == 0)])
            }
            Pointer::To(place, offset) => {
                let pointed = self.top().pointers.get(&place.root).copied();
                let (address, shape) = match (&program.variables[place.root], pointed) {
                    (Variable::Pointer { element, .. }, Some(address))
                        if place.steps.is_empty() =>
                    {
                        (address, element)
                    }
                    _ => match self.resolve(place)? {
                        (address, Shape::Array(element, length)) => {
                            let size = layout(element, &program.structs).0 * length;
                            let array = Address {
                                start: address.offset,
                                end: address.offset + size,
                                ..address
                            };
                            (array, &**element)
                        }
                        _ => return Err(Undefined::new("not an array")),
                    },
                };
                let Some(offset) = offset else {
                    return Ok((address, shape));
                };
                let offset = self.evaluate(offset)?[0] as usize;
                let size = layout(shape, &program.structs).0;
                Ok((address.plus(offset * size), shape))
            }
        }
    }

    fn read(
        &mut self,
        address: Address,
        access: Access,
        bytes: &mut [u8],
    ) -> Result<(), Undefined> {
        check(address, bytes.len())?;
        if address.space == Space::Private {
            let end = address.offset + bytes.len();
            bytes.copy_from_slice(
                self.item
                    .private
                    .get(address.offset..end)
                    .ok_or_else(|| Undefined::new("an object that is gone"))?,
            );
            return Ok(());
        }
        let item = self.item.number;
        self.machine
            .memory
            .read(address.space, address.offset, item, access, bytes)
    }

    fn write(&mut self, address: Address, access: Access, bytes: &[u8]) -> Result<(), Undefined> {
        check(address, bytes.len())?;
        if address.space == Space::Private {
            let end = address.offset + bytes.len();
            self.item
                .private
                .get_mut(address.offset..end)
                .ok_or_else(|| Undefined::new("an object that is gone"))?
                .copy_from_slice(bytes);
            return Ok(());
        }
        let item = self.item.number;
        self.machine
            .memory
            .write(address.space, address.offset, item, access, bytes)
    }

    fn load(&mut self, address: Address, ty: Type, access: Access) -> Result<Value, Undefined> {
        let mut bytes = [0; 128];
        let size = ty.bytes();
        self.read(address, access, &mut bytes[..size])?;
        Ok(components_of(ty.scalar, &bytes[..size]))
    }

    /// Stores a value, or only some components of a vector of type `ty`.
    fn store(
        &mut self,
        address: Address,
        ty: Type,
        components: Option<&Components>,
        value: &Value,
    ) -> Result<(), Undefined> {
        let mut all = match components {
            // A part of a vector may be stored with the rest of it.
            Some(_) => self.load(address, ty, Access::Read)?,
            None => [0; 16],
        };
        for (index, number) in numbers(components, ty).into_iter().enumerate() {
            all[number] = value[index];
        }
        let bytes = bytes_of(ty, &[all[..ty.width].to_vec()]);
        self.write(address, Access::Write, &bytes)
    }

    fn evaluate(&mut self, expression: &'a Expression) -> Result<Value, Undefined> {
        let ty = expression.ty;
        let mut result: Value = [0; 16];
        match &expression.kind {
            Kind::Constant(values) => result[..ty.width].copy_from_slice(values),
            Kind::WorkItem(function, dimension) => {
                let dimension = self.evaluate(dimension)?[0];
                result[0] = self.work_item(*function, dimension);
            }
            Kind::Load(place) => {
                let (address, memory_type) = self.value_place(place)?;
                let all = self.load(address, memory_type, Access::Read)?;
                let numbers = numbers(place.components.as_ref(), memory_type);
                for (index, number) in numbers.into_iter().enumerate() {
                    result[index] = all[number];
                }
            }
            Kind::VectorLoad { offset, from } => {
                let offset = self.evaluate(offset)?[0] as usize;
                let (address, _) = self.pointer(from)?;
                let scalar = ty.scalar.bits() as usize / 8;
                let mut bytes = [0; 128];
                let bytes = &mut bytes[..ty.width * scalar];
                self.read(
                    address.plus(offset * ty.width * scalar),
                    Access::Read,
                    bytes,
                )?;
                result = components_of(ty.scalar, bytes);
            }
            Kind::Negate(value) => {
                let value = self.evaluate(value)?;
                for index in 0..ty.width {
                    result[index] = ty.scalar.wrap(-value[index]);
                }
            }
            Kind::Complement(value) => {
                let value = self.evaluate(value)?;
                for index in 0..ty.width {
                    result[index] = ty.scalar.wrap(!value[index]);
                }
            }
            Kind::Not(value) => {
                let value = self.evaluate(value)?;
                for index in 0..ty.width {
                    result[index] = arithmetic::truth(ty, value[index] == 0);
                }
            }
            Kind::Binary {
                operator,
                plain,
                operands,
            } => {
                let left = self.evaluate(&operands[0])?;
                let right = self.evaluate(&operands[1])?;
                for index in 0..ty.width {
                    let right = right[if operands[1].ty.width == 1 { 0 } else { index }];
                    result[index] = arithmetic::binary(*operator, ty, *plain, left[index], right)?;
                }
            }
            Kind::Compare(comparison, operands) => {
                let left = self.evaluate(&operands[0])?;
                let right = self.evaluate(&operands[1])?;
                for index in 0..ty.width {
                    let holds = arithmetic::compare(*comparison, left[index], right[index]);
                    result[index] = arithmetic::truth(ty, holds);
                }
            }
            Kind::Logical(and, operands) => {
                let left = self.evaluate(&operands[0])?;
                if ty.width == 1 && (left[0] != 0) != *and {
                    result[0] = i128::from(!*and);
                    return Ok(result);
                }
                let right = self.evaluate(&operands[1])?;
                for index in 0..ty.width {
                    let (left, right) = (left[index] != 0, right[index] != 0);
                    let holds = if *and { left && right } else { left || right };
                    result[index] = arithmetic::truth(ty, holds);
                }
            }
            Kind::Ternary(parts) => {
                let [condition, a, b] = parts.as_ref();
                let chosen = self.evaluate(condition)?;
                if condition.ty.width == 1 {
                    return self.evaluate(if chosen[0] != 0 { a } else { b });
                }
                let a = self.evaluate(a)?;
                let b = self.evaluate(b)?;
                for index in 0..ty.width {
                    let first = arithmetic::top_bit(condition.ty.scalar, chosen[index]);
                    result[index] = if first { a[index] } else { b[index] };
                }
            }
            Kind::Convert { saturate, value } => {
                let value = self.evaluate(value)?;
                for index in 0..ty.width {
                    result[index] = if *saturate {
                        ty.scalar.saturate(value[index])
                    } else {
                        ty.scalar.wrap(value[index])
                    };
                }
            }
            Kind::Reinterpret(value) => {
                let components = self.evaluate(value)?;
                if ty.bytes() != value.ty.bytes() {
                    return Err(Undefined::new("as_ between types of different sizes"));
                }
                let bytes = bytes_of(value.ty, &[components[..value.ty.width].to_vec()]);
                result = components_of(ty.scalar, &bytes);
            }
            Kind::Splat(value) => {
                let value = self.evaluate(value)?[0];
                result[..ty.width].fill(value);
            }
            Kind::Swizzle(value, components) => {
                let vector = self.evaluate(value)?;
                let numbers = components.numbers(value.ty.width);
                for (index, number) in numbers.into_iter().enumerate() {
                    result[index] = vector[number];
                }
            }
            Kind::Assemble(values) => {
                let mut filled = 0;
                for value in values {
                    let part = self.evaluate(value)?;
                    result[filled..filled + value.ty.width]
                        .copy_from_slice(&part[..value.ty.width]);
                    filled += value.ty.width;
                }
            }
            Kind::Call(builtin, arguments) => return self.builtin(ty, *builtin, arguments),
            Kind::Helper(helper, arguments) => return self.helper(*helper, arguments),
        }
        Ok(result)
    }

    fn work_item(&self, function: WorkItem, dimension: i128) -> i128 {
        let geometry = &self.machine.program.geometry;
        // Section 6.12.1: sizes of further dimensions are 1, ids and offsets 0.
        let Ok(dimension @ 0..3) = usize::try_from(dimension) else {
            return match function {
                WorkItem::GlobalSize | WorkItem::LocalSize | WorkItem::NumGroups => 1,
                _ => 0,
            };
        };
        let global = three(&geometry.global, 1)[dimension];
        let local = three(&geometry.local, 1)[dimension];
        let offset = three(&geometry.offset, 0)[dimension];
        let group = self.machine.group[dimension];
        let value = match function {
            WorkItem::GlobalId => offset + group * local + self.item.local_id[dimension],
            WorkItem::LocalId => self.item.local_id[dimension],
            WorkItem::GroupId => group,
            WorkItem::GlobalSize => global,
            WorkItem::LocalSize => local,
            WorkItem::NumGroups => global / local,
            WorkItem::GlobalOffset => offset,
        };
        value as i128
    }

    fn builtin(
        &mut self,
        ty: Type,
        builtin: Builtin,
        arguments: &'a [Expression],
    ) -> Result<Value, Undefined> {
        let mut values = Vec::new();
        for argument in arguments {
            values.push(self.evaluate(argument)?);
        }
        let first = arguments[0].ty;
        let mut result = [0; 16];
        match builtin {
            Builtin::Any | Builtin::All => {
                let mut tops = (0..first.width)
                    .map(|index| arithmetic::top_bit(first.scalar, values[0][index]));
                result[0] = i128::from(if builtin == Builtin::Any {
                    tops.any(|top| top)
                } else {
                    tops.all(|top| top)
                });
            }
            Builtin::Shuffle | Builtin::Shuffle2 => {
                let (vectors, mask) = values.split_at(values.len() - 1);
                let all: Vec<i128> = vectors
                    .iter()
                    .flat_map(|vector| &vector[..first.width])
                    .copied()
                    .collect();
                for index in 0..ty.width {
                    result[index] = all[mask[0][index] as usize & (all.len() - 1)];
                }
            }
            _ => {
                for index in 0..ty.width {
                    // The second and third may be scalars (min, max, clamp).
                    let components: Vec<i128> = values
                        .iter()
                        .zip(arguments)
                        .map(|(value, argument)| {
                            value[if argument.ty.width == 1 { 0 } else { index }]
                        })
                        .collect();
                    result[index] =
                        arithmetic::builtin(builtin, first.scalar, first.width, &components)?;
                }
            }
        }
        Ok(result)
    }

    /// A helper called within an expression: it runs to its end at once.
    fn helper(&mut self, helper: usize, arguments: &'a [Expression]) -> Result<Value, Undefined> {
        let program = self.machine.program;
        let mut frame = self.machine.frame(helper, self.item, None);
        for (argument, &parameter) in arguments.iter().zip(&program.helpers[helper].parameters) {
            let components = self.evaluate(argument)?;
            let address = allocate(self.item, &Shape::Value(argument.ty), program)?;
            let bytes = bytes_of(argument.ty, &[components[..argument.ty.width].to_vec()]);
            self.item.private[address.offset..address.end].copy_from_slice(&bytes);
            frame.names.insert(parameter, address);
        }
        let depth = self.item.frames.len();
        self.item.frames.push(frame);
        loop {
            // Its result is taken from the return statement itself.
            let frame = self.top();
            let (function, position) = (frame.function, frame.position);
            if self.item.frames.len() == depth + 1
                && let Instruction::Do(Statement::Return(Some(value))) =
                    &self.machine.code[function][position]
            {
                let value: &'a Expression = value;
                let result = self.evaluate(value)?;
                self.pop();
                return Ok(result);
            }
            if self.step()? {
                return Err(Undefined::new("a barrier within an expression"));
            }
            if self.item.frames.len() == depth {
                return Err(Undefined::new("a function ends without its result"));
            }
        }
    }
}

fn check(address: Address, size: usize) -> Result<(), Undefined> {
    if address.offset < address.start || address.offset + size > address.end {
        return Err(Undefined::new("an access outside of its object"));
    }
    Ok(())
}

fn numbers(components: Option<&Components>, ty: Type) -> Vec<usize> {
    components.map_or_else(|| (0..ty.width).collect(), |c| c.numbers(ty.width))
}

/// Components from their bytes; the room after a vector of 3 may come along.
fn components_of(scalar: Scalar, bytes: &[u8]) -> Value {
    let mut value = [0; 16];
    let size = scalar.bits() as usize / 8;
    for (component, bytes) in value.iter_mut().zip(bytes.chunks_exact(size)) {
        let mut whole = [0; 16];
        whole[..size].copy_from_slice(bytes);
        *component = scalar.wrap(i128::from_le_bytes(whole));
    }
    value
}
