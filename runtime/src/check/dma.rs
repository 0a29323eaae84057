//! Findings of accesses that conflict with DMA transfers.

use findings::{Finding, Kind, Place};
use host_exec::dma_checker::{self, Site};

/// What the checker found, as a finding.
pub fn finding(kernel: &str, sites: &[Site], found: &dma_checker::Finding) -> Finding {
    let (dma_checker::Finding::ReadTooEarly(site, _)
    | dma_checker::Finding::WrittenTooEarly(site, _)
    | dma_checker::Finding::NeverWaitedFor(site)) = *found;
    let place = sites.get(site as usize).filter(|site| site.line > 0);
    Finding {
        kind: Kind::Dma,
        message: found.sentence(sites),
        kernel: kernel.to_owned(),
        function: String::new(),
        place: place.map(|site| Place {
            file: site.file.clone(),
            line: site.line,
            column: 0,
            text: String::new(),
        }),
        work_item: None,
        object: None,
        access: None,
        other: None,
        count: 1,
    }
}
