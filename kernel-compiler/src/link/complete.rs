//! Completes a linked program: adds the builtin library and inlines what work-group formation has
//! to see.

use crate::check::{constant_loads, first_values, images};
use crate::failure::BuildFailure;
use crate::fault;
use crate::intrinsics::{CHECKED, DO_NOT_OPTIMISE, PREFIX, address_space, ends_region};
use crate::ir::{self, Context, Module, ModuleRef, Opcode, Value};
use crate::jit::runtime_symbols::is_host_function;
use crate::kernel::interface;
use crate::kernel::interface::KernelInterface;
use crate::link::builtin_library;
use crate::passes::image_specialisation;
use crate::passes::{safe_division, sine_and_cosine};
use crate::shim::{self, Refused};
use crate::size_limits::{self, InlinedLengths};
use crate::work_group::barrier_split;
use crate::work_group::region::Regions;
use crate::{printf, target};
use compiler_resources::PREPARE;
use llvm_sys::LLVMLinkage;
use std::collections::{HashMap, HashSet};

/// Makes the arguments of two calls the same value if they are equal.
const FIND_ARGUMENTS: &str = "function(sroa<modify-cfg>,early-cse)";
/// The part of `PREPARE` that programs to be checked lack until checks have been inserted: it
/// concludes from an access out of bounds that it is not reached.
pub const SIMPLIFY: &str = "function(sroa<modify-cfg>,early-cse<memssa>,simplifycfg,\
    instcombine<no-verify-fixpoint>,simplifycfg)";
/// Finds the objects that pointers lead into, and which queries of ids code makes.
const PREPARE_CHECKED: &str = "always-inline,globaldce,function(lower-expect,mem2reg,sccp)";
const PREPARE_UNOPTIMISED: &str = "always-inline,globaldce,function(simplifycfg)";
/// Keeps the blocks, and with them the lines.
const PREPARE_DEBUGGED: &str = "always-inline,globaldce";

/// Adds the builtin library, checks that nothing is missing and inlines what must
/// be inlined.
///
/// # Errors
/// Functions or variables that are used but not defined; recursion.
pub fn complete(program: &Module<'_>) -> Result<(), BuildFailure> {
    let of_the_source: HashSet<String> = ir::functions(program.handle())
        .into_iter()
        .filter(|function| !function.is_declaration())
        .map(Value::name)
        .collect();
    fault::replace_builtins(program.handle());
    let optimise = !program.is_marked(DO_NOT_OPTIMISE);
    let is_checked = program.is_marked(CHECKED);
    if optimise && !is_checked && sine_and_cosine::may_apply(program.handle()) {
        run_passes(program, FIND_ARGUMENTS, true)?;
        sine_and_cosine::merge(program.handle());
    }
    lower_calls(program.handle(), is_checked);
    if !builtin_library::add_needed(program) {
        return Err(BuildFailure::new(
            "error: the builtin library does not fit this program (an error in the compiler)",
        ));
    }
    let module = program.handle();
    check_defined(program)?;
    let functions: Vec<Value> = ir::functions(module)
        .into_iter()
        .filter(|function| !function.is_declaration())
        .collect();
    let is_debugged = functions.iter().any(|function| function.is_debugged());
    for &function in &functions {
        function.remove_text_attributes();
        for attribute in ["optnone", "noinline"] {
            function.remove_attribute(attribute);
        }
        if !interface::is_kernel(function) {
            function.set_linkage(LLVMLinkage::LLVMInternalLinkage);
        }
    }
    // A kernel is compiled with the internal symbols that it uses, and no others.
    for variable in ir::globals(module) {
        if !variable.is_declaration() && variable.is_external() {
            variable.set_linkage(LLVMLinkage::LLVMInternalLinkage);
        }
    }
    let order = callees_first(&functions)?;
    let mut inlined = closure(&order, |_| false);
    if is_checked {
        let checked = closure(&order, |function| {
            has_checked_accesses(function, &of_the_source)
        });
        match check_lengths(&order, &checked) {
            Ok(()) => inlined = checked,
            Err(_) => {
                log::warn!("the program is too large: only its kernels' accesses are checked")
            }
        }
    }
    for &function in &order {
        if inlined.contains(&function) {
            // A kernel may be called as a function, so it stays as well.
            function.add_attribute("alwaysinline");
        }
    }
    check_lengths(&order, &inlined)?;
    image_specialisation::lower(module);
    safe_division::guard(module);
    if is_checked {
        for &function in &functions {
            first_values::mark_variables(function);
        }
        constant_loads::keep(module);
    }
    let passes = if is_checked {
        PREPARE_CHECKED
    } else if optimise {
        PREPARE
    } else if is_debugged {
        PREPARE_DEBUGGED
    } else {
        PREPARE_UNOPTIMISED
    };
    run_passes(program, passes, optimise)
}

/// Marks calls of builtins that checks have to find, and replaces those of `printf`.
fn lower_calls(program: ModuleRef, is_checked: bool) {
    if is_checked {
        images::mark(program);
    }
    printf::lower(program, is_checked);
}

fn run_passes(program: &Module<'_>, passes: &str, optimise: bool) -> Result<(), BuildFailure> {
    shim::run_passes(program, passes, &target::machine(optimise)).map_err(|Refused(text)| {
        BuildFailure::new(format!("error: LLVM failed on this program: {text}"))
    })
}

/// The functions that have to be inlined: those of the group, others that are `wanted`, and their
/// callers. Callees come before callers.
fn closure(order: &[Value], wanted: impl Fn(Value) -> bool) -> HashSet<Value> {
    let mut found = HashSet::new();
    for &function in order {
        if is_of_the_group(function, &found) || wanted(function) {
            found.insert(function);
        }
    }
    found
}

/// Refuses kernels that inlining would make too long: a tree of calls grows exponentially.
/// Callees come before callers.
fn check_lengths(order: &[Value], of_the_group: &HashSet<Value>) -> Result<(), BuildFailure> {
    let is_inlined = |function: Value| of_the_group.contains(&function);
    let mut lengths = InlinedLengths::new(&is_inlined);
    for &function in order {
        let length = lengths.length(function);
        if size_limits::is_too_long(length) {
            return Err(BuildFailure::new(format!(
                "error: function `{}` is too long: it has {length} instructions with the calls \
                 inlined that query work-item ids, use local memory or have barriers",
                source_name(&function.name())
            )));
        }
    }
    Ok(())
}

/// Refuses kernels whose regions would hold too many copies of what follows barriers. `bitcode` is
/// the program's.
///
/// # Errors
/// The build log that names the first of them.
pub fn check_regions(
    program: &Module<'_>,
    bitcode: &[u8],
    kernels: &[KernelInterface],
) -> Result<(), BuildFailure> {
    for KernelInterface { name, .. } in kernels {
        let kernel = ir::function(program.handle(), name).expect("the program holds it");
        let instructions = kernel.instructions();
        let cuts = instructions.iter().filter(|i| ends_region(**i)).count();
        if !size_limits::may_be_too_long(instructions.len(), cuts) {
            continue;
        }
        // Cutting changes the kernel.
        let context = Context::create();
        let copy = shim::extract_function(&context, bitcode, name).expect("LLVM wrote it");
        let kernel = ir::function(copy.handle(), name).expect("it was extracted");
        Regions::find(kernel, &barrier_split::split(kernel))
            .map_err(|too_many| BuildFailure::new(format!("error: kernel `{name}`: {too_many}")))?;
    }
    Ok(())
}

fn check_defined(program: &Module<'_>) -> Result<(), BuildFailure> {
    let module = program.handle();
    let mut missing: Vec<String> = Vec::new();
    for symbol in ir::functions(module).into_iter().chain(ir::globals(module)) {
        let name = symbol.name();
        if !symbol.is_declaration()
            || symbol.users().is_empty()
            || name.starts_with("llvm.")
            || name.starts_with(PREFIX)
            || is_host_function(&name)
        {
            continue;
        }
        missing.push(format!(
            "error: undefined {} `{}`\n",
            if symbol.is_function() {
                "function"
            } else {
                "variable"
            },
            source_name(&name)
        ));
    }
    if missing.is_empty() {
        return Ok(());
    }
    missing.sort();
    Err(BuildFailure::new(missing.concat()))
}

/// The name of an overloaded function without its mangled parameter types.
fn source_name(symbol: &str) -> &str {
    let Some(rest) = symbol.strip_prefix("_Z") else {
        return symbol;
    };
    let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
    rest[..digits]
        .parse::<usize>()
        .ok()
        .and_then(|length| rest.get(digits..digits + length))
        .unwrap_or(symbol)
}

fn callees(function: Value) -> Vec<Value> {
    function
        .instructions()
        .into_iter()
        .filter_map(Value::called_function)
        .filter(|callee| !callee.is_declaration())
        .collect()
}

/// Functions with callees before callers.
fn callees_first(functions: &[Value]) -> Result<Vec<Value>, BuildFailure> {
    #[derive(PartialEq)]
    enum Mark {
        Open,
        Done,
    }
    let mut marks: HashMap<Value, Mark> = HashMap::new();
    let mut order = Vec::new();
    for &root in functions {
        if marks.contains_key(&root) {
            continue;
        }
        marks.insert(root, Mark::Open);
        let mut stack = vec![(root, callees(root))];
        while let Some((function, pending)) = stack.last_mut() {
            match pending.pop() {
                Some(callee) => match marks.get(&callee) {
                    None => {
                        marks.insert(callee, Mark::Open);
                        stack.push((callee, callees(callee)));
                    }
                    Some(Mark::Open) => {
                        return Err(BuildFailure::new(format!(
                            "error: recursion is not supported (OpenCL 1.2, section 6.9): \
                             function `{}` calls itself",
                            source_name(&callee.name())
                        )));
                    }
                    Some(Mark::Done) => {}
                },
                None => {
                    marks.insert(*function, Mark::Done);
                    order.push(*function);
                    stack.pop();
                }
            }
        }
    }
    Ok(order)
}

/// Whether a function must become part of each kernel that calls it: it asks which
/// work-item it is, meets the group at a barrier, or uses local variables.
fn is_of_the_group(function: Value, known: &HashSet<Value>) -> bool {
    function.instructions().into_iter().any(|instruction| {
        if let Some(callee) = instruction.called_function() {
            return known.contains(&callee) || callee.name().starts_with(PREFIX);
        }
        matches!(
            instruction.opcode(),
            Opcode::LLVMAtomicRMW | Opcode::LLVMAtomicCmpXchg
        ) || instruction.operands().into_iter().any(uses_local_variable)
    })
}

/// Whether the accesses of a function are to be checked, which only a kernel's are: those of the
/// source, and of builtins to which it passes pointers.
fn has_checked_accesses(function: Value, of_the_source: &HashSet<String>) -> bool {
    of_the_source.contains(&function.name())
        || function.parameters().iter().any(|p| p.ty().is_pointer())
}

fn uses_local_variable(operand: Value) -> bool {
    operand.is_constant()
        && ((operand.is_global_variable() && operand.ty().address_space() == address_space::LOCAL)
            || (operand.is_constant_expression()
                && operand.operands().into_iter().any(uses_local_variable)))
}

#[cfg(test)]
mod tests {
    use crate::front_end::options::{BuildCall, BuildOptions};
    use crate::program::executable::Executable;
    use crate::{Unit, compile};

    fn unit(source: &str) -> Unit {
        let options = BuildOptions::parse("", BuildCall::Compile).unwrap();
        compile(source, &options, &[]).unwrap()
    }

    fn failure(sources: &[&str]) -> String {
        let units: Vec<Unit> = sources.iter().map(|source| unit(source)).collect();
        let units: Vec<&Unit> = units.iter().collect();
        Executable::link(&units).err().expect("must not link").log
    }

    #[test]
    fn undefined_functions_are_named_as_in_the_source() {
        let log = failure(&[
            "int plain(int); __attribute__((overloadable)) float blend(float, float);
             kernel void k(global float *x) { *x = blend(*x, plain(3)); }",
        ]);
        assert!(log.contains("undefined function `plain`"), "{log}");
        assert!(log.contains("undefined function `blend`"), "{log}");
    }

    #[test]
    fn a_function_declared_but_not_used_may_be_missing() {
        let unit = unit("int absent(int); kernel void k(global int *x) { *x = 1; }");
        assert_eq!(Executable::link(&[&unit]).unwrap().kernels()[0].name, "k");
    }

    #[test]
    fn functions_are_found_in_other_units() {
        let a = unit("int twice(int x) { return 2 * x; }");
        let b = unit("int twice(int); kernel void k(global int *x) { *x = twice(*x); }");
        assert_eq!(Executable::link(&[&b, &a]).unwrap().kernels().len(), 1);
    }

    #[test]
    fn a_function_defined_twice_is_named() {
        let log = failure(&["int f(void) { return 1; }", "int f(void) { return 2; }"]);
        assert!(log.contains("`f` is defined in more than one"), "{log}");
    }

    #[test]
    fn recursion_is_refused_direct_and_through_others() {
        let direct = "int f(int x) { return x ? f(x - 1) : 0; }";
        assert!(failure(&[direct]).contains("function `f` calls itself"));
        let indirect = "int g(int); int f(int x) { return g(x); }
             int h(int x) { return f(x); } int g(int x) { return x ? h(x - 1) : 0; }";
        assert!(failure(&[indirect]).contains("calls itself"));
    }
}
