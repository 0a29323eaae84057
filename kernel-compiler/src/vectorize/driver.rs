//! Vectorises the loops over work-items of a function: plans each, and writes vector code where
//! that is legal and profitable.

use super::access::AccessKind;
use super::adjacent_accesses;
use super::codegen::strip_mining;
use super::cost::group_loops::GroupLoops;
use super::cost::register_pressure::RegisterPressure;
use super::cost::{self, Cost, cache_lines};
use super::index_ranges;
use super::legality;
use super::loop_body::LoopBody;
use super::plan::VectorPlan;
use super::private_arrays::{self, ArrayLayout};
use super::rejection::Rejection;
use super::remarks::{Rejected, Vectorized, VectorizedLoop};
use super::unroll_and_jam;
use super::vector_unit::VectorUnit;
use super::width::{self, WIDEST_WITH_SPILLS};
use super::work_item_loop;
use crate::analysis::loop_mark::LoopMark;
use crate::ir::{DataLayout, Opcode, Value};
use crate::work_items::Lanes;
use crate::work_items::loop_descriptor::LoopKind;

/// Most instructions of vector code that is chosen by cost.
const MAX_INSTRUCTIONS: f64 = 12000.0;

/// Most instructions of vector code of a fixed width, and of checked code, most of which is seldom
/// executed; LLVM would take minutes for more.
const MAX_LONG_CODE_INSTRUCTIONS: f64 = 20000.0;

/// Most instructions of vectors of four registers for each value that are chosen although registers are spilt: LLVM takes
/// about twice as long for them as for those of two.
const MAX_WIDENED_INSTRUCTIONS: f64 = 1150.0;

/// Most registers that the values of a loop may need, as a multiple of those there are. Narrower
/// vectors are chosen where they would need more.
const MAX_REGISTER_USE: f64 = 22.0 / 16.0;

/// Most cache lines that the gathers and scatters of a loop may come back to: two sets of a
/// first-level cache.
const MAX_REUSED_LINES: u32 = 24;

/// Fewest lanes that vectors are narrowed to for the sake of such gathers, which are as fast a lane
/// in narrow vectors as in wide ones.
const LANES_OF_GATHERS: u32 = 8;

/// Cost of narrower vectors, relative to wider ones, below which they are chosen, and of vectors of more than two
/// registers relative to narrower ones.
const CHEAPER: f64 = 0.95;

/// The same for walks along rows, which evict each other from the cache with more lanes.
const MUCH_CHEAPER: f64 = 0.75;

/// Fewest lanes that `vectorize` goes down to where wider vectors are too costly.
const MIN_LANES: u32 = 4;

/// Vectorises all loops over work-items of a function that `PREPARE` has been run on. `by_cost`,
/// it may choose fewer lanes than given. The function of a rejected kernel is of no use any more.
///
/// # Errors
/// A loop cannot be vectorised, or, `by_cost`, vector code would be slower.
pub fn vectorize(
    function: Value,
    lanes: Lanes,
    vectors: VectorUnit,
    by_cost: bool,
) -> Result<Vectorized, Rejected> {
    let loops: Vec<_> = work_item_loop::find(function, LoopKind::WorkItems)
        .into_iter()
        .map(|(_, found)| found)
        .collect::<Result<_, _>>()?;
    if !vectors.timed {
        for work_items in &loops {
            adjacent_accesses::merge(function, work_items, lanes.count, vectors)?;
        }
    }
    let mut bodies: Vec<_> = loops.iter().map(LoopBody::new).collect::<Result<_, _>>()?;
    let group_loops = GroupLoops::find(function, &loops);
    for (body, group_loops) in bodies.iter_mut().zip(group_loops) {
        body.group_loops = Some(group_loops);
    }
    let lanes = Lanes {
        count: if by_cost {
            affordable_lanes(function, &bodies, lanes.count, vectors)?
        } else {
            lanes.count
        },
        ..lanes
    };
    let layout = DataLayout::of_function(function);
    let arrays: Vec<_> = loops
        .iter()
        .map(|work_items| private_arrays::interleave(work_items, lanes.count, layout))
        .collect();
    let plans: Vec<_> = bodies
        .iter()
        .zip(&arrays)
        .map(|(body, arrays)| plans(function, body, lanes.count, vectors, arrays))
        .collect::<Result<_, _>>()?;
    let costs = plans.iter().flatten();
    let costs = costs.map(|plan| cost::of_plan(plan, false));
    let cost = costs.fold(Cost::default(), Cost::plus);
    log::debug!("{cost}, {:.0} instructions", cost.instructions);
    let vectorized = Vectorized {
        lanes,
        cost: cost.to_string(),
        loops: plans.iter().map(|of| VectorizedLoop::new(of)).collect(),
    };
    let is_checked = plans.iter().flatten().any(VectorPlan::has_checks);
    if let Some(reason) = too_costly(&cost, by_cost, is_checked) {
        return Err(Rejected {
            reason,
            plan: Some(vectorized),
        });
    }
    for (number, plans) in plans.iter().enumerate() {
        strip_mining::replace_loop(function, number, plans);
    }
    Ok(vectorized)
}

/// A plan for each index range of a loop.
fn plans<'a>(
    function: Value,
    body: &'a LoopBody<'a>,
    lanes: u32,
    vectors: VectorUnit,
    arrays: &'a [ArrayLayout],
) -> Result<Vec<VectorPlan<'a>>, Rejection> {
    let plan = |range| {
        let plan = VectorPlan::new(function, body, range, lanes, vectors, arrays);
        legality::check(&plan).map(|()| plan)
    };
    let ranges = index_ranges::split(body.work_items, lanes);
    ranges.into_iter().map(plan).collect()
}

/// The widest vectors, of `lanes` lanes at most, that stay within the limits, or narrower ones that
/// are cheaper. Vectors narrower than a register are no better, and those of more than two seldom are.
fn affordable_lanes(
    function: Value,
    bodies: &[LoopBody<'_>],
    lanes: u32,
    vectors: VectorUnit,
) -> Result<u32, Rejection> {
    let fewest = (vectors.register_bits / width::element_bits(function)).max(MIN_LANES);
    let two_registers = width::two_registers(function, vectors);
    let may_have_four = lanes > two_registers;
    let estimate = |lanes| Estimate::compute(function, bodies, lanes, vectors, may_have_four);
    let mut widest = estimate(lanes.min(two_registers))?;
    // Rows that run one loop together gain more than wider vectors.
    let is_jammed = |widest: &Estimate| {
        let mut bodies = bodies.iter();
        widest.has_uniform_loop
            && bodies.any(|body| unroll_and_jam::may_jam(function, body.work_items))
    };
    // What is transposed takes a quarter of the registers, which leaves too few for several rows of wider vectors. Rows share
    // the sets of the cache: those that are stored with those that are loaded, too.
    let most = if widest.stores_rows || widest.loads_rows && is_jammed(&widest) {
        fewest
    } else if widest.loads_rows && !widest.loads_columns {
        fewest.max(LANES_OF_GATHERS)
    } else {
        lanes
    };
    if widest.lanes > most {
        let narrower = estimate(most)?;
        let fills_waits = !widest.stores_rows
            && narrower.waits()
            && widest.cost.vector_with_waits < MUCH_CHEAPER * narrower.cost.vector_with_waits;
        if !fills_waits {
            return Ok(most);
        }
    }
    if may_have_four && !is_jammed(&widest) {
        let wider = estimate(lanes.min(2 * two_registers))?;
        let is_fit = wider.pressure.anywhere < f64::from(vectors.registers)
            || widest.waits() && wider.cost.instructions <= MAX_WIDENED_INSTRUCTIONS;
        if is_fit && wider.is_cheaper_than(&widest) {
            widest = wider;
        }
    }
    while widest.lanes > fewest && widest.exceeds_limits(vectors) {
        let narrower = estimate(widest.lanes / 2)?;
        let has_long_code = widest.has_long_code();
        if !has_long_code && narrower.waits() && widest.is_cheaper_than(&narrower) {
            break;
        }
        widest = narrower;
    }
    while widest.lanes > LANES_OF_GATHERS {
        let narrower = estimate(widest.lanes / 2)?;
        let is_cheaper = (fewest + 1..=two_registers).contains(&widest.lanes)
            && narrower.is_cheaper_than(&widest);
        if !is_cheaper && widest.reused_lines <= MAX_REUSED_LINES {
            break;
        }
        widest = narrower;
    }
    Ok(widest.lanes)
}

/// What vectors of some number of lanes need.
struct Estimate {
    lanes: u32,
    cost: Cost,
    pressure: RegisterPressure,
    reused_lines: u32,
    /// All lanes take as many iterations of some innermost loop.
    has_uniform_loop: bool,
    /// Such a loop loads several elements of each lane at once.
    loads_rows: bool,
    /// Such a loop loads consecutive elements.
    loads_columns: bool,
    /// Such a loop stores several elements of each lane at once.
    stores_rows: bool,
    is_checked: bool,
}

impl Estimate {
    fn compute(
        function: Value,
        bodies: &[LoopBody<'_>],
        lanes: u32,
        vectors: VectorUnit,
        has_waits: bool,
    ) -> Result<Self, Rejection> {
        let layout = DataLayout::of_function(function);
        let mut estimate = Self {
            lanes,
            cost: Cost::default(),
            pressure: RegisterPressure::default(),
            reused_lines: 0,
            has_uniform_loop: false,
            loads_rows: false,
            loads_columns: false,
            stores_rows: false,
            is_checked: false,
        };
        for body in bodies {
            let arrays = private_arrays::layouts(body.work_items, lanes, layout);
            for plan in plans(function, body, lanes, vectors, &arrays)? {
                estimate.cost = estimate.cost.plus(cost::of_plan(&plan, has_waits));
                estimate.is_checked |= plan.has_checks();
                estimate.has_uniform_loop |= has_uniform_loop(&plan);
                let is_row = |access: Value| {
                    let is_walk = LoopMark::RowWalk.is_on(access.block());
                    (plan.transposes(access) || is_walk && plan.has_whole_groups(access))
                        && plan.access_kind(access) == AccessKind::GatherScatter
                };
                let is_column = |load: Value| plan.access_kind(load) == AccessKind::Consecutive;
                estimate.loads_rows |= has_in_loop(&plan, Opcode::LLVMLoad, is_row);
                estimate.loads_columns |= has_in_loop(&plan, Opcode::LLVMLoad, is_column);
                estimate.stores_rows |= has_in_loop(&plan, Opcode::LLVMStore, is_row);
                estimate.pressure = estimate.pressure.max(RegisterPressure::estimate(&plan));
                let lines = cache_lines::reused_lines(function, &plan);
                estimate.reused_lines = estimate.reused_lines.max(lines);
            }
        }
        log::debug!(
            "{lanes} lanes: {}, {:.0} with waits; {:.0} instructions, {:?}, {} reused lines",
            estimate.cost,
            estimate.cost.vector_with_waits,
            estimate.cost.instructions,
            estimate.pressure,
            estimate.reused_lines
        );
        Ok(estimate)
    }

    fn has_long_code(&self) -> bool {
        self.cost.instructions > max_instructions(true, self.is_checked)
    }

    /// Whether instructions wait for each other's results, so that wider vectors gain even if registers are spilt.
    fn waits(&self) -> bool {
        self.cost.vector < CHEAPER * self.cost.vector_with_waits
    }

    /// Whether the vectors need too many registers, or too long code.
    fn exceeds_limits(&self, vectors: VectorUnit) -> bool {
        let registers = f64::from(vectors.registers);
        self.has_long_code()
            || self.pressure.in_loops > MAX_REGISTER_USE * registers
            || self.lanes > WIDEST_WITH_SPILLS && self.pressure.anywhere >= registers
    }

    /// Whether these vectors are cheaper than others, with what waiting for results adds, by more than the model's error.
    fn is_cheaper_than(&self, other: &Self) -> bool {
        self.cost.vector_with_waits < CHEAPER * other.cost.vector_with_waits
    }
}

/// Whether all lanes take as many iterations of an innermost loop.
fn has_uniform_loop(plan: &VectorPlan<'_>) -> bool {
    let loops = &plan.cfg().loops;
    (0..loops.len()).any(|l| {
        let is_innermost = !loops.iter().any(|inner| inner.parent == Some(l));
        is_innermost && !plan.divergence().divergent_loops[l]
    })
}

/// Whether a loop of all lanes has an access of some kind.
fn has_in_loop(plan: &VectorPlan<'_>, access: Opcode, is_of_kind: impl Fn(Value) -> bool) -> bool {
    let cfg = plan.cfg();
    let is_in_loop = |number: usize| {
        cfg.innermost[number].is_some_and(|l| !plan.divergence().divergent_loops[l])
    };
    let blocks = plan.blocks().iter().enumerate();
    let mut in_loops = blocks.filter(|(number, _)| is_in_loop(*number));
    in_loops.any(|(_, block)| {
        let instructions = block.instructions().into_iter();
        let mut accesses = instructions.filter(|instruction| instruction.is(access));
        accesses.any(&is_of_kind)
    })
}

fn too_costly(cost: &Cost, by_cost: bool, is_checked: bool) -> Option<Rejection> {
    if cost.instructions > max_instructions(by_cost, is_checked) {
        Some(Rejection::LongCode(cost.instructions))
    } else if by_cost && cost.vector > cost.scalar {
        Some(Rejection::Unprofitable(cost.to_string()))
    } else {
        None
    }
}

fn max_instructions(by_cost: bool, is_checked: bool) -> f64 {
    if by_cost && !is_checked {
        MAX_INSTRUCTIONS
    } else {
        MAX_LONG_CODE_INSTRUCTIONS
    }
}
