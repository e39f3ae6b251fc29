// NVTX: ranges and marks for a profiler. There is none here to see them, so they are nothing.
#pragma once

#include "lanescope_runtime.h"

#define NVTX_VERSION 3
#define NVTX_EVENT_ATTRIB_STRUCT_SIZE ((unsigned short)sizeof(nvtxEventAttributes_t))
typedef unsigned long long nvtxRangeId_t;
typedef struct nvtxDomainRegistration_st* nvtxDomainHandle_t;
typedef struct nvtxStringRegistration_st* nvtxStringHandle_t;
typedef enum nvtxColorType_t { NVTX_COLOR_UNKNOWN = 0, NVTX_COLOR_ARGB = 1 } nvtxColorType_t;
typedef enum nvtxMessageType_t {
  NVTX_MESSAGE_UNKNOWN = 0,
  NVTX_MESSAGE_TYPE_ASCII = 1,
  NVTX_MESSAGE_TYPE_UNICODE = 2,
  NVTX_MESSAGE_TYPE_REGISTERED = 3
} nvtxMessageType_t;
typedef enum nvtxPayloadType_t {
  NVTX_PAYLOAD_UNKNOWN = 0,
  NVTX_PAYLOAD_TYPE_UNSIGNED_INT64 = 1,
  NVTX_PAYLOAD_TYPE_INT64 = 2,
  NVTX_PAYLOAD_TYPE_DOUBLE = 3,
  NVTX_PAYLOAD_TYPE_UNSIGNED_INT32 = 4,
  NVTX_PAYLOAD_TYPE_INT32 = 5,
  NVTX_PAYLOAD_TYPE_FLOAT = 6
} nvtxPayloadType_t;
typedef union nvtxMessageValue_t {
  const char* ascii;
  const wchar_t* unicode;
  nvtxStringHandle_t registered;
} nvtxMessageValue_t;
typedef struct nvtxEventAttributes_v2 {
  unsigned short version, size;
  unsigned int category;
  int colorType;
  unsigned int color;
  int payloadType, reserved0;
  union payload_t {
    unsigned long long ullValue;
    long long llValue;
    double dValue;
    unsigned int uiValue;
    int iValue;
    float fValue;
  } payload;
  int messageType;
  nvtxMessageValue_t message;
} nvtxEventAttributes_t;

#define LANESCOPE_NOTHING static inline __attribute__((unused))
LANESCOPE_NOTHING int nvtxRangePushA(const char*) { return 0; }
LANESCOPE_NOTHING int nvtxRangePushW(const wchar_t*) { return 0; }
LANESCOPE_NOTHING int nvtxRangePushEx(const nvtxEventAttributes_t*) { return 0; }
LANESCOPE_NOTHING int nvtxRangePop() { return 0; }
LANESCOPE_NOTHING nvtxRangeId_t nvtxRangeStartA(const char*) { return 0; }
LANESCOPE_NOTHING nvtxRangeId_t nvtxRangeStartEx(const nvtxEventAttributes_t*) { return 0; }
LANESCOPE_NOTHING void nvtxRangeEnd(nvtxRangeId_t) {}
LANESCOPE_NOTHING void nvtxMarkA(const char*) {}
LANESCOPE_NOTHING void nvtxMarkEx(const nvtxEventAttributes_t*) {}
LANESCOPE_NOTHING void nvtxNameOsThreadA(unsigned, const char*) {}
LANESCOPE_NOTHING void nvtxNameCategoryA(unsigned, const char*) {}
LANESCOPE_NOTHING void nvtxNameCudaDeviceA(int, const char*) {}
LANESCOPE_NOTHING void nvtxNameCudaStreamA(cudaStream_t, const char*) {}
LANESCOPE_NOTHING void nvtxNameCudaEventA(cudaEvent_t, const char*) {}
LANESCOPE_NOTHING nvtxDomainHandle_t nvtxDomainCreateA(const char*) { return 0; }
LANESCOPE_NOTHING nvtxDomainHandle_t nvtxDomainCreateW(const wchar_t*) { return 0; }
LANESCOPE_NOTHING void nvtxDomainDestroy(nvtxDomainHandle_t) {}
LANESCOPE_NOTHING nvtxStringHandle_t nvtxDomainRegisterStringA(nvtxDomainHandle_t, const char*) { return 0; }
LANESCOPE_NOTHING nvtxStringHandle_t nvtxDomainRegisterStringW(nvtxDomainHandle_t, const wchar_t*) { return 0; }
LANESCOPE_NOTHING void nvtxDomainNameCategoryA(nvtxDomainHandle_t, unsigned, const char*) {}
LANESCOPE_NOTHING void nvtxDomainNameCategoryW(nvtxDomainHandle_t, unsigned, const wchar_t*) {}
LANESCOPE_NOTHING void nvtxDomainMarkEx(nvtxDomainHandle_t, const nvtxEventAttributes_t*) {}
LANESCOPE_NOTHING nvtxRangeId_t nvtxDomainRangeStartEx(nvtxDomainHandle_t, const nvtxEventAttributes_t*) { return 0; }
LANESCOPE_NOTHING void nvtxDomainRangeEnd(nvtxDomainHandle_t, nvtxRangeId_t) {}
LANESCOPE_NOTHING int nvtxDomainRangePushEx(nvtxDomainHandle_t, const nvtxEventAttributes_t*) { return 0; }
LANESCOPE_NOTHING int nvtxDomainRangePop(nvtxDomainHandle_t) { return 0; }
#undef LANESCOPE_NOTHING
#define nvtxRangePush nvtxRangePushA
#define nvtxRangeStart nvtxRangeStartA
#define nvtxMark nvtxMarkA
#define nvtxNameOsThread nvtxNameOsThreadA
#define nvtxNameCategory nvtxNameCategoryA
#define nvtxNameCudaDevice nvtxNameCudaDeviceA
#define nvtxNameCudaStream nvtxNameCudaStreamA
#define nvtxNameCudaEvent nvtxNameCudaEventA
