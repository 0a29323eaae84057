//! Instructions of unit SBR: branches and the sequence of instructions.

use super::mnemonic::{Action, Kind, Mnemonic, rows};
use super::sequence::{Condition, Control};
use super::units::Units;

rows! {
    "SINT" SBR 1 [Count] Action::Control(Control::Interrupt);
    "SNOP" SBR 1 [Count] Action::Control(Control::Idle);
    "SEP" SBR 1 [Count] Action::Control(Control::Breakpoint);
    "SWAIT" SBR 1 [] Action::Control(Control::Wait);
    "SBR" SBR 7 [Target] Action::Branch(Condition::Always);
    "SBRVZ" SBR 7 [Target] Action::Branch(Condition::VectorZero);
    "SBRVNZ" SBR 7 [Target] Action::Branch(Condition::VectorNotZero);
    "SIRET" SBR 7 [Count] Action::Control(Control::EndOfInterrupt);
    "SERET" SBR 7 [] Action::Control(Control::EndOfException);
    "SMFENCE" SBR 1 [] Action::Control(Control::Fence);
    "SBARRIER" SBR 1 [Count] Action::Control(Control::Barrier);
}
