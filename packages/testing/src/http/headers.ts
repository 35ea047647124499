import { CHANGES_HEADER } from '@headwater/contract'

/** Names of the headers of every response. */
export const header = {
  requestId: 'X-Request-Id',
  cost: 'X-Compute-Units-Cost',
  remaining: 'X-Compute-Units-Remaining',
  rateLimit: 'X-RateLimit-Limit',
  rateRemaining: 'X-RateLimit-Remaining',
  rateReset: 'X-RateLimit-Reset',
  blocks: 'X-Block-Numbers',
  tag: 'ETag',
  publicUrl: 'X-Public-Url',
  retryAfter: 'Retry-After',
  changesPath: CHANGES_HEADER,
} as const

/** Allows every origin to read all headers. */
export const corsHeaders = {
  'Access-Control-Allow-Origin': '*',
  'Access-Control-Expose-Headers': Object.values(header).join(','),
} as const

/** The methods that every path supports. */
export const allowedMethods = 'GET, HEAD, OPTIONS'
