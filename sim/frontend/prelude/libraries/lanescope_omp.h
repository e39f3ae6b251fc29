// omp.h where pragmas of OpenMP are left out, as they are by a compiler that has not been asked for it: every region
// is executed by one thread.
#pragma once

#include <time.h>

typedef struct { int held; } omp_lock_t;
typedef struct { int held; } omp_nest_lock_t;
typedef enum omp_sched_t { omp_sched_static = 1, omp_sched_dynamic = 2, omp_sched_guided = 3, omp_sched_auto = 4 } omp_sched_t;

static inline void omp_set_num_threads(int) {}
static inline int omp_get_num_threads(void) { return 1; }
static inline int omp_get_max_threads(void) { return 1; }
static inline int omp_get_thread_num(void) { return 0; }
static inline int omp_get_num_procs(void) { return 1; }
static inline int omp_get_thread_limit(void) { return 1; }
static inline int omp_in_parallel(void) { return 0; }
static inline int omp_get_level(void) { return 0; }
static inline int omp_get_num_teams(void) { return 1; }
static inline int omp_get_team_num(void) { return 0; }
static inline int omp_get_num_devices(void) { return 0; }
static inline int omp_get_default_device(void) { return 0; }
static inline void omp_set_default_device(int) {}
static inline void omp_set_dynamic(int) {}
static inline int omp_get_dynamic(void) { return 0; }
static inline void omp_set_nested(int) {}
static inline int omp_get_nested(void) { return 0; }
static inline void omp_set_schedule(omp_sched_t, int) {}

static inline void omp_init_lock(omp_lock_t* lock) { lock->held = 0; }
static inline void omp_destroy_lock(omp_lock_t*) {}
static inline void omp_set_lock(omp_lock_t* lock) { lock->held = 1; }
static inline void omp_unset_lock(omp_lock_t* lock) { lock->held = 0; }
static inline int omp_test_lock(omp_lock_t* lock) { return lock->held ? 0 : (lock->held = 1); }
static inline void omp_init_nest_lock(omp_nest_lock_t* lock) { lock->held = 0; }
static inline void omp_destroy_nest_lock(omp_nest_lock_t*) {}
static inline void omp_set_nest_lock(omp_nest_lock_t* lock) { ++lock->held; }
static inline void omp_unset_nest_lock(omp_nest_lock_t* lock) { --lock->held; }

static inline double omp_get_wtime(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}
static inline double omp_get_wtick(void) { return 1e-9; }
