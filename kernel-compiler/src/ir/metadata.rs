//! Metadata nodes.

use super::{Builder, ContextRef, MetadataRef, Type, Value};
use llvm_sys::core::*;
use llvm_sys::debuginfo::{LLVMMetadataReplaceAllUsesWith, LLVMTemporaryMDNode};
use llvm_sys::prelude::*;

/// The kind of metadata that branch weights have.
const BRANCH_WEIGHTS_KIND: &str = "prof";

/// The kind of metadata that loops have, at the branches to their headers.
const LOOP_KIND: &str = "llvm.loop";

unsafe extern "C" {
    fn mocl3_distinct_node(context: LLVMContextRef) -> LLVMMetadataRef;
}

/// An operand of a metadata node.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Metadata {
    /// A string.
    Text(String),
    /// An integer constant.
    Integer(u64),
    /// Anything else, with the type it names if it is a value.
    Other(Option<Type>),
}

impl Metadata {
    fn new(value: LLVMValueRef) -> Self {
        if value.is_null() {
            return Self::Other(None);
        }
        let mut length = 0;
        let text = llvm!(LLVMGetMDString(value, &mut length));
        if !text.is_null() {
            // SAFETY: LLVM gives start and length of the string it keeps.
            let bytes = unsafe { std::slice::from_raw_parts(text.cast::<u8>(), length as usize) };
            return Self::Text(String::from_utf8_lossy(bytes).into_owned());
        }
        match Value::new(value).as_integer() {
            Some(integer) => Self::Integer(integer),
            None => Self::Other(Some(Value::new(value).ty())),
        }
    }
}

/// Marks loads from memory that does not change while the work-group runs.
const INVARIANT: &str = "invariant.load";

impl Value {
    /// Records that the number of a load or call is at least `low` and below `high`.
    pub fn mark_range(self, low: u64, high: u64) {
        let context = self.ty().context();
        let bounds = [low, high].map(|bound| metadata_constant(self.ty().constant(bound)));
        self.set_metadata(
            metadata_kind(context, "range"),
            metadata_node(context, &bounds.map(Some)),
        );
    }

    /// Marks a load from memory that does not change while the work-group runs.
    pub fn mark_invariant(self) {
        let context = self.ty().context();
        self.set_metadata(
            metadata_kind(context, INVARIANT),
            metadata_node(context, &[]),
        );
    }

    /// Whether a load is marked as one from memory that does not change.
    pub fn is_marked_invariant(self) -> bool {
        let kind = metadata_kind(self.ty().context(), INVARIANT);
        self.metadata_operands(kind).is_some()
    }

    /// Metadata nodes attached to a function, by kind.
    pub fn function_metadata(self, kind: &str) -> Option<Vec<Metadata>> {
        let context = self.ty().context();
        let kind = metadata_kind(context, kind);
        let mut count = 0;
        let entries = llvm!(LLVMGlobalCopyAllMetadata(self.raw(), &mut count));
        let found = (0..count as u32)
            .find(|&i| llvm!(LLVMValueMetadataEntriesGetKind(entries, i)) == kind)
            .map(|i| {
                let node = llvm!(LLVMValueMetadataEntriesGetMetadata(entries, i));
                let node = llvm!(LLVMMetadataAsValue(context.raw(), node));
                operands(node).into_iter().map(Metadata::new).collect()
            });
        llvm!(LLVMDisposeValueMetadataEntries(entries));
        found
    }

    /// The operands of an instruction's metadata of a kind.
    pub fn metadata_operands(self, kind: u32) -> Option<Vec<Metadata>> {
        let node = super::ffi::some(llvm!(LLVMGetMetadata(self.raw(), kind)))?;
        Some(operands(node).into_iter().map(Metadata::new).collect())
    }

    /// How often a branch goes to each of its successors, relative to the others, where that is known.
    pub fn branch_weights(self) -> Option<Vec<u64>> {
        let kind = metadata_kind(self.ty().context(), BRANCH_WEIGHTS_KIND);
        let operands = self.metadata_operands(kind)?.into_iter();
        // A name, and where they come from, precede them.
        let weights = operands.filter_map(|operand| match operand {
            Metadata::Integer(weight) => Some(weight),
            _ => None,
        });
        Some(weights.collect())
    }

    /// Says how often a branch goes to each of its successors, relative to the others.
    pub fn set_branch_weights(self, weights: &[u32]) {
        let context = self.ty().context();
        let i32 = Builder::new(context).i32();
        let weight = |weight: &u32| metadata_constant(i32.constant(u64::from(*weight)));
        let name = metadata_text(context, "branch_weights");
        let operands = std::iter::once(name).chain(weights.iter().map(weight));
        let operands: Vec<_> = operands.map(Some).collect();
        self.set_metadata(
            metadata_kind(context, BRANCH_WEIGHTS_KIND),
            metadata_node(context, &operands),
        );
    }

    /// Names of the properties of the loop whose backward branch this is.
    pub fn loop_property_names(self) -> Vec<String> {
        let name = |property: LLVMValueRef| match operands(property).first().copied() {
            Some(first) => match Metadata::new(first) {
                Metadata::Text(name) => Some(name),
                _ => None,
            },
            None => None,
        };
        self.loop_properties()
            .into_iter()
            .filter_map(name)
            .collect()
    }

    /// Adds a property without operands to the loop whose backward branch this is.
    pub fn add_loop_property(self, name: &str) {
        let context = self.ty().context();
        let added = metadata_node(context, &[Some(metadata_text(context, name))]);
        let before = self.loop_properties().into_iter();
        let before = before.map(|property| MetadataRef::new(llvm!(LLVMValueAsMetadata(property))));
        let properties: Vec<_> = before.chain([added]).collect();
        self.set_metadata(
            metadata_kind(context, LOOP_KIND),
            metadata_loop_id(context, &properties),
        );
    }

    /// The operands of its loop's node but the first, which is the node itself.
    fn loop_properties(self) -> Vec<LLVMValueRef> {
        let kind = metadata_kind(self.ty().context(), LOOP_KIND);
        let node = super::ffi::some(llvm!(LLVMGetMetadata(self.raw(), kind)));
        node.map_or_else(Vec::new, |node| operands(node).split_off(1))
    }

    pub fn remove_metadata(self, kind: u32) {
        llvm!(LLVMSetMetadata(self.raw(), kind, std::ptr::null_mut()));
    }

    pub fn set_metadata(self, kind: u32, node: MetadataRef) {
        let context = self.ty().context();
        llvm!(LLVMSetMetadata(
            self.raw(),
            kind,
            LLVMMetadataAsValue(context.raw(), node.raw())
        ));
    }
}

/// The operands of a node.
fn operands(node: LLVMValueRef) -> Vec<LLVMValueRef> {
    let count = llvm!(LLVMGetMDNodeNumOperands(node)) as usize;
    let mut operands = vec![std::ptr::null_mut(); count];
    llvm!(LLVMGetMDNodeOperands(node, operands.as_mut_ptr()));
    operands
}

/// Number of a metadata kind.
pub fn metadata_kind(context: ContextRef, name: &str) -> u32 {
    llvm!(LLVMGetMDKindIDInContext(
        context.raw(),
        name.as_ptr().cast(),
        name.len() as u32
    ))
}

/// A metadata node of nodes, any of which may be absent.
pub fn metadata_node(context: ContextRef, operands: &[Option<MetadataRef>]) -> MetadataRef {
    let raw = |operand: &Option<MetadataRef>| operand.map_or(std::ptr::null_mut(), |o| o.raw());
    let mut operands: Vec<_> = operands.iter().map(raw).collect();
    MetadataRef::new(llvm!(LLVMMDNodeInContext2(
        context.raw(),
        operands.as_mut_ptr(),
        operands.len()
    )))
}

/// A metadata node without operands that is equal to no other.
pub fn metadata_distinct(context: ContextRef) -> MetadataRef {
    MetadataRef::new(llvm!(mocl3_distinct_node(context.raw())))
}

/// A metadata string.
pub fn metadata_text(context: ContextRef, text: &str) -> MetadataRef {
    MetadataRef::new(llvm!(LLVMMDStringInContext2(
        context.raw(),
        text.as_ptr().cast(),
        text.len()
    )))
}

/// A constant as a metadata operand.
pub fn metadata_constant(value: Value) -> MetadataRef {
    MetadataRef::new(llvm!(LLVMValueAsMetadata(value.raw())))
}

/// A metadata node that is distinct from all others (its first operand is itself),
/// as loops are named.
pub fn metadata_loop_id(context: ContextRef, properties: &[MetadataRef]) -> MetadataRef {
    let placeholder = llvm!(LLVMTemporaryMDNode(context.raw(), std::ptr::null_mut(), 0));
    let mut operands = vec![Some(MetadataRef::new(placeholder))];
    operands.extend(properties.iter().copied().map(Some));
    let node = metadata_node(context, &operands);
    llvm!(LLVMMetadataReplaceAllUsesWith(placeholder, node.raw()));
    node
}
