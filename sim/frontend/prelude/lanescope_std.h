// Declarations that stand in for the host's standard library: host code is parsed around, never executed.
#pragma once

namespace std {
using ::size_t; using ::ptrdiff_t; using ::nullptr_t;
using ::int8_t; using ::uint8_t; using ::int16_t; using ::uint16_t; using ::int32_t; using ::uint32_t; using ::int64_t; using ::uint64_t;
using ::intptr_t; using ::uintptr_t;
template <class T, T v> struct integral_constant { static constexpr T value = v; using type = integral_constant; using value_type = T; constexpr operator T() const { return v; } };
using true_type = integral_constant<bool, true>;
using false_type = integral_constant<bool, false>;
template <class A, class B> struct is_same : false_type {};
template <class A> struct is_same<A, A> : true_type {};
template <class A, class B> inline constexpr bool is_same_v = is_same<A, B>::value;
template <bool C, class T = void> struct enable_if {};
template <class T> struct enable_if<true, T> { using type = T; };
template <bool C, class T = void> using enable_if_t = typename enable_if<C, T>::type;
template <bool C, class A, class B> struct conditional { using type = A; };
template <class A, class B> struct conditional<false, A, B> { using type = B; };
template <bool C, class A, class B> using conditional_t = typename conditional<C, A, B>::type;
template <class T> struct tuple_size;
template <size_t i, class T> struct tuple_element;
template <class T> struct remove_reference { using type = T; };
template <class T> struct remove_reference<T&> { using type = T; };
template <class T> struct remove_reference<T&&> { using type = T; };
template <class T> using remove_reference_t = typename remove_reference<T>::type;
template <class T> struct remove_const { using type = T; };
template <class T> struct remove_const<const T> { using type = T; };
template <class T> using remove_cv_t = typename remove_const<T>::type;
template <class T> using decay_t = typename remove_const<typename remove_reference<T>::type>::type;
template <class T> struct is_floating_point : integral_constant<bool, __is_floating_point(T)> {};
template <class T> inline constexpr bool is_floating_point_v = __is_floating_point(T);
template <class T> struct is_integral : integral_constant<bool, __is_integral(T)> {};
template <class T> inline constexpr bool is_integral_v = __is_integral(T);
template <class T> constexpr __attribute__((host, device)) T&& forward(remove_reference_t<T>& t) { return static_cast<T&&>(t); }
template <class T> constexpr __attribute__((host, device)) remove_reference_t<T>&& move(T&& t) { return static_cast<remove_reference_t<T>&&>(t); }
template <class T> constexpr __attribute__((host, device)) const T& min(const T& a, const T& b) { return b < a ? b : a; }
template <class T> constexpr __attribute__((host, device)) const T& max(const T& a, const T& b) { return a < b ? b : a; }
template <class A, class B> struct pair { A first; B second; };
template <class A, class B> pair(A, B) -> pair<A, B>;
template <class T> struct numeric_limits;
template <> struct numeric_limits<float> {
  static constexpr __attribute__((host, device)) float max() { return __FLT_MAX__; }
  static constexpr __attribute__((host, device)) float min() { return __FLT_MIN__; }
  static constexpr __attribute__((host, device)) float lowest() { return -__FLT_MAX__; }
  static constexpr __attribute__((host, device)) float infinity() { return __builtin_inff(); }
  static constexpr __attribute__((host, device)) float epsilon() { return __FLT_EPSILON__; }
};
template <> struct numeric_limits<int> {
  static constexpr __attribute__((host, device)) int max() { return 0x7fffffff; }
  static constexpr __attribute__((host, device)) int min() { return -0x7fffffff - 1; }
};
template <class T, size_t N> struct array {
  T elements[N];
  constexpr __attribute__((host, device)) T& operator[](size_t i) { return elements[i]; }
  constexpr __attribute__((host, device)) const T& operator[](size_t i) const { return elements[i]; }
  constexpr __attribute__((host, device)) size_t size() const { return N; }
};
template <class T> struct initializer_list { const T* first; size_t count; const T* begin() const; const T* end() const; size_t size() const; };
template <class T> struct allocator;
template <class T, class A = allocator<T>> struct vector {
  vector(); vector(size_t n); vector(size_t n, const T& v); vector(initializer_list<T>);
  T* data(); const T* data() const; size_t size() const; T& operator[](size_t); const T& operator[](size_t) const;
  T* begin(); T* end(); const T* begin() const; const T* end() const; void push_back(const T&); void resize(size_t);
};
struct string { string(); string(const char*); const char* c_str() const; size_t size() const; };
template <class S> struct function;
template <class T> struct unique_ptr;
template <class T> struct shared_ptr;
struct ostream; struct istream; struct ofstream; struct ifstream; struct stringstream;
extern ostream cout, cerr;
ostream& endl(ostream&);
template <class T> ostream& operator<<(ostream&, const T&);
ostream& operator<<(ostream&, ostream& (*)(ostream&));
namespace chrono { struct high_resolution_clock; struct steady_clock; }
struct mt19937;
}  // namespace std

struct FILE;
extern FILE *stderr, *stdout;
extern "C" int fprintf(FILE*, const char*, ...);
extern "C" void exit(int);
extern "C" void abort();
extern "C" void* malloc(size_t);
extern "C" void free(void*);
extern "C" int rand();
extern "C" void srand(unsigned);
extern "C" int atoi(const char*);
#define RAND_MAX 2147483647
#define EXIT_SUCCESS 0
#define EXIT_FAILURE 1
#define FLT_MAX __FLT_MAX__
#define FLT_MIN __FLT_MIN__
#define INT32_MAX 2147483647
#define UINT32_MAX 4294967295u
#define INT64_MAX 9223372036854775807l
#define UINT64_MAX 18446744073709551615ul
#define INT8_C(x) x
#define INT16_C(x) x
#define INT32_C(x) x
#define INT64_C(x) x##l
#define UINT8_C(x) x
#define UINT16_C(x) x
#define UINT32_C(x) x##u
#define UINT64_C(x) x##ul
