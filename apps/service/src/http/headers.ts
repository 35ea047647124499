/** Names of the headers of this API, as they are sent. */
export const header = {
  requestId: 'X-Request-Id',
  /** Compute units that this answer cost. */
  cost: 'X-Compute-Units-Cost',
  /** Compute units that the key has left, where it has a quota. */
  unitsRemaining: 'X-Compute-Units-Remaining',
  /** Requests of a burst: what the key's bucket holds. */
  rateLimit: 'X-RateLimit-Limit',
  /** Requests that would be answered at once now. */
  rateRemaining: 'X-RateLimit-Remaining',
  /** Seconds until the bucket is full again. */
  rateReset: 'X-RateLimit-Reset',
  /** `31337=1234,31338=88`: the block of each chain that an answer is of. */
  blockNumbers: 'X-Block-Numbers',
  entityTag: 'ETag',
  retryAfter: 'Retry-After',
} as const

/** What browsers let scripts read. */
export const exposedHeaders: string[] = Object.values(header)

/** The methods of every path. */
export const allowedMethods = ['GET', 'HEAD', 'OPTIONS']
