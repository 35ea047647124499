import { focusManager, onlineManager, QueryClient } from '@tanstack/query-core'
import type { Subscription } from 'rxjs'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { type OperationName, operations } from '@headwater/contract'
import { createParameters } from '@headwater/contract/schemas'
import * as core from '@headwater/core'
import { createFakeService } from './createFakeService.ts'
import type { Fault } from './faults/Fault.ts'

// Long runs: FUZZ_STEPS=20000 FUZZ_SEED=7 vitest run clientFuzz
const steps = Number(process.env.FUZZ_STEPS ?? 300)
const firstSeed = Number(process.env.FUZZ_SEED ?? 1)
/** More would slow down long runs, and cover nothing else. */
const maxSubscriptions = 40
const seeds = process.env.FUZZ_SEED === undefined ? [firstSeed, firstSeed + 1] : [firstSeed]

type Watch = (
  client: core.Client,
  parameters: object,
  options?: object,
) => core.SnapshotStream<unknown>
const functions = core as unknown as Readonly<Record<string, Watch>>

beforeEach(() => {
  vi.useFakeTimers({
    toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'Date', 'performance'],
  })
})
afterEach(() => {
  focusManager.setFocused(undefined)
  onlineManager.setOnline(true)
  vi.useRealTimers()
})

/** Deterministic random numbers: mulberry32. */
function createRandom(seed: number) {
  let state = seed
  const next = () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  return {
    below: (limit: number) => Math.floor(next() * limit),
    pick: <Item>(items: readonly Item[]): Item => items[Math.floor(next() * items.length)]!,
  }
}

/** Messages and locks of tabs arrive in real turns of the event loop. */
async function advance(milliseconds: number): Promise<void> {
  await vi.advanceTimersByTimeAsync(milliseconds)
  for (let turn = 0; turn < 3; turn++) {
    await new Promise((resolve) => setImmediate(resolve))
  }
}

it.each(seeds)(
  'counts the units that the service charged, and leaves nothing behind, seed %i',
  async (seed) => {
    const { below, pick } = createRandom(seed)
    const service = createFakeService({ seed })
    const open = (queryClient?: QueryClient) =>
      core.createClient({
        baseUrl: service.url,
        apiKey: service.key,
        fetch: service.fetch,
        ssr: false,
        ...(queryClient && { queryClient }),
      })
    // Two clients share a cache, two are tabs of one group.
    const shared = new QueryClient()
    const clients = [open(shared), open(shared), open(), open()]
    for (const client of clients.slice(2)) {
      core.broadcastClient(client, { group: `fuzz ${seed}` })
    }

    const wallets = ['everyday', 'whale', 'collector'].map(
      (name) => service.wallet(name as 'whale').address,
    )
    const tokens = ['USDC', 'CROWD', 'WETH'].map((symbol) => service.token(symbol))
    const names = Object.keys(operations) as OperationName[]
    const subject = () => {
      const { chainId, address: token } = pick(tokens)
      return { wallet: pick(wallets), token, chainId }
    }
    const watchOperation = () => {
      const name = pick(names)
      const watch = functions[`watch${name[0]!.toUpperCase()}${name.slice(1)}`]!
      return watch(pick(clients), createParameters(name, subject()), {
        refetchInterval: pick([1_000, 5_000, 30_000]),
      })
    }
    const watchOther = () => {
      const { wallet, token, chainId } = subject()
      const client = pick(clients)
      return pick<() => core.SnapshotStream<unknown>>([
        () => core.watchPortfolio(client, { address: wallet, chainIds: [chainId] }),
        () => core.watchPrice(client, { chainId, address: token }),
        () => core.watchPrices(client, tokens),
      ])()
    }

    const statuses = new Set<string>()
    const subscriptions: Subscription[] = []
    const unsubscribe = () => subscriptions.splice(below(subscriptions.length), 1)[0]?.unsubscribe()
    const subscribe = () => {
      if (subscriptions.length >= maxSubscriptions) {
        unsubscribe()
      }
      const stream = below(3) ? watchOperation() : watchOther()
      let pages = below(2) * 5
      subscriptions.push(
        stream.subscribe((snapshot) => {
          statuses.add(snapshot.status)
          const listing = snapshot as Partial<core.CollectionSnapshot<unknown>>
          if (pages > 0 && listing.hasNextPage && !listing.isFetchingNextPage) {
            pages--
            void listing.fetchNextPage?.()
          }
        }),
      )
    }
    /** A promise whose signal aborts sooner or later. */
    const request = (send: (signal: AbortSignal) => Promise<unknown>) => {
      const controller = new AbortController()
      send(controller.signal).catch(() => undefined)
      if (below(2)) {
        setTimeout(() => controller.abort(), below(3) * 500)
      }
    }
    const faults: readonly Fault[] = [
      { kind: 'network' },
      { kind: 'cut' },
      { kind: 'html' },
      { kind: 'halfValid' },
      { kind: 'deadCursor' },
      { kind: 'slow', delay: 800 },
      { kind: 'hold' },
      { status: 429, retryAfter: 2 },
      { status: 503 },
    ]
    const actions: readonly (() => unknown)[] = [
      subscribe,
      subscribe,
      unsubscribe,
      () => service.advance(),
      // One at a time: a request aborted during a delay counts, unless the delayed response is an error, which costs nothing.
      () => {
        service.heal()
        service.fail({ ...pick(faults), times: 1 + below(3) })
      },
      () => service.heal(),
      () => focusManager.setFocused(below(3) > 0),
      () => onlineManager.setOnline(below(4) > 0),
      () => core.setBudget(pick(clients), pick([undefined, { perMinute: 200 }, { perMinute: 20 }])),
      () => pick(clients).queryClient.invalidateQueries(),
      () => pick(clients).queryClient.resetQueries(),
      () => pick(clients).queryClient.removeQueries(),
      () =>
        request((signal) => {
          const name = pick(names)
          const get = functions[`get${name[0]!.toUpperCase()}${name.slice(1)}`]!
          const background = below(2) === 0
          return get(pick(clients), createParameters(name, subject()), {
            signal,
            background,
          }) as never
        }),
      () =>
        request((signal) => {
          const { wallet, chainId } = subject()
          const client = pick(clients)
          const options = core.balancesQueryOptions(client, {
            address: wallet,
            chainIds: [chainId],
          })
          return core.waitForChange(client, options, { signal, maxUnits: 5 })
        }),
    ]
    for (let step = 0; step < steps; step++) {
      Promise.resolve(pick(actions)()).catch(() => undefined)
      await advance(pick([0, 0, 20, 500, 3_000, 20_000]))
    }
    expect(statuses).toEqual(new Set(['pending', 'success', 'error']))

    service.heal()
    onlineManager.setOnline(true)
    for (const subscription of subscriptions) {
      subscription.unsubscribe()
    }
    // Requests end or time out.
    await advance(120_000)
    const spent = clients.map((client) => client.getUsage().spent)
    expect(spent.reduce((sum, units) => sum + units, 0)).toBe(service.units)
    expect(service.units).toBeGreaterThan(steps / 4)
    for (const client of clients) {
      const queries = client.queryClient.getQueryCache().getAll()
      expect(queries.reduce((sum, query) => sum + query.getObserversCount(), 0)).toBe(0)
      expect(queries.filter(({ state }) => state.fetchStatus !== 'idle')).toHaveLength(0)
      client.destroy()
    }
    shared.clear()
    await advance(100)
    expect(vi.getTimerCount()).toBe(0)
    expect(focusManager.hasListeners()).toBe(false)
    expect(onlineManager.hasListeners()).toBe(false)
    expect(await navigator.locks.query()).toEqual({ held: [], pending: [] })
  },
  3_600_000,
)
