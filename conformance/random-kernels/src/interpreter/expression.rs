//! Expressions.

use super::*;

/// Components of a vector by their indices.
fn selected(vector: &Value, numbers: &[usize]) -> Value {
    let mut result: Value = [0; 16];
    for (component, &number) in result.iter_mut().zip(numbers) {
        *component = vector[number];
    }
    result
}

impl<'a> Worker<'_, 'a> {
    pub(super) fn evaluate(&mut self, expression: &'a Expression) -> Result<Value, Undefined> {
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
                let vector = self.load(address, memory_type, Access::Read)?;
                let numbers = numbers(place.components.as_ref(), memory_type);
                return Ok(selected(&vector, &numbers));
            }
            Kind::VectorLoad { offset, from } => return self.vector_load(ty, offset, from),
            Kind::Negate(value) => return self.map(ty, value, |number| ty.scalar.wrap(-number)),
            Kind::Complement(value) => {
                return self.map(ty, value, |number| ty.scalar.wrap(!number));
            }
            Kind::Not(value) => {
                return self.map(ty, value, |number| arithmetic::truth(ty, number == 0));
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
            Kind::Logical(and, operands) => return self.logical(ty, *and, operands),
            Kind::Ternary(parts) => return self.ternary(ty, parts),
            Kind::Convert { saturate, value } => {
                let real = ty.scalar.is_real() || value.ty.scalar.is_real();
                return self.map(ty, value, |number| {
                    if *saturate || real {
                        ty.scalar.saturate(number)
                    } else {
                        ty.scalar.wrap(number)
                    }
                });
            }
            Kind::Reinterpret(value) => return self.reinterpret(ty, value),
            Kind::Splat(value) => {
                let value = self.evaluate(value)?[0];
                result[..ty.width].fill(value);
            }
            Kind::Swizzle(value, components) => {
                let vector = self.evaluate(value)?;
                return Ok(selected(&vector, &components.numbers(value.ty.width)));
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

    /// Applies a function to each component of `value`.
    fn map(
        &mut self,
        ty: Type,
        value: &'a Expression,
        function: impl Fn(i128) -> i128,
    ) -> Result<Value, Undefined> {
        let value = self.evaluate(value)?;
        let mut result: Value = [0; 16];
        for index in 0..ty.width {
            result[index] = function(value[index]);
        }
        Ok(result)
    }

    fn vector_load(
        &mut self,
        ty: Type,
        offset: &'a Expression,
        from: &'a Pointer,
    ) -> Result<Value, Undefined> {
        let offset = self.evaluate(offset)?[0] as usize;
        let (address, _) = self.pointer(from)?;
        let scalar = ty.scalar.bits() as usize / 8;
        let mut bytes = [0; 128];
        let bytes = &mut bytes[..ty.width * scalar];
        let address = address.plus(offset * ty.width * scalar);
        self.read(address, Access::Read, bytes)?;
        Ok(components_of(ty.scalar, bytes))
    }

    /// `&&` (true) or `||`.
    fn logical(
        &mut self,
        ty: Type,
        and: bool,
        operands: &'a [Expression; 2],
    ) -> Result<Value, Undefined> {
        let mut result: Value = [0; 16];
        let left = self.evaluate(&operands[0])?;
        if ty.width == 1 && (left[0] != 0) != and {
            result[0] = i128::from(!and);
            return Ok(result);
        }
        let right = self.evaluate(&operands[1])?;
        for index in 0..ty.width {
            let (left, right) = (left[index] != 0, right[index] != 0);
            let holds = if and { left && right } else { left || right };
            result[index] = arithmetic::truth(ty, holds);
        }
        Ok(result)
    }

    fn ternary(&mut self, ty: Type, operands: &'a [Expression; 3]) -> Result<Value, Undefined> {
        let [condition, a, b] = operands;
        let chosen = self.evaluate(condition)?;
        if condition.ty.width == 1 {
            return self.evaluate(if chosen[0] != 0 { a } else { b });
        }
        let a = self.evaluate(a)?;
        let b = self.evaluate(b)?;
        let mut result: Value = [0; 16];
        for index in 0..ty.width {
            let first = arithmetic::top_bit(condition.ty.scalar, chosen[index]);
            result[index] = if first { a[index] } else { b[index] };
        }
        Ok(result)
    }

    fn reinterpret(&mut self, ty: Type, value: &'a Expression) -> Result<Value, Undefined> {
        let components = self.evaluate(value)?;
        if ty.scalar.is_real() || value.ty.scalar.is_real() {
            return Err(Undefined::new("as_ of a floating-point number"));
        }
        if ty.bytes() != value.ty.bytes() {
            return Err(Undefined::new("as_ between types of different sizes"));
        }
        let bytes = bytes_of(value.ty, &[components[..value.ty.width].to_vec()]);
        Ok(components_of(ty.scalar, &bytes))
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

    /// Runs a helper that is called in an expression.
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
            // The result is that of the return statement.
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
