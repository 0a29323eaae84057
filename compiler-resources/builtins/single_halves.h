// What clang does not declare of the functions of section 6.12.7: aligned loads and
// stores of a single half, which are those of vload_half and vstore_half. Programs see
// these declarations at the end of clang's own header.

#define DECLARE_LOAD(Q) \
  float __attribute__((overloadable, pure)) vloada_half(size_t offset, const Q half *p);
DECLARE_LOAD(__global)
DECLARE_LOAD(__local)
DECLARE_LOAD(__constant)
DECLARE_LOAD(__private)

#define DECLARE_STORE(SUFFIX, S, Q) \
  void __attribute__((overloadable)) vstorea_half##SUFFIX(S data, size_t offset, Q half *p);
#define DECLARE_STORES(S, Q) \
  DECLARE_STORE(, S, Q)      \
  DECLARE_STORE(_rte, S, Q)  \
  DECLARE_STORE(_rtz, S, Q)  \
  DECLARE_STORE(_rtp, S, Q)  \
  DECLARE_STORE(_rtn, S, Q)
DECLARE_STORES(float, __global)
DECLARE_STORES(float, __local)
DECLARE_STORES(float, __private)
#ifdef cl_khr_fp64
DECLARE_STORES(double, __global)
DECLARE_STORES(double, __local)
DECLARE_STORES(double, __private)
#endif

#undef DECLARE_LOAD
#undef DECLARE_STORE
#undef DECLARE_STORES
