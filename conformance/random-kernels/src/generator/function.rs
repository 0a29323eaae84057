//! The kernel and its helpers.

use super::shared::any_kind;
use super::*;
use crate::types::ULONG;

/// Parameters that point to local memory, with their lengths in elements.
type LocalParameters = Vec<(VariableId, usize)>;
/// Values of the other parameters.
type Values = Vec<(VariableId, Vec<i128>)>;

fn id(function: WorkItem, dimension: usize) -> Expression {
    let dimension = Expression::constant(UINT, dimension as i128);
    Expression::new(ULONG, Kind::WorkItem(function, Box::new(dimension)))
}

impl Generator {
    fn enter_constants(&mut self) {
        for table in self.constants.clone() {
            if let Variable::Object {
                shape: Shape::Array(element, length),
                ..
            } = self.variables[table.variable].clone()
            {
                self.enter(table.variable, *element, Role::Input(length));
            }
        }
    }

    /// A linear index in three dimensions; the first dimension varies fastest.
    fn linear(
        &self,
        position: impl Fn(usize) -> Expression,
        size: impl Fn(usize) -> Expression,
    ) -> Expression {
        let last = self.geometry.local.len() - 1;
        let mut number = position(last);
        for dimension in (0..last).rev() {
            number = Expression::binary(Operator::Multiply, number, size(dimension));
            number = Expression::binary(Operator::Add, number, position(dimension));
        }
        number
    }

    fn declare_uint(&mut self, value: Expression, block: &mut Block) -> VariableId {
        let variable = self.new_object(Space::Private, Shape::Value(UINT));
        let value = value.convert(Scalar::Uint);
        block.push(Statement::Declare(variable, Initial::Value(value)));
        variable
    }

    /// Declares `uint lane`, the linear local id.
    fn declare_lane(&mut self, block: &mut Block) {
        let known = self.random.bool();
        let sizes = self.geometry.local.clone();
        let lane = self.linear(
            |dimension| id(WorkItem::LocalId, dimension),
            |dimension| {
                if known {
                    Expression::constant(ULONG, sizes[dimension] as i128)
                } else {
                    id(WorkItem::LocalSize, dimension)
                }
            },
        );
        self.lane = self.declare_uint(lane, block);
        self.enter(
            self.lane,
            Shape::Value(UINT),
            Role::Private {
                writable: false,
                uniform: false,
            },
        );
    }

    pub fn kernel(&mut self, shared: Vec<SharedArray>) -> (Function, LocalParameters, Values) {
        self.scope.clear();
        self.group_function = true;
        self.pure = false;
        self.returned = false;
        self.result = None;
        self.budget = self.random.usize(8..=40);
        self.enter_constants();
        let (mut parameters, values) = self.inputs();
        let mut body = Vec::new();
        self.declare_lane(&mut body);
        let item = self.linear(
            |dimension| {
                Expression::binary(
                    Operator::Subtract,
                    id(WorkItem::GlobalId, dimension),
                    id(WorkItem::GlobalOffset, dimension),
                )
            },
            |dimension| id(WorkItem::GlobalSize, dimension),
        );
        self.item = Some(self.declare_uint(item, &mut body));
        let mut local_arrays = Vec::new();
        let mut local_parameters = Vec::new();
        self.shared = shared;
        for array in 0..self.shared.len() {
            self.shared_array(
                array,
                &mut local_arrays,
                &mut local_parameters,
                &mut parameters,
                &mut body,
            );
        }
        let budget = self.budget;
        self.statements(Flow::start(true), budget, &mut body);
        self.sinks(&mut parameters, &mut body);
        self.random.shuffle(&mut parameters);
        let kernel = Function {
            parameters,
            result: None,
            local_arrays,
            body,
            noinline: false,
        };
        (kernel, local_parameters, values)
    }

    /// The kernel's parameters with their contents, except those for local memory.
    fn inputs(&mut self) -> (Vec<VariableId>, Values) {
        let mut parameters = Vec::new();
        let mut values = Vec::new();
        for _ in 0..self.random.usize(1..=3) {
            let ty = self.any_type();
            let items = self.geometry.items();
            let length = if self.chance(50) {
                // Buffers have an element per work-item and perhaps more.
                items * self.random.usize(1..=2) + self.random.usize(0..=8)
            } else {
                self.random.usize(4..=40)
            };
            let space = if self.chance(25) {
                Space::Constant
            } else {
                Space::Global
            };
            let elements = self.elements(ty, length);
            let variable = self.buffer(space, ty, elements);
            self.enter(variable, Shape::Value(ty), Role::Input(length));
            parameters.push(variable);
        }
        for _ in 0..self.random.usize(1..=3) {
            let ty = self.any_type();
            let each = self.random.usize(1..=8);
            let elements = self.elements(ty, each * self.geometry.items());
            let variable = self.buffer(Space::Global, ty, elements);
            self.enter(variable, Shape::Value(ty), Role::Slice(each));
            parameters.push(variable);
        }
        for _ in 0..self.random.usize(0..=2) {
            let scalars = [
                Scalar::Int,
                Scalar::Uint,
                Scalar::Uint,
                Scalar::Ulong,
                Scalar::Long,
            ];
            let ty = Type::new(self.pick(&scalars), 1);
            let length = self.random.usize(1..=20);
            let elements = self.elements(ty, length);
            let variable = self.buffer(Space::Global, ty, elements);
            let kind = any_kind(self);
            self.enter(variable, Shape::Value(ty), Role::Atomic(length, kind));
            parameters.push(variable);
        }
        if self.chance(50) {
            let scalar = self.pick(&[Scalar::Int, Scalar::Uint, Scalar::Ulong]);
            let ty = Type::new(scalar, 1);
            let length = self.random.usize(1..=4);
            let elements = self.elements(ty, length);
            let variable = self.buffer(Space::Global, ty, elements);
            self.enter(variable, Shape::Value(ty), Role::Counters(length));
            parameters.push(variable);
        }
        for _ in 0..self.random.usize(0..=2) {
            let ty = self.any_type();
            let variable = self.new_object(Space::Private, Shape::Value(ty));
            let role = Role::Private {
                writable: false,
                uniform: true,
            };
            self.enter(variable, Shape::Value(ty), role);
            let value = self.constant_values(ty);
            values.push((variable, value));
            parameters.push(variable);
        }
        (parameters, values)
    }

    /// Allocates a shared array, and initialises it if it is in local memory.
    fn shared_array(
        &mut self,
        array: usize,
        local_arrays: &mut Vec<VariableId>,
        local_parameters: &mut LocalParameters,
        parameters: &mut Vec<VariableId>,
        body: &mut Block,
    ) {
        let state = self.shared[array].clone();
        let total = self.total(array);
        if state.space == Space::Global {
            let Shape::Value(ty) = state.shape else {
                unreachable!("global arrays hold values");
            };
            let groups = self.geometry.items() / self.geometry.group_items();
            let elements = self.elements(ty, total * groups);
            let buffer = self.buffer(Space::Global, ty, elements);
            parameters.push(buffer);
            let group = self.linear(
                |dimension| id(WorkItem::GroupId, dimension),
                |dimension| id(WorkItem::NumGroups, dimension),
            );
            let start = Expression::binary(
                Operator::Multiply,
                group.convert(Scalar::Uint),
                Expression::constant(UINT, total as i128),
            );
            let pointer = self.new_pointer(Space::Global, state.shape.clone());
            let value = Pointer::To(Place::variable(buffer), Some(Box::new(start)));
            body.push(Statement::DeclarePointer(pointer, value));
            self.enter(pointer, state.shape, Role::Shared(array));
            return;
        }
        let variable = if self.chance(70) {
            let shape = Shape::Array(Box::new(state.shape.clone()), total);
            let variable = self.new_object(Space::Local, shape);
            local_arrays.push(variable);
            variable
        } else {
            let variable = self.new_pointer(Space::Local, state.shape.clone());
            local_parameters.push((variable, total));
            parameters.push(variable);
            variable
        };
        // Each work-item initialises its own elements.
        let counter = self.new_object(Space::Private, Shape::Value(INT));
        let uint = Expression::variable(INT, counter).convert(Scalar::Uint);
        let each = Expression::constant(UINT, state.each as i128);
        let lane = Expression::variable(UINT, self.lane);
        let start = Expression::binary(Operator::Multiply, lane, each);
        let place = Place::element(variable, Expression::binary(Operator::Add, start, uint));
        let first = match &state.shape {
            Shape::Value(ty) => {
                let value = self.expression(*ty, 1, false);
                Statement::Assign(place, None, value)
            }
            shape => {
                let initial = self.initial(shape, false);
                let object = self.new_object(Space::Private, shape.clone());
                body.push(Statement::Declare(object, initial));
                Statement::Copy(place, Place::variable(object))
            }
        };
        body.push(Statement::For {
            variable: counter,
            from: Expression::constant(INT, 0),
            to: Expression::constant(INT, state.each as i128),
            step: 1,
            body: vec![first],
        });
        self.shared[array].mode = Some(Mode::Own);
        self.enter(variable, state.shape, Role::Shared(array));
    }

    /// Stores all variables in scope to buffers, so that every difference is visible.
    fn sinks(&mut self, parameters: &mut Vec<VariableId>, body: &mut Block) {
        if self.barrier_allowed(Flow::start(true)) {
            let barrier = self.barrier();
            body.push(barrier);
        }
        // Values of one type are stored to one buffer.
        let mut places: Vec<(Type, Vec<Place>)> = Vec::new();
        for entity in self.scope.clone() {
            let place = match entity.role {
                Role::Private { writable: true, .. } => Place::variable(entity.variable),
                Role::Shared(array) => {
                    if !matches!(self.shared[array].mode, None | Some(Mode::Own)) {
                        continue;
                    }
                    self.shared[array].mode = Some(Mode::Own);
                    let each = Expression::constant(UINT, self.shared[array].each as i128);
                    let lane = Expression::variable(UINT, self.lane);
                    let own = Expression::binary(Operator::Multiply, lane, each);
                    Place::element(entity.variable, own)
                }
                _ => continue,
            };
            self.leaves(place, &entity.shape, &mut places);
        }
        let item = self.item.expect("the kernel has it");
        for (ty, places) in places {
            let each = places.len();
            let zero = vec![vec![0; ty.width]; each * self.geometry.items()];
            let buffer = self.buffer(Space::Global, ty, zero);
            parameters.push(buffer);
            for (number, place) in places.into_iter().enumerate() {
                let start = Expression::binary(
                    Operator::Multiply,
                    Expression::variable(UINT, item),
                    Expression::constant(UINT, each as i128),
                );
                let offset = Expression::constant(UINT, number as i128);
                let index = Expression::binary(Operator::Add, start, offset);
                let value = Expression::new(ty, Kind::Load(place));
                body.push(Statement::Assign(
                    Place::element(buffer, index),
                    None,
                    value,
                ));
            }
        }
    }

    /// The values in an object; of long arrays only some elements.
    fn leaves(&mut self, place: Place, shape: &Shape, places: &mut Vec<(Type, Vec<Place>)>) {
        match shape {
            Shape::Value(ty) => match places.iter_mut().find(|(other, _)| other == ty) {
                Some((_, list)) => list.push(place),
                None => places.push((*ty, vec![place])),
            },
            Shape::Array(element, length) => {
                for number in 0..(*length).min(8) {
                    let number = if *length > 8 {
                        self.random.usize(0..*length)
                    } else {
                        number
                    };
                    let mut part = place.clone();
                    let index = Expression::constant(UINT, number as i128);
                    part.steps.push(Step::Index(index));
                    self.leaves(part, element, places);
                }
            }
            Shape::Struct(number) => {
                for (field, shape) in self.structs[*number].clone().iter().enumerate() {
                    let mut part = place.clone();
                    part.steps.push(Step::Field(field));
                    self.leaves(part, shape, places);
                }
            }
        }
    }

    /// Generates a helper, which later helpers and the kernel may call.
    pub fn helper(&mut self, shared: &[SharedArray]) {
        self.scope.clear();
        self.shared.clear();
        self.returned = false;
        self.item = None;
        let kind = if self.profile.barriers && self.chance(60) {
            HelperKind::Group
        } else {
            self.pick(&[
                HelperKind::Pure,
                HelperKind::Pure,
                HelperKind::General,
                HelperKind::General,
                HelperKind::Group,
            ])
        };
        self.group_function = kind == HelperKind::Group;
        self.pure = kind == HelperKind::Pure;
        self.result = match self.random.u8(0..10) {
            0..2 if kind != HelperKind::Pure => None,
            2..4 if kind != HelperKind::Pure && !self.structs.is_empty() => {
                Some(Shape::Struct(self.random.usize(0..self.structs.len())))
            }
            _ => Some(Shape::Value(self.any_type())),
        };
        self.budget = self.random.usize(2..=10);
        self.enter_constants();
        let (parameters, variables) = self.parameters(kind, shared);
        let mut body = Vec::new();
        if kind != HelperKind::Pure {
            self.declare_lane(&mut body);
        }
        let flow = Flow {
            depth: 3,
            rounds: 8,
            ..Flow::start(kind != HelperKind::General)
        };
        let budget = self.budget;
        self.statements(flow, budget, &mut body);
        match self.result.clone() {
            None => {}
            Some(Shape::Value(ty)) => {
                let value = self.expression(ty, 3, false);
                body.push(Statement::Return(Some(value)));
            }
            Some(shape) => {
                let initial = self.initial(&shape, false);
                let object = self.new_object(Space::Private, shape);
                body.push(Statement::Declare(object, initial));
                body.push(Statement::ReturnObject(Place::variable(object)));
            }
        }
        self.signatures.push(Signature {
            kind,
            parameters,
            result: self.result.clone(),
            end_modes: self.modes(),
        });
        self.helpers.push(Function {
            parameters: variables,
            result: self.result.clone(),
            local_arrays: Vec::new(),
            body,
            noinline: self.random.u8(0..3) == 0,
        });
    }

    fn parameters(
        &mut self,
        kind: HelperKind,
        shared: &[SharedArray],
    ) -> (Vec<Parameter>, Vec<VariableId>) {
        let mut parameters = Vec::new();
        let mut variables = Vec::new();
        let private = Role::Private {
            writable: true,
            uniform: self.pure,
        };
        for _ in 0..self.random.usize(1..=4) {
            let ty = self.any_type();
            let what = match kind {
                HelperKind::Pure => 0,
                _ => self.random.u8(0..10),
            };
            let (parameter, variable) = match what {
                5 | 6 => {
                    let space = self.pick(&[Space::Private, Space::Private, Space::Global]);
                    let length = self.random.usize(1..=4);
                    let variable = self.new_pointer(space, Shape::Value(ty));
                    self.enter(variable, Shape::Value(ty), Role::Region(length));
                    (Parameter::Region(space, ty, length), variable)
                }
                7 => {
                    let space = self.pick(&[Space::Global, Space::Constant]);
                    let length = self.random.usize(1..=4);
                    let variable = self.new_pointer(space, Shape::Value(ty));
                    self.enter(variable, Shape::Value(ty), Role::Input(length));
                    (Parameter::Input(space, ty, length), variable)
                }
                8 | 9 if !self.structs.is_empty() => {
                    let number = self.random.usize(0..self.structs.len());
                    let shape = Shape::Struct(number);
                    let variable = self.new_object(Space::Private, shape.clone());
                    self.enter(variable, shape, private);
                    (Parameter::Struct(number), variable)
                }
                _ => {
                    let variable = self.new_object(Space::Private, Shape::Value(ty));
                    self.enter(variable, Shape::Value(ty), private);
                    (Parameter::Value(ty), variable)
                }
            };
            parameters.push(parameter);
            variables.push(variable);
        }
        if kind == HelperKind::Group {
            let mut wanted: Vec<SharedArray> = shared.to_vec();
            self.random.shuffle(&mut wanted);
            wanted.truncate(self.random.usize(0..=2));
            for array in wanted {
                let variable = self.new_pointer(array.space, array.shape.clone());
                let number = self.shared.len();
                self.enter(variable, array.shape.clone(), Role::Shared(number));
                self.shared.push(array.clone());
                parameters.push(Parameter::Shared(array));
                variables.push(variable);
            }
        }
        (parameters, variables)
    }
}
