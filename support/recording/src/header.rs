//! The header of a recording: what depends on the machine.

use crate::{Header, Peaks};
use device_sim::machine::{Capacities, Change, CodeMemory, CodeStackLayout, Identity, Machine};

impl Header {
    /// The header of this process for a machine.
    pub fn of_machine(machine: &Machine, identity: &Identity) -> Self {
        let arguments = std::env::args_os();
        let layout = CodeStackLayout::from_environment(&machine.layout);
        let mut identity = identity.clone();
        identity.changes.extend(layout_changes(machine, &layout));
        Self {
            arguments: arguments
                .map(|argument| argument.to_string_lossy().into_owned())
                .collect(),
            machine: machine.name.clone(),
            machine_identity: identity,
            clock: machine.clusters.clock.value,
            lanes: machine.array.lanes.value as u32,
            dma_channels: machine.dma.channels.value as u32,
            peaks: peaks(machine),
            capacities: Capacities::new(machine, &layout),
            ..Self::default()
        }
    }
}

/// Where the variables of hthreads place stack and code other than the machine's description.
fn layout_changes(machine: &Machine, layout: &CodeStackLayout) -> Vec<Change> {
    let default = CodeStackLayout::from(&machine.layout);
    let mut changes = Vec::new();
    if layout.stack_percent != default.stack_percent {
        changes.push(Change {
            name: "layout.stack".into(),
            value: format!("{} %", layout.stack_percent),
            before: Some(machine.layout.stack.to_string()),
            before_source: machine.layout.stack.source.to_string(),
            is_set: true,
        });
    }
    if layout.code != default.code {
        changes.push(Change {
            name: "layout.code".into(),
            value: word(layout.code).into(),
            before: Some(word(default.code).into()),
            before_source: String::new(),
            is_set: true,
        });
    }
    changes
}

/// The memory as machine descriptions name it.
fn word(memory: CodeMemory) -> &'static str {
    match memory {
        CodeMemory::Ddr => "ddr",
        CodeMemory::Gsm => "gsm",
    }
}

/// The machine's peak rates: operations and bytes per second.
fn peaks(machine: &Machine) -> Peaks {
    let clock = machine.clusters.clock.value;
    let (memory, array) = (&machine.memory, &machine.array);
    let (am, sm) = (&memory.am, &memory.sm);
    let (registers, slots) = (&array.vector_register, &array.slots);
    let operations = |bits| {
        let lanes = registers.value / bits;
        product(&[2, lanes, slots.vector_multiply.value, clock])
    };
    let (am_access, am_units) = (am.access.value, am.load_store_units.value);
    let (sm_access, sm_units) = (sm.access.value, sm.load_store_units.value);
    Peaks {
        single: operations(32),
        double: operations(64),
        ddr: memory.ddr.bandwidth.value,
        gsm: memory.gsm.bandwidth.value,
        hbsm: memory.hbsm.bandwidth.value,
        am: product(&[am_access, am_units, array.lanes.value, clock]),
        sm: product(&[sm_access, sm_units, clock]),
        dma: product(&[machine.dma.rate.value, clock]),
    }
}

/// The product; it saturates, since a machine file may contain arbitrarily large numbers.
fn product(numbers: &[u64]) -> u64 {
    numbers.iter().fold(1, |all, one| all.saturating_mul(*one))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_layout_of_the_environment_is_a_change() {
        let machine = Machine::mt3000();
        let mut layout = CodeStackLayout::from(&machine.layout);
        assert_eq!(layout_changes(&machine, &layout), []);
        layout.stack_percent = 40;
        layout.code = CodeMemory::Gsm;
        let sentences: Vec<String> = layout_changes(&machine, &layout)
            .iter()
            .map(Change::sentence)
            .collect();
        assert_eq!(
            sentences,
            [
                "layout.stack is 40 %, not 20 % (assumed)",
                "layout.code is gsm, not ddr"
            ]
        );
    }

    #[test]
    fn peak_rates_of_an_implausibly_fast_machine_saturate() {
        let mut machine = Machine::mt3000();
        let double = peaks(&machine).double;
        assert_eq!(double, 2 * 16 * 3 * 1_200_000_000);
        machine.clusters.clock.value = 1 << 40;
        machine.array.vector_register.value = 1 << 20;
        machine.array.slots.vector_multiply.value = 64;
        machine.memory.am.access.value = 1 << 10;
        machine.memory.am.load_store_units.value = 64;
        machine.array.lanes.value = 1024;
        let peaks = peaks(&machine);
        assert_eq!((peaks.double, peaks.am), (1 << 61, u64::MAX));
    }
}
