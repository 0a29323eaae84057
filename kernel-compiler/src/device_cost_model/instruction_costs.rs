//! From LLVM's instructions to machine operations: which unit does it, how many of them, and
//! after how many cycles the result can be used.

use super::access;
use super::address::{Space, space};
use super::code::Code;
use crate::analysis::iteration_step::IterationStep;
use crate::intrinsics::{AT_BARRIER, DMA_TRANSFER, DMA_WAIT};
use crate::ir::{Opcode, Type, TypeKind, Value};
use crate::passes::instrumentation::tells_active_lanes;

/// What issues operations.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Unit {
    /// SIEU
    ScalarInteger,
    /// SMAC1, SMAC2
    ScalarMultiply,
    /// SBR
    Branch,
    /// SLD
    ScalarMemory,
    /// VIEU
    VectorInteger,
    /// VMAC1 to VMAC3
    VectorMultiply,
    /// VLS0, VLS1
    VectorMemory,
    /// The array's way to the memories outside.
    Port,
}

impl Unit {
    pub const COUNT: usize = 8;
}

/// Whose answer an operation waits for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum MemoryLevel {
    /// Nobody's.
    Registers,
    /// SM's or AM's.
    Scratchpad,
    /// That of a memory outside.
    Outside,
}

impl MemoryLevel {
    /// All, from the nearest on.
    pub const ALL: [Self; 3] = [Self::Registers, Self::Scratchpad, Self::Outside];
}

/// A machine operation.
#[derive(Clone, Copy, Debug)]
pub struct Operation {
    pub unit: Unit,
    /// Cycles for which it keeps the unit.
    pub busy: u32,
    /// Cycles until its result can be used.
    pub latency: u32,
    pub level: MemoryLevel,
}

/// Parts of a byte or a cycle.
pub const WHOLE: u64 = 1 << 16;

/// What an instruction is on the machine.
#[derive(Clone, Debug, Default)]
pub struct Work {
    /// Operations, each of which waits for the one before.
    pub chain: Vec<Operation>,
    /// How often, independently: components.
    pub times: u32,
    /// Floating-point operations: single precision or below and double precision of each lane, and
    /// those of the control core.
    pub flops: [u32; 3],
    /// Bytes of SM and AM.
    pub scratchpad_bytes: u32,
    /// Bytes of DDR, in 1/65536.
    pub traffic: u64,
    /// Bytes of DDR of each lane that takes part.
    pub traffic_per_lane: u32,
    /// Cycles for which everything waits for a memory outside, in 1/65536.
    pub stall: u64,
    /// Cycles of the port of each lane that takes part.
    pub outside_per_lane: u32,
    /// Cycles at a barrier.
    pub barrier: u32,
}

impl Work {
    /// Nothing: a name for something.
    pub fn free() -> Self {
        Self::default()
    }

    /// Operations of one kind, independent.
    pub fn of(unit: Unit, latency: u32, times: u32) -> Self {
        Self {
            chain: vec![Operation {
                unit,
                busy: 1,
                latency,
                level: MemoryLevel::Registers,
            }],
            times,
            ..Self::default()
        }
    }

    /// Operations of one kind, one after another.
    fn in_turn(unit: Unit, latency: u32, length: u32, times: u32) -> Self {
        let mut work = Self::of(unit, latency, times);
        let one = work.chain[0];
        work.chain = vec![one; length as usize];
        work
    }

    /// Whether nothing is done.
    pub fn is_free(&self) -> bool {
        self.times == 0 || self.chain.is_empty()
    }

    /// Machine operations for lanes.
    pub fn vector_operations(&self) -> u32 {
        let of_lanes = |operation: &&Operation| {
            matches!(
                operation.unit,
                Unit::VectorInteger | Unit::VectorMultiply | Unit::VectorMemory
            )
        };
        self.times * self.chain.iter().filter(of_lanes).count() as u32
    }

    /// Machine operations.
    pub fn operations(&self) -> u32 {
        let on_port = |operation: &&Operation| operation.unit != Unit::Port;
        self.times * self.chain.iter().filter(on_port).count() as u32
    }
}

/// How a type lies in registers.
#[derive(Clone, Copy, Debug)]
pub struct Form {
    /// In vector registers.
    pub vector: bool,
    /// Registers, which is components of 64 bits at most of each lane.
    pub registers: u32,
    /// Floating-point numbers.
    pub float: bool,
    /// Bits of a component.
    pub bits: u32,
}

impl Code<'_> {
    /// How a value lies in registers.
    pub fn form(&self, value: Value) -> Form {
        self.form_of(value.ty(), self.is_of_lanes(value))
    }

    /// How values of a type lie in registers, of lanes or of the control core.
    pub fn form_of(&self, ty: Type, vector: bool) -> Form {
        let (element, count) = if ty.is_vector() {
            ty.vector_elements()
        } else {
            (ty, 1)
        };
        let (float, bits) = match element.kind() {
            TypeKind::LLVMIntegerTypeKind => (false, element.integer_bits()),
            TypeKind::LLVMHalfTypeKind | TypeKind::LLVMBFloatTypeKind => (true, 16),
            TypeKind::LLVMFloatTypeKind => (true, 32),
            TypeKind::LLVMDoubleTypeKind => (true, 64),
            TypeKind::LLVMPointerTypeKind => (false, 64),
            TypeKind::LLVMVoidTypeKind => (false, 0),
            TypeKind::LLVMStructTypeKind | TypeKind::LLVMArrayTypeKind => {
                (false, (8 * self.layout.size(element)).min(4096) as u32)
            }
            _ => (false, 64),
        };
        let parts = if vector {
            count.div_ceil(self.params.lanes.max(1))
        } else {
            count
        };
        Form {
            vector,
            registers: parts * bits.div_ceil(64).max(1),
            float,
            bits,
        }
    }

    /// What an instruction is on the machine. Branches and returns are the block's.
    pub fn work(&self, instruction: Value) -> Work {
        let n = &self.params;
        let form = self.form(instruction);
        let compared = || self.form(instruction.operand(0));
        match instruction.opcode() {
            Opcode::LLVMPHI
            | Opcode::LLVMFreeze
            | Opcode::LLVMBitCast
            | Opcode::LLVMAddrSpaceCast
            | Opcode::LLVMPtrToInt
            | Opcode::LLVMIntToPtr
            | Opcode::LLVMTrunc
            | Opcode::LLVMAlloca
            | Opcode::LLVMExtractValue
            | Opcode::LLVMInsertValue
            | Opcode::LLVMUnreachable
            | Opcode::LLVMBr
            | Opcode::LLVMSwitch
            | Opcode::LLVMRet => match self.mask_as_number(instruction) {
                Some(work) => work,
                None => Work::free(),
            },
            // Registers hold 64 bits of each lane; a mask is something else.
            Opcode::LLVMZExt | Opcode::LLVMSExt => match compared().bits {
                1 => self.integer(form),
                _ => Work::free(),
            },
            Opcode::LLVMAdd | Opcode::LLVMMul | Opcode::LLVMShl | Opcode::LLVMOr
                if !form.vector && self.is_distance(instruction) =>
            {
                Work::free()
            }
            Opcode::LLVMAdd
            | Opcode::LLVMSub
            | Opcode::LLVMAnd
            | Opcode::LLVMOr
            | Opcode::LLVMXor
            | Opcode::LLVMShl
            | Opcode::LLVMLShr
            | Opcode::LLVMAShr
            | Opcode::LLVMSelect => self.integer(form),
            Opcode::LLVMICmp | Opcode::LLVMFCmp => self.integer(compared()),
            Opcode::LLVMMul => self.multiply(form, n.integer_multiply),
            Opcode::LLVMUDiv | Opcode::LLVMSDiv | Opcode::LLVMURem | Opcode::LLVMSRem => {
                let (unit, latency) = if form.vector {
                    (Unit::VectorInteger, n.vector_integer)
                } else {
                    (Unit::ScalarInteger, n.scalar_integer)
                };
                Work::in_turn(unit, latency, n.integer_division, form.registers)
            }
            Opcode::LLVMFAdd | Opcode::LLVMFSub => self.float(form),
            Opcode::LLVMFMul => self.multiply_add(form, 1),
            Opcode::LLVMFNeg => self.integer(form),
            Opcode::LLVMFDiv => self.division(form),
            Opcode::LLVMFRem => {
                let mut work = self.division(form);
                work.chain
                    .extend_from_slice(&self.multiply_add(form, 2).chain);
                work
            }
            Opcode::LLVMFPTrunc
            | Opcode::LLVMFPExt
            | Opcode::LLVMFPToSI
            | Opcode::LLVMFPToUI
            | Opcode::LLVMSIToFP
            | Opcode::LLVMUIToFP => self.convert(form),
            Opcode::LLVMGetElementPtr => self.address(instruction, form),
            Opcode::LLVMExtractElement => {
                if compared().vector {
                    Work::of(Unit::VectorInteger, n.to_scalar, form.registers)
                } else {
                    Work::free()
                }
            }
            Opcode::LLVMInsertElement => self.insertion(instruction),
            Opcode::LLVMShuffleVector => self.shuffle(instruction),
            Opcode::LLVMLoad | Opcode::LLVMStore => access::work(self, instruction),
            Opcode::LLVMAtomicRMW | Opcode::LLVMAtomicCmpXchg => access::atomic(self, instruction),
            Opcode::LLVMFence => Work::of(Unit::ScalarInteger, 1, 1),
            Opcode::LLVMCall => self.call(instruction, form),
            // Whatever else there is.
            _ => self.integer(form),
        }
    }

    /// Which lanes take part, as a number in a scalar register.
    fn mask_as_number(&self, instruction: Value) -> Option<Work> {
        if !instruction.is(Opcode::LLVMBitCast) {
            return None;
        }
        let from = self.form(instruction.operand(0));
        let crosses = from.vector && !self.form(instruction).vector;
        crosses.then(|| Work::of(Unit::VectorInteger, self.params.to_scalar, 1))
    }

    pub fn integer(&self, form: Form) -> Work {
        let n = &self.params;
        if form.vector {
            Work::of(Unit::VectorInteger, n.vector_integer, form.registers)
        } else {
            Work::of(Unit::ScalarInteger, n.scalar_integer, form.registers)
        }
    }

    fn multiply(&self, form: Form, latency: u32) -> Work {
        let unit = if form.vector {
            Unit::VectorMultiply
        } else {
            Unit::ScalarMultiply
        };
        // Two floats fit into the 64 bits of a lane.
        let packed = form.vector && form.float && form.bits <= 32;
        let times = if packed {
            form.registers.div_ceil(2)
        } else {
            form.registers
        };
        Work::of(unit, latency, times)
    }

    /// One floating-point operation: addition, minimum.
    fn float(&self, form: Form) -> Work {
        let n = &self.params;
        let latency = if form.vector {
            n.vector_float
        } else {
            n.scalar_float
        };
        let work = self.multiply(form, latency);
        with_flops(work, form, 1)
    }

    /// A multiplication, or a multiply-add, of so many floating-point operations.
    pub fn multiply_add(&self, form: Form, flops: u32) -> Work {
        let n = &self.params;
        let latency = if form.vector {
            n.vector_multiply_add
        } else {
            n.scalar_multiply_add
        };
        with_flops(self.multiply(form, latency), form, flops)
    }

    fn convert(&self, form: Form) -> Work {
        self.multiply(form, self.params.vector_convert)
    }

    fn newton_steps(&self, form: Form) -> u32 {
        match form.bits {
            16 => self.params.newton_steps[0],
            64 => self.params.newton_steps[2],
            _ => self.params.newton_steps[1],
        }
    }

    /// A seed of the reciprocal, Newton's steps of two multiply-adds each, and three that make the
    /// quotient and correct it by its remainder.
    fn division(&self, form: Form) -> Work {
        let mut work = self.multiply(form, self.params.seed);
        let step = self.multiply_add(form, 0).chain[0];
        let length = 2 * self.newton_steps(form) + 3;
        work.chain.extend(vec![step; length as usize]);
        with_flops(work, form, 1)
    }

    /// A seed of the reciprocal root, Newton's steps of three multiply-adds each, and three that
    /// make the root and correct it.
    fn root(&self, form: Form) -> Work {
        let mut work = self.multiply(form, self.params.seed);
        let step = self.multiply_add(form, 0).chain[0];
        let length = 3 * self.newton_steps(form) + 3;
        work.chain.extend(vec![step; length as usize]);
        with_flops(work, form, 1)
    }

    /// Constant distances are part of what uses the address, and registers that go through memory
    /// step by step do so as they are used; other distances are one addition.
    fn address(&self, gep: Value, form: Form) -> Work {
        let operands = gep.operands();
        let constant = operands[1..].iter().all(|index| index.is_constant());
        if !form.vector && (constant || self.steps(gep)) {
            return Work::free();
        }
        self.integer(form)
    }

    /// Whether a scalar goes on by as much in each round of the innermost loop around it.
    fn steps(&self, value: Value) -> bool {
        matches!(
            self.iteration_step(value, self.block_of(value)),
            Some(IterationStep::Invariant | IterationStep::Constant(1.. | ..=-1))
        )
    }

    /// Whether an integer is nothing but such an address's distance.
    fn is_distance(&self, value: Value) -> bool {
        let users = value.users();
        let is_address = |user: &Value| {
            user.is(Opcode::LLVMGetElementPtr) && !self.is_of_lanes(*user) && self.steps(*user)
        };
        !users.is_empty() && users.iter().all(is_address) && self.steps(value)
    }

    /// A scalar into a lane. Into the first of nothing it is the beginning of a broadcast.
    fn insertion(&self, insertion: Value) -> Work {
        let into = insertion.operand(0);
        if !self.form(insertion).vector || (into.is_constant() && self.is_broadcast(insertion)) {
            return Work::free();
        }
        Work::of(Unit::ScalarInteger, self.params.broadcast, 1)
    }

    /// Whether what was inserted is only given to all lanes.
    fn is_broadcast(&self, insertion: Value) -> bool {
        insertion.users().iter().all(|user| {
            user.is(Opcode::LLVMShuffleVector)
                && user.shuffle_mask().iter().all(|at| *at == Some(0))
        })
    }

    fn shuffle(&self, shuffle: Value) -> Work {
        let n = &self.params;
        let form = self.form(shuffle);
        if !form.vector {
            return Work::free();
        }
        let mask = shuffle.shuffle_mask();
        let named: Vec<usize> = mask.iter().filter_map(|at| *at).collect();
        let first = named.first().copied().unwrap_or(0);
        if named.iter().all(|at| *at == first) && mask.len() as u32 >= n.lanes {
            let from = shuffle.operand(0);
            // AM gives one element to all lanes as it is loaded.
            if self.is_given_to_all_by_load(shuffle) {
                return Work::free();
            }
            let crosses = self.form(from).vector && !from.is(Opcode::LLVMInsertElement);
            let mut work = Work::of(Unit::ScalarMultiply, n.broadcast, 1);
            if crosses {
                let out = Work::of(Unit::VectorInteger, n.to_scalar, 1).chain[0];
                work.chain.insert(0, out);
            }
            return work;
        }
        if self.selects_components(shuffle, &mask) {
            return Work::free();
        }
        access::through_am(self, form)
    }

    /// The insertion, or the vector, that a splat takes its element from is a scalar load of AM.
    pub fn is_given_to_all_by_load(&self, splat: Value) -> bool {
        let inserted = splat.operand(0);
        if !inserted.is(Opcode::LLVMInsertElement) {
            return false;
        }
        let element = inserted.operand(1);
        element.is(Opcode::LLVMLoad) && space(element.operand(0)) == Space::Local
    }

    /// Whether a shuffle only says which whole components are meant: those of OpenCL's vectors
    /// lie side by side in memory, lane by lane, and in registers of their own.
    fn selects_components(&self, shuffle: Value, mask: &[Option<usize>]) -> bool {
        let lanes = self.params.lanes as usize;
        let (_, width) = shuffle.operand(0).ty().vector_elements();
        let width = width as usize;
        if !mask.len().is_multiple_of(lanes) || !width.is_multiple_of(lanes) {
            return false;
        }
        let agrees = |place: &dyn Fn(usize) -> usize| {
            let mut places = mask.iter().enumerate();
            places.all(|(to, from)| from.is_none_or(|from| from == place(to)))
        };
        let named = mask
            .iter()
            .enumerate()
            .find_map(|(to, from)| Some((to, (*from)?)));
        let Some((to, from)) = named else {
            return true;
        };
        // Whole registers, in any order.
        let mut registers = mask.chunks(lanes);
        let whole = |chunk: &[Option<usize>]| {
            let start = chunk
                .iter()
                .enumerate()
                .find_map(|(to, from)| from.map(|from| from.wrapping_sub(to)));
            start.is_none_or(|start| {
                start.is_multiple_of(lanes)
                    && chunk
                        .iter()
                        .enumerate()
                        .all(|(to, from)| from.is_none_or(|from| from == start.wrapping_add(to)))
            })
        };
        if registers.all(whole) {
            return true;
        }
        // Component c of k, taken apart.
        let both = 2 * width;
        for parts in [2, 3, 4, 8, 16] {
            if mask.len() == lanes && width == parts * lanes && from >= to * parts {
                let component = from - to * parts;
                if component < parts && agrees(&|to| component + to * parts) {
                    return true;
                }
            }
            // k components, put together.
            let together = mask.len() == parts * lanes && both >= parts * lanes;
            if together && agrees(&|to| (to % parts) * lanes + to / parts) {
                return true;
            }
        }
        false
    }

    fn call(&self, call: Value, form: Form) -> Work {
        let n = &self.params;
        let Some(function) = call.called_function() else {
            return self.unknown_call(call, form);
        };
        let name = function.name();
        match name.as_str() {
            _ if tells_active_lanes(call) => return Work::free(),
            AT_BARRIER => {
                return Work {
                    barrier: n.barrier,
                    ..Work::free()
                };
            }
            // Registers of the DMA engine are written, or read once.
            DMA_TRANSFER => return Work::in_turn(Unit::ScalarMemory, n.scalar_integer, 8, 1),
            DMA_WAIT => return Work::in_turn(Unit::ScalarMemory, n.scalar_integer, 2, 1),
            _ => {}
        }
        let Some(intrinsic) = name.strip_prefix("llvm.") else {
            return self.unknown_call(call, form);
        };
        let integers = |length| {
            let mut work = self.integer(form);
            let one = work.chain[0];
            work.chain = vec![one; length];
            work
        };
        let base = intrinsic.split(".v").next().unwrap_or(intrinsic);
        let base = base.split('.').next().unwrap_or(base);
        match base {
            "fma" | "fmuladd" => self.multiply_add(form, 2),
            "sqrt" => self.root(form),
            "fabs" | "abs" | "smin" | "smax" | "umin" | "umax" | "ctlz" => integers(1),
            "copysign" | "cttz" | "ptrmask" => integers(2),
            "fshl" | "fshr" | "sadd" | "uadd" | "ssub" | "usub" | "scmp" | "ucmp" => integers(3),
            "bswap" => integers(4),
            "bitreverse" => integers(8),
            "ctpop" => integers(12),
            "smul" | "umul" => {
                let mut work = self.multiply(form, n.integer_multiply);
                work.chain.extend_from_slice(&integers(2).chain);
                work
            }
            "minnum" | "maxnum" | "minimum" | "maximum" | "minimumnum" | "maximumnum" => {
                self.float(form)
            }
            "floor" | "ceil" | "trunc" | "rint" | "round" | "roundeven" | "nearbyint" => {
                let mut work = self.convert(form);
                let back = work.chain[0];
                work.chain.push(back);
                work
            }
            "fptosi" | "fptoui" | "lrint" | "llrint" | "lround" | "llround" => self.convert(form),
            "masked" => access::work(self, call),
            "memcpy" | "memset" | "memmove" => access::block(self, call),
            "vector" if intrinsic.starts_with("vector.reduce.") => self.reduction(call),
            "assume" | "lifetime" | "dbg" | "experimental" | "donothing" | "prefetch"
            | "invariant" | "expect" | "launder" | "strip" | "is" | "sideeffect" | "stacksave"
            | "stackrestore" | "var" | "arithmetic" | "canonicalize" | "freeze" => Work::free(),
            _ => self.unknown_call(call, form),
        }
    }

    /// Halves of the lanes are brought together until one is left.
    fn reduction(&self, call: Value) -> Work {
        let last = call.operands().len().saturating_sub(2) as u32;
        let mut form = self.form(call.operand(last));
        let combine = if form.float {
            self.float(form)
        } else {
            self.integer(form)
        };
        if !form.vector {
            return combine;
        }
        form.registers = form.registers.max(1);
        let through = access::through_am(self, form);
        let steps = self.params.lanes.max(2).ilog2();
        let mut work = Work {
            times: form.registers,
            scratchpad_bytes: steps * through.scratchpad_bytes,
            ..Work::default()
        };
        for _ in 0..steps {
            work.chain.extend_from_slice(&through.chain);
            work.chain.extend_from_slice(&combine.chain);
        }
        let out = Work::of(Unit::VectorInteger, self.params.to_scalar, 1);
        work.chain.extend_from_slice(&out.chain);
        if form.float {
            work = with_flops(work, form, 1);
        }
        work
    }

    /// A function that is not known: as the machine description says, on multiply-add units.
    fn unknown_call(&self, call: Value, form: Form) -> Work {
        let arguments = call.operands();
        let mut form = form;
        for argument in &arguments {
            let other = self.form(*argument);
            if !argument.is_function()
                && (other.vector, other.registers) > (form.vector, form.registers)
            {
                form = other;
            }
        }
        let one = self.multiply_add(form, 0).chain[0];
        Work {
            chain: vec![one; self.params.call as usize],
            times: form.registers.max(1),
            ..Work::default()
        }
    }

    /// Whether an addition takes a product that nobody else needs, so that they are one
    /// multiply-add: the factor's place among the operands.
    pub fn contracted(&self, addition: Value) -> Option<u32> {
        let adds = addition.is(Opcode::LLVMFAdd) || addition.is(Opcode::LLVMFSub);
        if !adds || !addition.may_contract() {
            return None;
        }
        (0..2).find(|&place| {
            let product = addition.operand(place);
            product.is(Opcode::LLVMFMul)
                && product.may_contract()
                && product.block() == addition.block()
                && product.users().len() == 1
        })
    }
}

fn with_flops(mut work: Work, form: Form, each: u32) -> Work {
    let place = match (form.vector, form.bits) {
        (true, 64) => 1,
        (true, _) => 0,
        (false, _) => 2,
    };
    work.flops[place] += each * form.registers;
    work
}
