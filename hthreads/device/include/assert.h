/* C11, 7.2. An assertion that does not hold is reported on the host and stops the thread. */
#undef assert
#ifdef NDEBUG
#define assert(condition) ((void)0)
#else
void __ht_assert_failed(const char *condition, const char *file, int line);
#define assert(condition) \
    ((condition) ? (void)0 : __ht_assert_failed(#condition, __FILE__, __LINE__))
#endif
