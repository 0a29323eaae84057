/* Conversions to integers that give `OUT_OF_RANGE` for numbers that the type does not have. */
__attribute__((unused)) static unsigned long mocl3_to_integer(double number, int is_signed,
                                                              unsigned long bytes)
{
    double limit = (double)(1ul << (8 * bytes - 1));
    double least = is_signed ? -limit : 0;
    number = __builtin_trunc(number);
    if (!is_signed)
        limit *= 2;
    if (!(number >= least && number < limit))
        return OUT_OF_RANGE;
    return number < 0 ? (unsigned long)(long)number : (unsigned long)number;
}

#define TO_INTEGER(to, value) ((to)mocl3_to_integer((double)(value), (to)-1 < (to)1, sizeof(to)))
#define TO_INTEGERS(to, value) \
    ({ __typeof__(value) from_ = (value); to result_; \
       for (int i_ = 0; i_ < (int)__builtin_vectorelements(to); i_++) \
           result_[i_] = TO_INTEGER(__typeof__(result_[0]), from_[i_]); \
       result_; })
