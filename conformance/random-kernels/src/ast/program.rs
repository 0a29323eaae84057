//! Programs: functions, types, arguments and the index space.

use super::expression::{Place, Step};
use super::statement::Block;
use super::variable::{Variable, VariableId};
use crate::types::{Shape, Structs};

/// A kernel with its helpers, types, arguments and index space.
#[derive(Clone, Debug)]
pub struct Program {
    /// All variables, by [`VariableId`].
    pub variables: Vec<Variable>,
    /// Structure types.
    pub structs: Structs,
    /// Arrays at program scope.
    pub constants: Vec<Contents>,
    /// Functions; each calls earlier ones only.
    pub helpers: Vec<Function>,
    /// The kernel.
    pub kernel: Function,
    /// The contents of buffers for global and constant pointer parameters. The other pointer
    /// parameters point to local memory.
    pub buffers: Vec<Contents>,
    /// The parameters that point to local memory, with their lengths in elements.
    pub local_parameters: Vec<(VariableId, usize)>,
    /// Values of the kernel's other parameters.
    pub values: Vec<(VariableId, Vec<i128>)>,
    /// The index space.
    pub geometry: Geometry,
    /// Whether the kernel has the attribute `reqd_work_group_size`.
    pub required_local_size: bool,
}

impl Program {
    /// The shape of an lvalue without its components. `None` if the path is invalid or the lvalue
    /// is a pointer.
    pub fn shape_of(&self, place: &Place) -> Option<Shape> {
        let mut steps = place.steps.iter();
        let mut shape = match self.variables.get(place.root)? {
            Variable::Object { shape, .. } => shape,
            Variable::Pointer { element, .. } => match steps.next()? {
                Step::Index(_) => element,
                Step::Field(_) => return None,
            },
        };
        for step in steps {
            shape = match (step, shape) {
                (Step::Index(_), Shape::Array(element, _)) => element,
                (Step::Field(field), Shape::Struct(number)) => self.structs[*number].get(*field)?,
                _ => return None,
            };
        }
        Some(shape.clone())
    }
}

/// The kernel or a helper.
#[derive(Clone, Debug)]
pub struct Function {
    /// Parameters; their types are in [`Program::variables`].
    pub parameters: Vec<VariableId>,
    /// Type of the result; `None` is `void`.
    pub result: Option<Shape>,
    /// Local arrays that are declared at the beginning of a kernel.
    pub local_arrays: Vec<VariableId>,
    /// The statements of the function.
    pub body: Block,
    /// Whether it has the attribute `noinline`.
    pub noinline: bool,
}

/// The initial contents of a constant array or of a buffer.
#[derive(Clone, Debug)]
pub struct Contents {
    /// A constant array, or a pointer parameter of the kernel.
    pub variable: VariableId,
    /// The elements; each has one number per component.
    pub elements: Vec<Vec<i128>>,
}

/// The index space.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Geometry {
    /// Work-items in each dimension.
    pub global: Vec<usize>,
    /// Work-items of a group in each dimension.
    pub local: Vec<usize>,
    /// First global id in each dimension.
    pub offset: Vec<usize>,
}

impl Geometry {
    /// Number of work-items in a group.
    pub fn group_items(&self) -> usize {
        self.local.iter().product()
    }

    /// Number of work-items.
    pub fn items(&self) -> usize {
        self.global.iter().product()
    }
}
