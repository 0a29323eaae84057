#pragma OPENCL EXTENSION cl_khr_fp64 : enable
/* Without contraction +, -, *, / and sqrt of doubles are IEEE 754's: every picture is the same. */
#pragma OPENCL FP_CONTRACT OFF

typedef enum { MATT, MIRROR, CHEQUERED } finish;

typedef struct {
    double3 centre;
    double radius;
    double shade;
    finish finish;
} sphere;

typedef struct {
    double3 from, along;
} ray;

double product(double3 a, double3 b) { return a.x * b.x + a.y * b.y + a.z * b.z; }

double3 unit(double3 v) { return v / sqrt(product(v, v)); }

/* Distance to a sphere, or -1. */
double meet(const ray *r, constant sphere *s) {
    const double3 offset = r->from - s->centre;
    const double b = product(offset, r->along);
    const double inside = b * b - (product(offset, offset) - s->radius * s->radius);
    if (inside < 0)
        return -1;
    const double root = sqrt(inside);
    return -b - root > 1e-6 ? -b - root : -b + root > 1e-6 ? -b + root : -1.0;
}

constant sphere *nearest(constant sphere *spheres, int count, const ray *r, double *distance) {
    constant sphere *found = 0;
    for (int i = 0; i < count; ++i) {
        const double here = meet(r, &spheres[i]);
        if (here > 0 && (!found || here < *distance)) {
            found = &spheres[i];
            *distance = here;
        }
    }
    return found;
}

kernel void trace(constant sphere *spheres, int count, global float *picture) {
    const double3 light = (double3)(-1.0 / 3, 2.0 / 3, -2.0 / 3);
    const size_t x = get_global_id(0), y = get_global_id(1), width = get_global_size(0);
    ray now;
    now.from = (double3)(0, 0, -4);
    now.along = unit((double3)(x * 2.0 / width - 1, 1 - y * 2.0 / get_global_size(1), 2.0));
    double strength = 1, shade = 0;
    for (int bounce = 0; bounce < 5; bounce++) {
        double distance;
        constant sphere *hit = nearest(spheres, count, &now, &distance);
        if (!hit) {
            shade += strength * (now.along.y + 1) / 2;
            break;
        }
        const double3 place = now.from + distance * now.along;
        const double3 normal = (place - hit->centre) / hit->radius;
        double lightness = hit->shade;
        switch (hit->finish) {
        case MIRROR:
            strength *= lightness;
            now.from = place;
            now.along = now.along - 2 * product(now.along, normal) * normal;
            continue;
        case CHEQUERED:
            if (((int)floor(place.x * 2) ^ (int)floor(place.z * 2)) & 1)
                lightness /= 4;
        case MATT:
            break;
        }
        ray shadow;
        shadow.from = place;
        shadow.along = light;
        double unused;
        const double facing = product(normal, light);
        const bool lit = facing > 0 && !nearest(spheres, count, &shadow, &unused);
        shade += strength * lightness * (lit ? facing + 0.125 : 0.125);
        break;
    }
    picture[y * width + x] = convert_float(shade);
}
