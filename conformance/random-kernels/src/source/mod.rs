//! Programs as OpenCL C.

use super::ast::*;
use super::types::{Scalar, Shape, Type};
use std::fmt::Write;

/// The kernel's name.
pub const KERNEL: &str = "k";

/// The program's text.
pub fn text(program: &Program) -> String {
    let mut printer = Printer {
        program,
        text: String::new(),
        indent: 0,
    };
    printer.program();
    printer.text
}

struct Printer<'a> {
    program: &'a Program,
    text: String,
    indent: usize,
}

fn space_name(space: Space) -> &'static str {
    match space {
        Space::Private => "",
        Space::Local => "__local ",
        Space::Global => "__global ",
        Space::Constant => "__constant ",
    }
}

/// A declaration without initialiser: C writes an array's lengths after its name.
fn declaration(shape: &Shape, name: &str) -> String {
    match shape {
        Shape::Value(ty) => format!("{} {name}", ty.name()),
        Shape::Struct(number) => format!("struct S{number} {name}"),
        Shape::Array(element, length) => {
            // Outer lengths come first.
            declaration(element, &format!("{name}[{length}]"))
        }
    }
}

fn scalar_constant(scalar: Scalar, value: i128) -> String {
    match scalar {
        Scalar::Int if value == scalar.min() => "(-2147483647 - 1)".to_owned(),
        Scalar::Long if value == scalar.min() => "(-9223372036854775807L - 1)".to_owned(),
        Scalar::Int if value < 0 => format!("({value})"),
        Scalar::Int => format!("{value}"),
        Scalar::Uint => format!("{value}u"),
        Scalar::Long if value < 0 => format!("({value}L)"),
        Scalar::Long => format!("{value}L"),
        Scalar::Ulong => format!("{value}UL"),
        Scalar::Float if value < 0 => format!("({value}.0f)"),
        Scalar::Float => format!("{value}.0f"),
        Scalar::Double if value < 0 => format!("({value}.0)"),
        Scalar::Double => format!("{value}.0"),
        _ => format!("(({}){value})", scalar.name()),
    }
}

fn components(components: &Components, width: usize) -> String {
    match components {
        Components::Low => "lo".to_owned(),
        Components::High => "hi".to_owned(),
        Components::Even => "even".to_owned(),
        Components::Odd => "odd".to_owned(),
        // Both notations, xyzw and s0123, occur.
        Components::Listed(numbers) if width <= 4 && numbers[0].is_multiple_of(2) => {
            numbers.iter().map(|&n| char::from(b"xyzw"[n])).collect()
        }
        Components::Listed(numbers) => {
            let mut text = "s".to_owned();
            for number in numbers {
                write!(text, "{number:x}").expect("a string takes all");
            }
            text
        }
    }
}

impl Builtin {
    /// OpenCL C's name for it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Abs => "abs",
            Self::AbsDiff => "abs_diff",
            Self::AddSat => "add_sat",
            Self::All => "all",
            Self::Any => "any",
            Self::Bitselect => "bitselect",
            Self::Clamp => "clamp",
            Self::Ceil => "ceil",
            Self::Clz => "clz",
            Self::Fabs => "fabs",
            Self::Floor => "floor",
            Self::Fma => "fma",
            Self::Fmod => "fmod",
            Self::Hadd => "hadd",
            Self::Mad24 => "mad24",
            Self::MadHi => "mad_hi",
            Self::MadSat => "mad_sat",
            Self::Max => "max",
            Self::Min => "min",
            Self::Mul24 => "mul24",
            Self::MulHi => "mul_hi",
            Self::Popcount => "popcount",
            Self::Rhadd => "rhadd",
            Self::Rint => "rint",
            Self::Rotate => "rotate",
            Self::Select => "select",
            Self::Shuffle => "shuffle",
            Self::Shuffle2 => "shuffle2",
            Self::SubSat => "sub_sat",
            Self::Trunc => "trunc",
            Self::Upsample => "upsample",
        }
    }
}

impl Operator {
    /// As it is written.
    pub fn sign(self) -> &'static str {
        match self {
            Self::Add => "+",
            Self::Subtract => "-",
            Self::Multiply => "*",
            Self::Divide => "/",
            Self::Remainder => "%",
            Self::And => "&",
            Self::Or => "|",
            Self::Xor => "^",
            Self::ShiftLeft => "<<",
            Self::ShiftRight => ">>",
        }
    }
}

impl Comparison {
    /// As it is written.
    pub fn sign(self) -> &'static str {
        match self {
            Self::Less => "<",
            Self::LessOrEqual => "<=",
            Self::Greater => ">",
            Self::GreaterOrEqual => ">=",
            Self::Equal => "==",
            Self::NotEqual => "!=",
        }
    }
}

impl Printer<'_> {
    fn line(&mut self, line: &str) {
        for _ in 0..self.indent {
            self.text.push_str("    ");
        }
        self.text.push_str(line);
        self.text.push('\n');
    }

    fn program(&mut self) {
        let program = self.program;
        let body_start = self.text.len();
        for (number, fields) in program.structs.iter().enumerate() {
            self.line(&format!("struct S{number} {{"));
            self.indent += 1;
            for (field, shape) in fields.iter().enumerate() {
                self.line(&format!("{};", declaration(shape, &format!("f{field}"))));
            }
            self.indent -= 1;
            self.line("};");
        }
        for table in &program.constants {
            let Variable::Object { shape, .. } = &program.variables[table.variable] else {
                continue;
            };
            let Shape::Array(element, _) = shape else {
                continue;
            };
            let Shape::Value(ty) = **element else {
                continue;
            };
            let elements: Vec<String> = table
                .elements
                .iter()
                .map(|element| constant(ty, element))
                .collect();
            self.line(&format!(
                "__constant {} = {{{}}};",
                declaration(shape, &name(table.variable)),
                elements.join(", ")
            ));
        }
        for (number, helper) in program.helpers.iter().enumerate() {
            let result = match &helper.result {
                None => "void ".to_owned(),
                Some(shape) => declaration(shape, ""),
            };
            let attribute = if helper.noinline {
                "__attribute__((noinline)) "
            } else {
                ""
            };
            self.function(&format!("{attribute}{result}f{number}"), helper);
        }
        let mut head = "__kernel ".to_owned();
        if program.required_local_size {
            let mut sizes = program.geometry.local.clone();
            sizes.resize(3, 1);
            write!(
                head,
                "__attribute__((reqd_work_group_size({}, {}, {}))) ",
                sizes[0], sizes[1], sizes[2]
            )
            .expect("a string takes all");
        }
        self.function(&format!("{head}void {KERNEL}"), &program.kernel);
        if self.text.contains("atom_") {
            let pragmas = "#pragma OPENCL EXTENSION cl_khr_int64_base_atomics : enable\n\
                           #pragma OPENCL EXTENSION cl_khr_int64_extended_atomics : enable\n";
            self.text.insert_str(body_start, pragmas);
        }
    }

    fn function(&mut self, head: &str, function: &Function) {
        let parameters: Vec<String> = function
            .parameters
            .iter()
            .map(|&parameter| match &self.program.variables[parameter] {
                Variable::Object { shape, .. } => declaration(shape, &name(parameter)),
                Variable::Pointer { space, element } => {
                    pointer_declaration(*space, element, parameter)
                }
            })
            .collect();
        self.line(&format!("{head}({}) {{", parameters.join(", ")));
        self.indent += 1;
        for &array in &function.local_arrays {
            if let Variable::Object { shape, .. } = &self.program.variables[array] {
                self.line(&format!("__local {};", declaration(shape, &name(array))));
            }
        }
        for statement in &function.body {
            self.statement(statement);
        }
        self.indent -= 1;
        self.line("}");
    }

    fn block(&mut self, block: &Block) {
        self.indent += 1;
        for statement in block {
            self.statement(statement);
        }
        self.indent -= 1;
    }

    fn initial(&self, initial: &Initial) -> String {
        match initial {
            Initial::Value(value) => self.expression(value),
            Initial::List(elements) => {
                let elements: Vec<String> = elements.iter().map(|e| self.initial(e)).collect();
                format!("{{{}}}", elements.join(", "))
            }
            Initial::Copy(place) => self.place(place),
        }
    }

    fn statement(&mut self, statement: &Statement) {
        match statement {
            Statement::Declare(variable, initial) => {
                if let Variable::Object { shape, .. } = &self.program.variables[*variable] {
                    self.line(&format!(
                        "{} = {};",
                        declaration(shape, &name(*variable)),
                        self.initial(initial)
                    ));
                }
            }
            Statement::DeclarePointer(variable, pointer) => {
                if let Variable::Pointer { space, element } = &self.program.variables[*variable] {
                    self.line(&format!(
                        "{} = {};",
                        pointer_declaration(*space, element, *variable),
                        self.pointer(pointer)
                    ));
                }
            }
            Statement::Assign(place, operator, value) => {
                let operator = operator.map_or("", Operator::sign);
                self.line(&format!(
                    "{} {operator}= {};",
                    self.place(place),
                    self.expression(value)
                ));
            }
            Statement::Copy(to, from) => {
                self.line(&format!("{} = {};", self.place(to), self.place(from)));
            }
            Statement::VectorStore { value, offset, to } => self.line(&format!(
                "vstore{}({}, {}, {});",
                value.ty.width,
                self.expression(value),
                self.expression(offset),
                self.pointer(to)
            )),
            Statement::If(condition, then, otherwise) => {
                self.line(&format!("if ({}) {{", self.expression(condition)));
                self.block(then);
                if !otherwise.is_empty() {
                    self.line("} else {");
                    self.block(otherwise);
                }
                self.line("}");
            }
            Statement::For {
                variable,
                from,
                to,
                step,
                body,
            } => {
                let variable = name(*variable);
                self.line(&format!(
                    "for (int {variable} = {}; {variable} < {}; {variable} += {step}) {{",
                    self.expression(from),
                    self.expression(to)
                ));
                self.block(body);
                self.line("}");
            }
            Statement::While(condition, body) => {
                self.line(&format!("while ({}) {{", self.expression(condition)));
                self.block(body);
                self.line("}");
            }
            Statement::DoWhile(body, condition) => {
                self.line("do {");
                self.block(body);
                self.line(&format!("}} while ({});", self.expression(condition)));
            }
            Statement::Switch(value, cases) => self.switch(value, cases),
            Statement::Break => self.line("break;"),
            Statement::Continue => self.line("continue;"),
            Statement::Return(None) => self.line("return;"),
            Statement::Return(Some(value)) => {
                self.line(&format!("return {};", self.expression(value)));
            }
            Statement::ReturnObject(place) => {
                self.line(&format!("return {};", self.place(place)));
            }
            Statement::Goto(label) => self.line(&format!("goto L{label};")),
            Statement::Label(label) => self.line(&format!("L{label}:;")),
            Statement::Barrier { local, global } => {
                self.line(&format!("barrier({});", fences(*local, *global)));
            }
            Statement::Fence { local, global } => {
                self.line(&format!("mem_fence({});", fences(*local, *global)));
            }
            Statement::Atomic(atomic, place, value) => self.atomic(*atomic, place, value),
            Statement::Ticket {
                counter,
                up,
                total,
                factor,
            } => self.ticket(counter, *up, total, *factor),
            Statement::GroupCopy { to, from, count } => self.line(&format!(
                "{{ event_t e = async_work_group_copy({}, {}, {count}, 0); \
                 wait_group_events(1, &e); }}",
                self.pointer(to),
                self.pointer(from)
            )),
            Statement::Call {
                helper,
                arguments,
                result,
            } => {
                let arguments: Vec<String> = arguments
                    .iter()
                    .map(|argument| match argument {
                        Argument::Value(value) => self.expression(value),
                        Argument::Object(place) => self.place(place),
                        Argument::Pointer(pointer) => self.pointer(pointer),
                    })
                    .collect();
                let call = format!("f{helper}({});", arguments.join(", "));
                match result {
                    None => self.line(&call),
                    Some(place) => self.line(&format!("{} = {call}", self.place(place))),
                }
            }
            Statement::Block(block) => {
                self.line("{");
                self.block(block);
                self.line("}");
            }
        }
    }

    fn switch(&mut self, value: &Expression, cases: &[Case]) {
        self.line(&format!("switch ({}) {{", self.expression(value)));
        for case in cases {
            if case.values.is_empty() {
                self.line("default: {");
            } else {
                let labels: Vec<String> = case
                    .values
                    .iter()
                    .map(|&label| format!("case {}:", scalar_constant(value.ty.scalar, label)))
                    .collect();
                self.line(&format!("{} {{", labels.join(" ")));
            }
            self.block(&case.body);
            self.line(if case.falls_through { "}" } else { "} break;" });
        }
        self.line("}");
    }

    fn atomic(&mut self, atomic: Atomic, place: &Place, value: &Expression) {
        let prefix = atomic_prefix(value.ty.scalar);
        let function = match atomic {
            Atomic::Add => "add",
            Atomic::Subtract => "sub",
            Atomic::Increment => "inc",
            Atomic::Decrement => "dec",
            Atomic::And => "and",
            Atomic::Or => "or",
            Atomic::Xor => "xor",
            Atomic::Min => "min",
            Atomic::Max => "max",
        };
        let place = self.place(place);
        let line = match atomic {
            Atomic::Increment | Atomic::Decrement => format!("{prefix}_{function}(&{place});"),
            _ => format!("{prefix}_{function}(&{place}, {});", self.expression(value)),
        };
        self.line(&line);
    }

    fn ticket(&mut self, counter: &Place, up: bool, total: &Place, factor: i128) {
        let scalar = |place| match self.program.shape_of(place) {
            Some(Shape::Value(ty)) => ty.scalar,
            _ => Scalar::Uint,
        };
        let (from, to) = (scalar(counter), scalar(total));
        let line = format!(
            "{}_add(&{}, ({})((ulong){}_{}(&{}) * {factor}UL));",
            atomic_prefix(to),
            self.place(total),
            to.name(),
            atomic_prefix(from),
            if up { "inc" } else { "dec" },
            self.place(counter),
        );
        self.line(&line);
    }

    fn place(&self, place: &Place) -> String {
        let mut text = name(place.root);
        for step in &place.steps {
            match step {
                Step::Index(index) => {
                    write!(text, "[{}]", self.expression(index)).expect("a string takes all");
                }
                Step::Field(field) => {
                    write!(text, ".f{field}").expect("a string takes all");
                }
            }
        }
        if let (Some(parts), Some(Shape::Value(ty))) =
            (&place.components, self.program.shape_of(place))
        {
            text.push('.');
            text.push_str(&components(parts, ty.width));
        }
        text
    }

    fn pointer(&self, pointer: &Pointer) -> String {
        match pointer {
            Pointer::To(place, None) => self.place(place),
            Pointer::To(place, Some(offset)) => {
                format!("({} + {})", self.place(place), self.expression(offset))
            }
            Pointer::Either(condition, pointers) => format!(
                "({} ? {} : {})",
                self.expression(condition),
                self.pointer(&pointers[0]),
                self.pointer(&pointers[1])
            ),
        }
    }

    fn list(&self, values: &[Expression]) -> String {
        let values: Vec<String> = values.iter().map(|value| self.expression(value)).collect();
        values.join(", ")
    }

    /// Two operands of a vector operator. An operand with equal components may be written as a
    /// scalar.
    fn operands(&self, operands: &[Expression; 2]) -> [String; 2] {
        let [left, right] = operands;
        if let Kind::Splat(scalar) = &right.kind
            && !matches!(left.kind, Kind::Splat(_))
        {
            return [self.expression(left), self.expression(scalar)];
        }
        [self.expression(left), self.expression(right)]
    }

    fn expression(&self, expression: &Expression) -> String {
        let ty = expression.ty;
        match &expression.kind {
            Kind::Constant(values) => constant(ty, values),
            Kind::WorkItem(function, dimension) => {
                let function = match function {
                    WorkItem::GlobalId => "get_global_id",
                    WorkItem::LocalId => "get_local_id",
                    WorkItem::GroupId => "get_group_id",
                    WorkItem::GlobalSize => "get_global_size",
                    WorkItem::LocalSize => "get_local_size",
                    WorkItem::NumGroups => "get_num_groups",
                    WorkItem::GlobalOffset => "get_global_offset",
                };
                format!("{function}({})", self.expression(dimension))
            }
            Kind::Load(place) => self.place(place),
            Kind::VectorLoad { offset, from } => format!(
                "vload{}({}, {})",
                ty.width,
                self.expression(offset),
                self.pointer(from)
            ),
            Kind::Negate(value) => {
                let operand = self.expression(value);
                arithmetic(ty, false, &["", &operand], "-")
            }
            Kind::Complement(value) => narrowed(ty, format!("(~{})", self.expression(value))),
            Kind::Not(value) => format!("(!{})", self.expression(value)),
            Kind::Binary {
                operator,
                plain,
                operands,
            } => self.binary(ty, *operator, *plain, operands),
            Kind::Compare(comparison, operands) => {
                let [left, right] = self.operands(operands);
                format!("({left} {} {right})", comparison.sign())
            }
            Kind::Logical(and, operands) => {
                let [left, right] = operands.as_ref();
                let sign = if *and { "&&" } else { "||" };
                format!(
                    "({} {sign} {})",
                    self.expression(left),
                    self.expression(right)
                )
            }
            Kind::Ternary(parts) => {
                let [condition, a, b] = parts.as_ref();
                narrowed(
                    ty,
                    format!(
                        "({} ? {} : {})",
                        self.expression(condition),
                        self.expression(a),
                        self.expression(b)
                    ),
                )
            }
            Kind::Convert { value, .. } if ty.scalar.is_real() => {
                let value = self.expression(value);
                near(ty, format!("convert_{}({value})", ty.name()))
            }
            Kind::Convert { value, .. } if value.ty.scalar.is_real() => {
                format!("convert_{}_sat({})", ty.name(), self.expression(value))
            }
            Kind::Convert { saturate, value } => match (ty.width, saturate) {
                (1, false) => format!("(({}){})", ty.name(), self.expression(value)),
                (_, false) => format!("convert_{}({})", ty.name(), self.expression(value)),
                (_, true) => format!("convert_{}_sat({})", ty.name(), self.expression(value)),
            },
            Kind::Reinterpret(value) => format!("as_{}({})", ty.name(), self.expression(value)),
            Kind::Splat(value) => format!("(({})({}))", ty.name(), self.expression(value)),
            Kind::Swizzle(value, parts) => format!(
                "({}).{}",
                self.expression(value),
                components(parts, value.ty.width)
            ),
            Kind::Assemble(values) => format!("(({})({}))", ty.name(), self.list(values)),
            Kind::Call(Builtin::Fma, values) => near(ty, format!("fma({})", self.list(values))),
            Kind::Call(
                builtin @ (Builtin::Ceil | Builtin::Floor | Builtin::Rint | Builtin::Trunc),
                values,
            ) => {
                let quarter = match ty.scalar {
                    Scalar::Float => "0.25f",
                    _ => "0.25",
                };
                format!("{}({} * {quarter})", builtin.name(), self.list(values))
            }
            Kind::Call(builtin, values) => format!("{}({})", builtin.name(), self.list(values)),
            Kind::Helper(helper, values) => format!("f{helper}({})", self.list(values)),
        }
    }

    fn binary(
        &self,
        ty: Type,
        operator: Operator,
        plain: bool,
        operands: &[Expression; 2],
    ) -> String {
        let sign = operator.sign();
        if ty.scalar.is_real() {
            let [left, right] = self.operands(operands);
            return near(ty, format!("({left} {sign} {right})"));
        }
        match operator {
            Operator::Add | Operator::Subtract | Operator::Multiply => {
                let wide = ty.scalar.bits() >= 32;
                if plain || (!ty.scalar.signed() && wide) {
                    let [left, right] = self.operands(operands);
                    narrowed(ty, format!("({left} {sign} {right})"))
                } else {
                    let [left, right] = operands;
                    arithmetic(
                        ty,
                        operator == Operator::Multiply,
                        &[&self.expression(left), &self.expression(right)],
                        sign,
                    )
                }
            }
            _ => {
                let [left, right] = self.operands(operands);
                narrowed(ty, format!("({left} {sign} {right})"))
            }
        }
    }
}

/// A floating-point number, or the nearest of those that are used.
fn near(ty: Type, text: String) -> String {
    let [least, most] =
        [ty.scalar.min(), ty.scalar.max()].map(|limit| scalar_constant(ty.scalar, limit));
    format!("clamp({text}, {least}, {most})")
}

/// How names of atomics begin (section 6.12.11, and the extensions for 64 bits).
fn atomic_prefix(scalar: Scalar) -> &'static str {
    match scalar.bits() {
        64 => "atom",
        _ => "atomic",
    }
}

fn fences(local: bool, global: bool) -> String {
    let mut flags = Vec::new();
    if local {
        flags.push("CLK_LOCAL_MEM_FENCE");
    }
    if global {
        flags.push("CLK_GLOBAL_MEM_FENCE");
    }
    flags.join(" | ")
}

/// Scalars narrower than `int` are promoted (C99, section 6.3.1.1): back to their type.
fn narrowed(ty: Type, text: String) -> String {
    if ty.width == 1 && ty.scalar.bits() < 32 {
        format!("(({}){text})", ty.name())
    } else {
        text
    }
}

/// An operator computed so that nothing overflows: in unsigned types.
fn arithmetic(ty: Type, product: bool, operands: &[&str; 2], sign: &str) -> String {
    let [left, right] = operands;
    let unsigned = ty.of(ty.scalar.to_unsigned()).name();
    match (ty.width, ty.scalar.bits()) {
        // `ushort` times `ushort` is an `int` that overflows.
        (1, 8 | 16) if product => format!("(({})((uint){left} {sign} (uint){right}))", ty.name()),
        (1, 8 | 16) => format!("(({})({left} {sign} {right}))", ty.name()),
        (1, _) if left.is_empty() => format!("(({})({sign} ({unsigned}){right}))", ty.name()),
        (1, _) => format!(
            "(({})(({unsigned}){left} {sign} ({unsigned}){right}))",
            ty.name()
        ),
        _ if !ty.scalar.signed() => format!("({left} {sign} {right})"),
        _ if left.is_empty() => format!("as_{}({sign} as_{unsigned}({right}))", ty.name()),
        _ => format!(
            "as_{}(as_{unsigned}({left}) {sign} as_{unsigned}({right}))",
            ty.name()
        ),
    }
}

fn constant(ty: Type, values: &[i128]) -> String {
    let values: Vec<String> = values
        .iter()
        .map(|&value| scalar_constant(ty.scalar, value))
        .collect();
    if ty.width == 1 {
        values[0].clone()
    } else {
        format!("(({})({}))", ty.name(), values.join(", "))
    }
}

fn pointer_declaration(space: Space, element: &Shape, variable: VariableId) -> String {
    format!(
        "{}{}",
        space_name(space),
        declaration(element, &format!("*{}", name(variable)))
    )
}

fn name(variable: VariableId) -> String {
    format!("v{variable}")
}
