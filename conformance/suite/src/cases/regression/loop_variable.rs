//! One work-item saves a loop counter in a private variable; the variables of the others must not
//! change.

use crate::compare::equal;
use anyhow::{Result, bail};
use harness::session::{Argument, Session};

/// Groups of four, a loop of 968 iterations, one of 27720 work-items.
pub fn one_of_many(session: &Session) -> Result<()> {
    let program = session.program(
        r"kernel void draw(global const int *faces, int face, uint pixel, global int *hits)
{
    int hit = -1;
    for (int i = 0; i < *faces; ++i)
        if (i == face && get_global_id(0) == pixel)
            hit = i;
    hits[get_global_id(0)] = hit;
}
",
        "",
    )?;
    let kernel = program.kernel("draw")?;
    let faces = session.buffer(&[968])?;
    for (items, local, face, pixel) in [
        (27_720, 4, 854, 16_899),
        (64, 64, 0, 63),
        (90, 30, 967, 31),
        // A face that does not exist.
        (64, 16, 968, 5),
    ] {
        let hits = session.buffer(&vec![-7; items])?;
        let arguments: [&dyn Argument; 4] = [&faces, &face, &(pixel as u32), &hits];
        session.run(&kernel, &[items], &[local], &arguments)?;
        let mut expected = vec![-1; items];
        if face < 968 {
            expected[pixel] = face;
        }
        equal(
            &format!("face {face} at work-item {pixel} of {items}"),
            &session.read(&hits)?,
            &expected,
        )?;
    }
    Ok(())
}

/// The same with two calls of `printf`, one within the loop.
pub fn one_of_eight(session: &Session) -> Result<()> {
    let program = session.program(
        r#"kernel void draw(global const int *limit, global int *hits)
{
    int hit = -1;
    for (int i = 0; i < *limit; ++i) {
        if (i == 3 && get_global_id(0) == 6) {
            hit = i;
            printf("set to %i by %u, which is %u in group %u\n", hit, (uint)get_global_id(0),
                   (uint)get_local_id(0), (uint)get_group_id(0));
        }
    }
    if (hit != -1)
        printf("is %i in %u, which is %u in group %u\n", hit, (uint)get_global_id(0),
               (uint)get_local_id(0), (uint)get_group_id(0));
    hits[get_global_id(0)] = hit;
}
"#,
        "",
    )?;
    let kernel = program.kernel("draw")?;
    let (limit, hits) = (session.buffer(&[4])?, session.buffer(&[-7; 8])?);
    session.run(&kernel, &[8], &[4], &[&limit, &hits])?;
    equal(
        "kept",
        &session.read(&hits)?,
        &[-1, -1, -1, -1, -1, -1, 3, -1],
    )
}

/// Checks the output of [`one_of_eight`]: two lines of one work-item, in this order.
pub fn printed(text: &str) -> Result<()> {
    let expected = "set to 3 by 6, which is 2 in group 1\nis 3 in 6, which is 2 in group 1\n";
    if text != expected {
        bail!("kernels printed {text:?}, expected {expected:?}");
    }
    Ok(())
}
