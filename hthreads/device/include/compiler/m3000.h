/* The vector types of the machine. The intrinsics of the machine's own header are not supported yet. */
#ifndef C6XC_H
#define C6XC_H

#define lvector_float16 lvector __fp16

#endif
