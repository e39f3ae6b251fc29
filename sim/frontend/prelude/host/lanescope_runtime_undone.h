// Functions that texts may name and that nothing stands behind: a program that calls one is told so. Memory and
// events of other processes, arrays with several levels.
#pragma once

typedef struct cudaIpcMemHandle_st {
  char reserved[CUDA_IPC_HANDLE_SIZE];
} cudaIpcMemHandle_t;
typedef struct cudaIpcEventHandle_st {
  char reserved[CUDA_IPC_HANDLE_SIZE];
} cudaIpcEventHandle_t;
LANESCOPE_API(cudaError_t, cudaIpcGetMemHandle, (cudaIpcMemHandle_t * handle, void* pointer))
LANESCOPE_API(cudaError_t, cudaIpcOpenMemHandle, (void** pointer, cudaIpcMemHandle_t handle, unsigned int flags))
LANESCOPE_API(cudaError_t, cudaIpcCloseMemHandle, (void* pointer))
LANESCOPE_API(cudaError_t, cudaIpcGetEventHandle, (cudaIpcEventHandle_t * handle, cudaEvent_t event))
LANESCOPE_API(cudaError_t, cudaIpcOpenEventHandle, (cudaEvent_t * event, cudaIpcEventHandle_t handle))
LANESCOPE_API(cudaError_t, cudaMallocMipmappedArray, (cudaMipmappedArray_t * array, const struct cudaChannelFormatDesc* format, struct cudaExtent extent, unsigned int levels, unsigned int flags = 0))
LANESCOPE_API(cudaError_t, cudaGetMipmappedArrayLevel, (cudaArray_t * level, cudaMipmappedArray_const_t array, unsigned int number))
LANESCOPE_API(cudaError_t, cudaFreeMipmappedArray, (cudaMipmappedArray_t array))
