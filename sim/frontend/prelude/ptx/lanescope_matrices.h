// Matrix instructions as operations of the simulator: what inline PTX and <mma.h> are made of.
#pragma once

typedef unsigned lanescope_registers4 __attribute__((ext_vector_type(4)));
typedef double lanescope_doubles4 __attribute__((ext_vector_type(4)));
typedef double lanescope_doubles8 __attribute__((ext_vector_type(8)));

// ldmatrix and stmatrix of one, two or four matrices of 8x8 halves: lane l gives the address of row l % 8 of
// matrix l / 8, and gets or has a register of each.
LANESCOPE_OP lanescope_registers4 lanescope_load_matrix(const void* row, int matrices, bool transposed);
LANESCOPE_OP void lanescope_store_matrix(void* row, int matrices, bool transposed, unsigned r0, unsigned r1,
                                         unsigned r2, unsigned r3);
// D = A * B + C. The types are numbers of `enum class MatrixType` in lanescope/fragments.h; of the registers as
// many count as the form has.
LANESCOPE_OP lanescope_registers4 lanescope_multiply(int m, int n, int k, int type_a, int type_b, int type_c,
                                                     bool is_and, bool saturated, lanescope_registers4 a,
                                                     lanescope_registers4 b, lanescope_registers4 c);
typedef unsigned lanescope_registers8 __attribute__((ext_vector_type(8)));
// Of m8n8k4 of halves.
LANESCOPE_OP lanescope_registers8 lanescope_multiply_quads(int m, int n, int k, int type_a, int type_b, int type_c,
                                                           bool a_by_columns, bool b_by_rows, lanescope_registers4 a,
                                                           lanescope_registers4 b, lanescope_registers8 c);
LANESCOPE_OP lanescope_doubles4 lanescope_multiply_f64(int m, int n, int k, int type_a, int type_b, int type_c,
                                                       bool is_and, bool saturated, lanescope_doubles8 a,
                                                       lanescope_doubles8 b, lanescope_doubles4 c);
