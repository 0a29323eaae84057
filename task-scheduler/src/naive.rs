//! Scheduling by the host, one task at a time: each takes its cycles and an interrupt (HTS paper,
//! section VI.C).

use crate::error::RunError;
use crate::interpreter::{Interpreter, Step};
use crate::outcome::{Outcome, Stalls, TaskRecord};
use crate::settings::Settings;
use crate::units::Units;
use task_isa::Program;

pub(crate) fn run(program: &Program, settings: &Settings) -> Result<Outcome, RunError> {
    let mut interpreter = Interpreter::new(
        program,
        settings.functions.len(),
        settings.scheduler.registers,
        settings.instruction_limit,
    );
    let mut units = Units::new(&settings.functions);
    let mut records = Vec::new();
    let (mut now, mut tasks, mut branches) = (0, 0, 0);
    loop {
        match interpreter.step()? {
            Step::Task(task) => {
                let function = usize::from(task.function);
                let cycles = settings.functions[function].cycles;
                tasks += 1;
                let unit = units.take(function).unwrap_or_default();
                units.release(function, unit, cycles, true);
                if settings.records {
                    records.push(TaskRecord {
                        number: tasks,
                        function: task.function,
                        unit,
                        decoded: now,
                        issued: now,
                        begin: now,
                        computed: now + cycles,
                        end: now + cycles,
                        waited_for: Vec::new(),
                        is_aborted: false,
                        gave_up: false,
                    });
                }
                now += cycles + settings.scheduler.interrupt;
            }
            Step::Branch(branch) => {
                branches += 1;
                if let Some(to) = branch.taken_to {
                    interpreter.state.place = to;
                }
            }
            Step::Register | Step::Jump | Step::RegisterBranch { .. } => {}
            Step::End => break,
        }
    }
    Ok(Outcome {
        scheduling: settings.scheduling,
        cycles: now,
        instructions: interpreter.instructions,
        tasks,
        aborted: 0,
        given_up: 0,
        branches,
        mispredicted: 0,
        copied_back: 0,
        most_tracked: 0,
        stalls: Stalls::default(),
        units: units.uses(settings.functions.len()),
        records,
    })
}
