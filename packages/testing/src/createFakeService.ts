import { API_KEY_HEADER } from '@headwater/contract'
import type { PriceToken } from '@headwater/core'
import type { FakeService, FakeServiceOptions } from './FakeService.ts'
import { FaultBook } from './faults/FaultBook.ts'
import { type FakeChange, FakeChanges } from './http/changes.ts'
import { deliver } from './http/deliver.ts'
import { handleRequest } from './http/handleRequest.ts'
import { RateLimiter } from './http/RateLimiter.ts'
import type { FakeRequest, ServiceState } from './http/ServiceState.ts'
import { advanceWorld } from './world/advanceWorld.ts'
import { createWorld } from './world/createWorld.ts'
import { defaultChains } from './world/FakeChain.ts'
import type { FakeToken, WorldToken } from './world/FakeToken.ts'
import { findToken } from './world/World.ts'

const maxBlocks = 100_000

/** What every response is made of. Jest's environment `jsdom` has only `URL`. */
const requiredGlobals = ['Headers', 'Response', 'URL'] as const

/**
 * Creates a service within the process for tests: wallets and prices determined by a seed, all operations of the contract
 * with their pages, limits, cursors, errors and compute units, and configurable faults.
 *
 * @param options - Seed, chains, quota and others; all have defaults.
 * @returns The service. It has no resources to close.
 * @throws {RangeError} when `chains` or `key` is empty.
 * @throws {Error} when the environment lacks `Response` or other globals of `fetch`, as `jsdom` does in Jest.
 * @example
 * import { createClient, getBalances } from '@headwater/core'
 * import { createFakeService } from '@headwater/testing'
 *
 * const service = createFakeService()
 * const client = createClient({ baseUrl: service.url, apiKey: service.key, fetch: service.fetch })
 * const { address } = service.wallet('everyday')
 * const { balances } = await getBalances(client, { address, chainIds: [1] })
 * console.log(balances.length, service.units) // 5 1
 */
export function createFakeService(options: FakeServiceOptions = {}): FakeService {
  const missing = requiredGlobals.filter((name) => (globalThis[name] as unknown) === undefined)
  if (missing.length > 0) {
    throw new Error(
      `createFakeService: this environment lacks ${missing.join(', ')}. ` +
        'In Jest, set the test environment `jest-fixed-jsdom`, which has the globals of Node.js that `jsdom` hides.',
    )
  }
  const {
    url = 'https://headwater.test',
    key = 'test-key',
    apiKeyHeader = API_KEY_HEADER,
    chains = defaultChains,
    seed = 1,
    now = new Date('2026-01-01T00:00:00Z'),
    rate = { requests: 100_000, seconds: 1 },
    quota,
  } = options
  if (key === '') {
    throw new RangeError('key must not be empty: every request would be rejected with 401')
  }
  const origin = { seed: String(seed), chains, now: Math.floor(now.getTime() / 1000) }
  const createState = () => {
    const world = createWorld(origin)
    const tokens = world.tokens.map(toFakeToken)
    return {
      world,
      tokens,
      limiter: new RateLimiter(rate),
      requests: [] as FakeRequest[],
      units: 0,
    }
  }
  const state = {
    key,
    apiKeyHeader,
    quota,
    rate,
    faults: new FaultBook(),
    changes: options.changes ? new FakeChanges() : undefined,
    ...createState(),
  } satisfies ServiceState
  const toBasePath = (baseUrl = url) => new URL(baseUrl, url).pathname.replace(/\/+$/, '')
  /** Publishes a change of a test in a block of its own: clients ignore one of a block that a response of theirs has. */
  const publish = (change: FakeChange) => {
    if (state.changes) {
      state.world.block++
      state.changes.publish(change, state.world)
    }
  }

  const find = (token: PriceToken): WorldToken => {
    const found = findToken(state.world, token)
    if (!found) {
      throw new RangeError(`Unknown token ${token.chainId}/${token.address}`)
    }
    return found
  }
  return {
    url,
    key,
    chains,
    fetch: async (input, init) => {
      const request = typeof input === 'string' || input instanceof URL ? undefined : input
      const signal = init?.signal ?? request?.signal
      if (signal?.aborted) {
        throw signal.reason as Error
      }
      const reply = handleRequest(state, {
        method: (init?.method ?? request?.method ?? 'GET').toUpperCase(),
        url: new URL(request?.url ?? String(input), url).href,
        headers: new Headers(init?.headers ?? request?.headers),
        basePath: toBasePath((init as ServedInit | undefined)?.baseUrl),
      })
      return deliver(reply, signal)
    },
    get wallets() {
      return state.world.wallets
    },
    get tokens() {
      return state.tokens
    },
    get collections() {
      return state.world.collections
    },
    get requests() {
      return state.requests
    },
    get units() {
      return state.units
    },
    get now() {
      return new Date(state.world.now * 1000)
    },
    wallet(name) {
      const found = state.world.wallets.find((wallet) => wallet.name === name)
      if (!found) {
        throw new RangeError(`Unknown wallet ${name}`)
      }
      return found
    },
    token(symbol, chainId = chains[0]?.id) {
      const found = state.tokens.find(
        (token) =>
          token.chainId === chainId &&
          (symbol === 'native' ? token.address === symbol : token.symbol === symbol),
      )
      if (!found) {
        throw new RangeError(`Chain ${chainId} has no token ${symbol}`)
      }
      return found
    },
    advance(blocks = 1) {
      if (!Number.isInteger(blocks) || blocks < 1 || blocks > maxBlocks) {
        throw new RangeError(`blocks must be a whole number from 1 to ${maxBlocks}`)
      }
      advanceWorld(state.world, blocks)
      for (const { id: chainId } of chains) {
        const tokens = state.tokens.filter((token) => token.chainId === chainId)
        const addresses = tokens.map(({ address }) => address)
        const wallets = state.world.wallets.map(({ address }) => address)
        const change = { chainId, wallets, tokens: addresses, holders: addresses }
        state.changes?.publish(change, state.world)
      }
    },
    setPrice(token, usd) {
      if (usd !== undefined && !(usd >= 0 && usd < Infinity)) {
        throw new RangeError('usd must be 0 or more')
      }
      const found = find(token)
      const { chainId, address, symbol, decimals } = found
      if (usd !== undefined && decimals === undefined) {
        throw new RangeError(
          `${symbol ?? address} has no decimals and therefore no price; set that of another token, such as NOPRICE`,
        )
      }
      state.world.prices.set(found, usd, state.world.now)
      publish({ chainId, tokens: [address] })
    },
    setAmount(wallet, token, amount) {
      const { ledger, now } = state.world
      const { chainId, address } = find(token)
      ledger.set(find(token), wallet.toLowerCase(), BigInt(amount), now)
      publish({ chainId, wallets: [wallet.toLowerCase()], holders: [address] })
    },
    transfer({ token, from, to, amount }) {
      const { ledger, now } = state.world
      const sender = from.toLowerCase()
      const receiver = to.toLowerCase()
      const { chainId, address } = find(token)
      ledger.transfer(find(token), sender, receiver, BigInt(amount), now)
      publish({ chainId, wallets: [sender, receiver], holders: [address] })
    },
    publish,
    fail: (fault) => state.faults.add(fault),
    heal: () => state.faults.heal(),
    disconnect: () => state.changes?.disconnect(),
    reset() {
      state.faults.heal()
      state.changes?.reset()
      Object.assign(state, createState())
    },
  }
}

/** What a handler or a server passes in addition: the base URL that it serves instead of that of the service. */
export interface ServedInit extends RequestInit {
  readonly baseUrl?: string
}

/** The fields of a token that are public to tests. */
function toFakeToken({ chainId, address, symbol, name, decimals }: WorldToken): FakeToken {
  return {
    chainId,
    address,
    ...(symbol !== undefined && { symbol }),
    ...(name !== undefined && { name }),
    ...(decimals !== undefined && { decimals }),
  }
}
