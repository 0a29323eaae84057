//! Sources are assembled, checked, disassembled, and executed.

mod machine;

use device_assembly::execution::{Fault, Registers, Side, Vector};
use device_assembly::table::{self, Action, Kind, Mnemonic};
use device_assembly::{Program, assemble, disassembly};
use machine::{AM, Machine, SM};
use std::collections::BTreeSet;

fn errors(text: &str) -> String {
    assemble("f.s", text).map(|_| ()).unwrap_err().to_string()
}

/// The line, column and message of the first thing that is wrong.
fn first_error(text: &str) -> String {
    let errors = errors(text);
    errors.lines().next().unwrap().to_owned()
}

#[test]
fn the_table_has_each_instruction_once() {
    let names: BTreeSet<&str> = table::all().map(|one| one.name).collect();
    assert_eq!((names.len(), table::all().count()), (334, 334));
}

/// Operands of an instruction, whose result is register 20 of its kind.
fn line(one: &Mnemonic) -> String {
    let count = one.operands.len();
    let operands = one.operands.iter().enumerate().map(|(place, kind)| {
        let number = if place + 1 == count && one.has_result() {
            20
        } else {
            10 + 2 * place
        };
        match kind {
            Kind::Scalar | Kind::ScalarOrConstant => format!("R{number}"),
            Kind::ScalarPair => format!("R{}:R{number}", number + 1),
            Kind::Vector | Kind::VectorOrConstant => format!("VR{number}"),
            Kind::VectorPair => format!("VR{}:VR{number}", number + 1),
            Kind::Count => "3".to_owned(),
            Kind::Constant24 => "-77".to_owned(),
            Kind::Constant64 => "0x123456789abcdef0".to_owned(),
            Kind::Address => "AR12".to_owned(),
            Kind::Control => "SCR".to_owned(),
            Kind::VectorControl => "VFCR1".to_owned(),
            Kind::ScalarMemory => "*+AR8[1]".to_owned(),
            Kind::VectorMemory => "*+AR0[1]".to_owned(),
            Kind::Target => "R62".to_owned(),
        }
    });
    let operands: Vec<String> = operands.collect();
    format!("{} {}", one.name, operands.join(", "))
        .trim_end()
        .to_owned()
}

#[test]
fn all_instructions_are_assembled_and_disassembled() {
    for one in table::all() {
        let source = line(one);
        let program = assemble("f.s", &source).unwrap().program;
        let program = Program::decode(&program.encode()).unwrap();
        let again = disassembly::instruction(&program, &program.packets[0].instructions[0]);
        assert_eq!(again, source);
    }
}

/// Registers with numbers that have something to compute.
fn prepared() -> Box<Registers> {
    let mut registers = Registers::new();
    for number in 0..64u64 {
        let word = (1.5 + number as f64).to_bits() ^ number << 3 ^ 0x3f80_1234;
        registers.scalar[number as usize] = word;
        registers.vector[number as usize] =
            Vector(std::array::from_fn(|lane| word.rotate_left(lane as u32)));
    }
    registers.address[..8].fill(AM + 1024);
    registers.address[8..16].fill(SM + 1024);
    registers
}

/// One cycle too early the old value is read, and then the new one.
#[test]
fn results_can_be_read_when_their_latency_is_over() {
    let mut tried = 0;
    for one in table::all().filter(|one| one.has_result()) {
        let is_vector = match one.operands.last() {
            Some(Kind::Scalar) => false,
            Some(Kind::Vector) => true,
            _ => continue,
        };
        let run = |cycles: u32| {
            let copy = if is_vector {
                "VMOV VR20, VR40"
            } else {
                "SMOV R20, R40"
            };
            let wait = if cycles > 1 {
                format!("SNOP {}\n", cycles - 1)
            } else {
                String::new()
            };
            let mut machine = Machine::new(prepared());
            machine
                .am
                .iter_mut()
                .chain(&mut machine.sm)
                .zip(0..)
                .for_each(|(byte, at)| *byte = at as u8);
            let text = format!("f: {}\n{wait} {copy}\n SBR R63\n SNOP 6\n", line(one));
            machine.run(&text, "f").unwrap();
            let registers = machine.registers;
            match is_vector {
                true => (registers.vector[40], registers.vector[20]),
                false => (
                    Vector::of(registers.scalar[40]),
                    Vector::of(registers.scalar[20]),
                ),
            }
        };
        let latency = match one.action {
            Action::FromControl => 1,
            _ => u32::from(one.latency),
        };
        let (read, result) = run(latency);
        assert_eq!(read, result, "{} after {latency}", one.name);
        if latency > 1 {
            let (read, result) = run(latency - 1);
            assert_ne!(read, result, "{} after {}", one.name, latency - 1);
        }
        tried += 1;
    }
    assert!(tried > 250, "{tried}");
}

#[test]
fn arithmetic_has_the_results_of_the_host() {
    let run = |operation: &str, a: u64, b: u64, c: u64| {
        let mut machine = Machine::new(Registers::new());
        machine.registers.scalar[10] = a;
        machine.registers.scalar[12] = b;
        machine.registers.scalar[14] = c;
        let text = format!("f: {operation}\n SNOP 8\n SBR R63\n SNOP 6\n");
        machine.run(&text, "f").unwrap();
        machine.registers.scalar[20]
    };
    let d = f64::to_bits;
    assert_eq!(
        run("SFMULAD R10,R12,R14,R20", d(0.1), d(10.0), d(-1.0)),
        d(0.1f64.mul_add(10.0, -1.0))
    );
    assert_eq!(run("SFSUBD R10,R12,R20", d(1.0), d(3.0), 0), d(2.0));
    assert_eq!(run("SSUB R10,R12,R20", 5, 7, 0), 2);
    assert_eq!(run("SSHFLL 4,R10,R20", 3, 0, 0), 48);
    assert_eq!(run("SSHFAR R10,R12,R20", 2, -16i64 as u64, 0), -4i64 as u64);
    assert_eq!(run("SMULAS32T R10,R12,R14,R20", -3i64 as u64, 7, 100), 79);
    assert_eq!(run("SBALE2H R10,R12,R20", 1 << 32, 2 << 32, 0), 1 | 2 << 32);
    assert_eq!(
        run("SSBALE2 R10,R12,R20", 1 << 40, 5, 0),
        0x7fff_ffff | 5 << 32
    );
    // 1.0 + 2.0 and 0.5 + 0.25 of 16 bits.
    assert_eq!(
        run(
            "SFADDH16 R10,R12,R20",
            0x3c00 | 0x3800 << 16,
            0x4000 | 0x3400 << 16,
            0
        ),
        0x4200 | 0x3a00 << 16
    );
    let largest = "SADD R10,R12,R20\n SSAT R20,R20";
    assert_eq!(run(largest, i64::MAX as u64, 1, 0), i64::MAX as u64);
    let divide = "SMOVI 0,R22\n SFSRT8D R10,R12,R22,R25:R24\n SNOP 6\n SFSRT8D R25,R12,R24,R25:R24\n SNOP 6\n \
                  SFSRT8D R25,R12,R24,R25:R24\n SNOP 6\n SFNORMD R10,R12,R25,R20";
    assert_eq!(run(divide, d(2.0), d(3.0), 0), d(2.0 / 3.0));
}

#[test]
fn packets_read_before_they_write_and_branches_have_six_delay_slots() {
    let mut machine = Machine::new(Registers::new());
    machine.registers.scalar[10] = 1;
    machine.registers.scalar[12] = 2;
    let text = "f: SMOV R10, R12\n | SMOV R12, R10\n SBR .L1\n SADD 1, R14, R14\n SADD 1, R14, R14\n \
                SADD 1, R14, R14\n SADD 1, R14, R14\n SADD 1, R14, R14\n SADD 1, R14, R14\n SMOVI 0, R14\n\
                .L1: SBR R63\n SNOP 20\n";
    machine.run(text, "f").unwrap();
    assert_eq!(machine.registers.scalar[10..15], [2, 0, 1, 0, 6]);
    // A wait ends where the branch leads.
    assert_eq!((machine.cycles, machine.branches), (1 + 7 + 7, 2));
}

#[test]
fn predicates_and_the_lane_mask_select_what_is_written() {
    let mut machine = Machine::new(Registers::new());
    machine.registers.scalar[0] = 1;
    machine.registers.vector[3] = Vector(std::array::from_fn(|lane| lane as u64 % 2));
    machine.registers.set_lane_mask(0x00ff);
    let text = "f: [R0] SMOVI 5, R10\n | [!R0] SMOVI 6, R12\n [VR3] VMOVI 7, VR10\n | [!VR3] VMOVI 8, VR10\n \
                SBR R63\n SNOP 6\n";
    machine.run(text, "f").unwrap();
    assert_eq!(
        (machine.registers.scalar[10], machine.registers.scalar[12]),
        (5, 0)
    );
    let lanes: Vec<u64> = (0..16)
        .map(|lane| if lane >= 8 { 0 } else { 8 - lane % 2 })
        .collect();
    assert_eq!(machine.registers.vector[10].0[..], lanes[..]);
}

/// As the public kernels do that transpose 16 by 16 words: four registers are interleaved.
#[test]
fn pairs_of_interleaving_stores_write_four_registers() {
    let mut machine = Machine::new(Registers::new());
    for register in 0..4 {
        machine.registers.vector[register] =
            Vector(std::array::from_fn(|lane| (16 * register + lane) as u64));
    }
    machine.registers.address[..2].copy_from_slice(&[AM, AM + 256]);
    let text = "f: VSTDW0M16 VR1:VR0, *AR0\n | VSTDW1M16 VR3:VR2, *AR1\n VLDDW0M4 *AR0, VR5:VR4\n | \
                VLDDW1M4 *AR1, VR7:VR6\n SNOP 8\n SBR R63\n SNOP 6\n";
    machine.run(text, "f").unwrap();
    for word in 0..64 {
        let bytes = machine.am[8 * word..8 * word + 8].try_into().unwrap();
        assert_eq!(
            u64::from_le_bytes(bytes),
            (16 * (word % 4) + word / 4) as u64
        );
    }
    assert_eq!(
        machine.registers.vector[..4],
        machine.registers.vector[4..8]
    );
}

#[test]
fn wrong_sources_are_refused_at_their_places() {
    for (text, expected) in [
        (
            " VFADDD VR0, VR1, VR2",
            "f.s:1:2: error: unknown instruction 'VFADDD'",
        ),
        (
            "\tSADD R64, R1, R2",
            "f.s:1:7: error: 'R64' is not a scalar register or a constant",
        ),
        (
            "\tSADD 64, R1, R2",
            "f.s:1:7: error: constant 64 is not between -32 and 63",
        ),
        (
            "\tSADD R1, R2",
            "f.s:1:2: error: 'SADD' has 3 operands, not 2",
        ),
        (
            "SMOV R1, R2\n| SMOV R3, R4\n| SMOV R5, R6\n| SMOV R7, R8",
            "f.s:4:3: error: no unit is left for 'SMOV': it needs SIEU/SMAC1/SMAC2",
        ),
        (
            "VLDW *AR8, VR0",
            "f.s:1:6: error: 'AR8' is not one of AR0 to AR7, which the vector unit has",
        ),
        (
            "VLDDW *AR0, VR2:VR1",
            "f.s:1:13: error: 'VR2:VR1' is not a pair of an odd and the even vector register before it, such as VR1:VR0",
        ),
        (
            "SMFENCE\n| SMOV R1, R2",
            "f.s:1:1: error: 'SMFENCE' must be alone in its packet",
        ),
        (
            "SBR R63\nSNOP 2\nSBR R63\nSNOP 6",
            "f.s:3:1: error: branch in delay slot 3 of a branch",
        ),
        (
            "SMOV R1, R2\n| SADD R1, R3, R2",
            "f.s:2:3: error: R2 is written in the same cycle by line 1",
        ),
        (
            "SFMULD R1, R3, R2\nSNOP 2\nSMOV R1, R2",
            "f.s:3:1: error: R2 is written in the same cycle by line 1",
        ),
        (
            "[R7] SMOV R1, R2",
            "f.s:1:2: error: a predicate is one of R0 to R6 or VR0 to VR6",
        ),
        (
            "VFDINT.M2 VR1, VR2",
            "f.s:1:1: error: 'VFDINT' is executed by VMAC1, not by '.M2'",
        ),
        (
            "a: SNOP 1\na: SNOP 1",
            "f.s:2:1: error: symbol 'a' is already defined at f.s:1",
        ),
        (" .bogus 1", "f.s:1:2: error: unknown directive '.bogus'"),
        (
            "# 7 \"g.s\"\n SNOP 1, 2",
            "g.s:7:2: error: 'SNOP' has 1 operands, not 2",
        ),
    ] {
        assert_eq!(first_error(text), expected, "{text}");
    }
    let two = errors("\tFOO\n\tBAR R1");
    assert!(
        two.starts_with("f.s:1:2: error: unknown instruction 'FOO'\n\tFOO\n\t^\n"),
        "{two}"
    );
    assert!(two.ends_with("2 errors generated.\n"), "{two}");
}

#[test]
fn what_depends_on_predicates_is_found_when_it_happens() {
    let run = |text: &str| {
        let mut machine = Machine::new(Registers::new());
        machine.registers.scalar[..2].copy_from_slice(&[1, 1]);
        machine.registers.address[0] = AM + 4;
        machine.registers.address[8] = SM + 4;
        machine.registers.address[1] = AM + (768 << 10) - 64;
        machine.run(&format!("f: {text}\n SNOP 8\n SBR R63\n SNOP 6\n"), "f")
    };
    assert_eq!(
        run("[R0] SMOV R1, R2\n | [R1] SMOV R3, R2"),
        Err(Fault::ScalarConflict)
    );
    assert_eq!(run("[R0] SMOV R1, R2\n | [!R1] SMOV R3, R2"), Ok(()));
    assert_eq!(
        run("[R0] VMOV VR1, VR2\n | [R1] VMOV VR3, VR2"),
        Err(Fault::VectorConflict)
    );
    assert_eq!(
        run("VLDW *AR0, VR0"),
        Err(Fault::Misaligned(Side::Vector, AM + 4))
    );
    assert_eq!(
        run("SLDW *AR8, R8"),
        Err(Fault::Misaligned(Side::Scalar, SM + 4))
    );
    assert_eq!(
        run("VLDW *AR1, VR0"),
        Err(Fault::OutOfRange(Side::Vector, AM + (768 << 10) - 64))
    );
    assert_eq!(
        run("SMOVI 12, R9\n SBR R9\n SNOP 6"),
        Err(Fault::NoCode(12))
    );
    assert_eq!(
        run("[R0] SBR R63\n [R1] SBR R63"),
        Err(Fault::BranchInDelaySlot)
    );
}
