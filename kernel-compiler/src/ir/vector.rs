//! Vectors: types, and instructions on several elements at once.

use super::builder::NO_NAME;
use super::{Block, Builder, Opcode, Type, TypeKind, Value};
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
        Type(llvm!(LLVMVectorType(self.0, count)))
    }

    pub fn is_vector(self) -> bool {
        self.kind() == TypeKind::LLVMVectorTypeKind
    }

    pub fn is_integer(self) -> bool {
        self.kind() == TypeKind::LLVMIntegerTypeKind
    }

    /// Types of a structure's fields.
    pub fn fields(self) -> Vec<Type> {
        let count = llvm!(LLVMCountStructElementTypes(self.0));
        (0..count)
            .map(|i| Type(llvm!(LLVMStructGetTypeAtIndex(self.0, i))))
            .collect()
    }

    /// Element type and number of elements of an array.
    pub fn array_elements(self) -> (Type, u64) {
        (
            Type(llvm!(LLVMGetElementType(self.0))),
            llvm!(LLVMGetArrayLength2(self.0)),
        )
    }

    /// Floating point of 64 bits.
    pub fn double(context: LLVMContextRef) -> Type {
        Type(llvm!(LLVMDoubleTypeInContext(context)))
    }

    /// A floating-point number of this type.
    pub fn real(self, number: f64) -> Value {
        Value(llvm!(LLVMConstReal(self.0, number)))
    }

    /// All bits of an integer, or of all elements.
    pub fn all_ones(self) -> Value {
        Value(llvm!(LLVMConstAllOnes(self.0)))
    }

    /// Zero, or null, or all elements of it.
    pub fn zero(self) -> Value {
        Value(llvm!(LLVMConstNull(self.0)))
    }
}

impl Value {
    /// Turns constant expressions over this global in `function` into instructions.
    pub fn expand_constant_users(self, function: Value) {
        llvm!(mocl3_expand_constant_users(self.0, function.0));
    }

    /// The position of this value in an arbitrary but fixed order of the module's values.
    pub fn order(self) -> usize {
        self.0 as usize
    }

    /// Takes away what an instruction promises (not to wrap, to stay in an object), so that
    /// its value is not meaningless where that does not hold.
    pub fn drop_promises(self) {
        llvm!(mocl3_drop_promises(self.0));
    }

    /// Whether a call is of an intrinsic that has a form with vectors.
    pub fn is_elementwise_call(self) -> bool {
        llvm!(mocl3_is_elementwise(self.0))
    }

    /// Whether an operand of such a call is a scalar in the form with vectors as well.
    pub fn operand_stays_scalar(self, index: u32) -> bool {
        llvm!(mocl3_operand_stays_scalar(self.0, index))
    }

    /// Whether a call only computes a value.
    pub fn is_computing_call(self) -> bool {
        llvm!(mocl3_only_computes(self.0))
    }

    /// Element that a shuffle takes for each of its own, from both operands as one; none
    /// where it does not matter.
    pub fn shuffle_mask(self) -> Vec<Option<usize>> {
        (0..llvm!(LLVMGetNumMaskElements(self.0)))
            .map(|i| usize::try_from(llvm!(LLVMGetMaskValue(self.0, i))).ok())
            .collect()
    }

    /// An element of a constant vector; none of what has no elements that are constants.
    pub fn constant_element(self, number: u32) -> Option<Value> {
        super::ffi::some(llvm!(LLVMGetAggregateElement(self.0, number))).map(Value)
    }

    /// Indices of an `extractvalue` or `insertvalue`.
    pub fn aggregate_indices(self) -> Vec<u32> {
        let count = llvm!(LLVMGetNumIndices(self.0)) as usize;
        // SAFETY: LLVM gives the start of as many numbers, which the instruction keeps.
        unsafe { std::slice::from_raw_parts(LLVMGetIndices(self.0), count) }.to_vec()
    }

    /// The type that a `getelementptr` counts its first index in.
    pub fn indexed_type(self) -> Type {
        Type(llvm!(LLVMGetGEPSourceElementType(self.0)))
    }

    /// Never wraps as a signed number.
    pub fn has_no_signed_wrap(self) -> bool {
        llvm!(LLVMGetNSW(self.0)) != 0
    }

    /// Never wraps as an unsigned number.
    pub fn has_no_unsigned_wrap(self) -> bool {
        llvm!(LLVMGetNUW(self.0)) != 0
    }

    /// A `zext` of what is not negative.
    pub fn is_of_not_negative(self) -> bool {
        llvm!(LLVMGetNNeg(self.0)) != 0
    }

    /// Whether a shift or division leaves nothing behind.
    pub fn is_exact(self) -> bool {
        llvm!(LLVMGetExact(self.0)) != 0
    }

    /// Whether an address is known to stay within its object.
    pub fn is_in_bounds(self) -> bool {
        llvm!(LLVMIsInBounds(self.0)) != 0
    }

    /// Drops what an in-bounds address says of wrapping as an unsigned number.
    pub fn set_in_bounds_only(self) {
        llvm!(LLVMGEPSetNoWrapFlags(self.0, llvm_sys::LLVMGEPFlagInBounds));
    }

    /// An `or` of what has no bit in common.
    pub fn is_disjoint(self) -> bool {
        llvm!(LLVMGetIsDisjoint(self.0)) != 0
    }
}

/// A vector constant.
pub fn constant_vector(elements: &[Value]) -> Value {
    let mut elements: Vec<_> = elements.iter().map(|e| e.0).collect();
    Value(llvm!(LLVMConstVector(
        elements.as_mut_ptr(),
        elements.len() as u32
    )))
}

impl Builder {
    /// An instruction alike with other operands, all of as many elements or scalar; `result`
    /// is the type a cast gives.
    pub fn alike(&self, instruction: Value, operands: &[Value], result: Type) -> Value {
        let made = llvm!(mocl3_build_alike(
            self.builder,
            instruction.0,
            operands.as_ptr().cast(),
            operands.len(),
            result.0
        ));
        assert!(!made.is_null(), "{} has no such form", instruction.text());
        Value(made)
    }

    pub fn extract_element(&self, vector: Value, index: Value) -> Value {
        Value(llvm!(LLVMBuildExtractElement(
            self.builder,
            vector.0,
            index.0,
            NO_NAME
        )))
    }

    pub fn insert_element(&self, vector: Value, element: Value, index: Value) -> Value {
        Value(llvm!(LLVMBuildInsertElement(
            self.builder,
            vector.0,
            element.0,
            index.0,
            NO_NAME
        )))
    }

    pub fn extract_value(&self, aggregate: Value, index: u32) -> Value {
        Value(llvm!(LLVMBuildExtractValue(
            self.builder,
            aggregate.0,
            index,
            NO_NAME
        )))
    }

    /// Elements of `a` and `b`, as one, by their numbers.
    pub fn shuffle(&self, a: Value, b: Value, elements: &[u32]) -> Value {
        let numbers: Vec<Value> = elements
            .iter()
            .map(|&element| self.i32().constant(u64::from(element)))
            .collect();
        Value(llvm!(LLVMBuildShuffleVector(
            self.builder,
            a.0,
            b.0,
            constant_vector(&numbers).0,
            NO_NAME
        )))
    }

    /// `count` times the same.
    pub fn splat(&self, value: Value, count: u32) -> Value {
        if value.is_constant() && !value.is_constant_expression() && !value.is_global_variable() {
            return value.in_all_elements(count);
        }
        let one = self.insert_element(
            value.ty().vector(count).poison(),
            value,
            self.i64().constant(0),
        );
        self.shuffle(
            one,
            value.ty().vector(count).poison(),
            &vec![0; count as usize],
        )
    }

    pub fn bit_cast(&self, value: Value, ty: Type) -> Value {
        Value(llvm!(LLVMBuildBitCast(
            self.builder,
            value.0,
            ty.0,
            NO_NAME
        )))
    }

    pub fn cast(&self, opcode: Opcode, value: Value, ty: Type) -> Value {
        Value(llvm!(LLVMBuildCast(
            self.builder,
            opcode,
            value.0,
            ty.0,
            NO_NAME
        )))
    }

    pub fn sign_extend(&self, value: Value, ty: Type) -> Value {
        Value(llvm!(LLVMBuildSExt(self.builder, value.0, ty.0, NO_NAME)))
    }

    /// Pointers moved by bytes, element by element.
    pub fn offset_each(&self, pointers: Value, bytes: Value) -> Value {
        Value(llvm!(LLVMBuildGEP2(
            self.builder,
            self.i8().0,
            pointers.0,
            [bytes.0].as_mut_ptr(),
            1,
            NO_NAME
        )))
    }

    /// Where instructions are being added: the block.
    pub fn position(&self) -> Block {
        Block(llvm!(LLVMGetInsertBlock(self.builder)))
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

    /// An intrinsic's form for a type.
    fn intrinsic(&self, name: &str, ty: Type) -> Value {
        let id = llvm!(LLVMLookupIntrinsicID(name.as_ptr().cast(), name.len()));
        let module = llvm!(LLVMGetGlobalParent(self.position().function().0));
        let mut types = [ty.0];
        Value(llvm!(LLVMGetIntrinsicDeclaration(
            module,
            id,
            types.as_mut_ptr(),
            1
        )))
    }

    /// The elements that `mask` names, one after another from `pointer` on.
    pub fn masked_load(&self, ty: Type, pointer: Value, alignment: u32, mask: Value) -> Value {
        Value(llvm!(mocl3_masked_load(
            self.builder,
            ty.0,
            pointer.0,
            alignment,
            mask.0
        )))
    }

    pub fn masked_store(&self, value: Value, pointer: Value, alignment: u32, mask: Value) {
        llvm!(mocl3_masked_store(
            self.builder,
            value.0,
            pointer.0,
            alignment,
            mask.0
        ));
    }

    pub fn masked_gather(&self, ty: Type, pointers: Value, alignment: u32, mask: Value) -> Value {
        Value(llvm!(mocl3_masked_gather(
            self.builder,
            ty.0,
            pointers.0,
            alignment,
            mask.0
        )))
    }

    pub fn masked_scatter(&self, value: Value, pointers: Value, alignment: u32, mask: Value) {
        llvm!(mocl3_masked_scatter(
            self.builder,
            value.0,
            pointers.0,
            alignment,
            mask.0
        ));
    }
}
