//! A picture of spheres that reflect each other, compared bit by bit.

use crate::compare::equal;
use anyhow::Result;
use bytemuck::{Pod, Zeroable};
use harness::session::Session;

const WIDTH: usize = 120;
const HEIGHT: usize = 90;

type Vector = [f64; 3];

#[derive(Clone, Copy, Pod, Zeroable)]
#[repr(C, align(32))]
struct Sphere {
    centre: [f64; 4],
    radius: f64,
    shade: f64,
    finish: i32,
    unused: [i32; 3],
}

const fn sphere([x, y, z]: Vector, radius: f64, shade: f64, finish: i32) -> Sphere {
    Sphere {
        centre: [x, y, z, 0.0],
        radius,
        shade,
        finish,
        unused: [0; 3],
    }
}

const MIRROR: i32 = 1;
const CHEQUERED: i32 = 2;
const SPHERES: [Sphere; 5] = [
    sphere([0.0, -101.0, 0.0], 100.0, 0.75, CHEQUERED),
    sphere([-1.0, 0.0, 0.5], 1.0, 0.875, MIRROR),
    sphere([1.25, -0.25, 0.0], 0.75, 0.625, 0),
    sphere([0.25, -0.5, -1.5], 0.5, 0.9375, MIRROR),
    sphere([0.5, 1.25, 1.0], 0.5, 1.0, CHEQUERED),
];

pub fn run(session: &Session) -> Result<()> {
    let program = session.program(include_str!("ray_tracer.cl"), "")?;
    let spheres = session.buffer(&SPHERES)?;
    let picture = session.zeros::<f32>(WIDTH * HEIGHT)?;
    let count = SPHERES.len() as i32;
    let items = &[WIDTH, HEIGHT];
    session.run(
        &program.kernel("trace")?,
        items,
        &[],
        &[&spheres, &count, &picture],
    )?;
    let mut expected = Vec::new();
    for (y, x) in (0..HEIGHT).flat_map(|y| (0..WIDTH).map(move |x| (y as f64, x as f64))) {
        let across = x * 2.0 / WIDTH as f64 - 1.0;
        let up = 1.0 - y * 2.0 / HEIGHT as f64;
        let towards = [across, up, 2.0];
        let size = dot(towards, towards).sqrt();
        expected.push(seen([0.0, 0.0, -4.0], towards.map(|axis| axis / size), 5) as f32);
    }
    equal("picture", &session.read(&picture)?, &expected)
}

fn dot(a: Vector, b: Vector) -> f64 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

fn combine(a: Vector, b: Vector, with: impl Fn(f64, f64) -> f64) -> Vector {
    [0, 1, 2].map(|axis| with(a[axis], b[axis]))
}

/// The first sphere along a ray with a direction of length 1, and its distance.
fn first(from: Vector, along: Vector) -> Option<(&'static Sphere, f64)> {
    static ALL: [Sphere; 5] = SPHERES;
    let mut best: Option<(&Sphere, f64)> = None;
    for sphere in &ALL {
        let [x, y, z, _] = sphere.centre;
        let offset = combine(from, [x, y, z], |a, b| a - b);
        let b = dot(offset, along);
        let inside = b * b - (dot(offset, offset) - sphere.radius * sphere.radius);
        let roots = [-b - inside.sqrt(), -b + inside.sqrt()];
        let distance = roots.into_iter().find(|&root| root > 1e-6);
        if let Some(distance) = distance
            && best.is_none_or(|(_, other)| distance < other)
        {
            best = Some((sphere, distance));
        }
    }
    best
}

/// The brightness along a ray, with reflections. The kernel multiplies by the remaining strength
/// from the front, so the function passes it on.
fn seen(from: Vector, along: Vector, bounces: u32) -> f64 {
    reflected(from, along, bounces, 1.0)
}

fn reflected(from: Vector, along: Vector, bounces: u32, strength: f64) -> f64 {
    if bounces == 0 {
        return 0.0;
    }
    let Some((sphere, distance)) = first(from, along) else {
        return strength * (along[1] + 1.0) / 2.0;
    };
    let place = combine(from, along, |a, b| a + distance * b);
    let [x, y, z, _] = sphere.centre;
    let normal = combine(place, [x, y, z], |a, b| (a - b) / sphere.radius);
    if sphere.finish == MIRROR {
        let twice = 2.0 * dot(along, normal);
        let turned = combine(along, normal, |a, b| a - twice * b);
        return reflected(place, turned, bounces - 1, strength * sphere.shade);
    }
    let field = |axis: f64| (axis * 2.0).floor() as i64 & 1;
    let dark = sphere.finish == CHEQUERED && field(place[0]) != field(place[2]);
    let shade = if dark {
        sphere.shade / 4.0
    } else {
        sphere.shade
    };
    let light = [-1.0 / 3.0, 2.0 / 3.0, -2.0 / 3.0];
    let facing = dot(normal, light);
    let lit = facing > 0.0 && first(place, light).is_none();
    strength * shade * if lit { facing + 0.125 } else { 0.125 }
}
