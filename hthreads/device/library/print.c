/* Formatted output. The text is formatted as on the host, and written by the host. */
#include "hthread_device.h"
#include <stdint.h>
#include <stdio.h>

/* Bytes of the buffer from device to host; longer texts are cut. */
#define BUFFER_BYTES 1024

/* Writes the text, which ends in NUL, to the host's standard output. */
void __ht_print(const char *text);

void hthread_printf(const char *fmt, ...)
{
    char text[BUFFER_BYTES];
    va_list arguments;
    va_start(arguments, fmt);
    vsnprintf(text, sizeof text, fmt, arguments);
    va_end(arguments);
    __ht_print(text);
}

int hthread_vsnprintf(char *str, size_t size, const char *fmt, va_list ap)
{
    return vsnprintf(str, size, fmt, ap);
}

int hthread_snprintf(char *str, size_t size, const char *fmt, ...)
{
    va_list arguments;
    va_start(arguments, fmt);
    int length = vsnprintf(str, size, fmt, arguments);
    va_end(arguments);
    return length;
}

int hthread_sprintf(char *str, const char *fmt, ...)
{
    va_list arguments;
    va_start(arguments, fmt);
    int length = vsnprintf(str, INT32_MAX, fmt, arguments);
    va_end(arguments);
    return length;
}
