//! The kernels of all activities, in OpenCL C and in Rust.

/// All kernels in OpenCL C.
pub const SOURCE: &str = r"
kernel void add(global uint *data, uint value) {
    data[get_global_id(0)] += value;
}
kernel void scramble(global uint *data, uint factor, uint mask) {
    size_t i = get_global_id(0);
    data[i] = data[i] * factor ^ mask;
}
kernel void reverse_groups(global const uint *from, global uint *to, local uint *scratch) {
    size_t i = get_local_id(0), n = get_local_size(0);
    scratch[i] = from[get_global_id(0)];
    barrier(CLK_LOCAL_MEM_FENCE);
    to[get_global_id(0)] = scratch[n - 1 - i];
}
kernel void node(global uint *values, uint index, uint salt, uint4 inputs) {
    values[index] = salt + values[inputs.x] * 3 + values[inputs.y] * 5 + values[inputs.z] * 7
        + values[inputs.w];
}
kernel void count(volatile global uint *counter, uint amount) {
    atomic_add(counter, amount);
}
kernel void fetch(read_only image2d_t image, sampler_t where, global uint4 *to) {
    int2 at = (int2)(get_global_id(0), get_global_id(1));
    to[at.y * get_global_size(0) + at.x] = read_imageui(image, where, at);
}
";

/// `scramble`, for one word
pub fn scramble(word: u32, factor: u32, mask: u32) -> u32 {
    word.wrapping_mul(factor) ^ mask
}

/// `reverse_groups`
pub fn reverse_groups(words: &mut [u32], local: usize) {
    for group in words.chunks_mut(local) {
        group.reverse();
    }
}

/// `node`
pub fn node(salt: u32, inputs: [u32; 4]) -> u32 {
    let factors = [3, 5, 7, 1];
    let parts = inputs.iter().zip(factors).map(|(a, b)| a.wrapping_mul(b));
    parts.fold(salt, u32::wrapping_add)
}
