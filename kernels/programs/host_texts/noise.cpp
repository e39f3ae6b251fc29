// cuRAND's header brings the runtime, by the name that NVIDIA's samples ask for it.
#include <curand.h>
#ifndef __DRIVER_TYPES_H__
#error "no runtime"
#endif

bool can_make_noise() {
  curandGenerator_t generator;
  return curandCreateGenerator(&generator, CURAND_RNG_PSEUDO_PHILOX4_32_10) ==
             CURAND_STATUS_SUCCESS &&
         curandDestroyGenerator(generator) == CURAND_STATUS_SUCCESS &&
         cudaGetLastError() == cudaSuccess;
}
