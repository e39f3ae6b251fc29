// Every function of cuBLAS that can be called here, by its link name: LANESCOPE_API(result, name, parameters).

LANESCOPE_API(cublasStatus_t, cublasCreate_v2, (cublasHandle_t * handle))
LANESCOPE_API(cublasStatus_t, cublasDestroy_v2, (cublasHandle_t handle))
LANESCOPE_API(cublasStatus_t, cublasGetVersion_v2, (cublasHandle_t handle, int* version))
LANESCOPE_API(cublasStatus_t, cublasGetProperty, (libraryPropertyType type, int* value))
LANESCOPE_API(const char*, cublasGetStatusName, (cublasStatus_t status))
LANESCOPE_API(const char*, cublasGetStatusString, (cublasStatus_t status))
LANESCOPE_API(cublasStatus_t, cublasSetStream_v2, (cublasHandle_t handle, cudaStream_t stream))
LANESCOPE_API(cublasStatus_t, cublasGetStream_v2, (cublasHandle_t handle, cudaStream_t* stream))
LANESCOPE_API(cublasStatus_t, cublasSetWorkspace_v2, (cublasHandle_t handle, void* workspace, size_t bytes))
LANESCOPE_API(cublasStatus_t, cublasSetPointerMode_v2, (cublasHandle_t handle, cublasPointerMode_t mode))
LANESCOPE_API(cublasStatus_t, cublasGetPointerMode_v2, (cublasHandle_t handle, cublasPointerMode_t* mode))
LANESCOPE_API(cublasStatus_t, cublasSetAtomicsMode, (cublasHandle_t handle, cublasAtomicsMode_t mode))
LANESCOPE_API(cublasStatus_t, cublasGetAtomicsMode, (cublasHandle_t handle, cublasAtomicsMode_t* mode))
LANESCOPE_API(cublasStatus_t, cublasSetMathMode, (cublasHandle_t handle, cublasMath_t mode))
LANESCOPE_API(cublasStatus_t, cublasGetMathMode, (cublasHandle_t handle, cublasMath_t* mode))
LANESCOPE_API(cublasStatus_t, cublasSetVector, (int count, int element, const void* from, int from_step, void* to, int to_step))
LANESCOPE_API(cublasStatus_t, cublasGetVector, (int count, int element, const void* from, int from_step, void* to, int to_step))
LANESCOPE_API(cublasStatus_t, cublasSetMatrix, (int rows, int columns, int element, const void* from, int from_ld, void* to, int to_ld))
LANESCOPE_API(cublasStatus_t, cublasGetMatrix, (int rows, int columns, int element, const void* from, int from_ld, void* to, int to_ld))
LANESCOPE_API(cublasStatus_t, cublasSetVectorAsync, (int count, int element, const void* from, int from_step, void* to, int to_step, cudaStream_t stream))
LANESCOPE_API(cublasStatus_t, cublasGetVectorAsync, (int count, int element, const void* from, int from_step, void* to, int to_step, cudaStream_t stream))
LANESCOPE_API(cublasStatus_t, cublasSetMatrixAsync, (int rows, int columns, int element, const void* from, int from_ld, void* to, int to_ld, cudaStream_t stream))
LANESCOPE_API(cublasStatus_t, cublasGetMatrixAsync, (int rows, int columns, int element, const void* from, int from_ld, void* to, int to_ld, cudaStream_t stream))

// ---- matrices ----
#define LANESCOPE_GEMM(letter, type) \
  LANESCOPE_API(cublasStatus_t, cublas##letter##gemmStridedBatched, (cublasHandle_t handle, cublasOperation_t op_a, cublasOperation_t op_b, int rows, int columns, int inner, const type* alpha, const type* a, int a_ld, long long a_stride, const type* b, int b_ld, long long b_stride, const type* beta, type* c, int c_ld, long long c_stride, int count)) \
  LANESCOPE_API(cublasStatus_t, cublas##letter##gemmBatched, (cublasHandle_t handle, cublasOperation_t op_a, cublasOperation_t op_b, int rows, int columns, int inner, const type* alpha, const type* const a[], int a_ld, const type* const b[], int b_ld, const type* beta, type* const c[], int c_ld, int count))
#define LANESCOPE_GEMM_ONE(name, type) \
  LANESCOPE_API(cublasStatus_t, name, (cublasHandle_t handle, cublasOperation_t op_a, cublasOperation_t op_b, int rows, int columns, int inner, const type* alpha, const type* a, int a_ld, const type* b, int b_ld, const type* beta, type* c, int c_ld))
LANESCOPE_GEMM_ONE(cublasSgemm_v2, float)
LANESCOPE_GEMM_ONE(cublasDgemm_v2, double)
LANESCOPE_GEMM_ONE(cublasCgemm_v2, cuComplex)
LANESCOPE_GEMM_ONE(cublasZgemm_v2, cuDoubleComplex)
LANESCOPE_GEMM_ONE(cublasHgemm, __half)
LANESCOPE_GEMM(S, float)
LANESCOPE_GEMM(D, double)
LANESCOPE_GEMM(C, cuComplex)
LANESCOPE_GEMM(Z, cuDoubleComplex)
LANESCOPE_GEMM(H, __half)
#undef LANESCOPE_GEMM
#undef LANESCOPE_GEMM_ONE
LANESCOPE_API(cublasStatus_t, cublasGemmEx, (cublasHandle_t handle, cublasOperation_t op_a, cublasOperation_t op_b, int rows, int columns, int inner, const void* alpha, const void* a, cudaDataType a_type, int a_ld, const void* b, cudaDataType b_type, int b_ld, const void* beta, void* c, cudaDataType c_type, int c_ld, cublasComputeType_t compute, cublasGemmAlgo_t algorithm))
LANESCOPE_API(cublasStatus_t, cublasGemmStridedBatchedEx, (cublasHandle_t handle, cublasOperation_t op_a, cublasOperation_t op_b, int rows, int columns, int inner, const void* alpha, const void* a, cudaDataType a_type, int a_ld, long long a_stride, const void* b, cudaDataType b_type, int b_ld, long long b_stride, const void* beta, void* c, cudaDataType c_type, int c_ld, long long c_stride, int count, cublasComputeType_t compute, cublasGemmAlgo_t algorithm))
LANESCOPE_API(cublasStatus_t, cublasGemmBatchedEx, (cublasHandle_t handle, cublasOperation_t op_a, cublasOperation_t op_b, int rows, int columns, int inner, const void* alpha, const void* const a[], cudaDataType a_type, int a_ld, const void* const b[], cudaDataType b_type, int b_ld, const void* beta, void* const c[], cudaDataType c_type, int c_ld, int count, cublasComputeType_t compute, cublasGemmAlgo_t algorithm))
LANESCOPE_API(cublasStatus_t, cublasSgemmEx, (cublasHandle_t handle, cublasOperation_t op_a, cublasOperation_t op_b, int rows, int columns, int inner, const float* alpha, const void* a, cudaDataType a_type, int a_ld, const void* b, cudaDataType b_type, int b_ld, const float* beta, void* c, cudaDataType c_type, int c_ld))

// ---- matrices and vectors ----
#define LANESCOPE_REAL(letter, type) \
  LANESCOPE_API(cublasStatus_t, cublas##letter##geam, (cublasHandle_t handle, cublasOperation_t op_a, cublasOperation_t op_b, int rows, int columns, const type* alpha, const type* a, int a_ld, const type* beta, const type* b, int b_ld, type* c, int c_ld)) \
  LANESCOPE_API(cublasStatus_t, cublas##letter##gemv_v2, (cublasHandle_t handle, cublasOperation_t op, int rows, int columns, const type* alpha, const type* a, int a_ld, const type* x, int x_step, const type* beta, type* y, int y_step)) \
  LANESCOPE_API(cublasStatus_t, cublas##letter##ger_v2, (cublasHandle_t handle, int rows, int columns, const type* alpha, const type* x, int x_step, const type* y, int y_step, type* a, int a_ld)) \
  LANESCOPE_API(cublasStatus_t, cublas##letter##trsm_v2, (cublasHandle_t handle, cublasSideMode_t side, cublasFillMode_t fill, cublasOperation_t op, cublasDiagType_t diagonal, int rows, int columns, const type* alpha, const type* a, int a_ld, type* b, int b_ld)) \
  LANESCOPE_API(cublasStatus_t, cublas##letter##axpy_v2, (cublasHandle_t handle, int count, const type* alpha, const type* x, int x_step, type* y, int y_step)) \
  LANESCOPE_API(cublasStatus_t, cublas##letter##dot_v2, (cublasHandle_t handle, int count, const type* x, int x_step, const type* y, int y_step, type* result)) \
  LANESCOPE_API(cublasStatus_t, cublas##letter##scal_v2, (cublasHandle_t handle, int count, const type* alpha, type* x, int x_step)) \
  LANESCOPE_API(cublasStatus_t, cublas##letter##nrm2_v2, (cublasHandle_t handle, int count, const type* x, int x_step, type* result)) \
  LANESCOPE_API(cublasStatus_t, cublas##letter##asum_v2, (cublasHandle_t handle, int count, const type* x, int x_step, type* result)) \
  LANESCOPE_API(cublasStatus_t, cublas##letter##copy_v2, (cublasHandle_t handle, int count, const type* x, int x_step, type* y, int y_step)) \
  LANESCOPE_API(cublasStatus_t, cublas##letter##swap_v2, (cublasHandle_t handle, int count, type* x, int x_step, type* y, int y_step))
LANESCOPE_REAL(S, float)
LANESCOPE_REAL(D, double)
#undef LANESCOPE_REAL
#define LANESCOPE_INDEX(name, type) LANESCOPE_API(cublasStatus_t, name, (cublasHandle_t handle, int count, const type* x, int x_step, int* result))
LANESCOPE_INDEX(cublasIsamax_v2, float)
LANESCOPE_INDEX(cublasIdamax_v2, double)
LANESCOPE_INDEX(cublasIsamin_v2, float)
LANESCOPE_INDEX(cublasIdamin_v2, double)
#undef LANESCOPE_INDEX
