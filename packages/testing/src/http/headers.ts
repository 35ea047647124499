/** Names of the headers of every answer, by what they tell. */
export const header = {
  requestId: 'X-Request-Id',
  cost: 'X-Compute-Units-Cost',
  remaining: 'X-Compute-Units-Remaining',
  rateLimit: 'X-RateLimit-Limit',
  rateRemaining: 'X-RateLimit-Remaining',
  rateReset: 'X-RateLimit-Reset',
  blocks: 'X-Block-Numbers',
  tag: 'ETag',
  retryAfter: 'Retry-After',
} as const

/** What lets every page ask and read. */
export const everyOrigin = {
  'Access-Control-Allow-Origin': '*',
  'Access-Control-Expose-Headers': Object.values(header).join(','),
} as const

/** The methods of every path. */
export const allowedMethods = 'GET, HEAD, OPTIONS'
