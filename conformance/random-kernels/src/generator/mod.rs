//! Generates valid kernels from a seed. Their behaviour is defined and does not depend on the order
//! of work-items; the interpreter checks that.

mod expression;
mod function;
mod pattern;
mod scope;
mod shared;
mod statement;

use super::ast::*;
use super::types::{INT, Scalar, Shape, Structs, Type, UINT};
use fastrand::Rng;
use scope::{LoopRange, Mode, SharedArray};

/// Restrictions on the generated kernels.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Profile {
    /// Whether no `goto` leads into a loop.
    pub reducible: bool,
    /// Whether kernels have many barriers in uniform control flow, exchange values through shared
    /// memory between them, and otherwise use scalars and simple operators only.
    pub barriers: bool,
    /// Number of dimensions of the index space; `None` allows all.
    pub dimensions: Option<usize>,
}

/// Generates a program for a seed; each attempt gives another one.
pub fn generate(seed: u64, attempt: u64, profile: Profile) -> Program {
    // Neighbouring seeds must give independent numbers.
    let mixed = (seed ^ attempt << 56).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    let mut random = Rng::with_seed(mixed ^ mixed >> 29);
    let geometry = geometry(&mut random, profile.dimensions);
    let mut generator = Generator {
        palette: Vec::new(),
        random,
        geometry,
        variables: Vec::new(),
        structs: Vec::new(),
        constants: Vec::new(),
        helpers: Vec::new(),
        signatures: Vec::new(),
        buffers: Vec::new(),
        scope: Vec::new(),
        ranges: Vec::new(),
        shared: Vec::new(),
        labels: 0,
        budget: 0,
        lane: 0,
        item: None,
        returned: false,
        barriers: 0,
        result: None,
        group_function: false,
        pure: false,
        hide_shared: false,
        nesting: 0,
        profile,
    };
    generator.program()
}

/// A name in scope.
#[derive(Clone, Debug)]
struct Entity {
    variable: VariableId,
    /// The shape of the object, or of the elements of an array or pointer.
    shape: Shape,
    role: Role,
}

/// The uses of a name in scope. The numbers count elements unless they name another unit.
#[derive(Clone, Copy, PartialEq, Debug)]
enum Role {
    /// A private object.
    Private {
        /// Whether it may be modified.
        writable: bool,
        /// Whether all work-items of a group have the same value.
        uniform: bool,
    },
    /// A pointer to elements that only this work-item accesses.
    Region(usize),
    /// A buffer in which each work-item has this number of elements, starting at its linear index.
    Slice(usize),
    /// Read-only elements.
    Input(usize),
    /// An array that the work-items of a group share: its index in `Generator::shared`.
    Shared(usize),
    /// A buffer of elements that only atomics of one kind access.
    Atomic(usize, Atomic),
    /// A buffer with this number of counters.
    Counters(usize),
}

/// The control flow around a statement.
#[derive(Clone, Copy)]
struct Flow {
    /// Whether all work-items of the group that have not returned execute the statement together.
    uniform: bool,
    /// The innermost loop, if `break` and `continue` are allowed.
    enclosing: Option<LoopKind>,
    /// Whether `break` would leave a switch.
    in_switch: bool,
    /// Whether an enclosing loop is uniform.
    in_group_loop: bool,
    /// The label behind the enclosing loops to which a `goto` may jump.
    escape: Option<Label>,
    /// Number of levels of statements that may still be nested.
    depth: usize,
    /// Approximate number of iterations of all enclosing loops together.
    rounds: usize,
}

#[derive(Clone, Copy, PartialEq)]
enum LoopKind {
    /// A uniform loop: all work-items of the group run the same iterations, so barriers are
    /// allowed.
    Group,
    /// A divergent loop, without barriers.
    Free,
}

/// The operations that a helper may contain.
#[derive(Clone, Copy, PartialEq)]
enum HelperKind {
    /// Only computations of values from values.
    Pure,
    /// Accesses through pointers and queries of ids.
    General,
    /// Barriers as well.
    Group,
}

#[derive(Clone)]
enum Parameter {
    Value(Type),
    Struct(usize),
    Region(Space, Type, usize),
    Input(Space, Type, usize),
    Shared(SharedArray),
}

struct Signature {
    kind: HelperKind,
    parameters: Vec<Parameter>,
    result: Option<Shape>,
    /// The modes of the shared arrays since the last barrier.
    end_modes: Vec<Option<Mode>>,
}

struct Generator {
    random: Rng,
    geometry: Geometry,
    /// Types that are used often.
    palette: Vec<Type>,
    variables: Vec<Variable>,
    structs: Structs,
    constants: Vec<Contents>,
    helpers: Vec<Function>,
    signatures: Vec<Signature>,
    buffers: Vec<Contents>,
    // The following fields are the state of the function that is being generated.
    scope: Vec<Entity>,
    /// Ranges of the variables of enclosing loops.
    ranges: Vec<LoopRange>,
    shared: Vec<SharedArray>,
    labels: Label,
    /// Number of statements that may still be generated.
    budget: usize,
    /// A `uint` variable with the linear local id.
    lane: VariableId,
    /// A `uint` variable with the linear global id, in the kernel.
    item: Option<VariableId>,
    /// Whether work-items may have returned, so that no barriers are allowed.
    returned: bool,
    /// Number of barriers generated so far.
    barriers: usize,
    /// Type of the function's result.
    result: Option<Shape>,
    /// Whether the function may have barriers.
    group_function: bool,
    /// Whether the result must depend on the arguments only.
    pure: bool,
    /// Whether expressions must not use shared arrays.
    hide_shared: bool,
    /// Number of subscripts around the current expression.
    nesting: usize,
    /// Restrictions on the kernel.
    profile: Profile,
}

fn geometry(random: &mut Rng, dimensions: Option<usize>) -> Geometry {
    let dimensions = dimensions.unwrap_or_else(|| random.usize(1..=3));
    let mut local = vec![1; dimensions];
    let mut groups = vec![1; dimensions];
    let most = [1, 4, 8, 16, 32, 64][random.usize(0..6)];
    let usual: Vec<&&[usize]> = (USUAL.iter())
        .filter(|local| local.len() == dimensions)
        .collect();
    if random.u8(0..3) == 0 {
        local = random.choice(usual).expect("some of each").to_vec();
        groups[random.usize(0..dimensions)] = random.usize(1..=2);
    } else {
        random_sizes(random, most, &mut local, &mut groups);
    }
    let offset = (0..dimensions)
        .map(|_| {
            if random.bool() {
                0
            } else {
                random.usize(0..100)
            }
        })
        .collect();
    let global = local.iter().zip(&groups).map(|(l, g)| l * g).collect();
    Geometry {
        global,
        local,
        offset,
    }
}

/// Common work-group sizes, and some that are not powers of two.
const USUAL: &[&[usize]] = &[
    &[33],
    &[64],
    &[100],
    &[128],
    &[8, 8],
    &[16, 4],
    &[16, 8],
    &[32, 2],
    &[20, 4],
    &[17, 2],
    &[6, 8],
    &[4, 4, 4],
    &[8, 2, 4],
    &[5, 4, 2],
];

/// Chooses groups of at most `most` work-items, and at most four groups.
fn random_sizes(random: &mut Rng, most: usize, local: &mut [usize], groups: &mut [usize]) {
    let dimensions = local.len();
    for _ in 0..dimensions * 2 {
        let dimension = random.usize(0..dimensions);
        let others = local.iter().product::<usize>() / local[dimension];
        local[dimension] = random.usize(1..=most / others);
        if random.u8(0..3) == 0 {
            // Sizes that are multiples of vector widths.
            local[dimension] = (most / others).max(1);
        }
        let others = groups.iter().product::<usize>() / groups[dimension];
        groups[dimension] = random.usize(1..=(4 / others).max(1));
    }
}

/// All vector widths, and 1.
const WIDTHS: [usize; 6] = [1, 2, 3, 4, 8, 16];

impl Generator {
    fn chance(&mut self, percent: u8) -> bool {
        self.random.u8(0..100) < percent
    }

    fn pick<T: Clone>(&mut self, from: &[T]) -> T {
        from[self.random.usize(0..from.len())].clone()
    }

    /// Uses the first percentage in the profile with barriers, the second otherwise.
    fn chance_of(&mut self, barriers: u8, usual: u8) -> bool {
        let percent = if self.profile.barriers {
            barriers
        } else {
            usual
        };
        self.chance(percent)
    }

    fn scalar(&mut self) -> Scalar {
        if self.profile.barriers {
            return self.pick(&[Scalar::Int, Scalar::Uint]);
        }
        self.pick(&Scalar::INTEGERS)
    }

    /// A type of components, possibly floating-point.
    fn component(&mut self) -> Scalar {
        if self.profile.barriers || self.chance(75) {
            self.scalar()
        } else {
            self.pick(&[Scalar::Float, Scalar::Float, Scalar::Double])
        }
    }

    /// A random type, mostly of the palette.
    fn any_type(&mut self) -> Type {
        if self.chance_of(100, 85) {
            let palette = self.palette.clone();
            return self.pick(&palette);
        }
        let width = if self.chance(50) {
            1
        } else {
            self.pick(&WIDTHS)
        };
        Type::new(self.component(), width)
    }

    fn new_object(&mut self, space: Space, shape: Shape) -> VariableId {
        self.variables.push(Variable::Object { space, shape });
        self.variables.len() - 1
    }

    fn new_pointer(&mut self, space: Space, element: Shape) -> VariableId {
        self.variables.push(Variable::Pointer { space, element });
        self.variables.len() - 1
    }

    fn enter(&mut self, variable: VariableId, shape: Shape, role: Role) {
        self.scope.push(Entity {
            variable,
            shape,
            role,
        });
    }

    /// A constant: a small number, a limit, or any number.
    fn constant_value(&mut self, scalar: Scalar) -> i128 {
        if scalar.is_real() && self.chance(70) {
            return self.random.i32(-100..=100).into();
        }
        let value = match self.random.u8(0..10) {
            0..4 => self.random.i8(-4..=16).into(),
            4 => scalar.min(),
            5 => scalar.max(),
            6 => 1 << self.random.u32(0..scalar.bits()),
            _ => self.random.u64(..).into(),
        };
        scalar.wrap(value)
    }

    fn constant_values(&mut self, ty: Type) -> Vec<i128> {
        (0..ty.width)
            .map(|_| self.constant_value(ty.scalar))
            .collect()
    }

    fn elements(&mut self, ty: Type, count: usize) -> Vec<Vec<i128>> {
        (0..count).map(|_| self.constant_values(ty)).collect()
    }

    /// The fields of a random structure.
    fn structure(&mut self) -> Vec<Shape> {
        let count = self.random.usize(1..=4);
        (0..count)
            .map(|_| {
                let ty = self.any_type();
                match self.random.u8(0..10) {
                    0..2 => Shape::array(ty, self.random.usize(1..=4)),
                    2 if !self.structs.is_empty() => {
                        Shape::Struct(self.random.usize(0..self.structs.len()))
                    }
                    _ => Shape::Value(ty),
                }
            })
            .collect()
    }

    /// A buffer parameter of the kernel.
    fn buffer(&mut self, space: Space, ty: Type, elements: Vec<Vec<i128>>) -> VariableId {
        let variable = self.new_pointer(space, Shape::Value(ty));
        self.buffers.push(Contents { variable, elements });
        variable
    }

    fn program(&mut self) -> Program {
        let count = self.random.usize(2..=5);
        for _ in 0..count {
            let width = match self.random.u8(0..10) {
                _ if self.profile.barriers => 1,
                0..5 => 1,
                5..9 => self.pick(&[2, 3, 4, 4]),
                _ => self.pick(&[8, 16]),
            };
            let scalar = self.component();
            self.palette.push(Type::new(scalar, width));
        }
        self.palette
            .push(self.random.choice([INT, UINT]).expect("two"));
        let structs = if self.profile.barriers {
            0
        } else {
            self.random.usize(0..3)
        };
        for _ in 0..structs {
            let fields = self.structure();
            self.structs.push(fields);
        }
        let constants = self.random.usize(0..3);
        for _ in 0..constants {
            let ty = self.any_type();
            let length = self.random.usize(1..=16);
            let variable = self.new_object(Space::Constant, Shape::array(ty, length));
            let elements = self.elements(ty, length);
            self.constants.push(Contents { variable, elements });
        }
        let shared = self.plan_shared();
        let helpers = self.random.usize(0..=4);
        for _ in 0..helpers {
            self.helper(&shared);
        }
        let (kernel, local_parameters, values) = self.kernel(shared);
        Program {
            variables: std::mem::take(&mut self.variables),
            structs: std::mem::take(&mut self.structs),
            constants: std::mem::take(&mut self.constants),
            helpers: std::mem::take(&mut self.helpers),
            kernel,
            buffers: std::mem::take(&mut self.buffers),
            local_parameters,
            values,
            geometry: self.geometry.clone(),
            required_local_size: self.random.u8(0..4) == 0,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{interpreter, source};

    #[test]
    fn a_seed_always_gives_the_same_kernel() {
        assert_eq!(
            source::text(&generate(7, 0, Profile::default())),
            source::text(&generate(7, 0, Profile::default()))
        );
        assert_ne!(
            source::text(&generate(7, 0, Profile::default())),
            source::text(&generate(8, 0, Profile::default()))
        );
    }

    #[test]
    fn what_kernels_do_is_defined() {
        let mut long = 0;
        for seed in 0..800 {
            let profile = Profile {
                barriers: seed % 2 == 1,
                ..Profile::default()
            };
            let program = generate(seed, 0, profile);
            if let Err(reason) = interpreter::run(&program) {
                let reason = reason.to_string();
                assert_eq!(
                    reason,
                    "too many steps",
                    "seed {seed}:\n{}",
                    source::text(&program)
                );
                long += 1;
            }
        }
        assert!(long < 80, "{long} of 800 kernels take too long");
    }

    #[test]
    fn the_profile_with_barriers_has_them_everywhere() {
        let profile = |seed| Profile {
            reducible: true,
            barriers: true,
            dimensions: Some(1 + seed as usize % 3),
        };
        let (mut barriers, mut nested, mut called) = (0, 0, 0);
        for seed in 0..100 {
            let program = generate(seed, 0, profile(seed));
            assert_eq!(program.geometry.local.len(), 1 + seed as usize % 3);
            let text = source::text(&program);
            barriers += text.matches("barrier(").count();
            nested += text.matches("\n            barrier(").count();
            let (helpers, _) = text.split_once("__kernel").expect("a kernel");
            called += helpers.matches("barrier(").count();
            assert!(!text.contains("convert_"), "{text}");
        }
        assert!(barriers > 600, "{barriers} barriers in 100 kernels");
        assert!(nested > 60, "{nested} of them in nested statements");
        assert!(called > 60, "{called} of them in functions");
    }

    #[test]
    fn all_parts_of_the_language_occur() {
        let mut text = String::new();
        for seed in 0..400 {
            text.push_str(&source::text(&generate(seed, 0, Profile::default())));
        }
        for part in [
            "barrier(",
            "for (",
            "while (",
            "do {",
            "switch (",
            "goto ",
            "break;",
            "continue;",
            "return;",
            "__local ",
            "__constant ",
            "struct ",
            "atomic_",
            "async_work_group_copy(",
            "mem_fence(",
            "(ulong)atomic_inc(",
            "(ulong)atomic_dec(",
            "vload",
            "vstore",
            ".hi",
            ".even",
            "convert_",
            "_sat(",
            "as_",
            "noinline",
            "select(",
            "mad_hi(",
            "shuffle(",
            "shuffle2(",
            "upsample(",
            "convert_float",
            "_sat(v",
            "fma(",
            "rint(",
            "fmod(",
            "reqd_work_group_size",
        ] {
            assert!(text.contains(part), "`{part}` in none of 400 kernels");
        }
    }
}
