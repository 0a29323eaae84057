//! Each pass on a small piece of IR, before and after.

use super::control_flow::ControlFlow;
use super::region::{Exit, Regions};
use super::{crossing, cut, local_variables, uniform_loops};
use crate::ir::{self, Opcode, Value};
use inkwell::context::Context;
use inkwell::memory_buffer::MemoryBuffer;
use inkwell::module::Module;

const DECLARATIONS: &str = "
    declare void @__mocl3_barrier()
    declare void @__mocl3_dma_transfer(ptr, i64, ptr, i64, i64, i64)
    declare i64 @__mocl3_local_id(i32)
    @tile = internal addrspace(3) global [16 x float] undef
    @flag = internal addrspace(3) global i32 undef
";

fn parse<'c>(context: &'c Context, kernel: &str) -> (Module<'c>, Value) {
    let text = format!("{DECLARATIONS}{kernel}\0");
    let buffer = MemoryBuffer::create_from_memory_range_copy(text.as_bytes(), "test");
    let module = context
        .create_module_from_ir(buffer)
        .unwrap_or_else(|error| panic!("{error}"));
    let kernel = ir::function(module.as_mut_ptr(), "k").unwrap();
    (module, kernel)
}

/// The kernel's text with one blank between words, as passes leave it; it must verify.
fn text(module: &Module<'_>) -> String {
    module.verify().unwrap_or_else(|error| panic!("{error}"));
    let text = module.print_to_string().to_string();
    let start = text.find("define").unwrap();
    text[start..]
        .lines()
        .take_while(|line| *line != "}")
        .map(|line| line.split(';').next().unwrap().trim())
        .filter(|line| !line.is_empty())
        .collect::<Vec<_>>()
        .join("\n")
}

#[test]
fn barriers_become_blocks_of_their_own() {
    let context = Context::create();
    let (module, kernel) = parse(
        &context,
        "define void @k(ptr %p) {
        start:
          store i32 1, ptr %p
          call void @__mocl3_barrier()
          store i32 2, ptr %p
          call void @__mocl3_barrier()
          ret void
        }",
    );
    let cuts = cut::split(kernel);
    assert_eq!(cuts.number.len(), 2);
    assert_eq!(
        text(&module),
        "define void @k(ptr %p) {\n\
         store i32 1, ptr %p, align 4\n\
         br label %cut\n\
         cut:\n\
         br label %1\n\
         1:\n\
         store i32 2, ptr %p, align 4\n\
         br label %cut1\n\
         cut1:\n\
         br label %start\n\
         start:\n\
         ret void"
    );
    assert_eq!(cuts.after[0].instructions()[0].opcode(), Opcode::LLVMStore);
    assert_eq!(cuts.after[1].instructions()[0].opcode(), Opcode::LLVMRet);
}

#[test]
fn regions_end_at_the_next_cuts_that_can_be_reached() {
    let context = Context::create();
    let (_module, kernel) = parse(
        &context,
        "define void @k(i1 %c) {
          br label %loop
        loop:
          br i1 %c, label %with, label %without
        with:
          call void @__mocl3_barrier()
          br label %loop
        without:
          call void @__mocl3_barrier()
          ret void
        }",
    );
    let regions = Regions::find(kernel, &cut::split(kernel));
    let exits: Vec<&[Exit]> = regions.regions.iter().map(|r| r.exits.as_slice()).collect();
    // The entry and what follows the first barrier both run the loop's head; what
    // follows the second only returns.
    assert_eq!(
        exits,
        [
            [Exit::Region(1), Exit::Return].as_slice(),
            [Exit::Region(1), Exit::Return].as_slice(),
        ]
    );
}

#[test]
fn loops_within_regions_are_told_from_loops_through_cuts() {
    for (barrier, has_loop) in [("call void @__mocl3_barrier()", false), ("", true)] {
        let context = Context::create();
        let (_module, kernel) = parse(
            &context,
            &format!(
                "define void @k(i1 %c, i1 %d) {{
                entry:
                  br i1 %d, label %loop, label %loop
                loop:
                  {barrier}
                  br i1 %c, label %loop, label %done
                done:
                  ret void
                }}"
            ),
        );
        let regions = Regions::find(kernel, &cut::split(kernel));
        assert_eq!(regions.have_loops(), has_loop);
    }
}

#[test]
fn a_transfer_is_a_region_of_the_group() {
    let context = Context::create();
    let (_module, kernel) = parse(
        &context,
        "define void @k(ptr %p) {
          store i32 1, ptr %p
          call void @__mocl3_dma_transfer(ptr %p, i64 4, ptr %p, i64 4, i64 4, i64 1)
          store i32 2, ptr %p
          ret void
        }",
    );
    let regions = Regions::find(kernel, &cut::split(kernel));
    let once: Vec<bool> = regions.regions.iter().map(|region| region.once).collect();
    assert_eq!(once, [false, true, false]);
}

#[test]
fn local_variables_are_places_from_the_base_of_local_memory() {
    let context = Context::create();
    let (module, kernel) = parse(
        &context,
        "define void @k() {
          store i32 1, ptr addrspace(3) @flag
          store float 2.0, ptr addrspace(3) getelementptr (i8, ptr addrspace(3) @tile, i64 8)
          ret void
        }",
    );
    assert_eq!(local_variables::lower(module.as_mut_ptr(), kernel), 68);
    let text = text(&module);
    assert!(
        text.contains("call ptr addrspace(3) @__mocl3_local_memory()"),
        "{text}"
    );
    assert!(
        text.contains("i64 64\n"),
        "the flag follows the tile: {text}"
    );
    assert!(!text.contains("@tile"), "{text}");
}

#[test]
fn values_across_a_cut_get_slots_or_are_made_again() {
    let context = Context::create();
    let (module, kernel) = parse(
        &context,
        "define void @k(ptr addrspace(1) %p, i64 %n) {
          %id = call i64 @__mocl3_local_id(i32 0)
          %place = getelementptr i32, ptr addrspace(1) %p, i64 %id
          %old = load i32, ptr addrspace(1) %place
          call void @__mocl3_barrier()
          store i32 %old, ptr addrspace(1) %place
          ret void
        }",
    );
    let regions = Regions::find(kernel, &cut::split(kernel));
    crossing::rematerialise(kernel, &regions);
    let slots = crossing::demote(kernel, &regions);
    assert_eq!(slots.len(), 1, "only what was loaded is kept");
    let text = text(&module);
    assert_eq!(text.matches("@__mocl3_local_id").count(), 2, "{text}");
    assert_eq!(
        text.matches("ptr %across").count(),
        2,
        "stored and loaded: {text}"
    );
}

const SUM: &str = "define void @k(ptr addrspace(1) %p, i32 %n) {
        entry:
          %id = call i64 @__mocl3_local_id(i32 0)
          %last = trunc i64 %id to i32
          br label %loop
        loop:
          %i = phi i32 [ 0, %entry ], [ %next, %loop ]
          %sum = phi float [ 0.0, %entry ], [ %more, %loop ]
          %place = getelementptr float, ptr addrspace(1) %p, i32 %i
          %value = load float, ptr addrspace(1) %place
          %more = fadd float %sum, %value
          %next = add i32 %i, 1
          %again = icmp slt i32 %next, BOUND
          br i1 %again, label %loop, label %done
        done:
          %out = getelementptr float, ptr addrspace(1) %p, i64 %id
          store float %more, ptr addrspace(1) %out
          ret void
        }";

#[test]
fn a_loop_that_all_run_alike_is_cut_and_counted_once() {
    let context = Context::create();
    let (module, kernel) = parse(&context, &SUM.replace("BOUND", "%n"));
    let cut = uniform_loops::cut(module.as_mut_ptr(), kernel);
    assert_eq!((cut.slots.len(), cut.shared.len()), (1, 1));
    let text = text(&module);
    assert_eq!(text.matches("@__mocl3_once()").count(), 2, "{text}");
    assert_eq!(text.matches("@__mocl3_barrier()").count(), 4, "{text}");
    assert!(!text.contains("phi"), "{text}");
    assert!(text.contains("store i32 0, ptr %shared"), "{text}");
    assert!(
        text.contains("store float 0.000000e+00, ptr %carried"),
        "{text}"
    );
}

#[test]
fn loops_that_differ_or_will_be_unrolled_are_left_alone() {
    for bound in ["%last", "8"] {
        let context = Context::create();
        let (module, kernel) = parse(&context, &SUM.replace("BOUND", bound));
        let before = text(&module);
        let cut = uniform_loops::cut(module.as_mut_ptr(), kernel);
        assert!(cut.slots.is_empty() && cut.shared.is_empty());
        assert_eq!(text(&module), before);
    }
}

#[test]
fn influence_ends_where_the_ways_meet() {
    let context = Context::create();
    let (_module, kernel) = parse(
        &context,
        "define void @k(i1 %c) {
        entry:
          br i1 %c, label %left, label %right
        left:
          br label %meet
        right:
          br label %meet
        meet:
          ret void
        }",
    );
    let blocks = kernel.blocks();
    let (influenced, meeting) = ControlFlow::of(kernel).influence(blocks[0]);
    assert_eq!(influenced, [blocks[1], blocks[2]].into());
    assert_eq!(meeting, Some(blocks[3]));
}
