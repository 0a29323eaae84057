// Forces of neighbours that lists name.

// Lennard-Jones forces within a cutoff; the lists lie one after the other, each entry for all
// atoms.
kernel void lennard_jones(global const float4 *positions, global float4 *forces,
                          global const int *lists, int length, int atoms, float cutoff_squared,
                          float repulsion, float attraction)
{
    int i = get_global_id(0);
    float4 at = positions[i];
    float4 force = (float4)(0.0f);
    for (int j = 0; j < length; j++) {
        float4 other = positions[lists[j * atoms + i]];
        float dx = at.x - other.x, dy = at.y - other.y, dz = at.z - other.z;
        float squared = dx * dx + dy * dy + dz * dz;
        if (squared < cutoff_squared) {
            float inverse = 1.0f / squared;
            float sixth = inverse * inverse * inverse;
            float strength = inverse * sixth * (repulsion * sixth - attraction);
            force.x += dx * strength;
            force.y += dy * strength;
            force.z += dz * strength;
        }
    }
    forces[i] = force;
}

#define GROUP 128
#define IN_BOX 100

// Potentials and forces between the particles of neighbouring boxes: a group takes a box, and one
// of its neighbours at a time into local memory. w of a position is half its square.
kernel void boxes(global const float4 *positions, global const float *charges,
                  global const int *counts, global const int *lists, global float4 *results,
                  float alpha)
{
    local float4 at[IN_BOX], others[IN_BOX];
    local float of_others[IN_BOX];
    int box = get_group_id(0), item = get_local_id(0);
    for (int i = item; i < IN_BOX; i += GROUP)
        at[i] = positions[box * IN_BOX + i];
    for (int k = 0; k < counts[box]; k++) {
        int first = lists[box * 27 + k] * IN_BOX;
        barrier(CLK_LOCAL_MEM_FENCE);
        for (int i = item; i < IN_BOX; i += GROUP) {
            others[i] = positions[first + i];
            of_others[i] = charges[first + i];
        }
        barrier(CLK_LOCAL_MEM_FENCE);
        for (int i = item; i < IN_BOX; i += GROUP) {
            float4 sum = results[box * IN_BOX + i];
            for (int j = 0; j < IN_BOX; j++) {
                float product = at[i].x * others[j].x + at[i].y * others[j].y +
                    at[i].z * others[j].z;
                float potential = exp(-2.0f * alpha * (at[i].w + others[j].w - product));
                float strength = 2.0f * potential * of_others[j];
                sum.x += strength * (at[i].x - others[j].x);
                sum.y += strength * (at[i].y - others[j].y);
                sum.z += strength * (at[i].z - others[j].z);
                sum.w += of_others[j] * potential;
            }
            results[box * IN_BOX + i] = sum;
        }
    }
}
