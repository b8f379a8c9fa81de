/** How docker/Dockerfile starts our processes. The young generation is half of the default in each JavaScript thread. */
export const NODE_FLAGS: readonly string[] = ['--enable-source-maps', '--max-semi-space-size=8'];

/** Each thread of a process keeps what it frees in a pool: few pools keep less than many. */
export const ALLOCATOR = { MALLOC_ARENA_MAX: '2' };
