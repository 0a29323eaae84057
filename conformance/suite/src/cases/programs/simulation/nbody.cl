/* Gravity of all bodies on all others; mass is in w. Kick and drift. */
float3 pull(float3 place, float4 body) {
    const float3 towards = body.xyz - place;
    const float inverse = rsqrt(dot(towards, towards) + SOFTENING * SOFTENING);
    return towards * (body.w * inverse * inverse * inverse);
}

/* What the bodies of one tile add, read by the whole group. */
float3 pull_of_tile(float3 place, global const float4 *bodies, uint tile, local float4 *shared) {
    const uint size = get_local_size(0);
    barrier(CLK_LOCAL_MEM_FENCE);
    shared[get_local_id(0)] = bodies[tile * size + get_local_id(0)];
    barrier(CLK_LOCAL_MEM_FENCE);
    float3 sum = 0;
#pragma unroll 4
    for (uint i = 0; i < size; ++i)
        sum += pull(place, shared[i]);
    return sum;
}

kernel void advance(global const float4 *from, global float4 *to, global float3 *velocities,
                    float time_step, local float4 *shared) {
    const size_t item = get_global_id(0);
    const float4 body = from[item];
    float3 acceleration = (float3)(0, 0, 0);
    for (uint tile = 0; tile < get_num_groups(0); tile++)
        acceleration += pull_of_tile(body.xyz, from, tile, shared);
    const float3 velocity = velocities[item] + time_step * acceleration;
    velocities[item] = velocity;
    to[item] = (float4)(body.xyz + time_step * velocity, body.w);
}
