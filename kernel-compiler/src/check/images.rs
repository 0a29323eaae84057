//! Coordinates of images. Where they are outside of an image, OpenCL 1.2 defines what happens only if
//! a sampler clamps or repeats them (6.12.14.1 to 6.12.14.4, 8.2, 8.4). Image functions are inlined
//! before checks are inserted, so that each call of one is marked before; the mark becomes a branch on
//! whether the outcome is defined.

use super::calls;
use super::sites::Sites;
use crate::intrinsics::{IMAGE_ACCESS, IMAGE_FINDING, address_space};
use crate::ir::{self, Builder, ModuleRef, Opcode, Type, Value};
use crate::kernel::image_argument::ImageDescriptor;
use crate::kernel::image_argument::sampler_bits::{
    ADDRESS_NONE, ADDRESS_REPEAT, ADDRESSING, FILTER_LINEAR, NORMALIZED_COORDS,
};
use crate::kernel::interface::KernelInterface;
use crate::work_group::branches::unless;
use host_exec::memory_checker::access_table::{AccessSite, ImageArgument, ImageForm, ImageSite};
use llvm_sys::LLVMIntPredicate::*;
use std::mem::offset_of;

/// `1.0f`
const ONE: u64 = 0x3f80_0000;
/// The exponent of a `float`: all its bits are set in infinities and NaNs.
const EXPONENT: u64 = 0x7f80_0000;
/// `-0.0f`, which is inside of an image.
const MINUS_ZERO: u64 = 0x8000_0000;

/// A call of an image function, as its name describes it.
#[derive(Debug, PartialEq, Eq)]
struct ImageCall {
    form: ImageForm,
    writes: bool,
}

/// Where the bits of a form are in the mark's operand, above the number of dimensions.
const FLAGS: [u32; 4] = [2, 3, 4, 5];

impl ImageCall {
    /// Of a function with this mangled name, if it accesses an image.
    fn parse(name: &str) -> Option<Self> {
        let (function, rest) = identifier(name.strip_prefix("_Z")?)?;
        let writes = match function {
            "read_imagef" | "read_imagei" | "read_imageui" | "read_imageh" => false,
            "write_imagef" | "write_imagei" | "write_imageui" | "write_imageh" => true,
            _ => return None,
        };
        let (image, rest) = identifier(rest)?;
        let image = image.strip_prefix("ocl_image")?;
        let (image, _access) = image.rsplit_once('_')?;
        let (dimensions, has_layer) = match image {
            "1d" | "1d_buffer" => (1, false),
            "1d_array" => (1, true),
            "2d" => (2, false),
            "2d_array" => (2, true),
            "3d" => (3, false),
            _ => return None,
        };
        let sampler = identifier(rest).filter(|(word, _)| *word == "ocl_sampler");
        let coordinates = sampler.map_or(rest, |(_, rest)| rest);
        let element = match coordinates.strip_prefix("Dv") {
            Some(vector) => vector.trim_start_matches(|c: char| c.is_ascii_digit() || c == '_'),
            None => coordinates,
        };
        let form = ImageForm {
            dimensions,
            has_layer,
            is_floating: element.starts_with('f'),
            has_sampler: sampler.is_some(),
        };
        Some(Self { form, writes })
    }

    fn bits(&self) -> u64 {
        let form = self.form;
        let flags = [
            form.has_layer,
            form.is_floating,
            form.has_sampler,
            self.writes,
        ];
        let flags = flags.into_iter().zip(FLAGS);
        flags.fold(u64::from(form.dimensions), |bits, (flag, at)| {
            bits | (u64::from(flag) << at)
        })
    }

    fn of_bits(bits: u64) -> Self {
        let [has_layer, is_floating, has_sampler, writes] = FLAGS.map(|at| bits >> at & 1 != 0);
        let form = ImageForm {
            dimensions: (bits & 3) as u8,
            has_layer,
            is_floating,
            has_sampler,
        };
        Self { form, writes }
    }
}

/// The identifier that a mangled name begins with, and the rest.
fn identifier(mangled: &str) -> Option<(&str, &str)> {
    let digits = mangled.bytes().take_while(u8::is_ascii_digit).count();
    let (length, rest) = mangled.split_at(digits);
    rest.split_at_checked(length.parse().ok()?)
}

/// Marks the calls of image functions in a program.
pub fn mark(module: ModuleRef) {
    for function in ir::functions(module) {
        let Some(call) = ImageCall::parse(&function.name()).filter(|_| function.is_declaration())
        else {
            continue;
        };
        for user in function.users() {
            if user.called_function() == Some(function) {
                mark_call(module, user, &call);
            }
        }
    }
}

fn mark_call(module: ModuleRef, user: Value, call: &ImageCall) {
    let b = Builder::new(user.ty().context());
    b.before(user);
    b.of_the_line_of(user);
    let image = user.operand(0);
    let no_sampler = Type::pointer(b.context, address_space::CONSTANT).zero();
    let (sampler, at) = match call.form.has_sampler {
        true => (user.operand(1), 2),
        false => (no_sampler, 1),
    };
    let mut arguments = vec![image, sampler, b.i32().constant(call.bits())];
    arguments.extend(coordinates(&b, user.operand(at), call.form.coordinates()));
    let types: Vec<Type> = arguments.iter().map(|argument| argument.ty()).collect();
    let marker = ir::function(module, IMAGE_ACCESS).unwrap_or_else(|| {
        let ty = Type::function(Type::void(b.context), &types);
        ir::add_function(module, IMAGE_ACCESS, ty)
    });
    b.call(marker, &arguments);
}

/// The bits of a number of coordinates, and zeros for the others. Vectors of 64 bits are passed as
/// another type of that size.
fn coordinates(b: &Builder, of: Value, count: usize) -> [Value; 3] {
    let zero = b.i32().constant(0);
    let all = match count {
        1 => return [b.bit_cast(of, b.i32()), zero, zero],
        2 => b.bit_cast(of, b.i32().vector(2)),
        _ => b.bit_cast(of, b.i32().vector(4)),
    };
    [0, 1, 2].map(|at| match at < count {
        true => b.extract_element(all, b.i64().constant(at as u64)),
        false => zero,
    })
}

/// Removes the marks that are left.
pub fn forget(module: ModuleRef) {
    if let Some(marker) = ir::function(module, IMAGE_ACCESS) {
        for call in marker.users() {
            call.erase();
        }
        marker.delete_function();
    }
}

/// Checks the accesses to images in a kernel.
pub struct ImageChecks<'a> {
    /// Builds the checks.
    pub b: &'a Builder,
    /// The kernel.
    pub kernel: Value,
    /// Its arguments.
    pub interface: &'a KernelInterface,
}

impl ImageChecks<'_> {
    /// Replaces a mark by a check. The access itself is left as it is: what the platform does outside
    /// of an image is harmless.
    pub fn check(&self, sites: &mut Sites<'_>, mark: Value) {
        let b = self.b;
        b.of_the_line_of(mark);
        b.before(mark);
        let Some(bits) = mark.operand(2).as_integer() else {
            return;
        };
        let call = ImageCall::of_bits(bits);
        let [image, sampler] = [0, 1].map(|operand| mark.operand(operand));
        let coordinates = [3, 4, 5].map(|operand| mark.operand(operand));
        let sampler = b.cast(Opcode::LLVMPtrToInt, sampler, b.i64());
        let is_defined = match call.form.has_sampler {
            true => self.is_defined_with_sampler(call.form, image, sampler, &coordinates),
            false => self.is_inside(call.form, image, &coordinates),
        };
        let site = AccessSite {
            writes: call.writes,
            ..sites.site(mark)
        };
        let site = sites.add_image(ImageSite {
            site,
            argument: self.argument(image),
            form: call.form,
        });
        let module = self.kernel.module();
        unless(b, is_defined, mark, "report", |_| {
            let [x, y, z] = calls::local_id(b, module);
            let [u, v, w] = coordinates;
            let context = calls::context(b, module);
            let arguments = [context, b.i64().constant(site), sampler, u, v, w, x, y, z];
            let void = Type::void(b.context);
            calls::outside(b, module, IMAGE_FINDING, void, &arguments);
        });
        mark.erase();
    }

    fn argument(&self, image: Value) -> Option<ImageArgument> {
        let parameters = self.kernel.parameters();
        let index = parameters.iter().position(|p| *p == image)?;
        let argument = self.interface.arguments.get(index)?;
        Some(ImageArgument {
            index,
            name: argument.name.clone(),
            type_name: argument.base_type.clone(),
        })
    }

    /// A field of the image's descriptor.
    fn field(&self, image: Value, offset: usize) -> Value {
        let b = self.b;
        let constant = Type::pointer(b.context, address_space::CONSTANT);
        let descriptor = b.address_space_cast(image, constant);
        let field = b.offset(descriptor, b.i64().constant(offset as u64));
        b.load(b.i32(), field, 4)
    }

    /// The sizes that belong to the coordinates of a pixel.
    fn sizes(&self, form: ImageForm, image: Value) -> Vec<Value> {
        let fields = [
            offset_of!(ImageDescriptor, width),
            offset_of!(ImageDescriptor, height),
            offset_of!(ImageDescriptor, depth),
        ];
        let used = fields.into_iter().take(usize::from(form.dimensions));
        used.map(|field| self.field(image, field)).collect()
    }

    /// Whether integers are all within the image, the layer included.
    fn is_inside(&self, form: ImageForm, image: Value, coordinates: &[Value]) -> Value {
        let mut sizes = self.sizes(form, image);
        if form.has_layer {
            sizes.push(self.field(image, offset_of!(ImageDescriptor, array_size)));
        }
        self.are_below(coordinates, &sizes)
    }

    fn are_below(&self, coordinates: &[Value], limits: &[Value]) -> Value {
        let below = coordinates.iter().zip(limits);
        let below = below.map(|(c, limit)| self.b.compare(LLVMIntULT, *c, *limit));
        self.all(below)
    }

    fn all(&self, conditions: impl Iterator<Item = Value>) -> Value {
        let both = |one, other| self.b.and(one, other);
        let always = Type::integer(self.b.context, 1).constant(1);
        conditions.reduce(both).unwrap_or(always)
    }

    /// Whether a sampler fits the coordinates, these are finite, and the sampler clamps or repeats
    /// them or they are inside. The layer of an array is always clamped.
    fn is_defined_with_sampler(
        &self,
        form: ImageForm,
        image: Value,
        sampler: Value,
        coordinates: &[Value],
    ) -> Value {
        let b = self.b;
        let number = |number| b.i64().constant(number);
        let masked = |bits| b.and(sampler, number(bits));
        let addressing = masked(ADDRESSING);
        let is_clamped = b.compare(LLVMIntNE, addressing, number(ADDRESS_NONE));
        let repeats_not = b.compare(LLVMIntULT, addressing, number(ADDRESS_REPEAT));
        let sizes = self.sizes(form, image);
        if !form.is_floating {
            let of_floats = masked(NORMALIZED_COORDS | FILTER_LINEAR);
            let of_integers = b.compare(LLVMIntEQ, of_floats, number(0));
            let fits = b.and(of_integers, repeats_not);
            let is_inside = self.are_below(coordinates, &sizes);
            return b.and(fits, b.binary(Opcode::LLVMOr, is_clamped, is_inside));
        }
        let is_normalised = b.compare(LLVMIntNE, masked(NORMALIZED_COORDS), number(0));
        let fits = b.binary(Opcode::LLVMOr, repeats_not, is_normalised);
        let used = &coordinates[..form.coordinates()];
        let exponent = b.i32().constant(EXPONENT);
        let are_finite = self.all(
            used.iter()
                .map(|bits| b.compare(LLVMIntNE, b.and(*bits, exponent), exponent)),
        );
        // Numbers that are not negative are ordered as their bits are, and below those of others.
        let limits: Vec<Value> = sizes
            .into_iter()
            .map(|size| {
                let float = Type::float(b.context);
                let size = b.cast(Opcode::LLVMUIToFP, size, float);
                let size = b.bit_cast(size, b.i32());
                b.select(is_normalised, b.i32().constant(ONE), size)
            })
            .collect();
        let zero = b.i32().constant(0);
        let places: Vec<Value> = used
            .iter()
            .map(|bits| {
                let is_minus = b.compare(LLVMIntEQ, *bits, b.i32().constant(MINUS_ZERO));
                b.select(is_minus, zero, *bits)
            })
            .collect();
        let is_inside = self.are_below(&places, &limits);
        let is_placed = b.binary(Opcode::LLVMOr, is_clamped, is_inside);
        b.and(b.and(fits, are_finite), is_placed)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_tell_how_images_are_accessed() {
        let form = |dimensions, has_layer, is_floating, has_sampler| ImageForm {
            dimensions,
            has_layer,
            is_floating,
            has_sampler,
        };
        for (name, expected) in [
            (
                "_Z11read_imagef14ocl_image2d_ro11ocl_samplerDv2_f",
                Some((form(2, false, true, true), false)),
            ),
            (
                "_Z11read_imagei20ocl_image1d_array_ro11ocl_samplerDv2_i",
                Some((form(1, true, false, true), false)),
            ),
            (
                "_Z12read_imageui21ocl_image1d_buffer_roi",
                Some((form(1, false, false, false), false)),
            ),
            (
                "_Z12write_imagef20ocl_image2d_array_woDv4_iDv4_f",
                Some((form(2, true, false, false), true)),
            ),
            (
                "_Z12write_imageh14ocl_image3d_woDv4_iDv4_Dh",
                Some((form(3, false, false, false), true)),
            ),
            ("_Z15get_image_width14ocl_image2d_ro", None),
            ("_Z11read_imagefi", None),
            ("read_imagef", None),
        ] {
            let expected = expected.map(|(form, writes)| ImageCall { form, writes });
            let found = ImageCall::parse(name);
            assert_eq!(found, expected, "{name}");
            if let Some(call) = found {
                assert_eq!(ImageCall::of_bits(call.bits()), call);
            }
        }
    }
}
