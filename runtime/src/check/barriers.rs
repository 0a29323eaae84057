//! Findings of barriers that not all work-items reach, and of copies with different arguments.

use super::description::work_item;
use findings::{Finding, Kind};
use host_exec::barrier::arrivals::Elsewhere;
use host_exec::barrier::checker::{BarrierError, BarrierSite, BarrierTable};
use host_exec::first_findings::Found;

/// What the checker found, as a finding.
pub fn finding(kernel: &str, table: &BarrierTable, found: &Found<BarrierError>) -> Finding {
    let unknown = BarrierSite::default();
    let of_region = |region: u32| {
        let site = table.before_region.get(region as usize);
        site.and_then(Option::as_ref).unwrap_or(&unknown)
    };
    let (kind, site, message) = match found.what {
        BarrierError::NotReachedByAll {
            region,
            reached,
            items,
            other,
            elsewhere,
        } => {
            let site = of_region(region);
            let elsewhere = match elsewhere {
                Elsewhere::Returned => "has returned".to_owned(),
                Elsewhere::AtBarrier(other) => at(of_region(other)),
            };
            let message = format!(
                "{} reached by {reached} of {items} work-items of a group; work-item {} {elsewhere}",
                name(site, "barrier"),
                local(other),
            );
            (Kind::DivergentBarrier, site, message)
        }
        BarrierError::DifferentValues { site, value, other } => {
            let site = table.compared.get(site as usize).unwrap_or(&unknown);
            let value = site.values.get(value).map_or("argument", String::as_str);
            let message = format!(
                "{} with another {value} in work-item {} than in work-item {}",
                name(site, "asynchronous copy"),
                local(found.local_id),
                local(other),
            );
            (Kind::DivergentArguments, site, message)
        }
    };
    Finding {
        kind,
        message,
        kernel: kernel.to_owned(),
        function: site.function.clone(),
        place: site.place.clone(),
        work_item: Some(work_item(found)),
        thread: None,
        object: None,
        access: None,
        other: None,
        value: None,
        count: found.count,
    }
}

fn local([x, y, z]: [u64; 3]) -> String {
    format!("local ({x},{y},{z})")
}

/// What a site calls, as the source has it.
fn name(site: &BarrierSite, otherwise: &str) -> String {
    let word: String = match &site.place {
        Some(place) => {
            let before = (place.column as usize).saturating_sub(1);
            let from = place.text.chars().skip(before);
            from.take_while(|c| c.is_alphanumeric() || *c == '_')
                .collect()
        }
        None => String::new(),
    };
    match word.as_str() {
        "" => otherwise.to_owned(),
        word => format!("`{word}`"),
    }
}

fn at(site: &BarrierSite) -> String {
    match &site.place {
        None => "is at another one".to_owned(),
        Some(place) => format!(
            "is at {} in {}:{}:{}",
            name(site, "another one"),
            place.file,
            place.line,
            place.column
        ),
    }
}
