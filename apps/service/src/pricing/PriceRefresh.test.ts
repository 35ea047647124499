import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { testAddress } from '../../test/seedChain.ts'
import { testChainConfig, testTokens } from '../../test/testChainConfig.ts'
import { assessPool } from './AssessedPool.ts'
import { PointPrices } from './PointPrices.ts'
import { PriceRefresh } from './PriceRefresh.ts'
import { VersionedMap } from './VersionedMap.ts'

const chain = testChainConfig(1)
const tokens = [1, 2, 3, 4].map(testAddress)
const config = { epochSeconds: 30, minChange: 0.0001 }
const toHead = (number: number) => ({
  number,
  hash: `0x${number}`,
  time: number,
  metadataVersion: 0,
})

beforeEach(() => void vi.useFakeTimers({ toFake: ['performance'] }))
afterEach(() => void vi.useRealTimers())

/** Prices of which no token has a route. */
function createPrices(): PointPrices {
  const prices = new PointPrices(chain)
  prices.routes = new VersionedMap(
    tokens.map((token) => [token, { route: undefined, rejected: [] }]),
  )
  return prices
}

it('finds due prices at the next block when the store fails', async () => {
  const read = vi.fn().mockRejectedValueOnce(new Error('The connection was lost'))
  const refresh = new PriceRefresh({ chain, read, config })
  const prices = createPrices()
  const run = (number: number) => {
    refresh.take(prices)
    return refresh.run(toHead(number), prices)
  }
  await run(1)
  expect(read).not.toHaveBeenCalled()
  vi.advanceTimersByTime(15_000)
  await expect(run(2)).rejects.toThrow('The connection was lost')
  await run(3)
  expect(read).toHaveBeenCalledTimes(2)
  await run(4)
  expect(read).toHaveBeenCalledTimes(2)
})

it('discards loaded pools of tokens with other metadata, also if it changes while they are loaded', async () => {
  const toPools = (token: string) => {
    const pair = { token0: token, token1: testTokens.weth, reserve0: 1n, reserve1: 1n }
    const pool = { kind: 'uniswap-v2', address: `pool of ${token}`, ...pair } as const
    return [assessPool({ pool, isSeasoned: false, createdBlock: 0, samples: [] })]
  }
  const prices = createPrices()
  tokens.forEach((token) => prices.pools.set(token, toPools(token)))
  const [before, during, after, kept] = tokens as [string, string, string, string]
  const draft = vi.spyOn(prices, 'draft')
  const read = vi.fn().mockImplementation(async () => {
    const [found] = draft.mock.results.slice(-1).map(({ value }) => value as PointPrices)
    tokens.forEach((token) => found?.pools.set(token, toPools(token)))
    refresh.discardPools([during])
    return await Promise.resolve()
  })
  const refresh = new PriceRefresh({ chain, read, config })
  await refresh.run(toHead(1), prices)
  refresh.take(prices)
  refresh.discardPools([before])
  vi.advanceTimersByTime(30_000)
  await refresh.run(toHead(2), prices)
  refresh.discardPools([after])
  expect([...refresh.take(prices)!.pools.keys()]).toEqual([before, kept])
})
