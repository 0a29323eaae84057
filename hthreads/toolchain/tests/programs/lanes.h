/* Tables of functions on lanes: one line is one case, in the host program and in its kernels. `A`, `B`
 * and `C` are the arrays of the operands, `i` is the number of an element of the result, and `a`, `b`
 * and `c` are the operands' elements of that number. The last field is what the host computes for it.
 *
 *   ONE(how, result, type, values, name, expected)              result name(a)
 *   TWO(how, result, type, values, values, name, expected)      result name(a, b)
 *   THREE(how, result, type, values, values, values, name, expected)
 *   PAIR(type, values, name, first, second)                     a structure of x and y
 *   SCALAR(how, result, type, values, name, expected)           result name(A[2])
 *   LOAD(type, name), STORE(type, name)                         at an offset of 3 * 8 bytes
 *   SCALAR_IF(how, predicate, ...), ONE_IF, TWO_IF, THREE_IF    those without _IF, by a predicate of whole numbers
 *   SELECT(type, name)                                          by a predicate of whole numbers
 *   ARRAYS(how, result, type, values, values, name, expected)   name(A, B, R, n)
 *   ARRAY(how, result, type, values, name, expected)            name(A, R, n)
 *   FILL(how, result, type, values, name, expected)             name(A[2], R, n)
 *   WITH_SCALAR(how, result, type, values, values, name, expected)   name(A[2], B, R, n)
 *   TOTAL(how, result, type, values, name, term, of_total)      result name(A, n)
 *   TOTAL_OF_TWO(how, result, type, values, values, name, term) result name(A, B, n)
 *
 * `how` is EXACT, or NEAR for results that are compared with those of the host's library in double
 * precision. `n` is `COUNT`. */
#ifndef LANES_H
#define LANES_H

typedef unsigned long ulong;
typedef unsigned int uint;
typedef unsigned short ushort;
typedef _Float16 half;

/* Elements of a vector of a type, and of the arrays that functions on arrays get. */
#define ELEMENTS(type) (int)(128 / sizeof(type))
#define COUNT(type) (ELEMENTS(type) + ELEMENTS(type) / 2 + 1)

/* Bytes of an operand and of the results. */
#define OPERAND 256

#endif
