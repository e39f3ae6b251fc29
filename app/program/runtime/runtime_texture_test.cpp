// Texture and surface objects: what device code finds behind a handle.
#include "frontend/prelude/host/lanescope_texture_layout.h"
#include "program/runtime/fake_launcher.h"

namespace lanescope::app {
namespace {

class ProgramTexture : public RuntimeTest {
 protected:
  static lanescope_texture behind(unsigned long long handle) {
    lanescope_texture t;
    std::memcpy(&t, device_memory().at(handle)->data, sizeof t);
    return t;
  }
  static cudaArray_t array_of(cudaExtent extent, unsigned flags = 0) {
    const cudaChannelFormatDesc floats =
        cudaCreateChannelDesc(32, 0, 0, 0, cudaChannelFormatKindFloat);
    cudaArray_t array = nullptr;
    EXPECT_EQ(cudaMalloc3DArray(&array, &floats, extent, flags), cudaSuccess);
    return array;
  }
  static cudaResourceDesc resource_of(cudaArray_t array) {
    cudaResourceDesc resource = {};
    resource.resType = cudaResourceTypeArray;
    resource.res.array.array = array;
    return resource;
  }
};

TEST_F(ProgramTexture, AnArrayIsDescribed) {
  const cudaResourceDesc resource = resource_of(array_of({5, 3, 0}));
  float texels[3][5] = {};
  texels[2][4] = 9;
  ASSERT_EQ(cudaMemcpy2DToArray(resource.res.array.array, 0, 0, texels, 20, 20, 3,
                                cudaMemcpyHostToDevice),
            cudaSuccess);
  cudaTextureDesc description = {};
  description.addressMode[0] = cudaAddressModeClamp;
  description.addressMode[1] = cudaAddressModeBorder;
  description.filterMode = cudaFilterModeLinear;
  description.normalizedCoords = 1;
  description.borderColor[2] = 0.5f;
  cudaTextureObject_t texture = 0;
  ASSERT_EQ(cudaCreateTextureObject(&texture, &resource, &description, nullptr), cudaSuccess);
  const lanescope_texture t = behind(texture);
  EXPECT_EQ(t.width, 5u);
  EXPECT_EQ(t.height, 3u);
  EXPECT_EQ(t.depth, 0u);
  EXPECT_EQ(t.channels, 1);
  EXPECT_EQ(t.channel_bits, 32);
  EXPECT_EQ(t.address_mode[0], cudaAddressModeClamp);
  EXPECT_EQ(t.address_mode[1], cudaAddressModeBorder);
  EXPECT_EQ(t.filter, cudaFilterModeLinear);
  EXPECT_EQ(t.normalized, 1);
  EXPECT_EQ(t.border[2], 0.5f);
  const Allocation* storage = device_memory().at(t.data);
  ASSERT_NE(storage, nullptr);
  float last = 0;
  std::memcpy(&last, storage->data + (t.data - storage->address) + 2 * t.pitch + 4 * t.texel_bytes,
              4);
  EXPECT_EQ(last, 9);
  EXPECT_EQ(cudaDestroyTextureObject(texture), cudaSuccess);
  EXPECT_EQ(cudaDestroyTextureObject(texture), cudaErrorInvalidValue);
  expect_told("destroyed");
}

TEST_F(ProgramTexture, LayersAreNoDepth) {
  cudaTextureObject_t texture = 0;
  const cudaTextureDesc description = {};
  cudaResourceDesc resource = resource_of(array_of({4, 4, 6}, cudaArrayLayered));
  ASSERT_EQ(cudaCreateTextureObject(&texture, &resource, &description, nullptr), cudaSuccess);
  EXPECT_EQ(behind(texture).layers, 6u);
  EXPECT_EQ(behind(texture).depth, 0u);
  EXPECT_EQ(behind(texture).slice, behind(texture).pitch * 4);
  resource = resource_of(array_of({4, 4, 6}));
  ASSERT_EQ(cudaCreateTextureObject(&texture, &resource, &description, nullptr), cudaSuccess);
  EXPECT_EQ(behind(texture).depth, 6u);
  EXPECT_EQ(behind(texture).layers, 0u);
}

TEST_F(ProgramTexture, LinearMemoryIsChecked) {
  cudaResourceDesc resource = {};
  resource.resType = cudaResourceTypeLinear;
  resource.res.linear.desc = cudaCreateChannelDesc(8, 8, 8, 8, cudaChannelFormatKindUnsigned);
  resource.res.linear.devPtr = device_floats({1, 2, 3, 4});
  resource.res.linear.sizeInBytes = 16;
  cudaTextureDesc description = {};
  cudaTextureObject_t texture = 0;
  ASSERT_EQ(cudaCreateTextureObject(&texture, &resource, &description, nullptr), cudaSuccess);
  EXPECT_EQ(behind(texture).width, 4u);
  EXPECT_EQ(behind(texture).channels, 4);
  description.filterMode = cudaFilterModeLinear;
  EXPECT_EQ(cudaCreateTextureObject(&texture, &resource, &description, nullptr),
            cudaErrorInvalidFilterSetting);
  description.readMode = cudaReadModeNormalizedFloat;
  EXPECT_EQ(cudaCreateTextureObject(&texture, &resource, &description, nullptr), cudaSuccess);
  resource.res.linear.sizeInBytes = 32;
  EXPECT_EQ(cudaCreateTextureObject(&texture, &resource, &description, nullptr),
            cudaErrorInvalidValue);
  expect_told("past the end");
}

TEST_F(ProgramTexture, ASurfaceIsMadeOfAnArray) {
  const cudaResourceDesc resource = resource_of(array_of({8, 0, 0}));
  cudaSurfaceObject_t surface = 0;
  ASSERT_EQ(cudaCreateSurfaceObject(&surface, &resource), cudaSuccess);
  EXPECT_EQ(behind(surface).surface, 1);
  EXPECT_EQ(cudaDestroyTextureObject(surface), cudaErrorInvalidValue);
  EXPECT_EQ(cudaDestroySurfaceObject(surface), cudaSuccess);
}

}  // namespace
}  // namespace lanescope::app
