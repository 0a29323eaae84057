//! The machine's exceptions, with their numbers.

/// Names by number, as the machine's own library prints them.
const NAMES: [&str; 34] = [
    "VRF_WriteConflict",
    "SRF_WriteConflict",
    "ARF_WriteConflict",
    "DP_InvalidOp",
    "Ex_InvalidOp",
    "VM_AddrMisaligned",
    "SM_AddrMisaligned",
    "L1P_AddrOverstep",
    "DDR Addr Overstep",
    "DMA Addr Overstep",
    "VPU_Exception",
    "SPU_Exception",
    "SAGU_IH_SRAMUnconfig",
    "Barrier_Exception",
    "L1P_EDAC",
    "AM_EDAC",
    "SM_EDAC",
    "EXC_DMA_PARAM_ERROR",
    "EXC_DMA_NO_IDLE_CH",
    "EXC_DMA_NO_IDLE_PARAM",
    "EXC_DMA_MEM_TYPE_ERROR",
    "EXC_DMA_BSCR_CONFLIC",
    "EXC_AM_MALLOC_ERROR",
    "EXC_SM_MALLOC_ERROR",
    "EXC_Syn0_W_CIC",
    "EXC_Syn1_W_CIC",
    "EXC_Syn2_W_CIC",
    "EXC_Syn3_W_CIC",
    "EXC_Syn4_W_CIC",
    "EXC_Syn5_W_CIC",
    "EXC_Syn6_W_CIC",
    "EXC_Syn7_W_CIC",
    "EXC_GSM_W_CIC",
    "EXC_DMA_CH_BUSY",
];

/// The number of an exception: one of the machine's, or what a program gave `dsp_abort`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Exception(pub u32);

impl Exception {
    /// Two instructions write a vector register in one cycle.
    pub const VECTOR_WRITE_CONFLICT: Self = Self(0);
    /// Two instructions write a scalar register in one cycle.
    pub const SCALAR_WRITE_CONFLICT: Self = Self(1);
    /// Two instructions write an address register in one cycle.
    pub const ADDRESS_WRITE_CONFLICT: Self = Self(2);
    /// What a program asserts does not hold.
    pub const INVALID_OPERATION: Self = Self(4);
    /// An access of the vector unit whose address is no multiple of its element.
    pub const AM_MISALIGNED: Self = Self(5);
    /// An access of the scalar unit whose address is no multiple of its element.
    pub const SM_MISALIGNED: Self = Self(6);
    /// A branch to an address without code.
    pub const CODE_OVERSTEP: Self = Self(7);
    /// An access of an address that no memory has.
    pub const DDR_OVERSTEP: Self = Self(8);
    /// Of the vector unit: an access beyond AM.
    pub const VECTOR_UNIT: Self = Self(10);
    /// Of the scalar unit: an access beyond SM.
    pub const SCALAR_UNIT: Self = Self(11);
    /// A DMA transfer of an address, size or shape that the engine cannot do.
    pub const DMA_OVERSTEP: Self = Self(9);
    /// A barrier that its cores use with different numbers, or whose time is over.
    pub const BARRIER: Self = Self(13);
    /// A DMA channel that does not exist.
    pub const PARAMETER: Self = Self(17);
    /// All DMA channels of the core are in use.
    pub const NO_IDLE_CHANNEL: Self = Self(18);
    /// The DMA channel that the program chose is in use.
    pub const CHANNEL_BUSY: Self = Self(33);

    /// Its name, if the machine has one of that number.
    pub fn name(self) -> Option<&'static str> {
        NAMES.get(self.0 as usize).copied()
    }
}

/// The memory or engine that an exception is of, with the cause.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Details {
    /// A transfer.
    Dma(&'static str),
    /// An access of AM.
    Am(&'static str),
    /// An access of SM.
    Sm(&'static str),
}

/// An exception of a thread.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Raised {
    /// What happened.
    pub exception: Exception,
    /// The address that it happened at, or 0.
    pub address: u64,
    /// More on it, if the exception has several causes.
    pub details: Option<Details>,
}

impl Raised {
    /// An exception without an address.
    pub fn new(exception: Exception) -> Self {
        Self {
            exception,
            address: 0,
            details: None,
        }
    }
}
