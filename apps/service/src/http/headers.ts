import { CHANGES_HEADER } from '@headwater/contract'

/** Names of the headers of this API, as they are sent. */
export const header = {
  requestId: 'X-Request-Id',
  /** Compute units that the response cost. */
  cost: 'X-Compute-Units-Cost',
  /** Compute units that remain in the quota of the key, if it has one. */
  unitsRemaining: 'X-Compute-Units-Remaining',
  /** Capacity of the key's token bucket, in requests. */
  rateLimit: 'X-RateLimit-Limit',
  /** Requests that the bucket would allow now. */
  rateRemaining: 'X-RateLimit-Remaining',
  /** Seconds until the bucket is full. */
  rateReset: 'X-RateLimit-Reset',
  /** The block of each chain that the response reflects, such as `31337=1234,31338=88`. */
  blockNumbers: 'X-Block-Numbers',
  entityTag: 'ETag',
  /** What URLs of images in the body begin with. */
  publicUrl: 'X-Public-Url',
  retryAfter: 'Retry-After',
  /** The path at which changes are delivered. */
  changesPath: CHANGES_HEADER,
} as const

/** The header of a request with the position of a client that was connected before. */
export const lastEventIdHeader = 'Last-Event-ID'

/** The headers that scripts in browsers may read. */
export const exposedHeaders: string[] = Object.values(header)

/** The methods of every path. */
export const allowedMethods = ['GET', 'HEAD', 'OPTIONS']

/** Lets pages of every origin read a response: keys are sent in a header and never in a cookie. */
export const corsHeaders: Readonly<Record<string, string>> = {
  'Access-Control-Allow-Origin': '*',
  'Access-Control-Expose-Headers': exposedHeaders.join(','),
}
