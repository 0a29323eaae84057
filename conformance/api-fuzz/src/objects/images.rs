//! Images.

use crate::call::{Returns, Run, Step};
use crate::contents::Contents;
use crate::memory::LARGEST_BLOCK;
use crate::model::{Details, Id, Image, Kind};
use crate::objects::buffers::{
    COPY_HOST_PTR, READ_WRITE, USE_HOST_PTR, flags_are_valid, inherited, widens,
};
use crate::objects::queries::{Answer, size, uint};
use cl_sys::*;

pub const IMAGE_2D: u32 = 0x10F1;
pub const IMAGE_3D: u32 = 0x10F2;
pub const IMAGE_2D_ARRAY: u32 = 0x10F3;
pub const IMAGE_1D: u32 = 0x10F4;
pub const IMAGE_1D_ARRAY: u32 = 0x10F5;
pub const IMAGE_1D_BUFFER: u32 = 0x10F6;

/// Channel order, data type and pixel size in bytes of formats that all devices support.
const FORMATS: &[(u32, u32, usize)] = &[
    (0x10B5, 0x10D2, 4),
    (0x10B5, 0x10DA, 4),
    (0x10B5, 0x10DE, 16),
    (0x10B5, 0x10DD, 8),
    (0x10B5, 0x10D8, 8),
    (0x10B6, 0x10D2, 4),
    (0x10B0, 0x10DC, 4),
    (0x10B0, 0x10DE, 4),
    (0x10B0, 0x10D2, 1),
];
/// `CL_RGBA`, `CL_UNSIGNED_INT8`
pub const RGBA_UINT8: (u32, u32) = (0x10B5, 0x10DA);

/// Whether the type has slices or layers.
pub fn has_slices(image_type: u32) -> bool {
    matches!(image_type, IMAGE_3D | IMAGE_2D_ARRAY | IMAGE_1D_ARRAY)
}

/// The layout of a region in memory.
#[derive(Clone, Copy, Debug)]
pub struct Pitches {
    pub row: usize,
    pub slice: usize,
}

impl Pitches {
    /// `None` if the arguments contradict each other; a pitch of 0 means no padding.
    pub fn new(
        image_type: u32,
        region: [usize; 3],
        element_size: usize,
        row: usize,
        slice: usize,
    ) -> Option<Self> {
        let [width, height, _] = region;
        let tight = width.checked_mul(element_size)?;
        let row = if row == 0 { tight } else { row };
        let rows = if image_type == IMAGE_1D_ARRAY {
            1
        } else {
            height
        };
        let tight_slice = row.checked_mul(rows)?;
        let slice = if slice == 0 || !has_slices(image_type) {
            tight_slice
        } else {
            slice
        };
        (row >= tight && slice >= tight_slice).then_some(Self { row, slice })
    }

    /// Offset of a row of the region, in bytes.
    pub fn offset(self, image_type: u32, y: usize, z: usize) -> Option<usize> {
        if image_type == IMAGE_1D_ARRAY {
            return y.checked_mul(self.slice);
        }
        z.checked_mul(self.slice)?
            .checked_add(y.checked_mul(self.row)?)
    }

    /// Offset of the end of the last row, in bytes.
    pub fn end(self, image_type: u32, region: [usize; 3], element_size: usize) -> Option<usize> {
        let last = self.offset(
            image_type,
            region[1].checked_sub(1)?,
            region[2].checked_sub(1)?,
        )?;
        last.checked_add(region[0].checked_mul(element_size)?)
    }
}

/// The shape of a new image.
struct Shape {
    image_type: u32,
    extent: [usize; 3],
    row_pitch: usize,
    slice_pitch: usize,
    buffer: Option<Id>,
    /// The handle in the descriptor's field `buffer`.
    buffer_handle: u64,
}

/// The pixels of an image that are in host memory with padding behind rows and slices.
fn without_padding(host: &[u8], shape: &Shape, pitches: Pitches, element_size: usize) -> Vec<u8> {
    let row_bytes = shape.extent[0] * element_size;
    rows(shape.extent)
        .flat_map(|(y, z)| {
            let start = pitches.offset(shape.image_type, y, z).unwrap_or(0);
            host[start..start + row_bytes].to_vec()
        })
        .collect()
}

impl Run {
    fn choose_format(&mut self) -> (u32, u32, usize) {
        if !self.wrong() {
            return self.one_of(FORMATS);
        }
        self.fault(CL_INVALID_IMAGE_FORMAT_DESCRIPTOR);
        self.fault(CL_IMAGE_FORMAT_NOT_SUPPORTED);
        let far = self.garbage() as u32 | 1 << 20;
        let (order, data_type) = self.one_of(&[
            (far, 0x10D2),
            (0x10B5, far),
            (0, 0),
            // Order and data type exist, but not in this combination.
            (0x10B8, 0x10DA),
            (0x10B4, 0x10D2),
            (0x10B5, 0x10D4),
        ]);
        (order, data_type, 4)
    }

    pub fn create_image(&mut self) -> Step {
        let old = self.one_in(4);
        let image_type = self.choose_image_type(old);
        self.begin(match (old, image_type) {
            (true, IMAGE_2D) => "clCreateImage2D",
            (true, _) => "clCreateImage3D",
            _ => "clCreateImage",
        });
        let wanted = self.pick(Kind::Context);
        let context = self.handle("context", &[Kind::Context], wanted);
        let mut shape = self.choose_shape(image_type, context, old);
        let whole = shape.buffer.map(|buffer| self.model.flags(buffer));
        let flags = self.image_flags(image_type, whole);
        let (order, data_type, element_size) = self.choose_format();
        self.format_argument(order, data_type);
        let has_host = flags & (USE_HOST_PTR | COPY_HOST_PTR) != 0;
        self.choose_pitches(&mut shape, element_size, has_host, old);
        self.check_shape(&shape, element_size);
        self.shape_arguments(&shape, old);
        // The size that the specification requires of host memory, in bytes.
        let pitches = Pitches::new(
            image_type,
            shape.extent,
            element_size,
            shape.row_pitch,
            shape.slice_pitch,
        );
        let needed =
            pitches.and_then(|pitches| pitches.end(image_type, shape.extent, element_size));
        let needed = needed
            .filter(|_| !self.is_faulty())
            .unwrap_or(LARGEST_BLOCK);
        if needed > LARGEST_BLOCK && has_host {
            return None;
        }
        let host = self.host_memory(flags, needed);
        self.argument(
            "host_ptr",
            host.address,
            if host.address == 0 { "NULL" } else { "memory" },
        );
        let done = self.make(Returns::Object)?;
        let Some(context) = context.filter(|_| done.succeeded) else {
            return Some(());
        };
        self.hold(context);
        let flags = match (shape.buffer, whole) {
            (Some(buffer), Some(whole)) => {
                self.hold(buffer);
                inherited(flags, whole)
            }
            _ if flags == 0 => READ_WRITE,
            _ => flags,
        };
        let contents = shape.buffer.is_none().then(|| {
            let given = host.bytes.zip(pitches);
            let tight = given
                .map(|(given, pitches)| without_padding(&given, &shape, pitches, element_size));
            Contents::new(shape.extent.iter().product::<usize>() * element_size, tight)
        });
        let in_place = flags & USE_HOST_PTR != 0 && shape.buffer.is_none();
        let of_buffer = shape
            .buffer
            .map_or(0, |buffer| self.model.buffer(buffer).host_pointer);
        let image = Image {
            flags,
            image_type,
            format: (order, data_type),
            element_size,
            extent: shape.extent,
            host_pointer: if in_place { host.address } else { of_buffer },
            buffer: shape.buffer,
            mappings: Vec::new(),
            contents,
        };
        self.created(Kind::Image, done.pointer, context, Details::Image(image));
        Some(())
    }

    /// A type for `clCreateImage`, or for its predecessors if `old`.
    fn choose_image_type(&mut self, old: bool) -> u32 {
        if old {
            return self.one_of(&[IMAGE_2D, IMAGE_3D]);
        }
        self.one_of(&[
            IMAGE_2D,
            IMAGE_2D,
            IMAGE_3D,
            IMAGE_2D_ARRAY,
            IMAGE_1D,
            IMAGE_1D_ARRAY,
            IMAGE_1D_BUFFER,
        ])
    }

    /// The argument `flags` for an image of a buffer with the flags `whole`, or of its own memory.
    fn image_flags(&mut self, image_type: u32, whole: Option<u64>) -> u64 {
        let mut flags = self.choose_flags();
        if image_type == IMAGE_1D_BUFFER && !self.wrong() {
            // The flags are inherited from the buffer.
            flags = 0;
        }
        self.flags_argument(flags);
        if let Some(whole) = whole {
            let wrong = widens(flags, whole) || flags & (0x38) != 0;
            self.fault_if(wrong, CL_INVALID_VALUE);
            // Host pointers are for other types of images.
            if flags & 0x38 != 0 {
                self.fault(CL_INVALID_HOST_PTR);
                self.fault(CL_INVALID_IMAGE_DESCRIPTOR);
            }
        }
        flags
    }

    fn format_argument(&mut self, order: u32, data_type: u32) {
        let format: Vec<u8> = [order, data_type]
            .iter()
            .flat_map(|word| word.to_ne_bytes())
            .collect();
        if self.wrong() {
            self.null("image_format");
            self.fault(CL_INVALID_IMAGE_FORMAT_DESCRIPTOR);
        } else {
            self.input(
                "image_format",
                &format,
                &format!("({order:#x}, {data_type:#x})"),
            );
        }
    }

    fn choose_shape(&mut self, image_type: u32, context: Option<Id>, old: bool) -> Shape {
        let width = self.size(1, 24);
        let height = self.size(1, 12);
        let depth = self.size(if old { 2 } else { 1 }, 3);
        let extent = match image_type {
            IMAGE_1D | IMAGE_1D_BUFFER => [width, 1, 1],
            IMAGE_1D_ARRAY | IMAGE_2D => [width, height, 1],
            _ => [width, height, depth],
        };
        let mut shape = Shape {
            image_type,
            extent,
            row_pitch: 0,
            slice_pitch: 0,
            buffer: None,
            buffer_handle: 0,
        };
        if image_type == IMAGE_1D_BUFFER {
            let wanted = self.pick_where(|object| {
                object.kind == Kind::Buffer && object.is_alive() && Some(object.context) == context
            });
            let (handle, _, buffer) =
                self.choose_handle(&[Kind::Buffer], wanted, CL_INVALID_IMAGE_DESCRIPTOR);
            if buffer.is_none() {
                self.may(CL_INVALID_MEM_OBJECT);
            }
            shape.buffer = buffer;
            shape.buffer_handle = handle;
        } else if !old && self.wrong() {
            shape.buffer_handle = self.garbage().max(1);
            self.fault(CL_INVALID_IMAGE_DESCRIPTOR);
            self.may(CL_INVALID_MEM_OBJECT);
        }
        shape
    }

    /// Chooses pitches if there is host memory, and invalid extents.
    fn choose_pitches(
        &mut self,
        shape: &mut Shape,
        element_size: usize,
        has_host: bool,
        old: bool,
    ) {
        let [width, height, _] = shape.extent;
        let of_buffer = shape.image_type == IMAGE_1D_BUFFER;
        if has_host && !of_buffer && self.one_in(3) {
            shape.row_pitch = (width + self.random.below(4) as usize) * element_size;
            if has_slices(shape.image_type) && self.one_in(2) {
                let rows = if shape.image_type == IMAGE_1D_ARRAY {
                    1
                } else {
                    height
                };
                shape.slice_pitch = shape.row_pitch * (rows + self.random.below(3) as usize);
            }
        }
        if !self.wrong() {
            return;
        }
        let wrong_shape = if old {
            CL_INVALID_IMAGE_SIZE
        } else {
            CL_INVALID_IMAGE_DESCRIPTOR
        };
        match self.random.below(3) {
            0 => {
                // Sizes in dimensions that the type does not have are ignored.
                shape.extent[0] = self.one_of(&[0, 1 << 30, usize::MAX, usize::MAX / 16 + 2]);
                self.fault(CL_INVALID_IMAGE_SIZE);
                self.fault(wrong_shape);
            }
            1 if !has_host => {
                shape.row_pitch = (self.garbage() as usize).max(1);
                self.fault(wrong_shape);
            }
            _ if has_host && width * element_size > 1 => {
                // Fewer bytes than a row.
                shape.row_pitch = self.size(1, width * element_size - 1);
                self.fault(wrong_shape);
            }
            _ => {}
        }
    }

    fn check_shape(&mut self, shape: &Shape, element_size: usize) {
        if let Some(buffer) = shape.buffer {
            let bytes = self.model.buffer(buffer).size;
            let fits = shape.extent[0]
                .checked_mul(element_size)
                .is_some_and(|end| end <= bytes);
            if !fits {
                self.fault(CL_INVALID_IMAGE_DESCRIPTOR);
                self.fault(CL_INVALID_IMAGE_SIZE);
                self.may(CL_INVALID_MEM_OBJECT);
            }
        }
    }

    fn shape_arguments(&mut self, shape: &Shape, old: bool) {
        let [width, height, depth] = shape.extent;
        if old {
            self.number("image_width", width);
            self.number("image_height", height);
            if shape.image_type == IMAGE_3D {
                self.number("image_depth", depth);
            }
            self.number("image_row_pitch", shape.row_pitch);
            if shape.image_type == IMAGE_3D {
                self.number("image_slice_pitch", shape.slice_pitch);
            }
            return;
        }
        let array_size = match shape.image_type {
            IMAGE_1D_ARRAY => height,
            IMAGE_2D_ARRAY => depth,
            _ => 1,
        };
        let mut words = [
            u64::from(shape.image_type),
            width as u64,
            height as u64,
            depth as u64,
            array_size as u64,
            shape.row_pitch as u64,
            shape.slice_pitch as u64,
            // num_mip_levels, num_samples
            0,
            shape.buffer_handle,
        ];
        if self.wrong() {
            if self.one_in(2) {
                words[0] = self.garbage() & 0xFFFF_FFFF;
                let known = (0x10F1..=0x10F6).contains(&words[0]);
                words[0] = if known { 0x10F0 } else { words[0] };
            } else {
                words[7] = 1 << self.random.below(64);
            }
            self.fault(CL_INVALID_IMAGE_DESCRIPTOR);
        }
        let text = format!(
            "(type {:#x}, {width} x {height} x {depth}, {array_size} images, pitches {} {}, {:#x}, buffer {:#x})",
            words[0], shape.row_pitch, shape.slice_pitch, words[7], words[8]
        );
        if self.wrong() {
            self.null("image_desc");
            self.fault(CL_INVALID_IMAGE_DESCRIPTOR);
        } else {
            let bytes: Vec<u8> = words.iter().flat_map(|word| word.to_ne_bytes()).collect();
            self.input("image_desc", &bytes, &text);
        }
    }

    pub fn get_supported_image_formats(&mut self) -> Step {
        self.begin("clGetSupportedImageFormats");
        let wanted = self.pick(Kind::Context);
        self.handle("context", &[Kind::Context], wanted);
        let flags = self.choose_flags();
        self.argument("flags", flags, &format!("{flags:#x}"));
        self.fault_if(!flags_are_valid(flags), CL_INVALID_VALUE);
        let image_type = 0x10F1 + u64::from(self.random.below(6));
        let known = |value| (0x10F1..=0x10F6).contains(&value);
        self.enumerator("image_type", image_type, known, CL_INVALID_VALUE);
        let names = ["num_entries", "image_formats", "num_image_formats"];
        self.list(names, 8, None, None, None)?;
        Some(())
    }

    pub fn get_image_info(&mut self) -> Step {
        self.begin("clGetImageInfo");
        let wanted = self.pick(Kind::Image);
        let image = self.handle("image", &[Kind::Image], wanted);
        let mut answers = vec![
            (CL_IMAGE_FORMAT, Answer::Size(8)),
            (CL_IMAGE_ELEMENT_SIZE, Answer::Size(8)),
            (CL_IMAGE_ROW_PITCH, Answer::Size(8)),
            (CL_IMAGE_SLICE_PITCH, Answer::Size(8)),
            (CL_IMAGE_WIDTH, Answer::Size(8)),
            (CL_IMAGE_HEIGHT, Answer::Size(8)),
            (CL_IMAGE_DEPTH, Answer::Size(8)),
            (CL_IMAGE_ARRAY_SIZE, Answer::Size(8)),
            (CL_IMAGE_BUFFER, Answer::Size(8)),
            (CL_IMAGE_NUM_MIP_LEVELS, uint(0)),
            (CL_IMAGE_NUM_SAMPLES, uint(0)),
        ];
        if let Some(id) = image {
            let image = self.model.image(id);
            let [width, height, depth] = image.extent;
            let of_type = |types: &[u32], size: usize| {
                if types.contains(&image.image_type) {
                    size
                } else {
                    0
                }
            };
            let format = u64::from(image.format.1) << 32 | u64::from(image.format.0);
            let array_size = of_type(&[IMAGE_1D_ARRAY], height) + of_type(&[IMAGE_2D_ARRAY], depth);
            let buffer = image
                .buffer
                .map_or(0, |buffer| self.model.object(buffer).handle);
            let known = [
                (CL_IMAGE_FORMAT, size(format)),
                (CL_IMAGE_ELEMENT_SIZE, size(image.element_size)),
                (CL_IMAGE_WIDTH, size(width)),
                (
                    CL_IMAGE_HEIGHT,
                    size(of_type(&[IMAGE_2D, IMAGE_3D, IMAGE_2D_ARRAY], height)),
                ),
                (CL_IMAGE_DEPTH, size(of_type(&[IMAGE_3D], depth))),
                (CL_IMAGE_ARRAY_SIZE, size(array_size)),
                (CL_IMAGE_BUFFER, size(buffer)),
            ];
            for (name, answer) in known {
                if let Some(place) = answers.iter_mut().find(|place| place.0 == name) {
                    place.1 = answer;
                }
            }
        }
        self.query(&answers)
    }
}

/// The second and third coordinates of all rows of a region.
pub fn rows(region: [usize; 3]) -> impl Iterator<Item = (usize, usize)> {
    (0..region[2]).flat_map(move |z| (0..region[1]).map(move |y| (y, z)))
}
