import { expect, it } from 'vitest'
import { testChainConfig } from '../../../test/testChainConfig.ts'
import type { ChainHeads } from '../../operations/loadHeads.ts'
import type { ChainState } from '../../store/ChainWatch.ts'
import { ChangeIndex } from '../../store/ChangeIndex.ts'
import { prepareBody } from './prepareBody.ts'
import { ResponseCache } from './ResponseCache.ts'

let sequences = 0
const state = (number: number, hash = `0x${number}`, metadataVersion = 0): ChainState => ({
  chainId: 7,
  block: { number, hash, time: 0 },
  sequence: ++sequences,
  metadataVersion,
  changeVersion: 0,
  confirmedAt: Infinity,
  stoppedReason: undefined,
  isStopped: false,
  hold: undefined,
})

function createCache() {
  const states = new Map([[7, state(5)]])
  const cache = new ResponseCache(states, { hasChanged: () => true })
  const chain = testChainConfig(7)
  let computed = 0
  /** Sends a request; returns the number of the response that it receives. */
  const request = async ({
    block = 5,
    isComplete = true,
    unavailable = [] as ChainHeads['unavailable'],
    stale = [] as ChainHeads['stale'],
    beforeCompute = (() => Promise.resolve()) as (signal: AbortSignal) => Promise<void>,
    signal = new AbortController().signal,
  } = {}) => {
    const found = cache.find('/path')
    const { body } =
      (found instanceof Promise ? await found : found) ??
      (await cache.compute(
        { path: '/path', chains: [chain], keyId: 1, signal },
        async (computation) => {
          await beforeCompute(computation)
          const blocks = unavailable.length > 0 ? [] : [{ chainId: 7, number: block }]
          const heads = new Map<number, never>()
          const requested = { chains: [chain], heads, unavailable, stale, nodeBacked: [] }
          const body = prepareBody({ number: ++computed })
          return { body, units: 1, requested, blocks, isComplete, dependencies: undefined }
        },
      ))
    return (JSON.parse(body.content.toString()) as { number: number }).number
  }
  return { states, request }
}

it('caches a response until the state of one of its chains changes', async () => {
  const { states, request } = createCache()
  expect([await request(), await request()]).toEqual([1, 1])
  for (const change of [state(5, '0xother'), state(5, '0xother', 1)]) {
    const before = await request()
    states.set(7, change)
    const after = await request()
    expect(after).toBe(before + 1)
    expect(await request()).toBe(after)
  }
  states.set(7, state(6))
  expect([await request({ block: 6 }), await request({ block: 6 })]).toEqual([4, 4])
  states.delete(7)
  expect([await request({ block: 6 }), await request({ block: 6 })]).toEqual([5, 6])
})

it('does not cache incomplete responses, or responses at a block before the head', async () => {
  const { states, request } = createCache()
  expect([await request({ block: 4 }), await request({ block: 4 })]).toEqual([1, 2])
  expect([await request({ isComplete: false }), await request({ isComplete: false })]).toEqual([
    3, 4,
  ])
  // The head changes during the computation, so that the response does not reflect it.
  const movesHead = { beforeCompute: async () => void states.set(7, state(6)) }
  expect([await request(movesHead), await request({ block: 6 })]).toEqual([5, 6])
})

it('shares the computation among concurrent requests, and repeats one that failed', async () => {
  const { request } = createCache()
  const fails = { beforeCompute: () => Promise.reject(new Error('unavailable')) }
  expect(await Promise.allSettled([request(fails), request(fails)])).toMatchObject([
    { status: 'rejected' },
    { status: 'rejected' },
  ])
  expect(await Promise.all([request(), request(), request()])).toEqual([1, 1, 1])
})

it('ends a computation once all of its clients have disconnected, and starts another for the next', async () => {
  const { request } = createCache()
  const signals: AbortSignal[] = []
  const waits = {
    beforeCompute: async (signal: AbortSignal) => {
      signals.push(signal)
      await new Promise((_, reject) => {
        signal.addEventListener('abort', () => reject(signal.reason as Error))
      })
    },
  }
  const first = new AbortController()
  const second = new AbortController()
  const all = [first, second].map(({ signal }) => request({ ...waits, signal }))
  first.abort()
  expect(signals.map(({ aborted }) => aborted)).toEqual([false])
  second.abort()
  expect(signals.map(({ aborted }) => aborted)).toEqual([true])
  // Before the computation has settled.
  expect(await request()).toBe(1)
  const code = 'CLIENT_DISCONNECTED'
  for (const settled of await Promise.allSettled(all)) {
    expect(settled).toMatchObject({ status: 'rejected', reason: { status: 499, code } })
  }
})

it('does not share a computation that began before the current head', async () => {
  const { states, request } = createCache()
  let release = () => {}
  const blocked = { beforeCompute: () => new Promise<void>((resolve) => (release = resolve)) }
  const old = request(blocked)
  const releaseOld = release
  states.set(7, state(6))
  const fresh = request({ block: 6, ...blocked })
  const releaseFresh = release
  expect(releaseFresh).not.toBe(releaseOld)
  releaseOld()
  expect(await old).toBe(1)
  // The end of the old computation does not affect the sharing of the new one.
  const joined = request({ block: 6 })
  releaseFresh()
  expect([await fresh, await joined, await request({ block: 6 })]).toEqual([2, 2, 2])
})

it('caches responses without a chain until the status of the chain changes', async () => {
  const { states, request } = createCache()
  const chain = { id: 7, name: 'chain 7' }
  const stopped = { unavailable: [{ ...chain, code: 'CHAIN_STOPPED' as const }] }
  const stale = { stale: [{ ...chain, block: { number: 5, time: 0 } }] }
  const since = (seconds: number) => ({
    ...state(5),
    confirmedAt: performance.now() - 1000 * seconds,
  })
  // The store has the stop, unlike the watch.
  expect([await request(stopped), await request(stopped)]).toEqual([1, 2])
  states.set(7, { ...state(5), isStopped: true })
  expect([await request(stopped), await request(stopped)]).toEqual([3, 3])
  states.set(7, state(5))
  expect([await request(), await request()]).toEqual([4, 4])
  states.set(7, since(121))
  expect([await request(stale), await request(stale)]).toEqual([5, 5])
  states.set(7, since(1201))
  const expired = { unavailable: [{ ...chain, code: 'CHAIN_STALE' as const }] }
  expect([await request(expired), await request(expired)]).toEqual([6, 6])
  states.set(7, since(0))
  expect([await request(), await request()]).toEqual([7, 7])
})

it('caches a response of a later block than the published one, and states no block before it', async () => {
  const states = new Map([[7, state(5)]])
  const cache = new ResponseCache(states, { hasChanged: () => false })
  const chain = testChainConfig(7)
  const requested = { chains: [chain], unavailable: [], stale: [], nodeBacked: [] }
  const { signal } = new AbortController()
  await cache.compute({ path: '/path', chains: [chain], keyId: 1, signal }, () =>
    Promise.resolve({
      body: prepareBody({}),
      units: 1,
      isComplete: true,
      requested: { ...requested, heads: new Map<number, never>() },
      blocks: [{ chainId: 7, number: 7 }],
      dependencies: { chains: new Map([[7, {}]]) },
    }),
  )
  const blockNumbersOf = async (request: string) => (await cache.find(request))?.blockNumbers
  expect(await blockNumbersOf('/path')).toBe('7=7')
  states.set(7, state(6))
  expect(cache.find('/path')).toBeUndefined()
  states.set(7, state(8))
  expect(await blockNumbersOf('/path')).toBe('7=8')
})

it('states the new block of a response that the block does not change, once the values of nodes are confirmed', async () => {
  const states = new Map([[7, state(5)]])
  const changes = new ChangeIndex()
  const publish = (number: number, holders: readonly string[] = []) => {
    const published = state(number)
    const keys = { holders, ledgers: [], contracts: [], pooled: [] }
    changes.add({ ...published, before: undefined, changes: [], keys }, new Set())
    states.set(7, published)
  }
  publish(5)
  const cache = new ResponseCache(states, changes)
  const chain = testChainConfig(7)
  const { signal } = new AbortController()
  const holders = { '/ledger': '0x01', '/native': '0x02', '/known': '0x03' }
  const store = async (
    path: keyof typeof holders,
    isSameAt?: (heads: ReadonlyMap<number, unknown>) => boolean | Promise<boolean>,
  ) =>
    await cache.compute({ path, chains: [chain], keyId: 1, signal }, () =>
      Promise.resolve({
        body: prepareBody({ path }),
        units: 1,
        isComplete: true,
        requested: {
          chains: [chain],
          heads: new Map<number, never>(),
          unavailable: [],
          stale: [],
          nodeBacked: [],
        },
        blocks: [{ chainId: 7, number: 5 }],
        dependencies: { chains: new Map([[7, { holders: [holders[path]] }]]), isSameAt },
      }),
    )
  let isSame = true
  await store('/ledger')
  await store('/native', (heads) => Promise.resolve(heads.has(7) && isSame))
  await store('/known', (heads) => heads.has(7) && isSame)
  publish(6)
  const blockNumbersOf = async (request: string) => (await cache.find(request))?.blockNumbers
  expect(await blockNumbersOf('/ledger')).toBe('7=6')
  expect(await blockNumbersOf('/native')).toBe('7=6')
  expect(cache.find('/native')).not.toBeInstanceOf(Promise)
  expect(cache.find('/known')).toMatchObject({ blockNumbers: '7=6' })
  isSame = false
  publish(7)
  expect(cache.find('/known')).toBeUndefined()
  expect(await cache.find('/native')).toBeUndefined()
  publish(8, [holders['/ledger']])
  expect(cache.find('/ledger')).toBeUndefined()
})
