/** Response headers by name, as OpenAPI describes them. */
export const headers = Object.fromEntries(
  Object.entries({
    'X-Request-Id': ['string', 'Id of the request. Include it in support requests.'],
    'X-Compute-Units-Cost': ['integer', 'Compute units that this request cost; 0 for an error.'],
    'X-Compute-Units-Remaining': [
      'integer',
      'Compute units that the key has left; absent if it has no quota.',
    ],
    'X-RateLimit-Limit': [
      'integer',
      'Requests that the key may send in a burst: the size of its token bucket.',
    ],
    'X-RateLimit-Remaining': ['integer', 'Requests that the key may send now.'],
    'X-RateLimit-Reset': ['integer', 'Seconds until the bucket is full again.'],
    'X-Block-Numbers': [
      'string',
      'The block of each chain that the response reflects, such as `1=23800000,10=143000000`.',
    ],
    ETag: [
      'string',
      'Entity tag. A request with it in `If-None-Match` gets 304 while the response is unchanged, for the same units.',
    ],
    'X-Public-Url': [
      'string',
      'What URLs of logos and images in the body begin with, which a proxy may replace by its own URL.',
    ],
    'X-Changes-Path': ['string', 'Path at which changes are delivered; absent where they are not.'],
    'Retry-After': ['integer', 'Seconds after which to retry.'],
  } as const).map(([name, [type, description]]) => [name, { description, schema: { type } }]),
)

/**
 * Names of the headers of responses. A server exposes them to scripts of other origins, and a proxy forwards them, except
 * `X-Public-Url`.
 *
 * @example
 * import { responseHeaders } from '@headwater/contract/schemas'
 * const headers = { 'Access-Control-Expose-Headers': responseHeaders.join(', ') }
 */
export const responseHeaders: readonly string[] = Object.keys(headers)

const always = ['X-Request-Id', 'X-Compute-Units-Cost']
/** Headers of each response to a request with a key. */
export const withKey: readonly string[] = [
  ...always,
  'X-Compute-Units-Remaining',
  'X-RateLimit-Limit',
  'X-RateLimit-Remaining',
  'X-RateLimit-Reset',
]
/** Headers of a successful response. */
export const successHeaders: readonly string[] = [
  ...withKey,
  'X-Block-Numbers',
  'ETag',
  'X-Public-Url',
  'X-Changes-Path',
]

/** Headers of an error response: without a valid key there is no rate limit and no quota. */
export function errorHeaders(status: string): readonly string[] {
  if (status === '401' || status === '414') {
    return always
  }
  return status === '429' || status === '503' ? [...withKey, 'Retry-After'] : withKey
}

/** References to headers in the components of the document. */
export function referenceHeaders(names: readonly string[]): Record<string, { $ref: string }> {
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]))
}
