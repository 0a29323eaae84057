//! Handles after their part is erased, and after their epoch has ended.

use super::{Block, Builder, Context, DataLayout, Module, ModuleRef, Opcode, Value};
use super::{add_function, function, functions, globals};
use crate::shim::{self, FileType};
use crate::target;
use std::panic::{AssertUnwindSafe, catch_unwind};

const TEXT: &str = "
    @table = global [2 x i32] zeroinitializer
    @first = global ptr getelementptr (i8, ptr @table, i64 4)
    declare void @other()
    define i32 @f(i32 %a, i1 %c, ptr %p) {
    entry:
      %b = add i32 %a, 1, !note !0
      store i32 %b, ptr %p
      %g = getelementptr [2 x i32], ptr %p, i64 0, i32 %b
      %l = load i32, ptr %g, !invariant.load !0
      call void @other()
      br i1 %c, label %yes, label %no
    yes:
      br label %no
    no:
      %m = phi i32 [ %b, %entry ], [ %l, %yes ]
      switch i32 %m, label %end [ i32 3, label %three ]
    three:
      br label %end
    end:
      ret i32 %m
    }
    define i32 @g(i32 %a, i1 %c, ptr %p) {
      %r = call i32 @f(i32 %a, i1 %c, ptr %p)
      ret i32 %r
    }
    !0 = !{}";

fn module(context: &Context) -> Module<'_> {
    context.parse_ir(TEXT).unwrap()
}

fn named(function: Value, name: &str) -> Value {
    let mut instructions = function.instructions().into_iter();
    instructions.find(|i| i.name() == name).unwrap()
}

fn f(module: &Module<'_>) -> Value {
    function(module.handle(), "f").unwrap()
}

/// The message of the panic that `body` must end in.
fn panic_of<R>(body: impl FnOnce() -> R) -> String {
    let panic = catch_unwind(AssertUnwindSafe(body)).err().expect("a panic");
    let text = panic.downcast_ref::<String>().cloned();
    text.unwrap_or_else(|| (*panic.downcast_ref::<&str>().unwrap()).to_owned())
}

#[track_caller]
fn assert_ended<R>(body: impl FnOnce() -> R) {
    let message = panic_of(body);
    assert!(
        message.contains("after LLVM may have freed it"),
        "{message}"
    );
}

#[test]
fn queries_of_erased_instructions_are_defined() {
    let context = Context::create();
    let module = module(&context);
    let f = f(&module);
    let instructions = f.instructions();
    let blocks = f.blocks();
    for instruction in &instructions {
        instruction.erase();
        instruction.erase();
    }
    for &instruction in &instructions {
        assert!(!instruction.is_in_block());
        assert_eq!(instruction.next_instruction(), None);
        assert!(instruction.successors().is_empty());
        assert!(instruction.users().is_empty());
        assert!(
            instruction
                .operands()
                .iter()
                .all(|operand| operand.is_poison())
        );
        assert_eq!(instruction.called_function(), None);
        assert!(!instruction.text().is_empty());
        assert!(panic_of(|| instruction.block()).contains("no such Block"));
        assert!(panic_of(|| instruction.remove_from_block()).contains("no such Block"));
    }
    assert_eq!(instructions[0].name(), "b");
    for block in blocks {
        assert!(block.instructions().is_empty());
        assert!(block.branches().is_empty());
        assert!(panic_of(|| block.terminator()).contains("no such Value"));
    }
}

#[test]
fn uses_of_an_erased_instruction_are_poison() {
    let context = Context::create();
    let module = module(&context);
    let f = f(&module);
    let (b, m) = (named(f, "b"), named(f, "m"));
    b.erase();
    assert!(m.incoming()[0].0.is_poison());
    // A handle of what is erased can be an operand, and its operands can be set.
    m.set_operand(0, b);
    b.set_operand(0, b);
    assert_eq!(m.incoming()[0].0, b);
    shim::run_passes(&module, "no-op-module", &target::machine(true)).unwrap();
    assert!(named(self::f(&module), "m").incoming()[0].0.is_poison());
}

#[test]
fn an_erased_instruction_may_be_inserted_again() {
    let context = Context::create();
    let module = module(&context);
    let f = f(&module);
    let b = named(f, "b");
    b.erase();
    let builder = Builder::new(f.ty().context());
    builder.before(f.entry_block().first_instruction().unwrap());
    builder.insert(b);
    assert_eq!(f.entry_block().first_instruction(), Some(b));
    shim::run_passes(&module, "verify", &target::machine(true)).unwrap();
    let first = self::f(&module).entry_block().first_instruction().unwrap();
    assert_eq!(first.text(), "%b = add i32 poison, poison, !note !0");
}

#[test]
fn an_erased_function_keeps_its_blocks() {
    let context = Context::create();
    let module = module(&context);
    let (f, other) = (f(&module), function(module.handle(), "other").unwrap());
    let block = f.entry_block();
    let call = named(function(module.handle(), "g").unwrap(), "r");
    let builder = Builder::new(f.ty().context());
    builder.at_end(block);
    f.delete_function();
    assert_eq!(function(module.handle(), "f"), None);
    assert_eq!(call.called_function(), None);
    assert!(other.users().is_empty());
    assert_eq!(block.function(), f);
    assert!(f.text().contains("poison"), "{}", f.text());
    assert!(panic_of(|| f.module()).contains("no such ModuleRef"));
    assert!(panic_of(|| DataLayout::of_function(f)).contains("no such ModuleRef"));
    assert!(panic_of(|| builder.alloca(builder.i32(), "")).contains("place of the builder"));
    f.delete_function();
    module.verify().unwrap();
}

#[test]
fn the_builder_refuses_a_place_that_is_gone() {
    let context = Context::create();
    let module = module(&context);
    let f = f(&module);
    let (b, m) = (named(f, "b"), named(f, "m"));
    let builder = Builder::new(f.ty().context());
    assert!(panic_of(|| builder.add(m, m)).contains("place of the builder"));
    builder.before(b);
    b.erase();
    assert!(panic_of(|| builder.add(m, m)).contains("place of the builder"));
    assert!(panic_of(|| builder.before(b)).contains("no such Block"));
    shim::run_passes(&module, "function(dce)", &target::machine(true)).unwrap();
    assert_ended(|| builder.at_end(self::f(&module).entry_block()));
}

/// Handles of each kind are of an epoch that `end` ends.
fn check_ended(module: &Module<'_>, end: impl FnOnce()) {
    let handle: ModuleRef = module.handle();
    let f = f(module);
    let block: Block = f.entry_block();
    let (ty, context, layout) = (f.ty(), f.ty().context(), DataLayout::of_module(handle));
    let note = super::metadata_node(context, &[]);
    end();
    assert_ended(|| f.name());
    assert_ended(|| f.users());
    assert_ended(|| f.delete_function());
    assert_ended(|| block.instructions());
    assert_ended(|| ty.kind());
    assert_ended(|| Builder::new(context));
    assert_ended(|| functions(handle));
    assert_ended(|| layout.size(ty));
    assert_ended(|| super::metadata_loop_id(context, &[note]));
}

#[test]
fn passes_end_the_epoch() {
    let context = Context::create();
    let module = module(&context);
    check_ended(&module, || {
        shim::run_passes(&module, "default<O2>", &target::machine(true)).unwrap();
    });
    check_ended(&module, || {
        shim::emit(&module, &target::machine(true), FileType::Object).unwrap();
    });
}

#[test]
fn linking_ends_the_epoch() {
    let context = Context::create();
    let module = module(&context);
    let other = context
        .parse_ir("define void @other() { ret void }")
        .unwrap();
    let linked = function(other.handle(), "other").unwrap();
    check_ended(&module, || module.link(other).unwrap());
    assert_ended(|| linked.name());
    assert!(!function(module.handle(), "other").unwrap().is_declaration());
    check_ended(&module, || {
        assert!(!shim::link_needed(&module, b"no bitcode"))
    });
}

#[test]
fn the_end_of_a_module_or_a_context_ends_the_epoch() {
    let context = Context::create();
    let kept = module(&context);
    let dropped = module(&context);
    let value = f(&dropped);
    named(value, "b").erase();
    check_ended(&kept, || drop(dropped));
    assert_ended(|| value.name());
    drop(kept);
    let module = module(&context);
    let value = f(&module);
    named(value, "m").erase();
    std::mem::forget(module);
    let builder = Builder::new(value.ty().context());
    builder.of_the_line_of(named(value, "b"));
    drop(context);
    assert_ended(|| value.name());
    assert_ended(|| builder.position());
}

#[test]
fn replacing_a_constant_that_constants_use_ends_the_epoch() {
    let context = Context::create();
    let module = module(&context);
    let find = |name: &str| {
        let mut found = globals(module.handle()).into_iter();
        found.find(|global| global.name() == name).unwrap()
    };
    let table = find("table");
    let expression = find("first").operand(0);
    assert!(expression.is_constant_expression());
    table.replace_all_uses_with(table.ty().poison());
    assert_ended(|| expression.text());
    // Other uses end nothing.
    let other = function(module.handle(), "other").unwrap();
    let instead = add_function(module.handle(), "instead", other.function_type());
    other.replace_all_uses_with(instead);
    assert_eq!(instead.users().len(), 1);
    assert!(instead.users()[0].is(Opcode::LLVMCall));
}
