//! Control registers.

use serde::{Deserialize, Serialize};

macro_rules! registers {
    ($($variant:ident $name:literal $vector:literal $write:literal $read:literal;)*) => {
        /// A control register besides SVR0 to SVR15.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
        pub enum ControlRegister {
            $(#[doc = $name] $variant,)*
        }

        impl ControlRegister {
            /// Number of them.
            pub const COUNT: usize = [$($name),*].len();

            /// Its name.
            pub fn name(self) -> &'static str {
                match self { $(Self::$variant => $name,)* }
            }

            /// The register of a name in capital letters.
            pub fn find(name: &str) -> Option<Self> {
                match name { $($name => Some(Self::$variant),)* _ => None }
            }

            /// Whether it has a word for each lane.
            pub fn is_vector(self) -> bool {
                match self { $(Self::$variant => $vector,)* }
            }

            /// Cycles until what is written can be read.
            pub fn write_latency(self) -> u8 {
                match self { $(Self::$variant => $write,)* }
            }

            /// Cycles until what is read can be used.
            pub fn read_latency(self) -> u8 {
                match self { $(Self::$variant => $read,)* }
            }
        }
    };
}

registers! {
    Vlr "VLR" false 5 3;
    Vcr "VCR" false 3 3;
    Sst "SST" false 1 1;
    Scr "SCR" false 1 1;
    Sfcr1 "SFCR1" false 1 1;
    Sfcr2 "SFCR2" false 1 1;
    Cgcr "CGCR" false 1 1;
    Cvccr "CVCCR" false 6 1;
    Secr "SECR" false 1 1;
    Ier "IER" false 2 2;
    Ifr "IFR" false 2 2;
    Icr "ICR" false 3 2;
    Irr "IRR" false 2 2;
    Istp "ISTP" false 2 2;
    Eer "EER" false 2 2;
    Efr "EFR" false 2 2;
    Ecr "ECR" false 3 2;
    Err "ERR" false 2 2;
    Estp "ESTP" false 2 2;
    Vst "VST" true 1 1;
    Vfcr1 "VFCR1" true 1 1;
    Vfcr2 "VFCR2" true 1 1;
    Vfcr3 "VFCR3" true 1 1;
    Vecr "VECR" true 1 1;
}
