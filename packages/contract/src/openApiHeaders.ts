/** The headers of answers, as OpenAPI describes them, by their names. */
export const headers = Object.fromEntries(
  Object.entries({
    'X-Request-Id': ['string', 'Id of the request, to be told when asking for help.'],
    'X-Compute-Units-Cost': [
      'integer',
      'Compute units that this answer cost; 0 for one that is refused.',
    ],
    'X-Compute-Units-Remaining': [
      'integer',
      'Compute units that the key has left; absent where it has no quota.',
    ],
    'X-RateLimit-Limit': [
      'integer',
      'Requests that the key may send in a burst: what its bucket holds.',
    ],
    'X-RateLimit-Remaining': ['integer', 'Requests that the key may send now.'],
    'X-RateLimit-Reset': ['integer', 'Seconds until the bucket is full again.'],
    'X-Block-Numbers': [
      'string',
      'The block of each chain that the answer is of, such as `1=23800000,10=143000000`.',
    ],
    ETag: [
      'string',
      'Tag of what the answer holds. A request with it in `If-None-Match` is 304 while that holds, for the same units.',
    ],
    'Retry-After': ['integer', 'Seconds after which it makes sense to ask again.'],
  } as const).map(([name, [type, description]]) => [name, { description, schema: { type } }]),
)

const always = ['X-Request-Id', 'X-Compute-Units-Cost']
const withKey = [
  ...always,
  'X-Compute-Units-Remaining',
  'X-RateLimit-Limit',
  'X-RateLimit-Remaining',
  'X-RateLimit-Reset',
]
/** The headers of an answer that is no refusal. */
export const answerHeaders: readonly string[] = [...withKey, 'X-Block-Numbers', 'ETag']

/** The headers of a refusal: who has no usable key has neither rate nor units. */
export function refusalHeaders(status: string): readonly string[] {
  if (status === '401' || status === '403' || status === '414') return always
  return status === '429' || status === '503' ? [...withKey, 'Retry-After'] : withKey
}

/** These headers, as references into the components of the document. */
export function headersOf(names: readonly string[]): Record<string, { $ref: string }> {
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]))
}
