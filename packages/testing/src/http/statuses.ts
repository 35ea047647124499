/** What the service says of the statuses that it refuses with. */
const statuses: Readonly<Record<number, readonly [code: string, message: string]>> = {
  400: ['INVALID_PARAMETER', 'A parameter is malformed'],
  401: ['API_KEY_INVALID', 'The API key is unknown, revoked or expired'],
  402: ['UNITS_EXHAUSTED', 'The request costs more compute units than the API key has left'],
  403: ['API_KEY_PURPOSE', 'The API key was issued for another purpose'],
  404: ['NOT_FOUND', 'There is no such path'],
  429: ['RATE_EXCEEDED', 'The API key sends too many requests'],
  500: ['INTERNAL_ERROR', 'The service failed to answer; tell its operator the request id'],
  503: ['STORE_UNAVAILABLE', 'The service cannot read its data now'],
}

/** Code and sentence of a status. */
export function describeStatus(status: number): readonly [code: string, message: string] {
  return statuses[status] ?? [`STATUS_${status}`, `The service answers with status ${status}`]
}
