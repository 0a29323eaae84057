/* The conditional forms (suffix c) of the intrinsics that are named after an instruction. First comes the predicate,
 * then the operands of the form without condition, then the value of elements whose predicate is 0. Included by
 * compiler/m3000.h. */
#ifndef M3000_CONDITIONAL_H
#define M3000_CONDITIONAL_H

/* Name, elements of the predicate, which are as long as those of the result, type of the result, type of the operands,
 * form without condition. */
#define __HT_WHERE(whole, result, value)                                                        \
    {                                                                                           \
        lvector whole mask = (lvector whole)(predicate != 0);                                   \
        return (lvector result)(((lvector whole)(value) & mask) | ((lvector whole)old & ~mask)); \
    }
#define __HT_SCALAR_IF(name, whole, result, type, form)                                         \
    __HT_VECTOR lvector result name(lvector whole predicate, type a, lvector result old)        \
    __HT_WHERE(whole, result, form(a))
#define __HT_ONE_IF(name, whole, result, type, form)                                            \
    __HT_VECTOR lvector result name(lvector whole predicate, lvector type a, lvector result old) \
    __HT_WHERE(whole, result, form(a))
#define __HT_TWO_IF(name, whole, result, type, form)                                            \
    __HT_VECTOR lvector result name(lvector whole predicate, lvector type a, lvector type b, lvector result old) \
    __HT_WHERE(whole, result, form(a, b))
#define __HT_THREE_IF(name, whole, result, type, form)                                          \
    __HT_VECTOR lvector result name(lvector whole predicate, lvector type a, lvector type b, lvector type c, \
                                    lvector result old)                                         \
    __HT_WHERE(whole, result, form(a, b, c))

/* Scalars in all elements, and copies. */
__HT_SCALAR_IF(vec_vsvbcast_dic, long, long, long, vec_vsvbcast_di)
__HT_SCALAR_IF(vec_vsvbcast_udic, long, __ht_ulong, __ht_ulong, vec_vsvbcast_udi)
__HT_SCALAR_IF(vec_vsvbcast_dfc, long, double, double, vec_vsvbcast_df)
__HT_SCALAR_IF(vec_vmovic, long, long, long, vec_vmovidi)
__HT_SCALAR_IF(vec_vmovicu, long, __ht_ulong, __ht_ulong, vec_vmoviudi)
__HT_SCALAR_IF(vec_vmovicdf, long, double, double, vec_vmovidf)
__HT_SCALAR_IF(vec_vmovic32si, int, int, int, vec_vmovi32si)
__HT_SCALAR_IF(vec_vmovic32usi, int, __ht_uint, __ht_uint, vec_vmoviu32si)
__HT_SCALAR_IF(vec_vmovic32sf, int, float, float, vec_vmovi32sf)
__HT_SCALAR_IF(vec_vmovihic, short, short, short, vec_vmovihi)
__HT_SCALAR_IF(vec_vmoviuhic, short, __ht_ushort, __ht_ushort, vec_vmoviuhi)
__HT_SCALAR_IF(vec_vmovihfc, short, __fp16, _Float16, vec_vmovihf)
__HT_SCALAR_IF(vec_vmovi24c, long, long, long, vec_vmovi24)
__HT_ONE_IF(vec_vmovudic, long, __ht_ulong, __ht_ulong, vec_vmovudi)
__HT_ONE_IF(vec_vmovc32si, int, int, int, vec_vmov32si)
__HT_ONE_IF(vec_vmovc32usi, int, __ht_uint, __ht_uint, vec_vmovu32si)
__HT_ONE_IF(vec_vmovc32sf, int, float, float, vec_vmov32sf)
__HT_ONE_IF(vec_vmovhic, short, short, short, vec_vmovhi)
__HT_ONE_IF(vec_vmovuhic, short, __ht_ushort, __ht_ushort, vec_vmovuhi)
__HT_ONE_IF(vec_vmovhfc, short, __fp16, __fp16, vec_vmovhf)

/* Floating-point arithmetic, comparisons, and fields of the bits. */
__HT_TWO_IF(vec_vfmuldc, long, double, double, vec_vfmuld)
__HT_TWO_IF(vec_vfmuls32c, int, float, float, vec_vfmuls32)
__HT_TWO_IF(vec_vfmulh16c, short, __fp16, __fp16, vec_vfmulh16)
__HT_TWO_IF(vec_vfaddh16c, short, __fp16, __fp16, vec_vfaddh16)
__HT_TWO_IF(vec_vfmax16c, short, __fp16, __fp16, vec_vfmax16)
__HT_THREE_IF(vec_vfmuladc, long, double, double, vec_vfmulad)
__HT_THREE_IF(vec_vfmulbdc, long, double, double, vec_vfmulbd)
__HT_ONE_IF(vec_vfabsdc, long, double, double, vec_vfabsd)
__HT_THREE_IF(vec_vfmulas32c, int, float, float, vec_vfmulas32)
__HT_THREE_IF(vec_vfmulbs32c, int, float, float, vec_vfmulbs32)
__HT_ONE_IF(vec_vfabss32c, int, float, float, vec_vfabss32)
__HT_THREE_IF(vec_vfmulah16c, short, __fp16, __fp16, vec_vfmulah16)
__HT_THREE_IF(vec_vfmulbh16c, short, __fp16, __fp16, vec_vfmulbh16)
__HT_ONE_IF(vec_vfabsh16c, short, __fp16, __fp16, vec_vfabsh16)
__HT_ONE_IF(vec_vfrcpdc, long, double, double, vec_vfrcpd)
__HT_ONE_IF(vec_vfrsqdc, long, double, double, vec_vfrsqd)
__HT_ONE_IF(vec_vfrcps32c, int, float, float, vec_vfrcps32)
__HT_ONE_IF(vec_vfrsqs32c, int, float, float, vec_vfrsqs32)
__HT_TWO_IF(vec_vfcmpedc, long, long, double, vec_vfcmped)
__HT_TWO_IF(vec_vfcmpgdc, long, long, double, vec_vfcmpgd)
__HT_TWO_IF(vec_vfcmpldc, long, long, double, vec_vfcmpld)
__HT_TWO_IF(vec_vfcmpes32c, int, int, float, vec_vfcmpes32)
__HT_TWO_IF(vec_vfcmpgs32c, int, int, float, vec_vfcmpgs32)
__HT_TWO_IF(vec_vfcmpls32c, int, int, float, vec_vfcmpls32)
__HT_TWO_IF(vec_vfcmpeh16c, short, short, __fp16, vec_vfcmpeh16)
__HT_TWO_IF(vec_vfcmpgh16c, short, short, __fp16, vec_vfcmpgh16)
__HT_TWO_IF(vec_vfcmplh16c, short, short, __fp16, vec_vfcmplh16)
__HT_ONE_IF(vec_vfmandc, long, long, double, vec_vfmand)
__HT_ONE_IF(vec_vflogdc, long, long, double, vec_vflogd)
__HT_ONE_IF(vec_vfmans32c, int, int, float, vec_vfmans32)
__HT_ONE_IF(vec_vflogs32c, int, int, float, vec_vflogs32)
__HT_ONE_IF(vec_vfmanh16c, short, short, __fp16, vec_vfmanh16)
__HT_ONE_IF(vec_vflogh16c, short, short, __fp16, vec_vflogh16)

/* Conversions. */
__HT_ONE_IF(vec_vfdintc, long, long, double, vec_vfdint)
__HT_ONE_IF(vec_vfsint32c, int, int, float, vec_vfsint32)
__HT_ONE_IF(vec_vfhint16c, short, short, __fp16, vec_vfhint16)
__HT_ONE_IF(vec_vfdtruc, long, long, double, vec_vfdtru)
__HT_ONE_IF(vec_vfdtru32c, int, int, float, vec_vfdtru32)
__HT_ONE_IF(vec_vfhtru16c, short, short, __fp16, vec_vfhtru16)
__HT_ONE_IF(vec_vfintdc, long, double, long, vec_vfintd)
__HT_ONE_IF(vec_vfintduc, long, double, __ht_ulong, vec_vfintdu)
__HT_ONE_IF(vec_vfints32c, int, float, int, vec_vfints32)
__HT_ONE_IF(vec_vfintsu32c, int, float, __ht_uint, vec_vfintsu32)
__HT_ONE_IF(vec_vfinth16c, short, __fp16, short, vec_vfinth16)
__HT_ONE_IF(vec_vfinthu16c, short, __fp16, __ht_ushort, vec_vfinthu16)
__HT_ONE_IF(vec_vfspdp32tc, long, double, float, vec_vfspdp32t)
__HT_ONE_IF(vec_vfsphdp32tc, long, double, float, vec_vfsphdp32t)
__HT_ONE_IF(vec_vfhpsp16lc, int, float, __fp16, vec_vfhpsp16l)
__HT_ONE_IF(vec_vfhpsp16hc, int, float, __fp16, vec_vfhpsp16h)

/* Whole numbers. */
__HT_TWO_IF(vec_vaddc, long, long, long, vec_add_3)
__HT_TWO_IF(vec_vadduc, long, __ht_ulong, __ht_ulong, vec_addu_3)
__HT_TWO_IF(vec_vadd32c, int, int, int, vec_add32_3)
__HT_TWO_IF(vec_vaddu32c, int, __ht_uint, __ht_uint, vec_addu32_3)
__HT_TWO_IF(vec_vaddimc, long, long, long, vec_addim_3)
__HT_TWO_IF(vec_vadduimc, long, __ht_ulong, __ht_ulong, vec_adduim_3)
__HT_TWO_IF(vec_vadd32imc, int, int, int, vec_add32im_3)
__HT_TWO_IF(vec_vaddu32imc, int, __ht_uint, __ht_uint, vec_addu32im_3)
__HT_ONE_IF(vec_vnegc, long, long, long, vec_vneg)
__HT_ONE_IF(vec_vabsc, long, long, long, vec_vabs)
__HT_ONE_IF(vec_vneg32c, int, int, int, vec_vneg32)
__HT_ONE_IF(vec_vabs32c, int, int, int, vec_vabs32)
__HT_TWO_IF(vec_vmaxc, long, long, long, vec_vmax)
__HT_TWO_IF(vec_vminc, long, long, long, vec_vmin)
__HT_TWO_IF(vec_vltc, long, long, long, vec_vlt)
__HT_TWO_IF(vec_vmaxuc, long, __ht_ulong, __ht_ulong, vec_vmaxu)
__HT_TWO_IF(vec_vminuc, long, __ht_ulong, __ht_ulong, vec_vminu)
__HT_TWO_IF(vec_vltuc, long, __ht_ulong, __ht_ulong, vec_vltu)
__HT_TWO_IF(vec_vmax32c, int, int, int, vec_vmax32)
__HT_TWO_IF(vec_vmin32c, int, int, int, vec_vmin32)
__HT_TWO_IF(vec_vlt32c, int, int, int, vec_vlt32)
__HT_TWO_IF(vec_vmaxu32c, int, __ht_uint, __ht_uint, vec_vmaxu32)
__HT_TWO_IF(vec_vminu32c, int, __ht_uint, __ht_uint, vec_vminu32)
__HT_TWO_IF(vec_vltu32c, int, __ht_uint, __ht_uint, vec_vltu32)
__HT_TWO_IF(vec_veqc, long, long, long, vec_veq)
__HT_TWO_IF(vec_vequc, long, __ht_ulong, __ht_ulong, vec_vequ)
__HT_TWO_IF(vec_veqimc, long, long, long, vec_veqim)
__HT_TWO_IF(vec_veq32c, int, int, int, vec_veq32)
__HT_TWO_IF(vec_veq32uc, int, __ht_uint, __ht_uint, vec_veq32u)
__HT_TWO_IF(vec_veq32imc, int, int, int, vec_veq32im)

/* Bits. */
__HT_ONE_IF(vec_vlzdc, long, long, long, vec_vlzd)
__HT_ONE_IF(vec_vlzd32c, int, int, int, vec_vlzd32)
__HT_TWO_IF(vec_vandc, long, long, long, vec_vand)
__HT_TWO_IF(vec_vorc, long, long, long, vec_vor)
__HT_TWO_IF(vec_vxorc, long, long, long, vec_vxor)
__HT_ONE_IF(vec_vnotc, long, long, long, vec_vnot)
__HT_TWO_IF(vec_vshfllc, long, long, long, vec_vshfll)
__HT_TWO_IF(vec_vshflrc, long, long, long, vec_vshflr)
__HT_TWO_IF(vec_vshfarc, long, long, long, vec_vshfar)
__HT_TWO_IF(vec_vshfll32c, int, int, int, vec_vshfll32)
__HT_TWO_IF(vec_vshflr32c, int, int, int, vec_vshflr32)
__HT_TWO_IF(vec_vshfar32c, int, int, int, vec_vshfar32)
__HT_TWO_IF(vec_vandimc, long, long, long, vec_vandim)
__HT_TWO_IF(vec_vorimc, long, long, long, vec_vorim)
__HT_TWO_IF(vec_vxorimc, long, long, long, vec_vxorim)
__HT_ONE_IF(vec_vnotimc, long, long, long, vec_vnotim)
__HT_TWO_IF(vec_vshfllimc, long, long, long, vec_vshfllim)
__HT_TWO_IF(vec_vshflrimc, long, long, long, vec_vshflrim)
__HT_TWO_IF(vec_vshfarimc, long, long, long, vec_vshfarim)
__HT_TWO_IF(vec_vshfll32imc, int, int, int, vec_vshfll32im)
__HT_TWO_IF(vec_vshflr32imc, int, int, int, vec_vshflr32im)
__HT_TWO_IF(vec_vshfar32imc, int, int, int, vec_vshfar32im)

/* Parts of lanes. */
__HT_TWO_IF(vec_vbale2c, int, float, float, vec_vbale2)
__HT_TWO_IF(vec_vbale2hc, int, float, float, vec_vbale2h)
__HT_ONE_IF(vec_vitl2c, int, float, float, vec_vitl2)
__HT_ONE_IF(vec_vfexts32lc, int, float, float, vec_vfexts32l)
__HT_ONE_IF(vec_vfexts32hc, int, float, float, vec_vfexts32h)
__HT_TWO_IF(vec_vbale2c, int, int, int, vec_vbale2)
__HT_TWO_IF(vec_vbale2hc, int, int, int, vec_vbale2h)
__HT_ONE_IF(vec_vitl2c, int, int, int, vec_vitl2)
__HT_ONE_IF(vec_vfexts32lc, int, int, int, vec_vfexts32l)
__HT_ONE_IF(vec_vfexts32hc, int, int, int, vec_vfexts32h)
__HT_TWO_IF(vec_vbale2c, long, long, long, vec_vbale2)
__HT_TWO_IF(vec_vbale2hc, long, long, long, vec_vbale2h)
__HT_ONE_IF(vec_vitl2c, long, long, long, vec_vitl2)
__HT_ONE_IF(vec_vfexth16llc, short, __fp16, __fp16, vec_vfexth16ll)
__HT_ONE_IF(vec_vfexth16lhc, short, __fp16, __fp16, vec_vfexth16lh)
__HT_ONE_IF(vec_vfexth16hlc, short, __fp16, __fp16, vec_vfexth16hl)
__HT_ONE_IF(vec_vfexth16hhc, short, __fp16, __fp16, vec_vfexth16hh)

#endif
