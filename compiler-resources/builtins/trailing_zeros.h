// ctz, which clang declares from OpenCL C 2.0 on, for programs of earlier versions that use
// it and do not define it themselves.

#ifdef __mocl3_declare_ctz
#define DECLARE(T) T __attribute__((overloadable, const)) ctz(T x);
#define DECLARE_ALL(T) \
  DECLARE(T)           \
  DECLARE(T##2)        \
  DECLARE(T##3)        \
  DECLARE(T##4)        \
  DECLARE(T##8)        \
  DECLARE(T##16)
DECLARE_ALL(char)
DECLARE_ALL(uchar)
DECLARE_ALL(short)
DECLARE_ALL(ushort)
DECLARE_ALL(int)
DECLARE_ALL(uint)
DECLARE_ALL(long)
DECLARE_ALL(ulong)
#undef DECLARE
#undef DECLARE_ALL
#endif
