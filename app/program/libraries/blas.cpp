#include "program/libraries/blas.h"

#include <dlfcn.h>

namespace lanescope::app {
namespace {

/// A product as every BLAS has it under a Fortran name: all by reference, in columns.
template <class T>
using Multiply = void (*)(const char*, const char*, const int*, const int*, const int*, const T*,
                          const T*, const int*, const T*, const int*, const T*, T*, const int*);

struct Library {
  const char* name = "";
  Multiply<float> s = nullptr;
  Multiply<double> d = nullptr;
  Multiply<std::complex<float>> c = nullptr;
  Multiply<std::complex<double>> z = nullptr;
};

/// Loaded when it is needed first and never unloaded: it keeps threads.
const Library& library() {
  static const Library found = [] {
    Library l;
    for (const char* name : {"libopenblas.so.0", "libblas.so.3"}) {
      void* handle = dlopen(name, RTLD_NOW | RTLD_LOCAL);
      if (handle == nullptr) continue;
      l.s = reinterpret_cast<Multiply<float>>(dlsym(handle, "sgemm_"));
      l.d = reinterpret_cast<Multiply<double>>(dlsym(handle, "dgemm_"));
      l.c = reinterpret_cast<Multiply<std::complex<float>>>(dlsym(handle, "cgemm_"));
      l.z = reinterpret_cast<Multiply<std::complex<double>>>(dlsym(handle, "zgemm_"));
      if (l.s != nullptr && l.d != nullptr && l.c != nullptr && l.z != nullptr) {
        l.name = name;
        return l;
      }
      dlclose(handle);
    }
    return Library{};
  }();
  return found;
}

char letter(Op op) { return op == Op::none ? 'N' : op == Op::transpose ? 'T' : 'C'; }

template <class T>
void multiply_by(Multiply<T> by, const Product<T>& p) {
  if (by == nullptr) return multiply_by_loops(p);
  const char a = letter(p.op_a), b = letter(p.op_b);
  const int rows = static_cast<int>(p.rows), columns = static_cast<int>(p.columns),
            inner = static_cast<int>(p.inner);
  const int a_ld = static_cast<int>(p.a_ld), b_ld = static_cast<int>(p.b_ld),
            c_ld = static_cast<int>(p.c_ld);
  by(&a, &b, &rows, &columns, &inner, &p.alpha, p.a, &a_ld, p.b, &b_ld, &p.beta, p.c, &c_ld);
}

}  // namespace

const char* blas_library() { return library().name; }

void multiply(const Product<float>& product) { multiply_by(library().s, product); }
void multiply(const Product<double>& product) { multiply_by(library().d, product); }
void multiply(const Product<std::complex<float>>& product) { multiply_by(library().c, product); }
void multiply(const Product<std::complex<double>>& product) { multiply_by(library().z, product); }

}  // namespace lanescope::app
