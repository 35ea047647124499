import { afterEach, expect, it, vi } from 'vitest'
import { testAddress } from '../../test/seedChain.ts'
import { testChainConfig } from '../../test/testChainConfig.ts'
import { PointPrices } from './PointPrices.ts'
import { PriceRefresh } from './PriceRefresh.ts'
import { VersionedMap } from './VersionedMap.ts'

afterEach(() => void vi.useRealTimers())

it('finds due prices at the next block when the store fails', async () => {
  vi.useFakeTimers({ toFake: ['performance'] })
  const read = vi.fn().mockRejectedValueOnce(new Error('The connection was lost'))
  const chain = testChainConfig(1)
  const refresh = new PriceRefresh({ chain, read, config: { epochSeconds: 30, minChange: 0.0001 } })
  const prices = new PointPrices(chain)
  const tokens = [1, 2, 3, 4].map(testAddress)
  prices.routes = new VersionedMap(
    tokens.map((token) => [token, { route: undefined, rejected: [] }]),
  )
  const run = (number: number) => {
    refresh.take(prices)
    return refresh.run({ number, hash: `0x${number}`, time: number, metadataVersion: 0 }, prices)
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
