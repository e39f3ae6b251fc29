// Asynchronous copies by the thread itself. A copy is done when it is made: whoever waits finds it done.
#pragma once

LANESCOPE_DEV void __pipeline_memcpy_async(void* shared, const void* global, size_t bytes, size_t zeros = 0) {
  if (zeros == 0 && bytes == 16) return lanescope_async_copy(shared, global, 16);
  if (zeros == 0 && bytes == 8) return lanescope_async_copy(shared, global, 8);
  if (zeros == 0 && bytes == 4) return lanescope_async_copy(shared, global, 4);
  for (size_t i = 0; i < bytes; ++i) ((char*)shared)[i] = i + zeros < bytes ? ((const char*)global)[i] : (char)0;
}
LANESCOPE_DEV void __pipeline_commit() {}
LANESCOPE_DEV void __pipeline_wait_prior(size_t) {}
