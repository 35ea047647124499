export const msPerMinute = 60_000

/** The `staleTime` with which any response is stale. With 0, one of before the clock was set back is fresh. */
export const alwaysStale = -Infinity
