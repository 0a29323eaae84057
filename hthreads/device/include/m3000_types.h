/* The types that `lvector T` names: vectors of 1024 bits, of which memory guarantees the alignment of
 * a 64-bit lane only. m3cc includes this file before each source. */
#ifndef M3000_TYPES_H
#define M3000_TYPES_H

#define __LVECTOR(element, name, count) \
    typedef element name __attribute__((ext_vector_type(count), aligned(8)))

__LVECTOR(double, __lvector_double, 16);
__LVECTOR(long, __lvector_long, 16);
__LVECTOR(unsigned long, __lvector_ulong, 16);
__LVECTOR(float, __lvector_float, 32);
__LVECTOR(int, __lvector_int, 32);
__LVECTOR(unsigned int, __lvector_uint, 32);
__LVECTOR(_Float16, __lvector_half, 64);
__LVECTOR(short, __lvector_short, 64);
__LVECTOR(unsigned short, __lvector_ushort, 64);

#undef __LVECTOR

#endif
