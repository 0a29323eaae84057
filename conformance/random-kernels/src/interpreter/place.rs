//! Lvalues: their addresses, and reads and writes of them.

use super::*;

impl<'a> Worker<'_, 'a> {
    pub(super) fn object_bytes(&mut self, place: &'a Place) -> Result<Vec<u8>, Undefined> {
        let (address, shape) = self.resolve(place)?;
        let mut bytes = vec![0; layout(shape, &self.machine.program.structs).0];
        self.read(address, Access::Read, &mut bytes)?;
        Ok(bytes)
    }

    /// The address and shape of an lvalue.
    pub(super) fn resolve(&mut self, place: &'a Place) -> Result<(Address, &'a Shape), Undefined> {
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
                let index = self.evaluate(index)?[0];
                // The index exceeds the size of any object.
                if !(0..1 << 40).contains(&index) {
                    return Err(Undefined::with_cause(
                        Cause::OutOfBounds,
                        "an index outside of its object",
                    ));
                }
                let size = layout(element, &program.structs).0;
                (address.plus(index as usize * size), element)
            }
        };
        for step in steps {
            (address, shape) = match (step, shape) {
                (Step::Index(index), Shape::Array(element, length)) => {
                    let index = self.evaluate(index)?[0];
                    if index < 0 || index >= *length as i128 {
                        return Err(Undefined::with_cause(
                            Cause::OutOfBounds,
                            "an index outside of its array",
                        ));
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

    pub(super) fn value_place(&mut self, place: &'a Place) -> Result<(Address, Type), Undefined> {
        match self.resolve(place)? {
            (address, Shape::Value(ty)) => Ok((address, *ty)),
            _ => Err(Undefined::new("not a value")),
        }
    }

    /// The address in a pointer, and the shape of its elements.
    pub(super) fn pointer(
        &mut self,
        pointer: &'a Pointer,
    ) -> Result<(Address, &'a Shape), Undefined> {
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

    pub(super) fn read(
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

    pub(super) fn write(
        &mut self,
        address: Address,
        access: Access,
        bytes: &[u8],
    ) -> Result<(), Undefined> {
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

    pub(super) fn load(
        &mut self,
        address: Address,
        ty: Type,
        access: Access,
    ) -> Result<Value, Undefined> {
        let mut bytes = [0; 128];
        let size = ty.bytes();
        self.read(address, access, &mut bytes[..size])?;
        Ok(components_of(ty.scalar, &bytes[..size]))
    }

    /// Stores a value, or only some components of a vector of type `ty`.
    pub(super) fn store(
        &mut self,
        address: Address,
        ty: Type,
        components: Option<&Components>,
        value: &Value,
    ) -> Result<(), Undefined> {
        let mut all = match components {
            // A partial store to a vector may write the whole vector.
            Some(_) => self.load(address, ty, Access::Read)?,
            None => [0; 16],
        };
        for (index, number) in numbers(components, ty).into_iter().enumerate() {
            all[number] = value[index];
        }
        let bytes = bytes_of(ty, &[all[..ty.width].to_vec()]);
        self.write(address, Access::Write, &bytes)
    }
}
