/** Names of the headers of this API, as they are sent. */
export const header = {
  requestId: 'X-Request-Id',
  cost: 'X-Compute-Units-Cost',
  /** `31337=1234,31338=88`: the block of each chain that an answer is of. */
  blockNumbers: 'X-Block-Numbers',
  entityTag: 'ETag',
  retryAfter: 'Retry-After',
} as const

/** What browsers let scripts read. */
export const exposedHeaders: string[] = Object.values(header)

/** The methods of every path. */
export const allowedMethods = ['GET', 'HEAD', 'OPTIONS']
