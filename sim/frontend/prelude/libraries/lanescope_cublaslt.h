// cuBLASLt: products that are described by objects, as calls of cuBLAS that does them. Matrices lie column by column;
// what is done to a product's elements on their way out (a bias, an activation) is not here, and a program that asks
// for it is told so. Numbers of enumerations are CUDA 13's.
#pragma once

#include <stdint.h>
#include <string.h>

#include "lanescope_cublas.h"

typedef enum {
  CUBLASLT_ORDER_COL = 0,
  CUBLASLT_ORDER_ROW = 1,
  CUBLASLT_ORDER_COL32 = 2,
  CUBLASLT_ORDER_COL4_4R2_8C = 3,
  CUBLASLT_ORDER_COL32_2R_4R4 = 4
} cublasLtOrder_t;
typedef enum { CUBLASLT_POINTER_MODE_HOST = 0, CUBLASLT_POINTER_MODE_DEVICE = 1 } cublasLtPointerMode_t;
typedef enum {
  CUBLASLT_EPILOGUE_DEFAULT = 1,
  CUBLASLT_EPILOGUE_RELU = 2,
  CUBLASLT_EPILOGUE_BIAS = 4,
  CUBLASLT_EPILOGUE_RELU_BIAS = 2 | 4,
  CUBLASLT_EPILOGUE_RELU_AUX = 2 | 128,
  CUBLASLT_EPILOGUE_RELU_AUX_BIAS = 2 | 128 | 4,
  CUBLASLT_EPILOGUE_DRELU = 8 | 128,
  CUBLASLT_EPILOGUE_DRELU_BGRAD = 8 | 128 | 16,
  CUBLASLT_EPILOGUE_GELU = 32,
  CUBLASLT_EPILOGUE_GELU_BIAS = 32 | 4,
  CUBLASLT_EPILOGUE_GELU_AUX = 32 | 128,
  CUBLASLT_EPILOGUE_GELU_AUX_BIAS = 32 | 128 | 4,
  CUBLASLT_EPILOGUE_DGELU = 64 | 128,
  CUBLASLT_EPILOGUE_DGELU_BGRAD = 64 | 128 | 16,
  CUBLASLT_EPILOGUE_BGRADA = 256,
  CUBLASLT_EPILOGUE_BGRADB = 512
} cublasLtEpilogue_t;
typedef enum {
  CUBLASLT_MATRIX_LAYOUT_TYPE = 0,
  CUBLASLT_MATRIX_LAYOUT_ORDER = 1,
  CUBLASLT_MATRIX_LAYOUT_ROWS = 2,
  CUBLASLT_MATRIX_LAYOUT_COLS = 3,
  CUBLASLT_MATRIX_LAYOUT_LD = 4,
  CUBLASLT_MATRIX_LAYOUT_BATCH_COUNT = 5,
  CUBLASLT_MATRIX_LAYOUT_STRIDED_BATCH_OFFSET = 6,
  CUBLASLT_MATRIX_LAYOUT_PLANE_OFFSET = 7
} cublasLtMatrixLayoutAttribute_t;
typedef enum {
  CUBLASLT_MATMUL_DESC_COMPUTE_TYPE = 0,
  CUBLASLT_MATMUL_DESC_SCALE_TYPE = 1,
  CUBLASLT_MATMUL_DESC_POINTER_MODE = 2,
  CUBLASLT_MATMUL_DESC_TRANSA = 3,
  CUBLASLT_MATMUL_DESC_TRANSB = 4,
  CUBLASLT_MATMUL_DESC_TRANSC = 5,
  CUBLASLT_MATMUL_DESC_FILL_MODE = 6,
  CUBLASLT_MATMUL_DESC_EPILOGUE = 7,
  CUBLASLT_MATMUL_DESC_BIAS_POINTER = 8,
  CUBLASLT_MATMUL_DESC_BIAS_BATCH_STRIDE = 10,
  CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_POINTER = 11,
  CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_LD = 12,
  CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_BATCH_STRIDE = 13,
  CUBLASLT_MATMUL_DESC_SM_COUNT_TARGET = 15,
  CUBLASLT_MATMUL_DESC_A_SCALE_POINTER = 17,
  CUBLASLT_MATMUL_DESC_B_SCALE_POINTER = 18,
  CUBLASLT_MATMUL_DESC_C_SCALE_POINTER = 19,
  CUBLASLT_MATMUL_DESC_D_SCALE_POINTER = 20,
  CUBLASLT_MATMUL_DESC_AMAX_D_POINTER = 21,
  CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_DATA_TYPE = 22,
  CUBLASLT_MATMUL_DESC_FAST_ACCUM = 25,
  CUBLASLT_MATMUL_DESC_BIAS_DATA_TYPE = 26
} cublasLtMatmulDescAttributes_t;
typedef enum {
  CUBLASLT_MATMUL_PREF_SEARCH_MODE = 0,
  CUBLASLT_MATMUL_PREF_MAX_WORKSPACE_BYTES = 1,
  CUBLASLT_MATMUL_PREF_REDUCTION_SCHEME_MASK = 3,
  CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_A_BYTES = 5,
  CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_B_BYTES = 6,
  CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_C_BYTES = 7,
  CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_D_BYTES = 8,
  CUBLASLT_MATMUL_PREF_MAX_WAVES_COUNT = 9,
  CUBLASLT_MATMUL_PREF_IMPL_MASK = 12
} cublasLtMatmulPreferenceAttributes_t;

typedef struct { uint64_t data[8]; } cublasLtMatmulAlgo_t;
typedef struct {
  cublasLtMatmulAlgo_t algo;
  size_t workspaceSize;
  cublasStatus_t state;
  float wavesCount;
  int reserved[4];
} cublasLtMatmulHeuristicResult_t;

typedef struct cublasLtContext { cublasHandle_t lanescope_handle; }* cublasLtHandle_t;
typedef struct cublasLtMatrixLayoutOpaque_t {
  cudaDataType type;
  int order, count;
  uint64_t rows, columns;
  int64_t ld, stride;
} cublasLtMatrixLayoutOpaque_t, *cublasLtMatrixLayout_t;
typedef struct cublasLtMatmulDescOpaque_t {
  cublasComputeType_t compute;
  cudaDataType scale;
  int pointer_mode, op_a, op_b, op_c, epilogue;
  // Anything else than a plain product, by the number of its attribute
  int unheard;
} cublasLtMatmulDescOpaque_t, *cublasLtMatmulDesc_t;
typedef struct cublasLtMatmulPreferenceOpaque_t { uint64_t workspace; } cublasLtMatmulPreferenceOpaque_t, *cublasLtMatmulPreference_t;

// Nothing stands behind these: calling them is how a program is told.
extern "C" cublasStatus_t cublasLtMatmulWithEpilogue(cublasLtMatmulDesc_t product);
extern "C" cublasStatus_t cublasLtMatmulOfOtherLayouts(cublasLtMatmulDesc_t product);

// Always inlined: what is called is then called from the program's own line.
#define LANESCOPE_LT static inline __attribute__((always_inline)) cublasStatus_t
LANESCOPE_LT lanescope_lt_take(void* to, size_t size, const void* from, size_t bytes) {
  if (from == 0 || bytes != size) return CUBLAS_STATUS_INVALID_VALUE;
  memcpy(to, from, bytes);
  return CUBLAS_STATUS_SUCCESS;
}

LANESCOPE_LT cublasLtCreate(cublasLtHandle_t* handle) {
  cublasHandle_t made;
  const cublasStatus_t status = cublasCreate_v2(&made);
  if (status == CUBLAS_STATUS_SUCCESS) *handle = new cublasLtContext{made};
  return status;
}
LANESCOPE_LT cublasLtDestroy(cublasLtHandle_t handle) {
  if (handle == 0) return CUBLAS_STATUS_NOT_INITIALIZED;
  const cublasStatus_t status = cublasDestroy_v2(handle->lanescope_handle);
  delete handle;
  return status;
}

LANESCOPE_LT cublasLtMatrixLayoutInit(cublasLtMatrixLayout_t layout, cudaDataType type, uint64_t rows, uint64_t columns, int64_t ld) {
  *layout = cublasLtMatrixLayoutOpaque_t{type, CUBLASLT_ORDER_COL, 1, rows, columns, ld, 0};
  return CUBLAS_STATUS_SUCCESS;
}
LANESCOPE_LT cublasLtMatrixLayoutCreate(cublasLtMatrixLayout_t* layout, cudaDataType type, uint64_t rows, uint64_t columns, int64_t ld) {
  return cublasLtMatrixLayoutInit(*layout = new cublasLtMatrixLayoutOpaque_t, type, rows, columns, ld);
}
LANESCOPE_LT cublasLtMatrixLayoutDestroy(cublasLtMatrixLayout_t layout) {
  delete layout;
  return CUBLAS_STATUS_SUCCESS;
}
LANESCOPE_LT cublasLtMatrixLayoutSetAttribute(cublasLtMatrixLayout_t layout, cublasLtMatrixLayoutAttribute_t attribute, const void* from, size_t bytes) {
  switch (attribute) {
    case CUBLASLT_MATRIX_LAYOUT_TYPE: return lanescope_lt_take(&layout->type, sizeof layout->type, from, bytes);
    case CUBLASLT_MATRIX_LAYOUT_ORDER: return lanescope_lt_take(&layout->order, sizeof layout->order, from, bytes);
    case CUBLASLT_MATRIX_LAYOUT_ROWS: return lanescope_lt_take(&layout->rows, sizeof layout->rows, from, bytes);
    case CUBLASLT_MATRIX_LAYOUT_COLS: return lanescope_lt_take(&layout->columns, sizeof layout->columns, from, bytes);
    case CUBLASLT_MATRIX_LAYOUT_LD: return lanescope_lt_take(&layout->ld, sizeof layout->ld, from, bytes);
    case CUBLASLT_MATRIX_LAYOUT_BATCH_COUNT: return lanescope_lt_take(&layout->count, sizeof layout->count, from, bytes);
    case CUBLASLT_MATRIX_LAYOUT_STRIDED_BATCH_OFFSET: return lanescope_lt_take(&layout->stride, sizeof layout->stride, from, bytes);
    default: return CUBLAS_STATUS_NOT_SUPPORTED;
  }
}

LANESCOPE_LT cublasLtMatmulDescInit(cublasLtMatmulDesc_t product, cublasComputeType_t compute, cudaDataType scale) {
  *product = cublasLtMatmulDescOpaque_t{compute, scale, CUBLASLT_POINTER_MODE_HOST, CUBLAS_OP_N, CUBLAS_OP_N, CUBLAS_OP_N, CUBLASLT_EPILOGUE_DEFAULT, 0};
  return CUBLAS_STATUS_SUCCESS;
}
LANESCOPE_LT cublasLtMatmulDescCreate(cublasLtMatmulDesc_t* product, cublasComputeType_t compute, cudaDataType scale) {
  return cublasLtMatmulDescInit(*product = new cublasLtMatmulDescOpaque_t, compute, scale);
}
LANESCOPE_LT cublasLtMatmulDescDestroy(cublasLtMatmulDesc_t product) {
  delete product;
  return CUBLAS_STATUS_SUCCESS;
}
LANESCOPE_LT cublasLtMatmulDescSetAttribute(cublasLtMatmulDesc_t product, cublasLtMatmulDescAttributes_t attribute, const void* from, size_t bytes) {
  switch (attribute) {
    case CUBLASLT_MATMUL_DESC_COMPUTE_TYPE: return lanescope_lt_take(&product->compute, sizeof product->compute, from, bytes);
    case CUBLASLT_MATMUL_DESC_SCALE_TYPE: return lanescope_lt_take(&product->scale, sizeof product->scale, from, bytes);
    case CUBLASLT_MATMUL_DESC_POINTER_MODE: return lanescope_lt_take(&product->pointer_mode, sizeof(int), from, bytes);
    case CUBLASLT_MATMUL_DESC_TRANSA: return lanescope_lt_take(&product->op_a, sizeof(int), from, bytes);
    case CUBLASLT_MATMUL_DESC_TRANSB: return lanescope_lt_take(&product->op_b, sizeof(int), from, bytes);
    case CUBLASLT_MATMUL_DESC_TRANSC: return lanescope_lt_take(&product->op_c, sizeof(int), from, bytes);
    case CUBLASLT_MATMUL_DESC_EPILOGUE: return lanescope_lt_take(&product->epilogue, sizeof(int), from, bytes);
    // Of an epilogue, which is told, and of how fast a sum is added up, which changes nothing here.
    case CUBLASLT_MATMUL_DESC_BIAS_POINTER:
    case CUBLASLT_MATMUL_DESC_BIAS_BATCH_STRIDE:
    case CUBLASLT_MATMUL_DESC_BIAS_DATA_TYPE:
    case CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_POINTER:
    case CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_LD:
    case CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_BATCH_STRIDE:
    case CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_DATA_TYPE:
    case CUBLASLT_MATMUL_DESC_SM_COUNT_TARGET:
    case CUBLASLT_MATMUL_DESC_FAST_ACCUM: return CUBLAS_STATUS_SUCCESS;
    default: product->unheard = attribute; return CUBLAS_STATUS_SUCCESS;
  }
}

LANESCOPE_LT cublasLtMatmulPreferenceInit(cublasLtMatmulPreference_t preference) {
  preference->workspace = 0;
  return CUBLAS_STATUS_SUCCESS;
}
LANESCOPE_LT cublasLtMatmulPreferenceCreate(cublasLtMatmulPreference_t* preference) {
  return cublasLtMatmulPreferenceInit(*preference = new cublasLtMatmulPreferenceOpaque_t);
}
LANESCOPE_LT cublasLtMatmulPreferenceDestroy(cublasLtMatmulPreference_t preference) {
  delete preference;
  return CUBLAS_STATUS_SUCCESS;
}
LANESCOPE_LT cublasLtMatmulPreferenceSetAttribute(cublasLtMatmulPreference_t, cublasLtMatmulPreferenceAttributes_t, const void*, size_t) {
  return CUBLAS_STATUS_SUCCESS;
}
// There is one way, and it needs no room.
LANESCOPE_LT cublasLtMatmulAlgoGetHeuristic(cublasLtHandle_t, cublasLtMatmulDesc_t, cublasLtMatrixLayout_t, cublasLtMatrixLayout_t, cublasLtMatrixLayout_t,
                                            cublasLtMatrixLayout_t, cublasLtMatmulPreference_t, int wanted, cublasLtMatmulHeuristicResult_t* results, int* found) {
  *found = wanted > 0 ? 1 : 0;
  if (wanted > 0) memset(results, 0, sizeof *results), results[0].wavesCount = 1.0f;
  return CUBLAS_STATUS_SUCCESS;
}

LANESCOPE_LT cublasLtMatmul(cublasLtHandle_t handle, cublasLtMatmulDesc_t product, const void* alpha, const void* a, cublasLtMatrixLayout_t of_a, const void* b,
                            cublasLtMatrixLayout_t of_b, const void* beta, const void* c, cublasLtMatrixLayout_t of_c, void* d, cublasLtMatrixLayout_t of_d,
                            const cublasLtMatmulAlgo_t*, void*, size_t, cudaStream_t stream) {
  if (handle == 0 || product == 0 || of_a == 0 || of_b == 0 || of_d == 0) return CUBLAS_STATUS_INVALID_VALUE;
  if (product->epilogue != CUBLASLT_EPILOGUE_DEFAULT) return cublasLtMatmulWithEpilogue(product);
  // What is multiplied by nothing is not read.
  const bool unread = product->pointer_mode == CUBLASLT_POINTER_MODE_HOST && product->scale == CUDA_R_32F && beta != 0 && *(const float*)beta == 0.0f;
  if (!(unread || c == d) || product->unheard != 0 || product->op_c != CUBLAS_OP_N || of_a->order + of_b->order + of_d->order != CUBLASLT_ORDER_COL)
    return cublasLtMatmulOfOtherLayouts(product);
  (void)of_c;
  cublasHandle_t blas = handle->lanescope_handle;
  cublasSetStream_v2(blas, stream);
  cublasSetPointerMode_v2(blas, (cublasPointerMode_t)product->pointer_mode);
  const uint64_t inner = product->op_a == CUBLAS_OP_N ? of_a->columns : of_a->rows;
  return cublasGemmStridedBatchedEx(blas, (cublasOperation_t)product->op_a, (cublasOperation_t)product->op_b, (int)of_d->rows, (int)of_d->columns, (int)inner,
                                    alpha, a, of_a->type, (int)of_a->ld, of_a->stride, b, of_b->type, (int)of_b->ld, of_b->stride, beta, d, of_d->type,
                                    (int)of_d->ld, of_d->stride, of_d->count, product->compute, CUBLAS_GEMM_DEFAULT);
}
#undef LANESCOPE_LT
