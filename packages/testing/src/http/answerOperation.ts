import { API_KEY_HEADER } from '@headwater/contract'
import { parseRequest } from '@headwater/contract/schemas'
import { answerPage } from './answerPage.ts'
import type { Route } from './findRoute.ts'
import { header } from './headers.ts'
import { isChainName } from './isChainName.ts'
import { RefusalError } from './RefusalError.ts'
import { refuseByFault } from './refuse.ts'
import type { FakeExchange, Reply } from './Reply.ts'
import type { ServiceState } from './ServiceState.ts'
import { describeStatus } from './statuses.ts'

/**
 * Answers a request of an operation: key, rate, faults, parameters and chains, units, answer, in this order.
 *
 * @param parameters - reads them, and refuses one that is given twice.
 * @throws {RefusalError} when it is refused; `headers` has what is told nevertheless.
 */
export function answerOperation(
  state: ServiceState,
  { operation: name, base }: Route,
  exchange: FakeExchange,
  parameters: () => Readonly<Record<string, unknown>>,
  headers: Record<string, string>,
): Reply {
  const { faults, quota, world } = state
  checkKey(exchange.headers.get(API_KEY_HEADER), state.key)
  const tellRemaining = (units: number) => {
    if (quota !== undefined) {
      headers[header.remaining] = String(quota - state.units - units)
    }
  }
  tellRemaining(0)
  checkRate(state, headers)
  const asked = parameters()
  const fault = faults.take(name, 'status', 'html', 'network')?.fault
  if (fault) {
    return refuseByFault(fault, headers)
  }
  const { chains } = world
  const parsed = parseRequest(name, asked, {
    chains,
    isChainName: (word) => isChainName(word, chains),
  })
  const { units } = parsed
  if (quota !== undefined && state.units + units > quota) {
    throw new RefusalError(
      402,
      'UNITS_EXHAUSTED',
      `The request costs ${units} compute units, more than the API key has left`,
    )
  }
  const baseUrl = new URL(exchange.url).origin + base
  const { body, tag } = answerPage(name, parsed, { world, baseUrl, faults })
  tellRemaining(units)
  Object.assign(headers, {
    [header.cost]: String(units),
    ...(parsed.chains.length > 0 && {
      [header.blocks]: parsed.chains.map(({ id }) => `${id}=${world.block}`).join(','),
    }),
    [header.tag]: `W/${tag}`,
    'Cache-Control': 'private, no-cache',
  })
  if (holdsTag(exchange.headers.get('If-None-Match'), tag)) {
    return { status: 304, headers }
  }
  headers['Content-Type'] = 'application/json'
  const isCut = faults.take(name, 'cut') !== undefined
  return { status: 200, headers, body, ...(isCut && { failure: 'cut' }) }
}

function checkKey(given: string | null, key: string): void {
  if (!given) {
    throw new RefusalError(
      401,
      'API_KEY_MISSING',
      `Send an API key in the header ${API_KEY_HEADER}`,
    )
  }
  if (given !== key) {
    throw new RefusalError(401, ...describeStatus(401))
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
    throw new RefusalError(429, ...describeStatus(429), {
      headers: { [header.retryAfter]: String(wait) },
    })
  }
}

function holdsTag(ifNoneMatch: string | null, tag: string): boolean {
  const known = ifNoneMatch?.split(',').map((value) => value.trim().replace(/^W\//, '')) ?? []
  return known.includes('*') || known.includes(tag)
}
