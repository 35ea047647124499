import { API_KEY_HEADER } from '@headwater/contract'
import { parseRequest, type Route } from '@headwater/contract/schemas'
import type { FakeChain } from '../world/FakeChain.ts'
import { ApiError, describeStatus, toFaultReply } from './ApiError.ts'
import { createBody } from './createBody.ts'
import { header } from './headers.ts'
import type { FakeExchange, Reply } from './Reply.ts'
import type { ServiceState } from './ServiceState.ts'

/**
 * Handles a request of an operation: key, rate, faults, parameters and chains, units and response body, in this order.
 *
 * @param readParameters - throws when a parameter is repeated.
 * @param headers - receives the headers of the response, also before an error is thrown.
 * @throws {ApiError} when the request is rejected.
 * @throws {InvalidRequestError} when its parameters are invalid.
 */
export function handleOperation(
  state: ServiceState,
  { operation: name, base }: Route,
  exchange: FakeExchange,
  readParameters: () => Readonly<Record<string, unknown>>,
  headers: Record<string, string>,
): Reply {
  const { faults, quota, world } = state
  checkKey(exchange.headers.get(API_KEY_HEADER), state.key)
  const setRemaining = (units: number) => {
    if (quota !== undefined) {
      headers[header.remaining] = String(quota - state.units - units)
    }
  }
  setRemaining(0)
  checkRate(state, headers)
  const raw = readParameters()
  const fault = faults.take(name, 'status', 'html', 'network')?.fault
  if (fault) {
    return toFaultReply(fault, headers)
  }
  const { chains } = world
  const parsed = parseRequest(name, raw, {
    chains,
    isChainName: (word) => isChainName(word, chains),
  })
  const { units } = parsed
  if (quota !== undefined && state.units + units > quota) {
    throw new ApiError(
      402,
      'UNITS_EXHAUSTED',
      `The request costs ${units} compute units, more than the remaining quota of the API key`,
    )
  }
  const baseUrl = new URL(exchange.url).origin + base
  const { body, tag } = createBody(name, parsed, { world, baseUrl, faults })
  setRemaining(units)
  Object.assign(headers, {
    [header.cost]: String(units),
    ...(parsed.chains.length > 0 && {
      [header.blocks]: parsed.chains.map(({ id }) => `${id}=${world.block}`).join(','),
    }),
    [header.tag]: `W/${tag}`,
    'Cache-Control': 'private, no-cache',
  })
  if (matchesTag(exchange.headers.get('If-None-Match'), tag)) {
    return { status: 304, headers }
  }
  headers['Content-Type'] = 'application/json'
  const isCut = faults.take(name, 'cut') !== undefined
  return { status: 200, headers, body, ...(isCut && { failure: 'cut' }) }
}

/** Whether a word is the name of one of the chains, regardless of case and punctuation. */
function isChainName(word: string, chains: readonly FakeChain[]): boolean {
  const normalize = (name: string) => name.toLowerCase().replace(/[^a-z0-9]/g, '')
  return chains.some(({ name }) => normalize(name) === normalize(word))
}

function checkKey(sent: string | null, key: string): void {
  if (!sent) {
    throw new ApiError(401, 'API_KEY_MISSING', `Send an API key in the header ${API_KEY_HEADER}`)
  }
  if (sent !== key) {
    throw new ApiError(401, ...describeStatus(401))
  }
}

function checkRate({ limiter, rate }: ServiceState, headers: Record<string, string>): void {
  const { remaining, reset, wait } = limiter.take()
  Object.assign(headers, {
    [header.rateLimit]: String(rate.requests),
    [header.rateRemaining]: String(remaining),
    [header.rateReset]: String(reset),
  })
  if (wait > 0) {
    throw new ApiError(429, ...describeStatus(429), {
      headers: { [header.retryAfter]: String(wait) },
    })
  }
}

function matchesTag(ifNoneMatch: string | null, tag: string): boolean {
  const known = ifNoneMatch?.split(',').map((value) => value.trim().replace(/^W\//, '')) ?? []
  return known.includes('*') || known.includes(tag)
}
