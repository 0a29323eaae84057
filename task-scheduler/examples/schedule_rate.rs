//! How many tasks of a stream each scheduler schedules in a second of host time:
//! `cargo run --release -p task-scheduler --example schedule_rate`.

use anyhow::Result;
use device_sim::machine::{Description, Scheduling, Shipped};
use std::time::Instant;
use task_scheduler::{ArrivingTask, Descriptor, Settings, TaskStream};

const TASKS: u64 = 1_000_000;

fn main() -> Result<()> {
    let machine = Description::select(Shipped::DSP)?.machine()?;
    let settings = Settings::new(&machine)?.with_units(4);
    let functions = settings.functions.len() as u64;
    for scheduling in Scheduling::ALL {
        let mut stream = TaskStream::new(&settings.clone().with_scheduling(scheduling));
        let mut ended = 0;
        let begin = Instant::now();
        for number in 1..=TASKS {
            let now = number * 1000;
            stream.advance(now);
            stream.submit(ArrivingTask {
                function: (number * 7 % functions) as usize,
                cycles: 100 + number * 13 % 1500,
                arrival: now,
                waits_for: Vec::from_iter((number % 4 == 0).then_some(number - 3)),
                descriptor: Descriptor::default(),
            });
            ended += stream.take_ended().len();
        }
        stream.advance(u64::MAX);
        ended += stream.take_ended().len();
        let rate = ended as f64 / begin.elapsed().as_secs_f64() / 1e6;
        println!("{:12} {rate:.2} million tasks/s", scheduling.name());
    }
    Ok(())
}
