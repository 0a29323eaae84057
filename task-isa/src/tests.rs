//! The paper's listings, errors, and the format.

use crate::{
    BranchKind, Condition, Functions, FunctionsError, Instruction, Operation, Problem, assemble,
    disassemble, read_words, write_words,
};
use device_sim::machine::{Description, Shipped};

/// The listings of sections V.B to V.D; `branch` with its two misprints corrected.
const INDEPENDENT: &str = include_str!("../listings/independent.asm");
const LOOP: &str = include_str!("../listings/loop.asm");
const BRANCH: &str = include_str!("../listings/branch.asm");

/// Those of the paper's system.
fn functions() -> Functions {
    let machine = Description::select(Shipped::DSP)
        .unwrap()
        .machine()
        .unwrap();
    let names = machine.accelerators.into_iter().map(|one| one.function);
    Functions::new(names).unwrap()
}

fn error(source: &str) -> String {
    assemble(source, &functions()).unwrap_err().to_string()
}

#[test]
fn the_papers_listings_are_assembled_and_disassembled() {
    for (listing, instructions) in [(INDEPENDENT, 5), (LOOP, 8), (BRANCH, 12)] {
        let program = assemble(listing, &functions()).unwrap();
        assert_eq!(program.instructions.len(), instructions);
        let code = listing.lines().filter(|line| !line.starts_with('#'));
        let code: String = code.map(|line| format!("{line}\n")).collect();
        assert_eq!(disassemble(&program.instructions, &functions()), code);
        let words = write_words(&program.instructions);
        assert_eq!(read_words(&words).unwrap(), program.instructions);
    }
}

#[test]
fn the_papers_misprints_are_errors_at_their_places() {
    // Both lines have seven operands.
    let printed = BRANCH
        .replace("mov 3 0 a 0 0 0 0 0001", "mov 3 0 a 00 0 0 0001")
        .replace(
            "real_fir 10 2 13 2 0 0 0 0000",
            "real_fir 102 13 2 0 0 0 0000",
        );
    let line = printed.lines().position(|line| line.starts_with("mov"));
    let line = line.unwrap() + 1;
    let missing = "the metadata is missing: an instruction has 8 operands";
    assert_eq!(error(&printed), format!("{line}:22: {missing}"));
    let second = printed.replace("mov 3 0 a 00 0 0 0001", "");
    assert_eq!(error(&second), format!("{}:29: {missing}", line + 1));
}

#[test]
fn fields_are_where_table_i_says() {
    let source = "task 12 3456 78 9abc de f 1 2 123456789abcdef";
    let word = assemble(source, &functions()).unwrap().instructions[0].encode();
    assert_eq!(word, 0x1234_5678_9abc_def2_1fde_9abc_7834_5612);
    let instruction = Instruction::decode(word);
    assert_eq!(instruction.operation, Operation::Task(0x12));
    assert_eq!(
        disassemble(&[instruction], &functions()),
        format!("{source}\n")
    );
}

#[test]
fn every_word_is_an_instruction_that_disassembles_to_itself() {
    let mut word: u128 = 0x1234_5678_9abc_def0_0fed_cba9_8765_4321;
    for id in 0..=u8::MAX {
        word = word.wrapping_mul(0x2360_ed05_1fc6_5da4_4385_df64_9fcc_f645) + 0x1234_5679;
        // No loops, which need partners, and a kind of branch that exists.
        let word = (word & !0xff & !(1 << 65)) | u128::from(id);
        let instruction = Instruction::decode(word);
        assert_eq!(instruction.encode(), word);
        if matches!(
            instruction.operation,
            Operation::LoopBegin | Operation::LoopEnd
        ) {
            continue;
        }
        let source = disassemble(&[instruction], &functions());
        let again = assemble(&source, &functions()).unwrap();
        assert_eq!(again.instructions, [instruction], "{source}");
    }
}

#[test]
fn the_branch_of_the_listing_is_one_on_memory() {
    let program = assemble(BRANCH, &functions()).unwrap();
    let branch = program.instructions[3];
    let decoded = crate::Branch::decode(branch.control).unwrap();
    assert_eq!(decoded.kind, BranchKind::Memory);
    assert_eq!(decoded.condition, Condition::LessEqual);
    assert_eq!((branch.input, branch.input_size), (0x93, 0xa));
    assert_eq!(branch.distance(), 18);
}

#[test]
fn conditions_compare_without_sign() {
    let holds = |condition: Condition| {
        [(1, 2), (2, 2), (u64::MAX, 2)].map(|(value, register)| condition.holds(value, register))
    };
    assert_eq!(holds(Condition::Equal), [false, true, false]);
    assert_eq!(holds(Condition::NotEqual), [true, false, true]);
    assert_eq!(holds(Condition::GreaterEqual), [false, true, true]);
    assert_eq!(holds(Condition::LessEqual), [true, true, false]);
}

#[test]
fn values_of_branches_are_directives() {
    let program = assemble(".reads 93 5 ffffffffffffffff # twice\n", &functions()).unwrap();
    assert!(program.instructions.is_empty());
    assert_eq!(program.reads[0].region, 0x93);
    assert_eq!(program.reads[0].values, [5, u64::MAX]);
}

#[test]
fn errors_have_line_and_column() {
    for (source, expected) in [
        (
            "\n  fir 1 2",
            "2:3: \"fir\" is neither an instruction nor a function of the machine",
        ),
        (
            "iir 1 2 3 4 5 6 7",
            "1:18: the metadata is missing: an instruction has 8 operands",
        ),
        (
            "iir 1 2 3 4 5 6 7 8 9",
            "1:21: \"9\" is one operand too many: an instruction has 8 operands",
        ),
        (
            "iir 1 0x2 3 4 5 6 7 8",
            "1:7: \"0x2\" is no hexadecimal number",
        ),
        (
            "iir 1 -2 3 4 5 6 7 8",
            "1:7: \"-2\" is no hexadecimal number",
        ),
        (
            "iir 1 100 3 4 5 6 7 8",
            "1:7: input size 100 has more than 8 bits",
        ),
        (
            "iir é 2 3 4 10 6 7 8",
            "1:5: \"é\" is no hexadecimal number",
        ),
        (
            "iir 1 2 3 4 10 6 7 8",
            "1:13: task id 10 has more than 4 bits",
        ),
        (
            "task f9 1 2 3 4 5 6 7 8",
            "1:6: accelerator id f9 is an instruction's: those of functions are below f9",
        ),
        (
            "task",
            "1:5: the accelerator id is missing: an instruction has 8 operands",
        ),
        (
            "if 1 2 3 4 5 6 7 8",
            "1:16: control 7 names no kind of branch: its lower two bits are 0, 1 or 2",
        ),
        (".read 1 2", "1:1: \".read\" is no directive"),
        (".reads 1", "1:9: a value is missing"),
        (
            ".reads 1 2\n.reads 01 3",
            "2:8: the values of region 1 are given twice",
        ),
        (
            ".reads 1 10000000000000000",
            "1:10: \"10000000000000000\" has more than 64 bits",
        ),
        ("lbeg 4 4 0 0 0 0 0 1", "1:1: this loop has no lend"),
        (" lend 0 4 0 0 0 0 0 1", "1:2: this lend ends no loop"),
        (
            "lbeg 4 4 0 0 0 0 0 1\nlend 0 5 0 0 0 0 0 1",
            "2:8: this lend counts in register 5, its lbeg in register 4",
        ),
    ] {
        assert_eq!(error(source), expected, "{source}");
    }
    let digits = "0".repeat(33);
    let found = read_words(&format!("{}\n {digits}", &digits[1..])).unwrap_err();
    assert_eq!((found.line, found.column), (2, 2));
    assert_eq!(found.problem, Problem::NoWord(digits));
}

#[test]
fn names_of_functions_are_checked() {
    let names = |names: &[&str]| Functions::new(names.iter().map(|name| (*name).to_owned()));
    assert!(matches!(names(&["1d"]), Err(FunctionsError::Malformed(_))));
    assert!(matches!(names(&["if"]), Err(FunctionsError::Reserved(_))));
    assert!(matches!(names(&["task"]), Err(FunctionsError::Reserved(_))));
    assert!(matches!(
        names(&["a", "a"]),
        Err(FunctionsError::Repeated(_))
    ));
    let many = (0..250).map(|number| format!("f{number}"));
    assert_eq!(Functions::new(many), Err(FunctionsError::TooMany(250)));
}
