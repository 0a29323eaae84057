//! Checks of accesses: code that compares them with blocks, and what the numbers in its calls mean.

use super::origins::Origins;
use crate::check::access::{Access, accesses};
use crate::check::memory::within;
use crate::check::omission::run_if;
use crate::check::places::Places;
use crate::check::provenance::address;
use crate::device_c::assembly;
use crate::intrinsics::{
    CHECK_ACCESS, CHECK_BLOCK, CHECK_CALL, CHECK_STATE, END_VOLATILE, LANE_MASK, RACES_CHECKED,
    SHARED_BLOCK, TRANSFERS_PENDING, VOLATILE,
};
use crate::ir::{
    self, Builder, Context, ContextRef, DataLayout, MetadataRef, Module, ModuleRef, Opcode,
    SourceFile, Type, Value,
};
use crate::shim::{self, Refused};
use crate::target;
use host_exec::memory_checker::access_table::AccessSite;
use llvm_sys::LLVMIntPredicate::{LLVMIntEQ, LLVMIntNE};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// The symbol of the addresses of variables.
pub const VARIABLES: &str = "__ht_check_variables";

/// Pointers that C keeps in variables become values, which can be followed.
const PREPARE: &str = "function(sroa<modify-cfg>)";

/// The functions that checks call.
const OWN: [&str; 4] = [CHECK_ACCESS, CHECK_BLOCK, CHECK_CALL, CHECK_STATE];

/// What the numbers in the calls of checked code mean.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct CheckTable {
    /// Accesses, and calls of functions that are not the image's own.
    pub sites: Vec<CheckSite>,
    /// The folders that names of files in places are relative to.
    pub folders: BTreeMap<String, String>,
    /// Variables outside functions, in the order of their addresses in the image's table.
    pub variables: Vec<CheckedVariable>,
}

/// A place of the code.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct CheckSite {
    /// What is there.
    pub access: AccessSite,
    /// The variable that it is in, if it is known.
    pub variable: Option<CheckedVariable>,
    /// Whether it is volatile or atomic: threads that make such accesses expect those of others.
    pub synchronises: bool,
    /// How an undefined value is used there, if that is what is there.
    pub undefined: Option<UndefinedKind>,
}

/// How an undefined value is used.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum UndefinedKind {
    /// It decides a branch.
    Branch,
    /// It is part of an address.
    Address,
    /// It is the result of arithmetic, and is stored in memory that others see.
    Stored,
    /// It is an operand of an operation whose result it decides.
    Operand,
}

/// A variable.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct CheckedVariable {
    /// Its name; empty if unknown.
    pub name: String,
    /// Its size.
    pub bytes: u64,
}

/// Inserts the checks of accesses.
pub fn insert(context: &Context, module: &Module<'_>) -> Result<Pass, Refused> {
    for function in compiled_functions(module) {
        function.remove_attribute("optnone");
    }
    shim::run_passes(module, PREPARE, &target::any_machine(true))?;
    let mut pass = Pass {
        b: Builder::new(context.handle()),
        layout: DataLayout::of_module(module.handle()),
        module: module.handle(),
        places: Places::default(),
        table: CheckTable::default(),
        scope: StateScope::new(context.handle()),
    };
    let variables: Vec<Value> = ir::globals(module.handle())
        .into_iter()
        .filter(|variable| variable.initializer().is_some())
        .collect();
    for function in compiled_functions(module) {
        for variable in &variables {
            variable.expand_constant_users(function);
        }
        pass.function(function);
    }
    for variable in &variables {
        let described = pass.variable(*variable, pass.layout.size(variable.value_type()));
        pass.table.variables.push(described);
    }
    ir::add_constant_pointers(module.handle(), VARIABLES, &variables);
    Ok(pass)
}

/// The functions of the image that are compiled from C.
pub fn compiled_functions(module: &Module<'_>) -> Vec<Value> {
    let mut functions = ir::functions(module.handle());
    functions.retain(|one| !one.is_declaration() && !assembly::is_assembled(*one));
    functions
}

/// Promises LLVM that the program's stores do not change the thread's state, so that what is known of it holds
/// until a call.
struct StateScope {
    list: MetadataRef,
    included: u32,
    excluded: u32,
}

impl StateScope {
    fn new(context: ContextRef) -> Self {
        let name = ir::metadata_text(context, "mocl3.check");
        let domain = ir::metadata_node(context, &[Some(name)]);
        let scope = ir::metadata_node(context, &[Some(name), Some(domain)]);
        Self {
            list: ir::metadata_node(context, &[Some(scope)]),
            included: ir::metadata_kind(context, "alias.scope"),
            excluded: ir::metadata_kind(context, "noalias"),
        }
    }

    fn include(&self, load: Value) {
        load.set_metadata(self.included, self.list);
    }

    /// One that is in scopes already may be thought to change the state.
    fn exclude(&self, access: Value) {
        if access.metadata_operands(self.excluded).is_none() {
            access.set_metadata(self.excluded, self.list);
        }
    }
}

/// The accesses of a function.
struct Accesses {
    function: Value,
    /// The state of the thread, once it is needed.
    state: Option<Value>,
    origins: Origins,
}

/// The checks of a module.
pub struct Pass {
    /// Where they are inserted.
    pub b: Builder,
    /// Sizes of types.
    pub layout: DataLayout,
    /// The module.
    pub module: ModuleRef,
    /// Places of instructions.
    pub places: Places,
    /// What numbers mean.
    pub table: CheckTable,
    scope: StateScope,
}

impl Pass {
    fn function(&mut self, function: Value) {
        let instructions = function.instructions();
        let mut checks = Accesses {
            state: None,
            function,
            origins: Origins::new(self.layout),
        };
        for instruction in &instructions {
            // The check follows the beginning of the time in which no other thread runs.
            if is_atomic(*instruction) {
                self.execute_alone(*instruction);
            }
            for access in accesses(&self.b, self.layout, *instruction) {
                self.check(&mut checks, &access);
            }
            if is_outside(*instruction) {
                self.note(*instruction);
            }
        }
        for instruction in instructions {
            // Code may rely on the promise that an address is in bounds.
            if instruction.is(Opcode::LLVMGetElementPtr) {
                instruction.drop_promises();
            }
        }
    }

    /// Compares an access with the block that its pointer begins in, and asks the platform if it is not within
    /// that, or if the thread requests it for each access of what others may access.
    fn check(&mut self, checks: &mut Accesses, access: &Access) {
        let origin = checks.origins.of(&self.b, access.pointer);
        // The platform's own memory.
        if origin.is_instruction() && origin.calls(LANE_MASK) {
            return;
        }
        let known = checks.origins.variable_bytes(origin);
        let variable = known.map(|bytes| self.variable(origin, bytes));
        // A host's alignment of arrays may be more than that of the element, all that the machine needs.
        let size = access.bytes.as_integer().unwrap_or(1).max(1);
        let alignment = access.alignment.min(size);
        let site = AccessSite {
            writes: access.writes,
            alignment,
            ..self.site(access.instruction)
        };
        let site = self.add(CheckSite {
            access: site,
            variable,
            synchronises: synchronises(access.instruction),
            ..CheckSite::default()
        });
        let may_be_shared = known.is_none() || checks.origins.escapes(origin);
        let state = self.state(checks);
        self.scope.exclude(access.instruction);
        let b = &self.b;
        b.of_the_line_of(access.instruction);
        b.before(access.instruction);
        let number = |number| b.i64().constant(number);
        let (start, bytes, reasons) = match known {
            Some(bytes) => {
                let races = u64::from(origin.is_global_variable()) * RACES_CHECKED;
                let reasons = number(TRANSFERS_PENDING | races);
                (address(b, origin), number(bytes), reasons)
            }
            None => {
                let epoch = self.word(state, 0);
                let pair = Type::structure(b.context, &[b.i64(), b.i64()]);
                let find = self.query(CHECK_BLOCK, pair, &[origin.ty(), b.i64()]);
                let block = b.call(find, &[origin, epoch]);
                let bytes = b.extract_value(block, 1);
                // The highest bit is moved to that of races.
                let shift = SHARED_BLOCK.ilog2() - RACES_CHECKED.ilog2();
                let races = b.binary(Opcode::LLVMLShr, bytes, number(shift.into()));
                let reasons = b.binary(Opcode::LLVMOr, races, number(TRANSFERS_PENDING));
                let bytes = b.and(bytes, number(!SHARED_BLOCK));
                (b.extract_value(block, 0), bytes, reasons)
            }
        };
        let at = address(b, access.pointer);
        let place = b.binary(Opcode::LLVMSub, at, start);
        let mut is_within = within(b, place, access.bytes, bytes);
        if alignment > 1 {
            let low = b.and(at, number(alignment - 1));
            is_within = b.and(is_within, b.compare(LLVMIntEQ, low, number(0)));
        }
        let is_right = match may_be_shared {
            true => {
                let asks = b.and(self.word(state, 1), reasons);
                b.and(is_within, b.compare(LLVMIntEQ, asks, number(0)))
            }
            false => is_within,
        };
        let arguments = [
            number(site),
            access.pointer,
            access.bytes,
            origin,
            number(known.unwrap_or(0)),
            b.zero_extend(is_within, b.i64()),
        ];
        let pointer = Type::pointer(b.context, 0);
        let parameters = [b.i64(), pointer, b.i64(), pointer, b.i64(), b.i64()];
        let ask = self.platform_function(CHECK_ACCESS, b.i64(), &parameters);
        run_if(b, access, is_right, || {
            let answer = b.call(ask, &arguments);
            Some(b.compare(LLVMIntNE, answer, number(0)))
        });
    }

    /// Lets no other thread run during an instruction.
    fn execute_alone(&self, instruction: Value) {
        let b = &self.b;
        let ty = Type::function(Type::void(b.context), &[]);
        let function = |name| {
            ir::function(self.module, name)
                .unwrap_or_else(|| ir::add_function(self.module, name, ty))
        };
        b.of_the_line_of(instruction);
        b.before(instruction);
        b.call(function(VOLATILE), &[]);
        if let Some(next) = instruction.next_instruction() {
            b.before(next);
            b.call(function(END_VOLATILE), &[]);
        }
    }

    /// The state of the thread, found once for each function.
    fn state(&self, checks: &mut Accesses) -> Value {
        *checks.state.get_or_insert_with(|| {
            let b = &self.b;
            b.of_no_line();
            b.before(checks.function.entry_block().first_after_phis());
            let find = self.query(CHECK_STATE, Type::pointer(b.context, 0), &[]);
            b.call(find, &[])
        })
    }

    /// A word of the state, which no store of the program changes.
    fn word(&self, state: Value, number: u64) -> Value {
        let b = &self.b;
        let place = b.element(b.i64(), state, b.i64().constant(number));
        let word = b.load(b.i64(), place, 8);
        self.scope.include(word);
        word
    }

    fn query(&self, name: &str, result: Type, parameters: &[Type]) -> Value {
        let ty = Type::function(result, parameters);
        ir::function(self.module, name).unwrap_or_else(|| ir::add_query(self.module, name, ty))
    }

    /// Notes the place of a call.
    fn note(&mut self, call: Value) {
        let access = self.site(call);
        let site = self.add(CheckSite {
            access,
            ..CheckSite::default()
        });
        let b = &self.b;
        b.of_the_line_of(call);
        b.before(call);
        let note = self.platform_function(CHECK_CALL, Type::void(b.context), &[b.i64()]);
        b.call(note, &[b.i64().constant(site)]);
    }

    /// A function of the platform.
    pub fn platform_function(&self, name: &str, result: Type, parameters: &[Type]) -> Value {
        ir::function(self.module, name).unwrap_or_else(|| {
            let made = ir::add_function(self.module, name, Type::function(result, parameters));
            for attribute in ["nounwind", "willreturn", "nofree"] {
                made.add_attribute(attribute);
            }
            made.touches_no_accessible_memory();
            made
        })
    }

    /// Where an instruction is.
    pub fn site(&mut self, instruction: Value) -> AccessSite {
        if let Some((file, _)) = SourceFile::at(instruction) {
            let folders = &mut self.table.folders;
            folders.entry(file.name()).or_insert_with(|| file.folder());
        }
        AccessSite {
            function: instruction.source_function().unwrap_or_default(),
            place: self.places.place(instruction),
            ..AccessSite::default()
        }
    }

    /// The number of a site.
    pub fn add(&mut self, site: CheckSite) -> u64 {
        self.table.sites.push(site);
        self.table.sites.len() as u64 - 1
    }

    /// A variable with its name.
    pub fn variable(&self, variable: Value, bytes: u64) -> CheckedVariable {
        // Variables of functions are called `function.variable`, and LLVM adds numbers and `addr`.
        let name = variable.name();
        let mut parts = name.split('.').filter(|part| part.parse::<u32>().is_err());
        let name = match variable.is_global_variable() {
            true => parts.next_back(),
            false => parts.next(),
        };
        CheckedVariable {
            name: name.unwrap_or_default().to_owned(),
            bytes,
        }
    }
}

fn is_atomic(instruction: Value) -> bool {
    matches!(
        instruction.opcode(),
        Opcode::LLVMLoad | Opcode::LLVMStore | Opcode::LLVMAtomicRMW | Opcode::LLVMAtomicCmpXchg
    ) && instruction.is_atomic()
}

/// Whether an access is volatile or atomic.
fn synchronises(instruction: Value) -> bool {
    let is_plain = matches!(instruction.opcode(), Opcode::LLVMLoad | Opcode::LLVMStore);
    is_atomic(instruction) || (is_plain && instruction.is_volatile())
}

/// Whether it calls a function that is not the image's own.
fn is_outside(instruction: Value) -> bool {
    let called = instruction
        .is(Opcode::LLVMCall)
        .then(|| instruction.called_function());
    let called = called.flatten().filter(|called| called.is_declaration());
    called.is_some_and(|called| {
        let name = called.name();
        !name.starts_with("llvm.") && !OWN.contains(&name.as_str())
    })
}
