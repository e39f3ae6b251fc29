// Asynchronous copies by the thread itself. A copy moves its bytes when it is made; what is
// read before it is waited for is found by the checks.
#pragma once

LANESCOPE_DEV void __pipeline_memcpy_async(void* shared, const void* global, size_t bytes, size_t zeros = 0) {
  if (zeros == 0 && bytes == 16) return lanescope_async_copy(shared, global, 16);
  if (zeros == 0 && bytes == 8) return lanescope_async_copy(shared, global, 8);
  if (zeros == 0 && bytes == 4) return lanescope_async_copy(shared, global, 4);
  for (size_t i = 0; i < bytes; ++i) ((char*)shared)[i] = i + zeros < bytes ? ((const char*)global)[i] : (char)0;
}
LANESCOPE_DEV void __pipeline_commit() { lanescope_async_commit(); }
LANESCOPE_DEV void __pipeline_wait_prior(size_t groups) { lanescope_async_wait((unsigned)groups); }
