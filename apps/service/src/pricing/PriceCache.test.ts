import { expect, it } from 'vitest'
import { testChainConfig } from '../../test/testChainConfig.ts'
import { PointPrices } from './PointPrices.ts'
import { PriceCache } from './PriceCache.ts'

it('keeps the prices of a head, however many past ones and those of other chains are requested', () => {
  const [chain, other] = [testChainConfig(7), testChainConfig(8)]
  const cache = new PriceCache()
  const head = cache.headsOf(7).getOrCreate('head', chain)
  for (const [points, of] of [
    [cache.past, chain],
    [cache.headsOf(8), other],
  ] as const) {
    for (let index = 0; index < 30; index++) {
      const prices = new PointPrices(of)
      for (let token = 0; token < 15_000; token++) {
        prices.routes.set(`0x${token}`, { route: undefined, rejected: [] })
      }
      points.set(`${index}`, prices)
    }
    expect(points.get('0')).toBeUndefined()
  }
  expect(cache.headsOf(7).get('head')).toBe(head)
})
