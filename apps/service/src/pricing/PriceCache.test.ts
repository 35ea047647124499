import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { expect, it } from 'vitest'
import { testChainConfig } from '../../test/testChainConfig.ts'
import { getKnownBooks, getPriceKey } from './loadPriceBooks.ts'
import { PointPrices } from './PointPrices.ts'
import { PriceCache } from './PriceCache.ts'

it('keeps the prices of a head, however many past ones and those of other chains are requested', () => {
  const chain = testChainConfig(7)
  const other = testChainConfig(8)
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

it('does not keep the prices of a block for the books of its responses, as later blocks would remain with it', async () => {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as () => void
  const chain = testChainConfig(7)
  const head = { number: 1, hash: '0x1', time: 1, metadataVersion: 0 }
  const findBooks = () => {
    const cache = new PriceCache()
    const prices = cache.headsOf(7).getOrCreate(getPriceKey(chain, head, 1), chain)
    const route = { route: undefined, rejected: [] }
    for (const token of [...prices.quoteTokens, '0xa']) {
      prices.routes.set(token, route)
    }
    const books = getKnownBooks([{ chain, head, tokens: ['0xa'] }], cache)
    return { books, routes: new WeakRef(prices.routes) }
  }
  const { books, routes } = findBooks()
  await new Promise(setImmediate)
  collect()
  expect(routes.deref()).toBeUndefined()
  expect(books?.get(7)?.now.size).toBe(0)
})
