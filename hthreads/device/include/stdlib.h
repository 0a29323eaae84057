/* C11, 7.22: what the device has. */
#ifndef _STDLIB_H
#define _STDLIB_H

#include <stddef.h>

#define RAND_MAX 2147483647

void *malloc(size_t bytes);
void *calloc(size_t count, size_t bytes);
void *realloc(void *block, size_t bytes);
void free(void *block);
int abs(int value);
long labs(long value);
int atoi(const char *text);
long atol(const char *text);
double atof(const char *text);
long strtol(const char *text, char **end, int base);
unsigned long strtoul(const char *text, char **end, int base);
double strtod(const char *text, char **end);
int rand(void);
void srand(unsigned int seed);
void qsort(void *array, size_t count, size_t bytes, int (*compare)(const void *, const void *));
void *bsearch(const void *key, const void *array, size_t count, size_t bytes,
              int (*compare)(const void *, const void *));

#endif
