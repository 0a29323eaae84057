//! Private memory: what a kernel may keep, and what is reported if the machine has less.

use crate::session::{Session, ok};
use cl_sys::*;
use std::ptr::{null, null_mut};

/// The least local memory of a work-group that has some, bytes.
const LOCAL: usize = 128;

/// Private memory of a work-group with that local memory: the rest of AM, bytes.
const PRIVATE: usize = (768 << 10) - LOCAL;

/// Each work-item computes the sum of the numbers up to its own in an array, with a barrier before
/// the sum if `KEEPS` is defined.
const SUMS: &str = "
kernel void sums(global uint *out, local uint *unused) {
  uint a[NUMBERS];
  uint i = get_global_id(0);
  for (uint n = 0; n < NUMBERS; ++n) a[n] = n <= i ? n : 0;
#ifdef KEEPS
  barrier(CLK_LOCAL_MEM_FENCE);
#endif
  uint sum = 0;
  for (uint n = 0; n < NUMBERS; ++n) sum += a[(n * 7 + out[i]) % NUMBERS];
  out[i] = sum;
}
";

/// The launch of `sums`, and the largest group that the kernel may have.
struct Sums {
    session: Session,
    kernel: cl_kernel,
    out: cl_mem,
    items: usize,
}

impl Sums {
    /// With arrays of `bytes`, `local` bytes of local memory and `items` work-items.
    fn new(bytes: usize, keeps: bool, local: usize, items: usize) -> Self {
        let session = Session::open();
        let keeps = if keeps { " -DKEEPS" } else { "" };
        let options = format!("-DNUMBERS={}{keeps}", bytes / 4);
        let kernel = session.kernel_of(session.built_with(SUMS, &options), "sums");
        let out = session.buffer(&vec![0_u32; items]);
        ok(session.set(kernel, 0, &out));
        // SAFETY: local memory has no value to be read.
        ok(unsafe { clSetKernelArg(kernel, 1, local, null()) });
        Self {
            session,
            kernel,
            out,
            items,
        }
    }

    fn largest_group(&self) -> usize {
        let mut size = 0_usize;
        // SAFETY: the pointer is to a local of the size that is passed.
        ok(unsafe {
            clGetKernelWorkGroupInfo(
                self.kernel,
                self.session.devices[0],
                CL_KERNEL_WORK_GROUP_SIZE,
                size_of::<usize>(),
                (&raw mut size).cast(),
                null_mut(),
            )
        });
        size
    }

    /// The error of a launch; the results are right if there is none.
    fn launch(&self, local: Option<usize>) -> cl_int {
        let (session, items) = (&self.session, self.items);
        let error = session.launch(
            session.queue,
            self.kernel,
            &[items],
            local.as_ref().map(std::slice::from_ref),
            &[],
            null_mut(),
        );
        if error == CL_SUCCESS {
            let expected: Vec<u32> = (0..items as u32).map(|i| i * (i + 1) / 2).collect();
            assert_eq!(session.read::<u32>(self.out, items), expected);
        }
        error
    }
}

#[test]
fn arrays_of_work_items_that_run_one_after_another() {
    let largest = Sums::new(PRIVATE, false, LOCAL, 64);
    assert_eq!(largest.largest_group(), 1024);
    assert_eq!(largest.launch(Some(64)), CL_SUCCESS);
    let too_large = Sums::new(PRIVATE + 4, false, LOCAL, 64);
    assert_eq!(too_large.launch(Some(1)), CL_OUT_OF_RESOURCES);
    assert_eq!(too_large.launch(None), CL_OUT_OF_RESOURCES);
    // Local memory leaves less of it.
    let more_local = Sums::new(PRIVATE, false, LOCAL + 1, 64);
    assert_eq!(more_local.launch(Some(64)), CL_OUT_OF_RESOURCES);
}

#[test]
fn arrays_that_work_items_keep_across_barriers() {
    let kept = Sums::new(4096, true, LOCAL, 1024);
    let largest = kept.largest_group();
    assert!(
        (160..192).contains(&largest) && largest.is_multiple_of(16),
        "{largest}"
    );
    assert_eq!(kept.launch(Some(128)), CL_SUCCESS);
    assert_eq!(kept.launch(Some(256)), CL_OUT_OF_RESOURCES);
    // The size that the platform chooses fits.
    assert_eq!(kept.launch(None), CL_SUCCESS);
    let larger = Sums::new(16_384, true, LOCAL, 64);
    assert!((32..48).contains(&larger.largest_group()));
    assert_eq!(larger.launch(None), CL_SUCCESS);
}
