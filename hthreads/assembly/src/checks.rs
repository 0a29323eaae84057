//! What the units demand of packets: a unit for each instruction, one writer of a register in a cycle, no
//! branch among the packets that a branch still executes.

use crate::diagnostic::Diagnostic;
use crate::latency;
use crate::operand::{AddressRegister, Operand};
use crate::program::{Instruction, Label, Packet};
use crate::syntax::Place;
use crate::table::{Action, Condition, Control, Unit, Units};
use std::collections::{HashMap, HashSet};

/// Cycles after a branch whose packets are executed.
const DELAY: u32 = 6;

/// Checks packets, whose instructions are at `places`, and assigns units.
pub fn check(
    packets: &mut [Packet],
    places: &[Vec<Place>],
    labels: &[Label],
    errors: &mut Vec<Diagnostic>,
) {
    for (packet, places) in packets.iter_mut().zip(places) {
        if let Err((number, message)) = assign_units(packet) {
            errors.push(at(&places[number], message));
        }
        check_alone(packet, places, errors);
    }
    check_flow(packets, places, labels, errors);
}

fn at(place: &Place, message: String) -> Diagnostic {
    place.diagnostic(place.column, message)
}

fn check_alone(packet: &Packet, places: &[Place], errors: &mut Vec<Diagnostic>) {
    for (instruction, place) in packet.instructions.iter().zip(places) {
        let is_alone =
            matches!(instruction.mnemonic.action, Action::Control(one) if one.is_alone());
        if is_alone && packet.instructions.len() > 1 {
            let name = instruction.mnemonic.name;
            errors.push(at(place, format!("'{name}' must be alone in its packet")));
        }
    }
}

/// Gives each instruction a unit of its own; otherwise, the first one for which there is none.
fn assign_units(packet: &mut Packet) -> Result<(), (usize, String)> {
    let allowed: Vec<Units> = packet.instructions.iter().map(allowed).collect();
    // Augmenting paths of the bipartite graph of instructions and units.
    let mut of_unit: [Option<usize>; 11] = [None; 11];
    for number in 0..allowed.len() {
        if !augment(number, &allowed, &mut of_unit, &mut [false; 11]) {
            let instruction = &packet.instructions[number];
            let name = instruction.mnemonic.name;
            let units = allowed[number].names();
            return Err((
                number,
                format!("no unit is left for '{name}': it needs {units}"),
            ));
        }
    }
    for (unit, number) in Units(0x7ff).iter().zip(of_unit) {
        if let Some(number) = number {
            packet.instructions[number].unit = unit;
        }
    }
    Ok(())
}

/// The units that may execute an instruction: the one that its suffix names, or those of a kind if a
/// predecessor's suffix names that.
fn allowed(instruction: &Instruction) -> Units {
    let units = instruction.mnemonic.units;
    let named = instruction.unit;
    if !instruction.names_unit {
        return units;
    }
    let is_named = |unit: &Unit| match named.suffix() {
        Some(_) => *unit == named,
        None => unit.kind() == named.kind(),
    };
    let bits = units.iter().filter(is_named);
    Units(bits.fold(0, |bits, unit| bits | 1 << unit as u16))
}

fn augment(
    number: usize,
    allowed: &[Units],
    of_unit: &mut [Option<usize>; 11],
    seen: &mut [bool; 11],
) -> bool {
    for unit in 0..11 {
        if allowed[number].0 >> unit & 1 == 0 || std::mem::replace(&mut seen[unit], true) {
            continue;
        }
        let is_free = match of_unit[unit] {
            None => true,
            Some(other) => augment(other, allowed, of_unit, seen),
        };
        if is_free {
            of_unit[unit] = Some(number);
            return true;
        }
    }
    false
}

/// A register that an instruction writes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Written {
    /// A scalar register.
    Scalar(u8),
    /// A vector register.
    Vector(u8),
    /// An address or offset register.
    Address(AddressRegister),
}

/// The registers that an instruction writes, with the cycles until then.
fn written(instruction: &Instruction) -> Vec<(Written, u32)> {
    let mut all = Vec::new();
    let latency = u32::from(latency::of(instruction));
    if let Some(last) = instruction
        .operands
        .last()
        .filter(|_| instruction.mnemonic.has_result())
    {
        match *last {
            Operand::Scalar(number) => all.push((Written::Scalar(number), latency)),
            Operand::ScalarPair(even) => {
                all.extend([even, even + 1].map(|one| (Written::Scalar(one), latency)));
            }
            Operand::Vector(number) => all.push((Written::Vector(number), latency)),
            Operand::VectorPair(even) => {
                all.extend([even, even + 1].map(|one| (Written::Vector(one), latency)));
            }
            Operand::Address(register) => all.push((Written::Address(register), latency)),
            _ => {}
        }
    }
    for operand in &instruction.operands {
        if let Operand::Memory(memory) = operand
            && memory.changes_base()
        {
            let register = AddressRegister {
                number: memory.base,
                is_offset: false,
            };
            all.push((Written::Address(register), 1));
        }
    }
    all
}

impl Written {
    fn name(self) -> String {
        match self {
            Self::Scalar(number) => format!("R{number}"),
            Self::Vector(number) => format!("VR{number}"),
            Self::Address(register) => register.to_string(),
        }
    }
}

/// Follows packets in their order, which they are executed in unless a branch is taken. What depends on
/// predicates is found when it happens.
fn check_flow(
    packets: &[Packet],
    places: &[Vec<Place>],
    labels: &[Label],
    errors: &mut Vec<Diagnostic>,
) {
    let starts: HashSet<u32> = labels
        .iter()
        .filter(|label| label.is_global)
        .map(|label| label.packet)
        .collect();
    let mut cycle = 0u32;
    let mut writes: HashMap<(Written, u32), u32> = HashMap::new();
    // The cycle at which an unconditional branch leaves.
    let mut leaves: Option<u32> = None;
    for (number, (packet, places)) in (0u32..).zip(packets.iter().zip(places)) {
        let has_left = leaves.is_some_and(|end| cycle >= end);
        if has_left || starts.contains(&number) {
            writes.clear();
            leaves = None;
        }
        for (instruction, place) in packet.instructions.iter().zip(places) {
            let is_certain = instruction.predicate.is_none();
            let branches = matches!(instruction.mnemonic.action, Action::Branch(_))
                || matches!(
                    instruction.mnemonic.action,
                    Action::Control(Control::EndOfInterrupt | Control::EndOfException)
                );
            if branches {
                if let Some(end) = leaves {
                    let slot = DELAY + 1 - (end - cycle);
                    let message = format!("branch in delay slot {slot} of a branch");
                    errors.push(at(place, message));
                } else if is_certain
                    && matches!(
                        instruction.mnemonic.action,
                        Action::Branch(Condition::Always)
                    )
                {
                    leaves = Some(cycle + DELAY + 1);
                }
            }
            if !is_certain {
                continue;
            }
            for (register, latency) in written(instruction) {
                let first = writes.insert((register, cycle + latency), place.line);
                if let Some(line) = first {
                    let name = register.name();
                    let message = format!("{name} is written in the same cycle by line {line}");
                    errors.push(at(place, message));
                }
            }
        }
        cycle += packet.cycles();
        writes.retain(|(_, when), _| *when > cycle.saturating_sub(1));
    }
}
