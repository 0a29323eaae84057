/* The device has no files; text is written with hthread_printf. */
#ifndef _STDIO_H
#define _STDIO_H

#include <stdarg.h>
#include <stddef.h>

typedef struct __ht_file FILE;
#define stdout ((FILE *)1)
#define stderr ((FILE *)2)

/* Has no effect. */
int fflush(FILE *stream);
int sprintf(char *str, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
int snprintf(char *str, size_t size, const char *fmt, ...) __attribute__((format(printf, 3, 4)));
int vsnprintf(char *str, size_t size, const char *fmt, va_list ap);

#endif
