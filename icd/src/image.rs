//! Images (OpenCL 1.2, section 5.3): the devices report `CL_DEVICE_IMAGE_SUPPORT` false
//! for now, and so there is no format to report.

use crate::entry_point::Call;
use crate::function_table::call::clGetSupportedImageFormats;
use crate::{buffer, handle};
use cl_sys::{
    CL_MEM_OBJECT_IMAGE1D, CL_MEM_OBJECT_IMAGE1D_ARRAY, CL_MEM_OBJECT_IMAGE1D_BUFFER,
    CL_MEM_OBJECT_IMAGE2D, CL_MEM_OBJECT_IMAGE2D_ARRAY, CL_MEM_OBJECT_IMAGE3D,
};
use runtime::context::Context;
use runtime::error::{Code, Error, Result};

impl Call for clGetSupportedImageFormats {
    type Output = Result<()>;
    fn call(self) -> Result<()> {
        handle::object::<Context>(self.context)?;
        buffer::flags(self.flags)?;
        if !matches!(
            self.image_type,
            CL_MEM_OBJECT_IMAGE1D
                | CL_MEM_OBJECT_IMAGE1D_ARRAY
                | CL_MEM_OBJECT_IMAGE1D_BUFFER
                | CL_MEM_OBJECT_IMAGE2D
                | CL_MEM_OBJECT_IMAGE2D_ARRAY
                | CL_MEM_OBJECT_IMAGE3D
        ) {
            return Err(Error::new(Code::InvalidValue, "not a type of image"));
        }
        if self.num_entries == 0 && !self.image_formats.is_null() {
            return Err(Error::new(
                Code::InvalidValue,
                "num_entries is 0 but image_formats is not NULL",
            ));
        }
        self.num_image_formats.set(0);
        Ok(())
    }
}
