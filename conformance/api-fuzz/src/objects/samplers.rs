//! Samplers.

use crate::call::{Returns, Run, Step};
use crate::model::{Details, Kind, Sampler};
use crate::objects::queries::{Answer, size, uint};
use cl_sys::*;

impl Run {
    pub fn create_sampler(&mut self) -> Step {
        self.begin("clCreateSampler");
        let wanted = self.pick(Kind::Context);
        let context = self.handle("context", &[Kind::Context], wanted);
        let normalized = u64::from(self.random.below(2));
        let normalized = self.enumerator(
            "normalized_coords",
            normalized,
            |value| value < 2,
            CL_INVALID_VALUE,
        );
        // CL_ADDRESS_NONE to CL_ADDRESS_MIRRORED_REPEAT.
        let addressing = 0x1130 + u64::from(self.random.below(5));
        let known = |value| (0x1130..=0x1134).contains(&value);
        let addressing = self.enumerator("addressing_mode", addressing, known, CL_INVALID_VALUE);
        if addressing >= 0x1133 && normalized == 0 {
            // Repeating addressing modes need normalised coordinates only in kernels, but some
            // implementations check that here.
            self.may(CL_INVALID_VALUE);
        }
        let filter = 0x1140 + u64::from(self.random.below(2));
        let known = |value| (0x1140..=0x1141).contains(&value);
        let filter = self.enumerator("filter_mode", filter, known, CL_INVALID_VALUE);
        let done = self.make(Returns::Object)?;
        if let Some(context) = context.filter(|_| done.succeeded) {
            self.hold(context);
            let sampler = Sampler {
                normalized: normalized as u32,
                addressing: addressing as u32,
                filter: filter as u32,
            };
            self.created(
                Kind::Sampler,
                done.pointer,
                context,
                Details::Sampler(sampler),
            );
        }
        Some(())
    }

    pub fn get_sampler_info(&mut self) -> Step {
        self.begin("clGetSamplerInfo");
        let wanted = self.pick(Kind::Sampler);
        let sampler = self.handle("sampler", &[Kind::Sampler], wanted);
        let mut answers = vec![
            (CL_SAMPLER_REFERENCE_COUNT, Answer::Size(4)),
            (CL_SAMPLER_CONTEXT, Answer::Size(8)),
            (CL_SAMPLER_NORMALIZED_COORDS, Answer::Size(4)),
            (CL_SAMPLER_ADDRESSING_MODE, Answer::Size(4)),
            (CL_SAMPLER_FILTER_MODE, Answer::Size(4)),
        ];
        if let Some(id) = sampler {
            let object = self.model.object(id);
            let details = self.model.sampler(id);
            answers = vec![
                (CL_SAMPLER_REFERENCE_COUNT, uint(object.references)),
                (
                    CL_SAMPLER_CONTEXT,
                    size(self.model.object(object.context).handle),
                ),
                (CL_SAMPLER_NORMALIZED_COORDS, uint(details.normalized)),
                (CL_SAMPLER_ADDRESSING_MODE, uint(details.addressing)),
                (CL_SAMPLER_FILTER_MODE, uint(details.filter)),
            ];
        }
        self.query(&answers)
    }
}
