// Accelerations of bodies by the gravity of all; x, y, z and mass in a float4.

#define SOFTENING 0.01f

float3 pull(float4 body, float4 other, float3 acceleration)
{
    float3 r = other.xyz - body.xyz;
    float d2 = dot(r, r) + SOFTENING;
    float inverse = rsqrt(d2);
    return acceleration + r * (other.w * inverse * inverse * inverse);
}

kernel void nbody_global(global const float4 *bodies, global float4 *accelerations, int n)
{
    int i = get_global_id(0);
    float4 body = bodies[i];
    float3 acceleration = (float3)(0.0f);
    for (int j = 0; j < n; j++)
        acceleration = pull(body, bodies[j], acceleration);
    accelerations[i] = (float4)(acceleration, 0.0f);
}

kernel void nbody_local(global const float4 *bodies, global float4 *accelerations, int n,
                        local float4 *tile)
{
    int i = get_global_id(0);
    int lane = get_local_id(0);
    int size = get_local_size(0);
    float4 body = bodies[i];
    float3 acceleration = (float3)(0.0f);
    for (int start = 0; start < n; start += size) {
        tile[lane] = bodies[start + lane];
        barrier(CLK_LOCAL_MEM_FENCE);
        for (int j = 0; j < size; j++)
            acceleration = pull(body, tile[j], acceleration);
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    accelerations[i] = (float4)(acceleration, 0.0f);
}
