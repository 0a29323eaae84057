# A loop of four iterations; HTS paper, section V.C.
mov 58 0 2 0 1 0 0 0001
mov 3 0 3 0 2 0 0 0001
mov 75 0 6 0 3 0 0 0001
lbeg 4 4 0 0 4 0 0 0001
add 4 2 5 0 5 0 0 0001
add 4 6 7 0 6 0 0 0001
iir 5 3 7 3 7 0 1 0000
lend 0 4 2 0 8 0 0 0001
