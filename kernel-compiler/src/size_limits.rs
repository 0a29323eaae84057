//! How large kernels may be: above these sizes the compiler does less, so that the time it takes
//! grows with the length of the source and not with its square.

use crate::intrinsics::BARRIER;
use crate::ir::{self, ModuleRef, Opcode, Value};
use std::collections::{HashMap, HashSet};
use std::fmt::{self, Display, Formatter};

/// Blocks of a function above which it is not optimised: LLVM's analyses of loops, branches and
/// memory take time by the square of their number.
const MOST_BLOCKS: usize = 6000;

/// Successors of one switch, likewise: LLVM looks all of them up for each.
const MOST_CASES: usize = 2000;

/// Barriers of a kernel, likewise: each becomes a loop over the work-items.
const MOST_BARRIERS: usize = 250;

/// Instructions of a kernel above which it is refused once what belongs to the group has been
/// inlined. A kernel of 50,000 lines has a fifth of that.
pub const LONGEST_KERNEL: u64 = 2_000_000;

/// Instructions of all regions of a kernel of `instructions` above which regions end where they
/// meet: each holds a copy of what can be reached from its barrier without passing another.
pub fn most_instructions_in_regions(instructions: usize) -> u64 {
    4 * instructions as u64 + 2_000
}

/// Why a kernel is not optimised.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Excess {
    /// It has that many basic blocks.
    Blocks(usize),
    /// It has a switch with that many cases.
    Cases(usize),
    /// It has that many barriers.
    Barriers(usize),
}

impl Display for Excess {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let (number, what, most) = match *self {
            Self::Blocks(number) => (number, "basic blocks", MOST_BLOCKS),
            Self::Cases(number) => (number, "cases of a switch", MOST_CASES),
            Self::Barriers(number) => (number, "barriers", MOST_BARRIERS),
        };
        write!(
            f,
            "the kernel is not optimised: it has {number} {what}, and more than {most} take too long"
        )
    }
}

/// What a kernel, or a function that it calls, has too many of to be optimised, if anything. The
/// module has nothing else.
pub fn excess(module: ModuleRef) -> Option<Excess> {
    for function in ir::functions(module) {
        let blocks = function.blocks();
        let cases = blocks.iter().map(|block| block.successors().len()).max();
        let cases = cases.unwrap_or_default();
        if cases > MOST_CASES {
            return Some(Excess::Cases(cases));
        }
        if blocks.len() > MOST_BLOCKS {
            return Some(Excess::Blocks(blocks.len()));
        }
    }
    let barriers = ir::function(module, BARRIER).map_or(0, |barrier| barrier.users().len());
    (barriers > MOST_BARRIERS).then_some(Excess::Barriers(barriers))
}

/// Lengths of functions once what is to be inlined has been, in instructions.
pub struct InlinedLengths<'a> {
    is_inlined: &'a dyn Fn(Value) -> bool,
    known: HashMap<Value, u64>,
}

impl<'a> InlinedLengths<'a> {
    /// Those functions are inlined.
    pub fn new(is_inlined: &'a dyn Fn(Value) -> bool) -> Self {
        Self {
            is_inlined,
            known: HashMap::new(),
        }
    }

    /// The length of a function; those of its callees must have been computed before.
    pub fn length(&mut self, function: Value) -> u64 {
        let mut length = 0u64;
        for instruction in function.instructions() {
            let callee = instruction.called_function();
            let inlined = callee.filter(|callee| (self.is_inlined)(*callee));
            let own = inlined.and_then(|callee| self.known.get(&callee).copied());
            length = length.saturating_add(own.unwrap_or(1));
        }
        self.known.insert(function, length);
        length
    }
}

/// Whether a kernel of that many instructions is refused.
pub fn is_too_long(instructions: u64) -> bool {
    instructions > LONGEST_KERNEL
}

/// Whether the regions of a kernel of `instructions` might be refused. One begins at the entry, and
/// at most two at each cut.
pub fn may_be_too_long(instructions: usize, cuts: usize) -> bool {
    is_too_long(instructions as u64 * (2 * cuts as u64 + 1))
}

/// The functions of a module that have a body, each after those that it calls.
pub fn callees_first(module: ModuleRef) -> Vec<Value> {
    let callees = |function: Value| -> Vec<Value> {
        let instructions = function.instructions().into_iter();
        let calls = instructions.filter(|i| i.is(Opcode::LLVMCall));
        let callees = calls.filter_map(Value::called_function);
        callees.filter(|callee| !callee.is_declaration()).collect()
    };
    let mut order = Vec::new();
    let mut seen = HashSet::new();
    for function in ir::functions(module) {
        if function.is_declaration() || !seen.insert(function) {
            continue;
        }
        let mut open = vec![(function, callees(function))];
        while let Some((function, pending)) = open.last_mut() {
            match pending.pop() {
                Some(callee) if seen.insert(callee) => open.push((callee, callees(callee))),
                Some(_) => {}
                None => {
                    order.push(*function);
                    open.pop();
                }
            }
        }
    }
    order
}

#[cfg(test)]
mod tests {
    use crate::compile;
    use crate::front_end::options::{BuildCall, BuildOptions};
    use crate::inspect::remarks::RemarkCollector;
    use crate::program::executable::{Executable, KernelObject, Specialisation};

    /// Links a program; the message if that fails.
    fn linked(source: &str) -> Result<std::sync::Arc<Executable>, String> {
        let options = BuildOptions::parse("", BuildCall::Compile).unwrap();
        let unit = compile(source, &options, &[]).unwrap();
        Executable::link(&[&unit]).map_err(|failure| failure.log)
    }

    fn code(source: &str) -> (KernelObject, String) {
        let mut remarks = RemarkCollector::default();
        let size = Specialisation {
            local_size: Some([64, 1, 1]),
            small_launch: true,
            ..Specialisation::default()
        };
        let program = linked(source).unwrap();
        let version = program.normalise(0, size);
        let object = program.compile_for_inspection(0, version, &mut remarks);
        (object.unwrap(), remarks.0)
    }

    /// A kernel that calls a function that calls another one three times, and so on.
    fn tree(depth: usize, leaf: &str) -> String {
        let mut source = format!("size_t f0(size_t x) {{ return {leaf}; }}\n");
        for n in 1..=depth {
            let f = format!("f{}", n - 1);
            source.push_str(&format!(
                "size_t f{n}(size_t x) {{ return {f}(x) + {f}(x ^ 1) * {f}(x ^ 2); }}\n"
            ));
        }
        source + &format!("kernel void k(global size_t *x) {{ *x = f{depth}(*x); }}")
    }

    #[test]
    fn a_tree_of_calls_stays_calls() {
        let (object, _) = code(&tree(24, "x * 3 + 1"));
        assert!(
            object.object.len() < 1 << 20,
            "{} bytes",
            object.object.len()
        );
    }

    #[test]
    fn a_tree_of_calls_that_have_to_be_inlined_is_refused() {
        let log = linked(&tree(24, "x + get_global_id(0)")).err().unwrap();
        assert!(log.contains("error: function `f"), "{log}");
        assert!(log.contains("is too long"), "{log}");
        assert!(linked(&tree(4, "x + get_global_id(0)")).is_ok());
    }

    #[test]
    fn what_takes_too_long_to_optimise_is_remarked_on() {
        let barrier = "kept[l] = *x; barrier(CLK_LOCAL_MEM_FENCE); *x += kept[l ^ 1];\n";
        let kernel = |count| {
            let body = barrier.repeat(count);
            format!(
                "kernel void k(global int *x, local int *kept) {{
                     size_t l = get_local_id(0); x += l; {body} }}"
            )
        };
        let too_many = "not optimised: it has 300 barriers, and more than 250 take too long";
        assert!(code(&kernel(300)).1.contains(too_many));
        assert!(!code(&kernel(3)).1.contains("take too long"));
    }

    #[test]
    fn copies_of_what_follows_barriers_are_bounded() {
        let kernel = |step: &dyn Fn(usize) -> String| {
            let body: String = (0..1000).map(step).collect();
            format!("kernel void k(global int *x) {{ {body} a1000: b1000: ++*x; }}")
        };
        let meeting = "if (*x) { barrier(CLK_GLOBAL_MEM_FENCE); ++*x; }\n";
        assert!(linked(&kernel(&|_| meeting.to_owned())).is_ok());
        let returning = "if (*x) { barrier(CLK_GLOBAL_MEM_FENCE); if (!++*x) return; }\n";
        assert!(linked(&kernel(&|_| returning.to_owned())).is_ok());
        // Two paths that do not meet before the end: a barrier is followed by the rest of the other one.
        let crossing = |n: usize| {
            let next = n + 1;
            format!(
                "a{n}: if (*x > {n}) {{ barrier(CLK_GLOBAL_MEM_FENCE); goto b{next}; }} goto a{next};\n\
                 b{n}: if (*x < {n}) {{ barrier(CLK_GLOBAL_MEM_FENCE); goto a{next}; }} goto b{next};\n"
            )
        };
        let log = linked(&kernel(&crossing)).err().unwrap();
        assert!(log.contains("error: kernel `k`: it is too long"), "{log}");
    }
}
