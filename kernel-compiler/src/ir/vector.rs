//! Vectors: types, and instructions on several elements at once.

use super::builder::NO_NAME;
use super::{Block, Builder, ContextRef, Opcode, Type, TypeKind, Value};
use llvm_sys::LLVMRealPredicate;
use llvm_sys::core::*;
use llvm_sys::prelude::*;

unsafe extern "C" {
    fn mocl3_build_alike(
        builder: LLVMBuilderRef,
        instruction: LLVMValueRef,
        operands: *const LLVMValueRef,
        count: usize,
        ty: LLVMTypeRef,
    ) -> LLVMValueRef;
    fn mocl3_expand_constant_users(global: LLVMValueRef, function: LLVMValueRef);
    fn mocl3_drop_promises(instruction: LLVMValueRef);
    fn mocl3_is_elementwise(call: LLVMValueRef) -> bool;
    fn mocl3_operand_stays_scalar(call: LLVMValueRef, index: u32) -> bool;
    fn mocl3_only_computes(call: LLVMValueRef) -> bool;
    fn mocl3_masked_load(
        builder: LLVMBuilderRef,
        ty: LLVMTypeRef,
        pointer: LLVMValueRef,
        alignment: u32,
        mask: LLVMValueRef,
    ) -> LLVMValueRef;
    fn mocl3_masked_store(
        builder: LLVMBuilderRef,
        value: LLVMValueRef,
        pointer: LLVMValueRef,
        alignment: u32,
        mask: LLVMValueRef,
    );
    fn mocl3_masked_gather(
        builder: LLVMBuilderRef,
        ty: LLVMTypeRef,
        pointers: LLVMValueRef,
        alignment: u32,
        mask: LLVMValueRef,
    ) -> LLVMValueRef;
    fn mocl3_masked_scatter(
        builder: LLVMBuilderRef,
        value: LLVMValueRef,
        pointers: LLVMValueRef,
        alignment: u32,
        mask: LLVMValueRef,
    );
}

impl Type {
    /// A vector of `count` of this.
    pub fn vector(self, count: u32) -> Type {
        Type::new(llvm!(LLVMVectorType(self.raw(), count)))
    }

    pub fn is_vector(self) -> bool {
        self.kind() == TypeKind::LLVMVectorTypeKind
    }

    /// The type of a vector's elements, or this type if it is no vector.
    pub fn scalar(self) -> Type {
        match self.is_vector() {
            true => self.vector_elements().0,
            false => self,
        }
    }

    pub fn is_integer(self) -> bool {
        self.kind() == TypeKind::LLVMIntegerTypeKind
    }

    /// Types of a structure's fields.
    pub fn fields(self) -> Vec<Type> {
        let count = llvm!(LLVMCountStructElementTypes(self.raw()));
        (0..count)
            .map(|i| Type::new(llvm!(LLVMStructGetTypeAtIndex(self.raw(), i))))
            .collect()
    }

    /// Element type and number of elements of an array.
    pub fn array_elements(self) -> (Type, u64) {
        (
            Type::new(llvm!(LLVMGetElementType(self.raw()))),
            llvm!(LLVMGetArrayLength2(self.raw())),
        )
    }

    /// Floating point of 32 bits.
    pub fn float(context: ContextRef) -> Type {
        Type::new(llvm!(LLVMFloatTypeInContext(context.raw())))
    }

    /// Floating point of 64 bits.
    pub fn double(context: ContextRef) -> Type {
        Type::new(llvm!(LLVMDoubleTypeInContext(context.raw())))
    }

    /// A floating-point number of this type.
    pub fn real(self, number: f64) -> Value {
        Value::new(llvm!(LLVMConstReal(self.raw(), number)))
    }

    /// All bits of an integer, or of all elements.
    pub fn all_ones(self) -> Value {
        Value::new(llvm!(LLVMConstAllOnes(self.raw())))
    }

    /// Zero, or null, or all elements of it.
    pub fn zero(self) -> Value {
        Value::new(llvm!(LLVMConstNull(self.raw())))
    }
}

impl Value {
    /// Turns constant expressions over this global in `function` into instructions.
    pub fn expand_constant_users(self, function: Value) {
        llvm!(mocl3_expand_constant_users(self.raw(), function.raw()));
    }

    /// The position of this value in an arbitrary but fixed order of the module's values.
    pub fn order(self) -> usize {
        self.address()
    }

    /// Takes away what an instruction promises (not to wrap, to stay in an object), so that
    /// its value is not meaningless where that does not hold.
    pub fn drop_promises(self) {
        llvm!(mocl3_drop_promises(self.raw()));
    }

    /// Whether a call is of an intrinsic that has a form with vectors.
    pub fn is_elementwise_call(self) -> bool {
        llvm!(mocl3_is_elementwise(self.raw()))
    }

    /// Whether an operand of such a call is a scalar in the form with vectors as well.
    pub fn operand_stays_scalar(self, index: u32) -> bool {
        llvm!(mocl3_operand_stays_scalar(self.raw(), index))
    }

    /// Whether a call only computes a value.
    pub fn is_computing_call(self) -> bool {
        llvm!(mocl3_only_computes(self.raw()))
    }

    /// Whether an instruction computes each element of a vector of those at the same place in its operands.
    pub fn is_elementwise(self) -> bool {
        let value = self.raw();
        let is_arithmetic = || {
            [
                llvm!(LLVMIsABinaryOperator(value)),
                llvm!(LLVMIsAUnaryOperator(value)),
                llvm!(LLVMIsACastInst(value)),
            ]
            .iter()
            .any(|of_class| !of_class.is_null())
        };
        match self.opcode() {
            // It may change how many elements there are.
            Opcode::LLVMBitCast => false,
            Opcode::LLVMSelect => true,
            Opcode::LLVMCall => self.is_elementwise_call(),
            _ => is_arithmetic(),
        }
    }

    /// Whether a lane of a constant mask takes part. One that is undefined does not.
    pub fn is_active(self, lane: u32) -> bool {
        self.constant_element(lane)
            .is_some_and(|element| element.as_integer() == Some(1))
    }

    /// An element of a constant vector; none of what has no elements that are constants.
    pub fn constant_element(self, number: u32) -> Option<Value> {
        super::ffi::some(llvm!(LLVMGetAggregateElement(self.raw(), number))).map(Value::new)
    }

    /// Indices of an `extractvalue` or `insertvalue`.
    pub fn aggregate_indices(self) -> Vec<u32> {
        let count = llvm!(LLVMGetNumIndices(self.raw())) as usize;
        // SAFETY: LLVM gives the start of as many numbers, which the instruction keeps.
        unsafe { std::slice::from_raw_parts(LLVMGetIndices(self.raw()), count) }.to_vec()
    }

    /// The type that a `getelementptr` counts its first index in.
    pub fn indexed_type(self) -> Type {
        Type::new(llvm!(LLVMGetGEPSourceElementType(self.raw())))
    }

    /// Never wraps as a signed number.
    pub fn has_no_signed_wrap(self) -> bool {
        llvm!(LLVMGetNSW(self.raw())) != 0
    }

    /// Never wraps as an unsigned number.
    pub fn has_no_unsigned_wrap(self) -> bool {
        llvm!(LLVMGetNUW(self.raw())) != 0
    }

    /// A `zext` of what is not negative.
    pub fn is_of_not_negative(self) -> bool {
        llvm!(LLVMGetNNeg(self.raw())) != 0
    }

    /// Whether a shift or division leaves nothing behind.
    pub fn is_exact(self) -> bool {
        llvm!(LLVMGetExact(self.raw())) != 0
    }

    /// Whether an address is known to stay within its object.
    pub fn is_in_bounds(self) -> bool {
        llvm!(LLVMIsInBounds(self.raw())) != 0
    }

    /// Drops what an in-bounds address says of wrapping as an unsigned number.
    pub fn set_in_bounds_only(self) {
        llvm!(LLVMGEPSetNoWrapFlags(
            self.raw(),
            llvm_sys::LLVMGEPFlagInBounds
        ));
    }

    /// An `or` of what has no bit in common.
    pub fn is_disjoint(self) -> bool {
        llvm!(LLVMGetIsDisjoint(self.raw())) != 0
    }
}

/// A vector constant.
pub fn constant_vector(elements: &[Value]) -> Value {
    let mut elements: Vec<_> = elements.iter().map(|e| e.raw()).collect();
    Value::new(llvm!(LLVMConstVector(
        elements.as_mut_ptr(),
        elements.len() as u32
    )))
}

impl Builder {
    /// An instruction alike with other operands, all of as many elements or scalar; `result`
    /// is the type a cast gives.
    pub fn alike(&self, instruction: Value, operands: &[Value], result: Type) -> Value {
        let raw: Vec<_> = operands.iter().map(|operand| operand.raw()).collect();
        let made = llvm!(mocl3_build_alike(
            self.placed(),
            instruction.raw(),
            raw.as_ptr(),
            raw.len(),
            result.raw()
        ));
        assert!(!made.is_null(), "{} has no such form", instruction.text());
        Value::new(made)
    }

    pub fn extract_element(&self, vector: Value, index: Value) -> Value {
        Value::new(llvm!(LLVMBuildExtractElement(
            self.placed(),
            vector.raw(),
            index.raw(),
            NO_NAME
        )))
    }

    pub fn insert_element(&self, vector: Value, element: Value, index: Value) -> Value {
        Value::new(llvm!(LLVMBuildInsertElement(
            self.placed(),
            vector.raw(),
            element.raw(),
            index.raw(),
            NO_NAME
        )))
    }

    pub fn extract_value(&self, aggregate: Value, index: u32) -> Value {
        Value::new(llvm!(LLVMBuildExtractValue(
            self.placed(),
            aggregate.raw(),
            index,
            NO_NAME
        )))
    }

    pub fn bit_cast(&self, value: Value, ty: Type) -> Value {
        Value::new(llvm!(LLVMBuildBitCast(
            self.placed(),
            value.raw(),
            ty.raw(),
            NO_NAME
        )))
    }

    pub fn cast(&self, opcode: Opcode, value: Value, ty: Type) -> Value {
        Value::new(llvm!(LLVMBuildCast(
            self.placed(),
            opcode,
            value.raw(),
            ty.raw(),
            NO_NAME
        )))
    }

    pub fn sign_extend(&self, value: Value, ty: Type) -> Value {
        Value::new(llvm!(LLVMBuildSExt(
            self.placed(),
            value.raw(),
            ty.raw(),
            NO_NAME
        )))
    }

    /// Pointers moved by bytes, element by element.
    pub fn offset_each(&self, pointers: Value, bytes: Value) -> Value {
        Value::new(llvm!(LLVMBuildGEP2(
            self.placed(),
            self.i8().raw(),
            pointers.raw(),
            [bytes.raw()].as_mut_ptr(),
            1,
            NO_NAME
        )))
    }

    /// Where instructions are being added: the block.
    pub fn position(&self) -> Block {
        Block::new(llvm!(LLVMGetInsertBlock(self.placed())))
    }

    /// An integer as one of another width, as an unsigned number.
    pub fn resize(&self, value: Value, ty: Type) -> Value {
        match value.ty().integer_bits().cmp(&ty.integer_bits()) {
            std::cmp::Ordering::Less => self.zero_extend(value, ty),
            std::cmp::Ordering::Equal => value,
            std::cmp::Ordering::Greater => self.truncate(value, ty),
        }
    }

    /// Bits that are 0 below the lowest that is 1; the width for 0.
    pub fn count_trailing_zeros(&self, value: Value) -> Value {
        self.count_zeros("llvm.cttz", value)
    }

    /// Bits that are 0 above the highest that is 1; the width for 0.
    pub fn count_leading_zeros(&self, value: Value) -> Value {
        self.count_zeros("llvm.ctlz", value)
    }

    /// Bits that are 1.
    pub fn count_ones(&self, value: Value) -> Value {
        let function = self.intrinsic("llvm.ctpop", value.ty());
        self.call(function, &[value])
    }

    fn count_zeros(&self, name: &str, value: Value) -> Value {
        let function = self.intrinsic(name, value.ty());
        let no = Type::integer(self.context, 1).constant(0);
        self.call(function, &[value, no])
    }

    /// `a * b + c`, rounded once.
    pub fn fused_multiply_add(&self, a: Value, b: Value, c: Value) -> Value {
        let function = self.intrinsic("llvm.fma", a.ty());
        self.call(function, &[a, b, c])
    }

    /// The same numbers, or vectors of them, across which LLVM combines no operations.
    pub fn arithmetic_fence(&self, value: Value) -> Value {
        let function = self.intrinsic("llvm.arithmetic.fence", value.ty());
        self.call(function, &[value])
    }

    /// A floating-point number, or a vector of them, with the other sign.
    pub fn negate_float(&self, value: Value) -> Value {
        Value::new(llvm!(LLVMBuildFNeg(self.placed(), value.raw(), NO_NAME)))
    }

    /// Compares floating-point numbers, or vectors of them.
    pub fn compare_floats(&self, predicate: LLVMRealPredicate, a: Value, b: Value) -> Value {
        Value::new(llvm!(LLVMBuildFCmp(
            self.placed(),
            predicate,
            a.raw(),
            b.raw(),
            NO_NAME
        )))
    }

    /// An intrinsic's form for a type.
    fn intrinsic(&self, name: &str, ty: Type) -> Value {
        let id = llvm!(LLVMLookupIntrinsicID(name.as_ptr().cast(), name.len()));
        let module = llvm!(LLVMGetGlobalParent(self.position().function().raw()));
        let mut types = [ty.raw()];
        Value::new(llvm!(LLVMGetIntrinsicDeclaration(
            module,
            id,
            types.as_mut_ptr(),
            1
        )))
    }

    /// The elements that `mask` names, one after another from `pointer` on.
    pub fn masked_load(&self, ty: Type, pointer: Value, alignment: u32, mask: Value) -> Value {
        Value::new(llvm!(mocl3_masked_load(
            self.placed(),
            ty.raw(),
            pointer.raw(),
            alignment,
            mask.raw()
        )))
    }

    pub fn masked_store(&self, value: Value, pointer: Value, alignment: u32, mask: Value) {
        llvm!(mocl3_masked_store(
            self.placed(),
            value.raw(),
            pointer.raw(),
            alignment,
            mask.raw()
        ));
    }

    pub fn masked_gather(&self, ty: Type, pointers: Value, alignment: u32, mask: Value) -> Value {
        Value::new(llvm!(mocl3_masked_gather(
            self.placed(),
            ty.raw(),
            pointers.raw(),
            alignment,
            mask.raw()
        )))
    }

    pub fn masked_scatter(&self, value: Value, pointers: Value, alignment: u32, mask: Value) {
        llvm!(mocl3_masked_scatter(
            self.placed(),
            value.raw(),
            pointers.raw(),
            alignment,
            mask.raw()
        ));
    }
}
