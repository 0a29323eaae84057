/* What the device has of C's <stdio.h>. */
#include <stdint.h>
#include <stdio.h>

int fflush(FILE *stream)
{
    (void)stream;
    return 0;
}

int snprintf(char *str, size_t size, const char *fmt, ...)
{
    va_list arguments;
    va_start(arguments, fmt);
    int length = vsnprintf(str, size, fmt, arguments);
    va_end(arguments);
    return length;
}

int sprintf(char *str, const char *fmt, ...)
{
    va_list arguments;
    va_start(arguments, fmt);
    int length = vsnprintf(str, INT32_MAX, fmt, arguments);
    va_end(arguments);
    return length;
}
