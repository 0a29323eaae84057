//! Fourier transforms.

use crate::call::ComputeError;
use crate::operands::Operands;
use crate::parallel::in_pieces;
use crate::real::Real;
use num_complex::Complex;
use rustfft::FftDirection;

/// `z, nx, ny, nz, batch, inverse`
pub fn fft<T: Real>(o: &mut Operands<'_, T>) -> Result<(), ComputeError>
where
    Complex<T>: bytemuck::Pod,
{
    let sizes = ["nx", "ny", "nz"].map(|name| o.size(name));
    let direction = match o.flag("inverse") {
        true => FftDirection::Inverse,
        false => FftDirection::Forward,
    };
    let numbers: &mut [Complex<T>] = bytemuck::cast_slice_mut(o.written("z"));
    let mut stride = 1;
    for points in sizes {
        if points > 1 {
            match stride {
                1 => transform_lines(numbers, points, direction),
                _ => transform_across(numbers, points, stride, direction),
            }
        }
        stride *= points;
    }
    if direction == FftDirection::Inverse {
        let scale = T::one() / T::narrow(stride as f64);
        in_pieces(numbers, 1, 1, &|_, part| {
            part.iter_mut().for_each(|number| *number *= scale);
        });
    }
    Ok(())
}

/// Transforms lines of contiguous elements.
fn transform_lines<T: Real>(numbers: &mut [Complex<T>], points: usize, direction: FftDirection) {
    let plan = T::transform(points, direction);
    in_pieces(numbers, points, 8, &|_, lines| {
        let zero = Complex::new(T::zero(), T::zero());
        let mut scratch = vec![zero; plan.get_inplace_scratch_len()];
        plan.process_with_scratch(lines, &mut scratch);
    });
}

/// Transforms lines whose elements are `stride` apart.
fn transform_across<T: Real>(
    numbers: &mut [Complex<T>],
    points: usize,
    stride: usize,
    direction: FftDirection,
) {
    let mut lines = numbers.to_vec();
    let blocks = || 0..numbers.len() / (points * stride);
    let block = |number: usize| number * points * stride..(number + 1) * points * stride;
    for number in blocks() {
        transpose::transpose(
            &numbers[block(number)],
            &mut lines[block(number)],
            stride,
            points,
        );
    }
    transform_lines(&mut lines, points, direction);
    for number in blocks() {
        transpose::transpose(
            &lines[block(number)],
            &mut numbers[block(number)],
            points,
            stride,
        );
    }
}
