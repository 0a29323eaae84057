//! Executes packets.

use super::decoded::{Code, DecodedInstruction};
use super::destination::{Destination, VectorDestination};
use super::environment::{Environment, Fault};
use super::memory_access;
use super::pending::Pending;
use super::registers::{Registers, Vector};
use crate::arithmetic::integer::{overflow_of_sum, overflow_of_sum32};
use crate::arithmetic::of_parts32;
use crate::control_register::ControlRegister;
use crate::operand::Operand;
use crate::table::{Action, Condition, Control, Saturated};

/// The address to which a function returns that was called from C.
pub const RETURN: u64 = 0xffff_ffff_ffff_ffc0;

/// The number of the register with the return address.
const LINK: usize = 63;

/// Cycles from a branch to the packet at its target.
const BRANCH: u64 = 7;

/// Where execution continues.
enum Next {
    Packet(usize, u32),
    Return,
}

/// Executes code from a packet of one of the programs on, until it returns.
///
/// # Errors
/// Code cannot continue.
pub fn run<E: Environment>(
    programs: &[Code],
    (mut program, mut packet): (usize, u32),
    registers: &mut Registers,
    environment: &mut E,
) -> Result<(), Fault> {
    registers.scalar[LINK] = RETURN;
    let mut pending = Pending::new();
    let mut branch: Option<(u64, u64)> = None;
    loop {
        if let Some((when, target)) = branch
            && when == pending.now
        {
            branch = None;
            match go(programs, target, &mut pending, registers, environment)? {
                Next::Packet(new_program, new_packet) => {
                    (program, packet) = (new_program, new_packet);
                }
                Next::Return => return pending.drain(registers),
            }
        }
        let Some(issued) = programs
            .get(program)
            .and_then(|code| code.packets.get(packet as usize))
        else {
            let start = programs.get(program).map_or(0, |code| code.addresses.start);
            return Err(Fault::NoCode(start + u64::from(packet)));
        };
        let at = (program, packet);
        environment.issue(at);
        for one in &issued.instructions {
            let mut step = Step {
                at,
                registers,
                pending: &mut pending,
                environment,
            };
            if let Some(target) = step.execute(one)? {
                if branch.is_some() {
                    return Err(Fault::BranchInDelaySlot);
                }
                environment.branch(at);
                branch = Some((pending.now + BRANCH, target));
            }
        }
        packet += 1;
        pending.advance(registers)?;
        let mut idle = 0;
        while idle + 1 < issued.cycles && branch.is_none_or(|(when, _)| when != pending.now) {
            idle += 1;
            pending.advance(registers)?;
        }
        if idle > 0 {
            environment.idle(at, idle);
        }
    }
}

/// Continues at an address. Functions of others are called, after which their caller continues.
fn go<E: Environment>(
    programs: &[Code],
    target: u64,
    pending: &mut Pending,
    registers: &mut Registers,
    environment: &mut E,
) -> Result<Next, Fault> {
    let mut target = target;
    loop {
        if target == RETURN {
            return Ok(Next::Return);
        }
        let mut places = programs.iter().enumerate();
        let place = places.find_map(|(number, code)| Some((number, code.packet_at(target)?)));
        if let Some((program, packet)) = place.or_else(|| environment.function(target)) {
            return Ok(Next::Packet(program, packet));
        }
        // The function sees all that has been computed for it.
        pending.drain(registers)?;
        let link = registers.scalar[LINK];
        environment.call(target, registers)?;
        target = link;
    }
}

/// An instruction that is executed.
struct Step<'s, E: Environment> {
    at: (usize, u32),
    registers: &'s mut Registers,
    pending: &'s mut Pending,
    environment: &'s mut E,
}

impl<E: Environment> Step<'_, E> {
    /// The address to which a branch leads that is taken.
    fn execute(&mut self, one: &DecodedInstruction) -> Result<Option<u64>, Fault> {
        let Some(mask) = self.lanes(one) else {
            return Ok(None);
        };
        match one.action {
            Action::Load(access) => {
                memory_access::load(
                    self.at,
                    access,
                    one,
                    self.registers,
                    self.pending,
                    self.environment,
                )?;
            }
            Action::Store(access) => {
                memory_access::store(
                    self.at,
                    access,
                    one,
                    self.registers,
                    self.pending,
                    self.environment,
                )?;
            }
            Action::VectorLoad(layout) => {
                memory_access::load_vector(
                    self.at,
                    layout,
                    one,
                    mask,
                    self.registers,
                    self.pending,
                    self.environment,
                )?;
            }
            Action::VectorStore(layout) => {
                memory_access::store_vector(
                    self.at,
                    layout,
                    one,
                    mask,
                    self.registers,
                    self.pending,
                    self.environment,
                )?;
            }
            Action::Branch(condition) => {
                let vector_condition = self.registers.control[ControlRegister::Vcr as usize];
                let is_taken = match condition {
                    Condition::Always => true,
                    Condition::VectorZero => vector_condition == 0,
                    Condition::VectorNotZero => vector_condition != 0,
                };
                return Ok(is_taken.then(|| self.word(one.operands[0])));
            }
            Action::Control(control) => self.control(control, one)?,
            _ if one.is_vector => self.vector(one, mask),
            _ => self.scalar(one),
        }
        Ok(None)
    }

    /// The lanes for which an instruction is executed; `None` if it is not.
    fn lanes(&self, one: &DecodedInstruction) -> Option<u16> {
        let enabled = if one.is_vector {
            self.registers.lane_mask()
        } else {
            0xffff
        };
        let Some(predicate) = one.predicate else {
            return Some(enabled);
        };
        let number = usize::from(predicate.register & 63);
        if !predicate.is_vector {
            let holds = (self.registers.scalar[number] != 0) != predicate.is_negated;
            return holds.then_some(enabled);
        }
        let lanes = self.registers.vector[number].0.iter().enumerate();
        let set = lanes.fold(0u16, |mask, (lane, word)| {
            mask | u16::from(*word != 0) << lane
        });
        Some(enabled & if predicate.is_negated { !set } else { set })
    }

    /// The value of a scalar operand.
    fn word(&self, operand: Operand) -> u64 {
        match operand {
            Operand::Scalar(number) => self.registers.scalar[usize::from(number & 63)],
            Operand::Address(register) => self.registers.address[register.place() & 31],
            Operand::Constant(value) => value,
            Operand::Exchange(number) => self.registers.exchange[usize::from(number & 15)],
            Operand::Control(register) => self.registers.control[register as usize],
            _ => 0,
        }
    }

    /// The value of an operand of the vector unit, which is put to `other` unless a register has it.
    #[inline]
    fn lanes_of<'v>(&'v self, operand: Operand, other: &'v mut Vector) -> &'v Vector {
        match operand {
            Operand::Vector(number) => &self.registers.vector[usize::from(number & 63)],
            Operand::Control(register) => &self.registers.vector_control[register as usize],
            Operand::AllExchange => {
                other.0 = self.registers.exchange;
                other
            }
            word => {
                *other = Vector::of(self.word(word));
                other
            }
        }
    }

    fn write(&mut self, latency: u8, operand: Operand, value: u64) {
        let to = match operand {
            Operand::Scalar(number) => Destination::Scalar(number),
            Operand::Address(register) => Destination::Address(register.place() as u8),
            Operand::Exchange(number) => Destination::Exchange(number),
            Operand::Control(register) => Destination::Control(register as u8),
            _ => return,
        };
        self.pending.word(latency, to, value);
    }

    fn write_lanes(&mut self, latency: u8, operand: Operand, mask: u16, value: &Vector) {
        if let Some(to) = vector_destination(operand) {
            self.pending.vector(latency, to, mask, value);
        }
    }

    fn scalar(&mut self, one: &DecodedInstruction) {
        let word = |number: usize| self.word(one.operands[number]);
        let (a, b, c) = (word(0), word(1), word(2));
        let result = one.operands[one.count.saturating_sub(1).min(3)];
        let value = match one.action {
            Action::One(f, _) => f(a),
            Action::Two(f, _) => f(a, b),
            Action::Three(f, _) => f(a, b, c),
            Action::Sum(f, _, _) => {
                self.registers.sum = [b, f(a, b).wrapping_sub(b)];
                f(a, b)
            }
            Action::Saturate(width) => saturated(width, a, self.registers.sum),
            Action::Step(f) => {
                if let Operand::ScalarPair(even) = result {
                    let (high, low) = f(a, b, c);
                    self.write(one.latency, Operand::Scalar(even), low);
                    self.write(one.latency, Operand::Scalar(even + 1), high);
                }
                return;
            }
            Action::AddAddress => b.wrapping_add(a),
            Action::SubtractAddress => b.wrapping_sub(a),
            Action::Broadcast => {
                let mask = self.registers.lane_mask();
                self.write_lanes(one.latency, result, mask, &Vector::of(a));
                return;
            }
            Action::BroadcastPair => {
                if let (Operand::ScalarPair(from), Operand::VectorPair(to)) =
                    (one.operands[0], result)
                {
                    let mask = self.registers.lane_mask();
                    for number in 0..2 {
                        let word = self.word(Operand::Scalar(from + number));
                        self.write_lanes(
                            one.latency,
                            Operand::Vector(to + number),
                            mask,
                            &Vector::of(word),
                        );
                    }
                }
                return;
            }
            Action::ToControl | Action::FromControl => a,
            _ => return,
        };
        self.write(one.latency, result, value);
    }

    fn vector(&mut self, one: &DecodedInstruction, mask: u16) {
        let result = one.operands[one.count.saturating_sub(1).min(3)];
        let Some(to) = vector_destination(result) else {
            return;
        };
        let mut others = [Vector::ZERO; 3];
        let [first, second, third] = &mut others;
        let mut value = Vector::ZERO;
        let a = self.lanes_of(one.operands[0], first);
        match one.action {
            Action::One(_, f) => f(a, &mut value),
            Action::Two(_, f) => f(a, self.lanes_of(one.operands[1], second), &mut value),
            Action::Three(_, f) => {
                let b = self.lanes_of(one.operands[1], second);
                let c = self.lanes_of(one.operands[2], third);
                f(a, b, c, &mut value);
            }
            Action::Sum(word, f, _) => {
                let (a, b) = (*a, *self.lanes_of(one.operands[1], second));
                f(&a, &b, &mut value);
                self.registers.vector_sum[0] = b;
                for lane in 0..16 {
                    let added = word(a.0[lane], b.0[lane]).wrapping_sub(b.0[lane]);
                    self.registers.vector_sum[1].0[lane] = added;
                }
            }
            Action::Saturate(width) => {
                for lane in 0..16 {
                    let sum = [0, 1].map(|number| self.registers.vector_sum[number].0[lane]);
                    value.0[lane] = saturated(width, a.0[lane], sum);
                }
            }
            Action::ToControl | Action::FromControl => value = *a,
            _ => return,
        }
        self.pending.vector(one.latency, to, mask, &value);
    }

    fn control(&mut self, control: Control, one: &DecodedInstruction) -> Result<(), Fault> {
        let number = self.word(one.operands[0]);
        match control {
            Control::Idle | Control::Breakpoint | Control::Fence => {}
            Control::Interrupt => self.environment.interrupt(number)?,
            Control::Wait => self.environment.wait()?,
            Control::Barrier => self.environment.barrier(number)?,
            Control::EndOfInterrupt | Control::EndOfException => return Err(Fault::Invalid),
        }
        Ok(())
    }
}

/// Where the result of an instruction of the vector unit goes.
fn vector_destination(operand: Operand) -> Option<VectorDestination> {
    match operand {
        Operand::Vector(number) => Some(VectorDestination::Vector(number)),
        Operand::AllExchange => Some(VectorDestination::Exchange),
        Operand::Control(register) => Some(VectorDestination::Control(register as u8)),
        _ => None,
    }
}

/// A value, or the nearest number if the last sum has had too many bits.
fn saturated(width: Saturated, value: u64, [a, b]: [u64; 2]) -> u64 {
    match width {
        Saturated::Whole => match overflow_of_sum(a, b) {
            None => value,
            Some(sign) if sign < 0 => i64::MIN as u64,
            Some(_) => i64::MAX as u64,
        },
        Saturated::Parts => {
            let [low, high] = overflow_of_sum32(a, b);
            let nearest = |overflow: Option<i32>, part: u64| match overflow {
                None => part as u32,
                Some(sign) if sign < 0 => i32::MIN as u32,
                Some(_) => i32::MAX as u32,
            };
            of_parts32([nearest(low, value), nearest(high, value >> 32)])
        }
    }
}
