import {
  type AnyOperation,
  CHANGES_PATH,
  type OperationName,
  operations,
} from '@headwater/contract'
import {
  describeUnavailableChains,
  type MissingChains,
  type ParsedRequest,
  parseRequest,
  type Route,
} from '@headwater/contract/schemas'
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
  { operation: name }: Route,
  exchange: FakeExchange,
  readParameters: () => Readonly<Record<string, unknown>>,
  headers: Record<string, string>,
): Reply {
  const { faults, quota, world } = state
  checkKey(state, exchange)
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
  const { units: maxUnits } = parsed
  if (quota !== undefined && state.units + maxUnits > quota) {
    throw new ApiError(
      402,
      'UNITS_EXHAUSTED',
      `The request costs ${maxUnits} compute units, more than the remaining quota of the API key`,
    )
  }
  const baseUrl = new URL(exchange.url).origin + exchange.basePath
  const missing = findMissingChains(name, parsed, state)
  const available = parsed.chains.filter(
    (chain) => !missing.unavailable.some(({ id }) => id === chain.id),
  )
  if (available.length === 0 && missing.unavailable.length > 0) {
    const { code, message, retryAfterSeconds } = describeUnavailableChains(missing.unavailable)
    throw new ApiError(503, code, message, {
      headers: { [header.retryAfter]: String(retryAfterSeconds) },
    })
  }
  const { cost } = operations[name] as unknown as Pick<AnyOperation, 'cost'>
  const units = cost(parsed.parameters as never, () => available.length)
  const { body, tag } = createBody(name, parsed, { world, baseUrl, faults, available, missing })
  setRemaining(units)
  Object.assign(headers, {
    [header.cost]: String(units),
    ...(available.length > 0 && {
      [header.blocks]: available.map(({ id }) => `${id}=${world.block}`).join(','),
    }),
    [header.tag]: `W/${tag}`,
    [header.publicUrl]: baseUrl,
    ...(state.changes && { [header.changesPath]: CHANGES_PATH }),
    'Cache-Control': 'private, no-cache',
  })
  if (matchesTag(exchange.headers.get('If-None-Match'), tag)) {
    return { status: 304, headers }
  }
  headers['Content-Type'] = 'application/json'
  const isCut = faults.take(name, 'cut') !== undefined
  return { status: 200, headers, body, ...(isCut && { failure: 'cut' }) }
}

/** The chains of a request that are missing or stale because of faults. */
function findMissingChains(
  name: OperationName,
  { chains, unsupportedChainIds }: ParsedRequest<OperationName, FakeChain>,
  { faults, world }: ServiceState,
): MissingChains {
  const found = faults.takeChains(
    name,
    'chain',
    chains.map(({ id }) => id),
  )
  const block = { number: world.block, time: world.now }
  const each = found.flatMap(({ chainId, code = 'CHAIN_STOPPED' }) => {
    const chain = chains.find(({ id }) => id === chainId)
    return chain ? [{ id: chain.id, name: chain.name, code }] : []
  })
  return {
    unsupportedChainIds,
    unavailable: each.flatMap(({ code, ...chain }) => {
      return code === 'STALE_CHAIN' ? [] : [{ ...chain, code }]
    }),
    stale: each.flatMap(({ code, ...chain }) =>
      code === 'STALE_CHAIN' ? [{ ...chain, block }] : [],
    ),
  }
}

/** Whether a word is the name of one of the chains, regardless of case and punctuation. */
function isChainName(word: string, chains: readonly FakeChain[]): boolean {
  const normalize = (name: string) => name.toLowerCase().replace(/[^a-z0-9]/g, '')
  return chains.some(({ name }) => normalize(name) === normalize(word))
}

export function checkKey({ key, apiKeyHeader }: ServiceState, { headers }: FakeExchange): void {
  const sent = headers.get(apiKeyHeader)
  if (!sent) {
    throw new ApiError(401, 'API_KEY_MISSING', `Send an API key in the header ${apiKeyHeader}`)
  }
  if (sent !== key) {
    throw new ApiError(401, ...describeStatus(401))
  }
}

export function checkRate({ limiter, rate }: ServiceState, headers: Record<string, string>): void {
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
