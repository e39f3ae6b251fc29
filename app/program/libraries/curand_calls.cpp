// cuRAND: generators of the host API.
#include <fmt/format.h>

#include <cmath>

#include "frontend/prelude/host/lanescope_curand.h"
#include "program/libraries/random_streams.h"
#include "program/runtime/copy.h"
#include "program/runtime/submit.h"

using namespace lanescope::app;

namespace {

struct Generator {
  curandRngType_t type = CURAND_RNG_PSEUDO_XORWOW;
  /// Whether it fills memory of the host
  bool host = false;
  curandOrdering_t order = CURAND_ORDERING_PSEUDO_DEFAULT;
  std::uint64_t seed = 0, offset = 0;
  cudaStream_t stream = nullptr;
  /// Null until numbers are wanted
  std::shared_ptr<RandomStreams> streams;
};

Handles<Generator>& generators() {
  static auto* handles = new Handles<Generator>(0x5900'0000);
  return *handles;
}

curandStatus_t refuse(const Call& call, curandStatus_t status, const std::string& text) {
  call.mistake(fmt::format("{} (curandStatus_t {})", text, static_cast<int>(status)));
  return status;
}

template <class Body>
curandStatus_t with_generator(const char* function, const void* caller, curandGenerator_t generator,
                              Body body) {
  const std::lock_guard lock(runtime_mutex());
  const Call call(function, caller);
  Generator* found = generators().find(generator);
  if (found == nullptr) return refuse(call, CURAND_STATUS_NOT_INITIALIZED, "this is no generator");
  if (error_from_before() != cudaSuccess) return CURAND_STATUS_PREEXISTING_FAILURE;
  const curandStatus_t status = body(call, *found);
  call.answered(status == CURAND_STATUS_SUCCESS
                    ? std::string()
                    : fmt::format("curandStatus_t {}", static_cast<int>(status)));
  return status;
}

bool is_known(curandRngType_t type) {
  return type == CURAND_RNG_PSEUDO_DEFAULT || type == CURAND_RNG_PSEUDO_XORWOW ||
         type == CURAND_RNG_PSEUDO_MRG32K3A || type == CURAND_RNG_PSEUDO_PHILOX4_32_10;
}

curandStatus_t create(const char* function, const void* caller, curandGenerator_t* generator,
                      curandRngType_t type, bool host) {
  const std::lock_guard lock(runtime_mutex());
  const Call call(function, caller);
  if (generator == nullptr)
    return refuse(call, CURAND_STATUS_NOT_INITIALIZED, "nowhere to put the generator");
  if (!is_known(type))
    return refuse(call, CURAND_STATUS_TYPE_ERROR,
                  fmt::format("generators of type {} are not simulated: XORWOW, MRG32K3A and "
                              "PHILOX4_32_10 are",
                              static_cast<int>(type)));
  const auto [handle, made] = generators().make();
  made->type = type == CURAND_RNG_PSEUDO_DEFAULT ? CURAND_RNG_PSEUDO_XORWOW : type;
  made->host = host;
  *generator = reinterpret_cast<curandGenerator_t>(handle);
  return CURAND_STATUS_SUCCESS;
}

std::unique_ptr<RandomStreams> streams_of(const Generator& g) {
  if (g.type == CURAND_RNG_PSEUDO_PHILOX4_32_10) return make_philox();
  if (g.type == CURAND_RNG_PSEUDO_MRG32K3A)
    return make_mrg32k3a(g.order == CURAND_ORDERING_PSEUDO_LEGACY ? 4096 : 81920);
  return make_xorwow();
}

/// Fills `count` numbers by `fill(streams, span)`.
template <class T, class Fill>
curandStatus_t generate(const Call& call, Generator& g, T* to, std::size_t count, bool in_pairs,
                        Fill fill) {
  if (g.streams == nullptr) {
    g.streams = streams_of(g);
    g.streams->restart(g.seed, g.offset);
  }
  if (in_pairs && g.streams->pairs_only() && count % 2 != 0)
    return refuse(call, CURAND_STATUS_LENGTH_NOT_MULTIPLE,
                  fmt::format("normal numbers come in pairs, and {} are asked for", count));
  if (count == 0) return CURAND_STATUS_SUCCESS;
  const auto work = [=, streams = g.streams,
                     side = g.host ? Side::host : Side::device](const Call& then) {
    std::byte* data = locate(then, "destination", to, count * sizeof(T), side);
    if (data == nullptr) return cudaErrorInvalidValue;
    fill(*streams, std::span<T>(reinterpret_cast<T*>(data), count));
    return cudaSuccess;
  };
  return submit(call, g.stream, cudaGraphNodeTypeKernel, work) == cudaSuccess
             ? CURAND_STATUS_SUCCESS
             : CURAND_STATUS_LAUNCH_FAILURE;
}

template <class T>
curandStatus_t generate_normal(const char* function, const void* caller,
                               curandGenerator_t generator, T* to, std::size_t count, T mean,
                               T deviation, bool logarithmic) {
  return with_generator(function, caller, generator, [&](const Call& call, Generator& g) {
    return generate(call, g, to, count, true, [=](RandomStreams& streams, std::span<T> numbers) {
      streams.normal(numbers);
      for (T& number : numbers) {
        number = mean + deviation * number;
        if (logarithmic) number = std::exp(number);
      }
    });
  });
}

}  // namespace

curandStatus_t curandCreateGenerator(curandGenerator_t* generator, curandRngType_t type) {
  return create(LANESCOPE_CALL, generator, type, false);
}
curandStatus_t curandCreateGeneratorHost(curandGenerator_t* generator, curandRngType_t type) {
  return create(LANESCOPE_CALL, generator, type, true);
}
curandStatus_t curandDestroyGenerator(curandGenerator_t generator) {
  return with_generator(LANESCOPE_CALL, generator, [&](const Call&, Generator&) {
    generators().destroy(generator);
    return CURAND_STATUS_SUCCESS;
  });
}
curandStatus_t curandGetVersion(int* version) {
  *version = CURAND_VERSION;
  return CURAND_STATUS_SUCCESS;
}
curandStatus_t curandSetStream(curandGenerator_t generator, cudaStream_t stream) {
  return with_generator(LANESCOPE_CALL, generator, [&](const Call&, Generator& g) {
    g.stream = stream;
    return CURAND_STATUS_SUCCESS;
  });
}
curandStatus_t curandSetPseudoRandomGeneratorSeed(curandGenerator_t generator,
                                                  unsigned long long seed) {
  return with_generator(LANESCOPE_CALL, generator, [&](const Call&, Generator& g) {
    g.seed = seed;
    g.streams = nullptr;
    return CURAND_STATUS_SUCCESS;
  });
}
curandStatus_t curandSetGeneratorOffset(curandGenerator_t generator, unsigned long long offset) {
  return with_generator(LANESCOPE_CALL, generator, [&](const Call&, Generator& g) {
    g.offset = offset;
    g.streams = nullptr;
    return CURAND_STATUS_SUCCESS;
  });
}
curandStatus_t curandSetGeneratorOrdering(curandGenerator_t generator, curandOrdering_t order) {
  return with_generator(LANESCOPE_CALL, generator, [&](const Call& call, Generator& g) {
    const bool xorwow = g.type == CURAND_RNG_PSEUDO_XORWOW;
    if (order == CURAND_ORDERING_PSEUDO_SEEDED ||
        (order == CURAND_ORDERING_PSEUDO_DYNAMIC && xorwow))
      return refuse(call, CURAND_STATUS_OUT_OF_RANGE,
                    fmt::format("order {} is not simulated", static_cast<int>(order)));
    g.order = order;
    g.streams = nullptr;
    return CURAND_STATUS_SUCCESS;
  });
}
curandStatus_t curandGenerateSeeds(curandGenerator_t generator) {
  return with_generator(LANESCOPE_CALL, generator,
                        [](const Call&, Generator&) { return CURAND_STATUS_SUCCESS; });
}

curandStatus_t curandGenerate(curandGenerator_t generator, unsigned* to, size_t count) {
  return with_generator(LANESCOPE_CALL, generator, [&](const Call& call, Generator& g) {
    return generate(call, g, to, count, false,
                    [](RandomStreams& s, std::span<unsigned> n) { s.raw(n); });
  });
}
curandStatus_t curandGenerateUniform(curandGenerator_t generator, float* to, size_t count) {
  return with_generator(LANESCOPE_CALL, generator, [&](const Call& call, Generator& g) {
    return generate(call, g, to, count, false,
                    [](RandomStreams& s, std::span<float> n) { s.uniform(n); });
  });
}
curandStatus_t curandGenerateUniformDouble(curandGenerator_t generator, double* to, size_t count) {
  return with_generator(LANESCOPE_CALL, generator, [&](const Call& call, Generator& g) {
    return generate(call, g, to, count, false,
                    [](RandomStreams& s, std::span<double> n) { s.uniform(n); });
  });
}
curandStatus_t curandGenerateNormal(curandGenerator_t generator, float* to, size_t count,
                                    float mean, float deviation) {
  return generate_normal(LANESCOPE_CALL, generator, to, count, mean, deviation, false);
}
curandStatus_t curandGenerateNormalDouble(curandGenerator_t generator, double* to, size_t count,
                                          double mean, double deviation) {
  return generate_normal(LANESCOPE_CALL, generator, to, count, mean, deviation, false);
}
curandStatus_t curandGenerateLogNormal(curandGenerator_t generator, float* to, size_t count,
                                       float mean, float deviation) {
  return generate_normal(LANESCOPE_CALL, generator, to, count, mean, deviation, true);
}
curandStatus_t curandGenerateLogNormalDouble(curandGenerator_t generator, double* to, size_t count,
                                             double mean, double deviation) {
  return generate_normal(LANESCOPE_CALL, generator, to, count, mean, deviation, true);
}
