// Device code's own memory functions: copies and fills, and a heap of cudaLimitMallocHeapSize's
// default size. Blocks are powers of two; what is freed goes to a list of its size.
#pragma once

extern "C" __device__ inline void* memcpy(void* to, const void* from, size_t bytes) noexcept {
  return __builtin_memcpy(to, from, bytes);
}
extern "C" __device__ inline void* memmove(void* to, const void* from, size_t bytes) noexcept {
  return __builtin_memmove(to, from, bytes);
}
extern "C" __device__ inline void* memset(void* to, int byte, size_t bytes) noexcept {
  return __builtin_memset(to, byte, bytes);
}

// The device that loads a text with a variable of this name gives it memory: from `next` to `end`.
struct lanescope_heap_state {
  unsigned long long next, end;
  // First free block of 2^(5 + i) bytes; the next one's address is in its second word
  unsigned long long free[24];
};
static __device__ lanescope_heap_state lanescope_device_heap;
// In front of what malloc returns: the block's class, and room for the list.
struct lanescope_heap_block {
  unsigned long long kind, next;
};

LANESCOPE_DEV lanescope_heap_block* lanescope_take_free(unsigned kind) {
  unsigned long long* const list = &lanescope_device_heap.free[kind];
  for (unsigned long long first = *list; first != 0;) {
    const unsigned long long rest = ((lanescope_heap_block*)first)->next, seen = first;
    __atomic_compare_exchange_n(list, &first, rest, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED);
    if (first == seen) return (lanescope_heap_block*)seen;
  }
  return nullptr;
}
// What the checks know of the heap: a block and what was asked for, and that it was given back.
LANESCOPE_OP void lanescope_heap_taken(void* block, size_t bytes);
LANESCOPE_OP void lanescope_heap_freed(void* block);

extern "C" __device__ inline void* malloc(size_t bytes) noexcept {
  unsigned kind = 0;
  while (kind < 24 && (32ull << kind) < bytes + sizeof(lanescope_heap_block)) ++kind;
  if (kind == 24) return nullptr;
  lanescope_heap_block* block = lanescope_take_free(kind);
  if (block == nullptr) {
    const unsigned long long at = __atomic_fetch_add(&lanescope_device_heap.next, 32ull << kind, __ATOMIC_RELAXED);
    if (at + (32ull << kind) > lanescope_device_heap.end) return nullptr;
    block = (lanescope_heap_block*)at;
  }
  block->kind = kind;
  lanescope_heap_taken(block + 1, bytes);
  return block + 1;
}
extern "C" __device__ inline void free(void* pointer) noexcept {
  if (pointer == nullptr) return;
  lanescope_heap_freed(pointer);
  lanescope_heap_block* const block = (lanescope_heap_block*)pointer - 1;
  unsigned long long* const list = &lanescope_device_heap.free[block->kind];
  for (unsigned long long first = *list, seen;; ) {
    block->next = seen = first;
    __atomic_compare_exchange_n(list, &first, (unsigned long long)block, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED);
    if (first == seen) return;
  }
}

__device__ inline void* operator new(size_t bytes) { return malloc(bytes == 0 ? 1 : bytes); }
__device__ inline void* operator new[](size_t bytes) { return malloc(bytes == 0 ? 1 : bytes); }
__device__ inline void operator delete(void* pointer) noexcept { free(pointer); }
__device__ inline void operator delete[](void* pointer) noexcept { free(pointer); }
__device__ inline void operator delete(void* pointer, size_t) noexcept { free(pointer); }
__device__ inline void operator delete[](void* pointer, size_t) noexcept { free(pointer); }
__device__ inline void* operator new(size_t, void* place) noexcept { return place; }
__device__ inline void* operator new[](size_t, void* place) noexcept { return place; }
__device__ inline void operator delete(void*, void*) noexcept {}
__device__ inline void operator delete[](void*, void*) noexcept {}
