import type { IncomingMessage } from 'node:http'
import { API_KEY_HEADER } from '@headwater/contract'
import { DATA_PURPOSE } from '../../keys/dataPurpose.ts'
import type { KeyAccess } from '../../keys/KeyAccess.ts'
import { validateKey } from '../../keys/validateKey.ts'
import { header } from '../headers.ts'
import { everyOrigin } from '../middleware/corsHeaders.ts'
import { rateHeaders } from '../middleware/rateLimit.ts'
import { recordRequest } from '../middleware/recordRequest.ts'
import { resolveRequestId } from '../middleware/resolveRequestId.ts'
import { unitHeaders } from '../middleware/unitHeaders.ts'
import { pathAndQuery } from '../routes/pathAndQuery.ts'
import type { Service } from '../Service.ts'
import { writeBody } from './prepareBody.ts'
import { holdsTag, tagHeaders } from './respondTagged.ts'
import type { ResponseCache } from './ResponseCache.ts'

/** What the server hands on beside the request, where there is one. */
interface Bindings {
  readonly incoming?: Pick<IncomingMessage, 'headers'>
}

/**
 * Answers a request at once whose answer is kept, by the rules of `createOperationHandler` but without the framework, whose
 * middleware and headers cost several times what the rest does. Whatever has to wait or would be refused is left to it:
 * then nothing was counted here.
 *
 * @returns undefined when the request has to go the long way.
 */
export function serveCached(
  request: Request,
  bindings: unknown,
  { config, stoppedChains, metrics, logger }: Service,
  { access, cache }: { readonly access: KeyAccess; readonly cache: ResponseCache },
): Response | undefined {
  if (request.method !== 'GET') {
    return undefined
  }
  const receivedAt = new Date()
  const start = performance.now()
  const path = pathAndQuery(request.url)
  const answer = cache.find(path)
  if (!answer || answer.chains.some(({ id }) => stoppedChains.has(id))) {
    return undefined
  }
  const headerOf = readHeaders(request, bindings)
  const verdict = validateKey(access.reader.peek(headerOf(API_KEY_HEADER) ?? ''), DATA_PURPOSE)
  if ('refusal' in verdict) {
    return undefined
  }

  const { key } = verdict
  const { operation, units, body, blockNumbers } = answer
  const charge = access.meter.reserve(key, units)
  if (!charge) {
    return undefined
  }
  const rate = key.rate ?? config.defaultRate
  const taken = access.limiter.take(key.id, rate)
  if (!taken.allowed) {
    charge.release()
    return undefined
  }

  const requestId = resolveRequestId(headerOf(header.requestId))
  const isKnown = holdsTag(headerOf('If-None-Match'), body.tag)
  // Of one plain object the server makes a header at once; of anything else it makes a copy, entry by entry.
  const answered: Record<string, string> = {
    [header.requestId]: requestId,
    [header.cost]: String(units),
    ...unitHeaders(access.meter.remaining(key, units)),
    ...rateHeaders(rate, taken),
    ...everyOrigin,
    ...tagHeaders(body),
  }
  if (blockNumbers !== undefined) {
    answered[header.blockNumbers] = blockNumbers
  }
  if (!isKnown) {
    answered['Content-Type'] = 'application/json'
  }
  const status = isKnown ? 304 : 200
  const response = new Response(isKnown ? null : writeBody(body, receivedAt), {
    status,
    headers: answered,
  })
  charge.commit()
  metrics.charged(operation, units)
  recordRequest({ logger, metrics }, { operation, status, start }, () => ({
    requestId,
    method: request.method,
    path: path.split('?', 1)[0],
    units,
    keyId: key.id,
  }))
  return response
}

/** Reads headers where the server has them already: `Headers` are made of all that came, checked one by one. */
function readHeaders(
  request: Request,
  bindings: unknown,
): (name: string) => string | null | undefined {
  const came = (bindings as Bindings | undefined)?.incoming?.headers
  if (!came) {
    return (name) => request.headers.get(name)
  }
  return (name) => {
    const value = came[name.toLowerCase()]
    return Array.isArray(value) ? value.join(', ') : value
  }
}
