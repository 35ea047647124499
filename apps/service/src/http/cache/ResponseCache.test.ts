import { expect, it } from 'vitest'
import { describeEachStore } from '../../../test/describeEachStore.ts'
import { balancePath, oneBalanceChain, wallet } from '../../../test/oneBalanceChain.ts'
import { seedChain } from '../../../test/seedChain.ts'
import { startTestService } from '../../../test/startTestService.ts'
import { testChainConfig, testTokens } from '../../../test/testChainConfig.ts'
import type { ChainState } from '../../store/ChainWatch.ts'
import { prepareBody } from './prepareBody.ts'
import { ResponseCache } from './ResponseCache.ts'

const state = (number: number, hash = `0x${number}`, metadataVersion = 0): ChainState => ({
  chainId: 7,
  block: { number, hash },
  metadataVersion,
  stoppedReason: undefined,
})

function createCache() {
  const states = new Map([[7, state(5)]])
  const cache = new ResponseCache(states)
  const read = { operation: 'balances', chains: [testChainConfig(7)], units: 1 }
  let made = 0
  /** Asks as a request does; gives the number of the answer that it gets. */
  const ask = async ({ block = 5, isWhole = true, before = async () => {} } = {}) => {
    const { body } =
      cache.find('/path') ??
      (await cache.make('/path', read, async () => {
        await before()
        const blocks = [{ chainId: 7, number: block }]
        return { body: prepareBody({ number: ++made }), blocks, isWhole }
      }))
    return (JSON.parse(body.content.toString()) as { number: number }).number
  }
  return { cache, states, ask }
}

it('keeps an answer for as long as nothing of its chains changes', async () => {
  const { states, ask } = createCache()
  expect([await ask(), await ask()]).toEqual([1, 1])
  for (const change of [state(5, '0xother'), state(5, '0xother', 1)]) {
    const before = await ask()
    states.set(7, change)
    const after = await ask()
    expect(after).toBe(before + 1)
    expect(await ask()).toBe(after)
  }
  states.set(7, state(6))
  expect([await ask({ block: 6 }), await ask({ block: 6 })]).toEqual([4, 4])
  states.delete(7)
  expect([await ask({ block: 6 }), await ask({ block: 6 })]).toEqual([5, 6])
})

it('keeps no answer of other blocks than were known before, and none in which something is missing', async () => {
  const { states, ask } = createCache()
  expect([await ask({ block: 6 }), await ask({ block: 6 })]).toEqual([1, 2])
  expect([await ask({ isWhole: false }), await ask({ isWhole: false })]).toEqual([3, 4])
  // The head moves while the answer is made: it is not the new head's.
  const moves = { before: async () => void states.set(7, state(6)) }
  expect([await ask(moves), await ask({ block: 6 })]).toEqual([5, 6])
})

it('makes once what is asked at the same time, and again what failed', async () => {
  const { ask } = createCache()
  const fails = { before: () => Promise.reject(new Error('away')) }
  expect(await Promise.allSettled([ask(fails), ask(fails)])).toMatchObject([
    { status: 'rejected' },
    { status: 'rejected' },
  ])
  expect(await Promise.all([ask(), ask(), ask()])).toEqual([1, 1, 1])
})

it('makes again what is asked when a newer head is known than the answer in the making began with', async () => {
  const { states, ask } = createCache()
  let release = () => {}
  const held = { before: () => new Promise<void>((resolve) => (release = resolve)) }
  const old = ask(held)
  const releaseOld = release
  states.set(7, state(6))
  const fresh = ask({ block: 6, ...held })
  const releaseFresh = release
  expect(releaseFresh).not.toBe(releaseOld)
  releaseOld()
  expect(await old).toBe(1)
  // The end of the old one does not end the sharing of the new one.
  const joined = ask({ block: 6 })
  releaseFresh()
  expect([await fresh, await joined, await ask({ block: 6 })]).toEqual([2, 2, 2])
})

describeEachStore('ResponseCache', (openTestStore) => {
  it('asks the store once a head', async () => {
    const store = await openTestStore()
    await seedChain(store.db, oneBalanceChain)
    const { fetch } = await startTestService(store, [testChainConfig(7)])
    const told = async () => {
      const response = await fetch(balancePath)
      const body = (await response.json()) as { request_time: string; response_time: string }
      const { request_time, response_time, ...content } = body
      return { status: response.status, content, request_time, response_time }
    }
    const first = await told()
    expect(first).toMatchObject({ status: 200, content: { balances: [{ amount: '5' }] } })
    await store.db.schema.alterTable('balances').renameTo('elsewhere').execute()
    try {
      const second = await told()
      expect(second.content).toEqual(first.content)
      expect(second.request_time >= first.response_time).toBe(true)
      expect(second.response_time >= second.request_time).toBe(true)
      await store.db
        .updateTable('chains')
        .set({ indexed_hash: new Uint8Array(32) })
        .execute()
      expect((await told()).status).toBe(500)
    } finally {
      await store.db.schema.alterTable('elsewhere').renameTo('balances').execute()
    }
    await seedChain(store.db, {
      ...oneBalanceChain,
      blocks: { 6: 1_700_000_006 },
      balances: [{ holder: wallet, token: testTokens.usd, amount: 6n }],
    })
    expect(await told()).toMatchObject({ status: 200, content: { balances: [{ amount: '6' }] } })
  })
})
