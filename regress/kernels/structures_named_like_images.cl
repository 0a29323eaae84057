// Arguments were classified by the names of their types, so structures whose names begin like those
// of images and samplers were taken for such objects, and their values were refused.
// fixed by: 9eec06f
// kernel: sum
// global: 1
// local: 1
// arg: global int[1] = 0
// arg: int = 1000
// arg: int = 10
// arg: int = 2
// expect: 0 = 1012
typedef struct { int x; } image_info;
struct sampler_t_settings { int x; };
typedef struct sampler_t_settings image2d_like;
typedef enum { NONE, SOME } image_kind;

kernel void sum(global image_info *to, image_info info, image2d_like like, image_kind kind)
{
    to->x = info.x + like.x + kind;
}
