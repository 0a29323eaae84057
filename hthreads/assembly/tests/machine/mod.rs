//! AM, SM and counters for code under test.

use device_assembly::assemble;
use device_assembly::execution::{Code, Environment, Fault, Registers, Side, run};

/// The address of AM.
pub const AM: u64 = 0x4_0000_0000;
/// The address of SM.
pub const SM: u64 = 0x4_0010_0000;

/// An array.
pub struct Machine {
    pub am: Vec<u8>,
    pub sm: Vec<u8>,
    pub registers: Box<Registers>,
    pub cycles: u64,
    pub branches: u64,
}

impl Machine {
    pub fn new(registers: Box<Registers>) -> Self {
        Self {
            am: vec![0; 768 << 10],
            sm: vec![0; 64 << 10],
            registers,
            cycles: 0,
            branches: 0,
        }
    }

    /// Assembles a source and executes a function of it.
    pub fn run(&mut self, text: &str, function: &str) -> Result<(), Fault> {
        let program = assemble("f.s", text)
            .unwrap_or_else(|errors| panic!("{errors}"))
            .program;
        let code = Code::new(&program, 1 << 40, |_| None).unwrap();
        let label = program
            .labels
            .iter()
            .find(|label| label.name == function)
            .unwrap();
        let mut registers = self.registers.clone();
        let outcome = run(&[code], (0, label.packet), &mut registers, self);
        self.registers = registers;
        outcome
    }

    fn memory(&mut self, side: Side, address: u64, bytes: u64) -> Result<&mut [u8], Fault> {
        let (start, memory) = match side {
            Side::Vector => (AM, &mut self.am),
            Side::Scalar => (SM, &mut self.sm),
        };
        let from = address.wrapping_sub(start) as usize;
        memory
            .get_mut(from..from.saturating_add(bytes as usize))
            .ok_or(Fault::OutOfRange(side, address))
    }
}

impl Environment for Machine {
    fn load(&mut self, _: (usize, u32), address: u64, bytes: u64) -> Result<u64, Fault> {
        let memory = self.memory(Side::Scalar, address, bytes)?;
        Ok(memory
            .iter()
            .rev()
            .fold(0, |word, byte| word << 8 | u64::from(*byte)))
    }

    fn store(
        &mut self,
        _: (usize, u32),
        address: u64,
        bytes: u64,
        value: u64,
    ) -> Result<(), Fault> {
        let memory = self.memory(Side::Scalar, address, bytes)?;
        memory.copy_from_slice(&value.to_le_bytes()[..bytes as usize]);
        Ok(())
    }

    fn load_vector(&mut self, address: u64, words: &mut [u64]) -> Result<(), Fault> {
        let memory = self.memory(Side::Vector, address, 8 * words.len() as u64)?;
        for (word, bytes) in words.iter_mut().zip(memory.chunks_exact(8)) {
            *word = u64::from_le_bytes(bytes.try_into().unwrap());
        }
        Ok(())
    }

    fn store_vector(&mut self, address: u64, words: &[u64]) -> Result<(), Fault> {
        let memory = self.memory(Side::Vector, address, 8 * words.len() as u64)?;
        for (word, bytes) in words.iter().zip(memory.chunks_exact_mut(8)) {
            bytes.copy_from_slice(&word.to_le_bytes());
        }
        Ok(())
    }

    fn store_half(&mut self, address: u64, half: u32) -> Result<(), Fault> {
        let memory = self.memory(Side::Vector, address, 4)?;
        memory.copy_from_slice(&half.to_le_bytes());
        Ok(())
    }

    fn issue(&mut self, _: (usize, u32)) {
        self.cycles += 1;
    }

    fn idle(&mut self, _: (usize, u32), cycles: u32) {
        self.cycles += u64::from(cycles);
    }

    fn branch(&mut self, _: (usize, u32)) {
        self.branches += 1;
    }

    fn function(&self, _: u64) -> Option<(usize, u32)> {
        None
    }

    fn call(&mut self, address: u64, _: &mut Registers) -> Result<(), Fault> {
        Err(Fault::NoCode(address))
    }

    fn barrier(&mut self, _: u64) -> Result<(), Fault> {
        Err(Fault::Invalid)
    }

    fn wait(&mut self) -> Result<(), Fault> {
        Err(Fault::Invalid)
    }

    fn interrupt(&mut self, _: u64) -> Result<(), Fault> {
        Err(Fault::Invalid)
    }
}
