// Functions that texts may name and that nothing stands behind: a program that calls one is told so. Memory, pools and
// events of other processes, arrays with several levels, buffers of graphics.
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

struct cudaMemPoolPtrExportData {
  unsigned char reserved[64];
};
LANESCOPE_API(cudaError_t, cudaMemPoolExportToShareableHandle, (void* handle, cudaMemPool_t pool, enum cudaMemAllocationHandleType type, unsigned int flags))
LANESCOPE_API(cudaError_t, cudaMemPoolImportFromShareableHandle, (cudaMemPool_t * pool, void* handle, enum cudaMemAllocationHandleType type, unsigned int flags))
LANESCOPE_API(cudaError_t, cudaMemPoolExportPointer, (struct cudaMemPoolPtrExportData * data, void* pointer))
LANESCOPE_API(cudaError_t, cudaMemPoolImportPointer, (void** pointer, cudaMemPool_t pool, struct cudaMemPoolPtrExportData* data))

enum cudaGraphicsRegisterFlags {
  cudaGraphicsRegisterFlagsNone = 0,
  cudaGraphicsRegisterFlagsReadOnly = 1,
  cudaGraphicsRegisterFlagsWriteDiscard = 2,
  cudaGraphicsRegisterFlagsSurfaceLoadStore = 4,
  cudaGraphicsRegisterFlagsTextureGather = 8
};
enum cudaGraphicsMapFlags {
  cudaGraphicsMapFlagsNone = 0,
  cudaGraphicsMapFlagsReadOnly = 1,
  cudaGraphicsMapFlagsWriteDiscard = 2
};
LANESCOPE_API(cudaError_t, cudaGraphicsUnregisterResource, (cudaGraphicsResource_t resource))
LANESCOPE_API(cudaError_t, cudaGraphicsResourceSetMapFlags, (cudaGraphicsResource_t resource, unsigned int flags))
LANESCOPE_API(cudaError_t, cudaGraphicsMapResources, (int count, cudaGraphicsResource_t* resources, cudaStream_t stream = 0))
LANESCOPE_API(cudaError_t, cudaGraphicsUnmapResources, (int count, cudaGraphicsResource_t* resources, cudaStream_t stream = 0))
LANESCOPE_API(cudaError_t, cudaGraphicsResourceGetMappedPointer, (void** pointer, size_t* bytes, cudaGraphicsResource_t resource))
LANESCOPE_API(cudaError_t, cudaGraphicsSubResourceGetMappedArray, (cudaArray_t * array, cudaGraphicsResource_t resource, unsigned int index, unsigned int level))
LANESCOPE_API(cudaError_t, cudaGraphicsResourceGetMappedMipmappedArray, (cudaMipmappedArray_t * array, cudaGraphicsResource_t resource))
