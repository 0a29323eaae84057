//! The resources that a kernel uses.

/// Resources and structure of a kernel's work-group function.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ResourceUse {
    /// Bytes of local memory for the kernel's own `__local` variables.
    pub local_memory_bytes: u64,
    /// Bytes of private memory per work-item (`CL_KERNEL_PRIVATE_MEM_SIZE`).
    pub private_memory_bytes: u64,
    /// Of these, bytes that are kept for each work-item of the group across barriers.
    pub kept_across_barriers_bytes: u64,
    /// Bytes of instructions.
    pub code_bytes: u64,
    /// Barriers in the kernel, functions it calls included.
    pub barriers: usize,
    /// DMA transfers in the kernel, likewise.
    pub transfers: usize,
    /// Loops interchanged with the loops over work-items.
    pub interchanged_loops: usize,
    /// Regions between barriers.
    pub regions: usize,
    /// Elements of the widest vector in the optimised code; 1 if there is none.
    pub widest_vector: u32,
    /// Whether the loops over work-items became vector code. Not known where a region
    /// has loops of its own that may have become so, or where no loop is left.
    pub vectorised: Option<bool>,
}

impl std::fmt::Display for ResourceUse {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        writeln!(f, "local memory      {} bytes", self.local_memory_bytes)?;
        writeln!(
            f,
            "private memory    {} bytes per work-item, {} of them kept across barriers",
            self.private_memory_bytes, self.kept_across_barriers_bytes
        )?;
        writeln!(f, "code              {} bytes", self.code_bytes)?;
        writeln!(
            f,
            "regions           {} ({} barriers, {} DMA transfers, {} interchanged loops)",
            self.regions, self.barriers, self.transfers, self.interchanged_loops
        )?;
        let over = match self.vectorised {
            Some(true) => "over the work-items",
            Some(false) => "within each work-item",
            None => "over the work-items or within each",
        };
        match self.widest_vector {
            1 => writeln!(f, "vectors           none"),
            elements => writeln!(f, "vectors           {over}, up to {elements} elements"),
        }
    }
}
