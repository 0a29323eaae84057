/* C11, 7.24: what the device has. */
#ifndef _STRING_H
#define _STRING_H

#include <stddef.h>

void *memcpy(void *to, const void *from, size_t bytes);
void *memmove(void *to, const void *from, size_t bytes);
void *memset(void *to, int value, size_t bytes);
int memcmp(const void *a, const void *b, size_t bytes);
void *memchr(const void *in, int value, size_t bytes);
size_t strlen(const char *text);
size_t strnlen(const char *text, size_t most);
int strcmp(const char *a, const char *b);
int strncmp(const char *a, const char *b, size_t most);
char *strcpy(char *to, const char *from);
char *strncpy(char *to, const char *from, size_t most);
char *strcat(char *to, const char *from);
char *strncat(char *to, const char *from, size_t most);
char *strchr(const char *text, int character);
char *strrchr(const char *text, int character);
char *strstr(const char *text, const char *part);

#endif
