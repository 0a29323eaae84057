//! Timed code of images: the cost of each block on the simulated machine, and counters of the blocks'
//! executions. A thread has the counters of all functions in one array, which it hands out by
//! `COUNTERS`; behind them is the number of the place (`KernelCost::dma_sites`) of its last DMA call.

use super::assembly::{self, PacketCounters, ProgramCost};
use crate::device_cost_model::{self, Addressing, Objects};
use crate::ir::{self, Builder, DataLayout, Module, Opcode, Type, Value};
use crate::jit::runtime_symbols::c_library;
use crate::kernel::specialisation::Timed;
use crate::passes::instrumentation::{Plan, runs_as_often_as};
use crate::shim::{self, Refused};
use crate::target;
use device_assembly::Program;
use device_sim::timing::cost::{KernelCost, SourceLine};
use serde::{Deserialize, Serialize};
use std::collections::{HashMap, HashSet};

/// Gives a thread its counters.
pub const COUNTERS: &str = "__ht_counters";

/// What a compiler for the machine does before it schedules operations. There is no vectoriser: lanes
/// are those of `lvector` types. Loops of unknown length are not unrolled: their iterations overlap.
/// Those that count through an array of vectors of a function are, so that it is kept in registers.
const SIMPLIFY: &str = "always-inline,ipsccp,cgscc(devirt<4>(inline,\
    function(sroa<modify-cfg>,early-cse<memssa>,simplifycfg,instcombine<no-verify-fixpoint>,\
    tailcallelim,reassociate,loop-simplify,\
    loop-mssa(loop-instsimplify,loop-simplifycfg,licm,loop-rotate,licm,simple-loop-unswitch),\
    simplifycfg,instcombine<no-verify-fixpoint>,\
    loop-simplify,loop(indvars,loop-deletion,unroll-vectors,loop-unroll-full),\
    sroa<modify-cfg>,gvn,sccp,instcombine<no-verify-fixpoint>,memcpyopt,dse,\
    loop-simplify,loop-mssa(licm),adce,simplifycfg,instcombine<no-verify-fixpoint>,\
    loop-simplify)))";

/// Most counters of a function that are kept in registers, and most additions to memory that this may
/// cause: LLVM takes long with more.
const MAX_IN_REGISTERS: usize = 160;
const MAX_ADDITIONS: usize = 1 << 12;

/// The cost of a function.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct FunctionCost {
    name: String,
    code_bytes: u32,
    stack_bytes: u32,
    lanes: u32,
    /// Functions that it calls, by number.
    callees: Vec<usize>,
    /// Whether it calls functions by pointers.
    calls_any: bool,
}

/// The cost of an image.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct ImageCost {
    /// The blocks of all functions.
    cost: KernelCost,
    functions: Vec<FunctionCost>,
    /// Counters of packets in assembly, by file.
    assembly: Vec<Vec<PacketCounters>>,
}

impl ImageCost {
    /// Counters of packets in assembly, by file.
    pub fn assembly(&self) -> &[Vec<PacketCounters>] {
        &self.assembly
    }

    /// Number of counters.
    pub fn counters(&self) -> usize {
        self.cost.counters as usize
    }

    /// The cost of a kernel: its code and stack are those of the functions that it may call.
    pub fn of_kernel(&self, kernel: &str) -> KernelCost {
        let start = self.functions.iter().position(|one| one.name == kernel);
        let mut found: HashSet<usize> = HashSet::new();
        let mut next: Vec<usize> = start.into_iter().collect();
        while let Some(number) = next.pop() {
            if found.insert(number) {
                let function = &self.functions[number];
                next.extend(&function.callees);
                if function.calls_any {
                    next.extend(0..self.functions.len());
                }
            }
        }
        let sum = |of: fn(&FunctionCost) -> u32| {
            let all = found.iter().map(|number| of(&self.functions[*number]));
            all.fold(0, u32::saturating_add)
        };
        let lanes = found.iter().map(|number| self.functions[*number].lanes);
        KernelCost {
            code_bytes: sum(|one| one.code_bytes),
            stack_bytes: sum(|one| one.stack_bytes),
            lanes: lanes.max().unwrap_or(0),
            ..self.cost.clone()
        }
    }
}

/// Optimises a program for the machine, and makes it count. Variables in GSM have these names. Code in assembly,
/// `programs`, counts itself.
pub fn insert(
    module: &Module<'_>,
    gsm: &[&str],
    programs: &[Program],
    timed: &Timed,
) -> Result<ImageCost, Refused> {
    shim::run_passes(module, SIMPLIFY, &target::any_machine(true))?;
    let functions = ir::functions(module.handle());
    let variables: Vec<Value> = ir::globals(module.handle())
        .into_iter()
        .filter(|variable| gsm.contains(&variable.name().as_str()))
        .collect();
    let layout = DataLayout::of_module(module.handle());
    let defined: Vec<Value> = functions
        .iter()
        .copied()
        .filter(|function| !function.is_declaration() && !assembly::is_assembled(*function))
        .collect();
    let mut costs: Vec<ProgramCost> = Vec::new();
    for program in programs {
        costs.push(assembly::cost_of_program(program, &timed.machine));
    }
    let assembled = costs.iter().flat_map(|cost| &cost.functions);
    let names = defined.iter().map(|function| function.name());
    let names = names.chain(assembled.map(|one| one.name.clone()));
    let numbers: HashMap<String, usize> = names.zip(0..).collect();
    let addressing = Addressing::Objects(Objects::find(&functions, &variables, layout));
    let mut image = ImageCost {
        cost: KernelCost {
            dma_sites: vec![None],
            ..KernelCost::default()
        },
        functions: Vec::new(),
        assembly: Vec::new(),
    };
    let mut plans = Vec::new();
    for function in &defined {
        let (cost, plan) =
            device_cost_model::cost_of(*function, &addressing, &timed.machine, &timed.layout);
        image
            .functions
            .push(of_function(*function, &cost, &numbers));
        plans.push(image.add(cost, plan));
    }
    for cost in costs {
        image.add_program(cost, &numbers);
    }
    let total = image.counters();
    for (function, plan) in defined.iter().zip(&plans) {
        Counters::new(*function, plan, total).insert();
    }
    Ok(image)
}

fn of_function(
    function: Value,
    cost: &KernelCost,
    numbers: &HashMap<String, usize>,
) -> FunctionCost {
    let instructions = function.instructions();
    let calls = instructions.iter().filter(|one| one.is(Opcode::LLVMCall));
    let called: Vec<Option<Value>> = calls.map(|call| call.called_function()).collect();
    let mut callees: Vec<usize> = called
        .iter()
        .flatten()
        .filter_map(|callee| numbers.get(&callee.name()).copied())
        .collect();
    callees.sort_unstable();
    callees.dedup();
    FunctionCost {
        name: function.name(),
        code_bytes: cost.code_bytes,
        stack_bytes: cost.stack_bytes,
        lanes: cost.lanes,
        callees,
        calls_any: called.iter().any(Option::is_none),
    }
}

/// Where the counters of a function are, and the sites of its DMA calls.
struct FunctionPlan {
    first: usize,
    sites: HashMap<Value, u32>,
}

impl ImageCost {
    /// Adds the code of a file in assembly.
    fn add_program(&mut self, program: ProgramCost, numbers: &HashMap<String, usize>) {
        for function in program.functions {
            let callees = function.callees.iter();
            self.functions.push(FunctionCost {
                callees: callees
                    .filter_map(|callee| numbers.get(callee).copied())
                    .collect(),
                name: function.name,
                code_bytes: function.code_bytes,
                stack_bytes: 0,
                lanes: function.lanes,
                calls_any: false,
            });
        }
        let plan = self.add(program.cost, Plan::default());
        let counters = program.counters.into_iter();
        let counters = counters.map(|one| one.after(plan.first as u32));
        self.assembly.push(counters.collect());
    }

    /// Adds the blocks of a function.
    fn add(&mut self, cost: KernelCost, plan: Plan) -> FunctionPlan {
        let all = &mut self.cost;
        let first = all.blocks.len() as u32;
        let files: Vec<u32> = cost
            .files
            .into_iter()
            .map(|file| number_of(&mut all.files, file))
            .collect();
        let line = |line: SourceLine| SourceLine {
            file: files[line.file as usize],
            ..line
        };
        all.lines.extend(cost.lines.into_iter().map(|mut share| {
            share.block += first;
            share.line = line(share.line);
            share
        }));
        all.locked.extend(cost.locked.into_iter().map(|mut locked| {
            locked.block += first;
            locked.line = locked.line.map(line);
            locked
        }));
        let sites: Vec<u32> = cost
            .dma_sites
            .into_iter()
            .map(|site| number_of(&mut all.dma_sites, site.map(line)))
            .collect();
        all.blocks.extend(cost.blocks);
        all.counters = all.blocks.len() as u32;
        FunctionPlan {
            first: first as usize,
            sites: plan
                .dma_sites
                .into_iter()
                .map(|(call, site)| (call, sites[site as usize]))
                .collect(),
        }
    }
}

/// The place of a thing in a list, to which it is added unless it is there.
fn number_of<T: PartialEq>(all: &mut Vec<T>, one: T) -> u32 {
    let known = all.iter().position(|known| *known == one);
    let number = known.unwrap_or_else(|| {
        all.push(one);
        all.len() - 1
    });
    number as u32
}

/// Adds counters to a function.
struct Counters<'p> {
    b: Builder,
    plan: &'p FunctionPlan,
    instructions: Vec<Value>,
    /// By block: its first instruction, and the number of the block that has the same count.
    blocks: Vec<(Value, usize)>,
    memory: Value,
    /// Counters of all functions.
    total: usize,
    /// Variables that LLVM keeps in registers; empty if the counters are in memory.
    variables: Vec<Value>,
}

impl<'p> Counters<'p> {
    fn new(function: Value, plan: &'p FunctionPlan, total: usize) -> Self {
        let instructions = function.instructions();
        let blocks = function.blocks();
        let starts: Vec<Value> = blocks.iter().map(|one| one.first_after_phis()).collect();
        let same = runs_as_often_as(&blocks);
        let b = Builder::new(function.ty().context());
        b.before(function.entry_block().first_after_phis());
        let module = function.module();
        let counters = ir::function(module, COUNTERS).unwrap_or_else(|| {
            let ty = Type::function(Type::pointer(b.context, 0), &[]);
            ir::add_query(module, COUNTERS, ty)
        });
        let memory = b.call(counters, &[]);
        let flushes = instructions.iter().filter(|one| is_seen(**one)).count();
        let mut variables = Vec::new();
        if blocks.len() <= MAX_IN_REGISTERS && blocks.len() * flushes <= MAX_ADDITIONS {
            for _ in &blocks {
                let variable = b.alloca(b.i64(), "counter");
                b.store(b.i64().constant(0), variable, 8);
                variables.push(variable);
            }
        }
        Self {
            b,
            plan,
            instructions,
            blocks: starts.into_iter().zip(same).collect(),
            memory,
            total,
            variables,
        }
    }

    fn in_memory(&self, number: usize) -> Value {
        let offset = self.b.i64().constant(8 * number as u64);
        self.b.offset(self.memory, offset)
    }

    /// Adds to a number in memory.
    fn add(&self, place: Value, number: Value) {
        let before = self.b.load(self.b.i64(), place, 8);
        self.b.store(self.b.add(before, number), place, 8);
    }

    fn insert(&self) {
        for (at, (start, same)) in self.blocks.iter().enumerate() {
            self.b.before(*start);
            if self.variables.is_empty() {
                self.add(
                    self.in_memory(self.plan.first + at),
                    self.b.i64().constant(1),
                );
            } else if *same == at {
                self.add(self.variables[at], self.b.i64().constant(1));
            }
        }
        // After these: what is written at the start of a block has been counted.
        for instruction in &self.instructions {
            if is_seen(*instruction) {
                self.b.before(*instruction);
                self.flush();
                if let Some(site) = self.plan.sites.get(instruction) {
                    let site = self.b.i64().constant((*site).into());
                    self.b.store(site, self.in_memory(self.total), 8);
                }
            }
        }
    }

    /// Adds the variables to the counters in memory.
    fn flush(&self) {
        for (at, (_, same)) in self.blocks.iter().enumerate().take(self.variables.len()) {
            let count = self.b.load(self.b.i64(), self.variables[*same], 8);
            self.add(self.in_memory(self.plan.first + at), count);
        }
        for (at, (_, same)) in self.blocks.iter().enumerate().take(self.variables.len()) {
            if at == *same {
                self.b
                    .store(self.b.i64().constant(0), self.variables[at], 8);
            }
        }
    }
}

/// Whether the counters have to be in memory before an instruction: the function returns, or what it
/// calls may record what the thread has done.
fn is_seen(instruction: Value) -> bool {
    if instruction.is(Opcode::LLVMRet) {
        return true;
    }
    if !instruction.is(Opcode::LLVMCall) {
        return false;
    }
    let Some(function) = instruction.called_function() else {
        return true;
    };
    let name = function.name();
    !name.starts_with("llvm.") && !c_library().iter().any(|(known, _)| *known == name)
}
