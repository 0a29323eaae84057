//! Findings of accesses to images for which OpenCL 1.2 defines no outcome (6.12.14, 8.2 and 8.4).

use super::description::work_item;
use findings::{Finding, Kind, Object};
use host_exec::first_findings::Found;
use host_exec::memory_checker::ArgumentMemory;
use host_exec::memory_checker::access_table::{AccessTable, ImageArgument, ImageForm, ImageSite};
use host_exec::memory_checker::images::{ImageFinding, ImageSize};
use kernel_compiler::image_argument::sampler_bits::{
    ADDRESS_REPEAT, ADDRESSING, FILTER_LINEAR, NORMALIZED_COORDS,
};

/// What the checker found, as a finding.
pub fn finding(
    kernel: &str,
    table: &AccessTable,
    arguments: &[ArgumentMemory],
    found: &Found<ImageFinding>,
) -> Finding {
    let what = &found.what;
    let unknown = ImageSite::default();
    let known = table.images.get(what.site as usize).unwrap_or(&unknown);
    let argument = known.argument.as_ref();
    let memory = argument.and_then(|argument| arguments.get(argument.index));
    Finding {
        kind: Kind::ImageCoordinates,
        message: message(
            known,
            memory.and_then(|memory| memory.image),
            error(known.form, what),
        ),
        kernel: kernel.to_owned(),
        function: known.site.function.clone(),
        place: known.site.place.clone(),
        work_item: Some(work_item(found)),
        thread: None,
        object: argument.map(|argument| Object {
            role: "argument".to_owned(),
            name: argument.name.clone(),
            space: "global".to_owned(),
            bytes: memory.map_or(0, |memory| memory.bytes),
        }),
        access: None,
        other: None,
        value: Some(coordinates(known.form, what.coordinates)),
        count: found.count,
    }
}

/// Why the outcome of an access is undefined.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum ImageError {
    /// It is outside of the image, and nothing clamps or repeats the coordinates.
    Outside,
    /// A coordinate is infinite or no number.
    NotFinite,
    /// The coordinates are integers, but the sampler has normalised coordinates, filters linearly or
    /// repeats the image.
    SamplerOfFloats,
    /// The sampler repeats the image, but its coordinates are not normalised.
    RepeatsPixels,
}

fn error(form: ImageForm, found: &ImageFinding) -> ImageError {
    let has = |bits: u64| found.sampler & bits != 0;
    let repeats = found.sampler & ADDRESSING >= ADDRESS_REPEAT;
    let is_finite = |bits: &u32| f32::from_bits(*bits).is_finite();
    let used = &found.coordinates[..form.coordinates().min(3)];
    match form.has_sampler {
        true if !form.is_floating && (repeats || has(NORMALIZED_COORDS | FILTER_LINEAR)) => {
            ImageError::SamplerOfFloats
        }
        true if repeats && !has(NORMALIZED_COORDS) => ImageError::RepeatsPixels,
        _ if form.is_floating && !used.iter().all(is_finite) => ImageError::NotFinite,
        _ => ImageError::Outside,
    }
}

fn message(known: &ImageSite, size: Option<ImageSize>, error: ImageError) -> String {
    let access = if known.site.writes { "write" } else { "read" };
    let image = match &known.argument {
        None => "an image".to_owned(),
        Some(argument) => described(argument, known.form, size.unwrap_or_default()),
    };
    match error {
        ImageError::Outside => format!("{access} outside of {image}"),
        ImageError::NotFinite => format!("{access} of {image} at a coordinate that is not finite"),
        ImageError::SamplerOfFloats => format!(
            "{access} of {image} at integer coordinates with a sampler that has normalised \
             coordinates, filters linearly or repeats the image"
        ),
        ImageError::RepeatsPixels => format!(
            "{access} of {image} with a sampler that repeats the image and has no normalised \
             coordinates"
        ),
    }
}

/// An image with its type and size.
fn described(argument: &ImageArgument, form: ImageForm, size: ImageSize) -> String {
    let pixels = &size.pixels[..usize::from(form.dimensions).min(3)];
    let pixels: Vec<String> = pixels.iter().map(u32::to_string).collect();
    let layers = match (form.has_layer, size.layers) {
        (false, _) => String::new(),
        (true, 1) => ", 1 layer".to_owned(),
        (true, layers) => format!(", {layers} layers"),
    };
    let (name, type_name) = (&argument.name, &argument.type_name);
    format!(
        "argument `{name}` ({type_name}, {}{layers})",
        pixels.join(" x ")
    )
}

/// The coordinates as the source has them.
fn coordinates(form: ImageForm, bits: [u32; 3]) -> String {
    let used = &bits[..form.coordinates().min(3)];
    let text = used.iter().map(|bits| match form.is_floating {
        true => format!("{:?}", f32::from_bits(*bits)),
        false => bits.cast_signed().to_string(),
    });
    format!("({})", text.collect::<Vec<_>>().join(", "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn samplers_and_numbers_are_wrong_before_places() {
        let form = ImageForm {
            dimensions: 1,
            has_layer: true,
            is_floating: true,
            has_sampler: true,
        };
        let integers = ImageForm {
            is_floating: false,
            ..form
        };
        let [half, nan] = [0.5f32, f32::NAN].map(f32::to_bits);
        for (form, sampler, coordinates, wrong) in [
            (form, 0x10, [half, half, nan], ImageError::Outside),
            (form, 0x10, [half, nan, 0], ImageError::NotFinite),
            (form, 0x16, [half, half, 0], ImageError::RepeatsPixels),
            (form, 0x17, [nan, half, 0], ImageError::NotFinite),
            (integers, 0x10, [nan, half, 0], ImageError::Outside),
            (integers, 0x11, [0; 3], ImageError::SamplerOfFloats),
            (integers, 0x22, [0; 3], ImageError::SamplerOfFloats),
            (integers, 0x18, [0; 3], ImageError::SamplerOfFloats),
        ] {
            let found = ImageFinding {
                site: 0,
                sampler,
                coordinates,
            };
            assert_eq!(error(form, &found), wrong, "{sampler:#x}");
        }
    }

    #[test]
    fn images_have_their_type_and_size() {
        let argument = ImageArgument {
            index: 2,
            name: "frames".into(),
            type_name: "image2d_array_t".into(),
        };
        let form = ImageForm {
            dimensions: 2,
            has_layer: true,
            is_floating: true,
            has_sampler: true,
        };
        let size = ImageSize {
            pixels: [8, 4, 1],
            layers: 3,
        };
        assert_eq!(
            described(&argument, form, size),
            "argument `frames` (image2d_array_t, 8 x 4, 3 layers)"
        );
        let bits = [0.5f32, -1.0, f32::INFINITY].map(f32::to_bits);
        assert_eq!(coordinates(form, bits), "(0.5, -1.0, inf)");
        let integers = ImageForm {
            is_floating: false,
            ..form
        };
        assert_eq!(coordinates(integers, [8, u32::MAX, 0]), "(8, -1, 0)");
    }
}
