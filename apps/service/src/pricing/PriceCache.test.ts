import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { expect, it } from 'vitest'
import { testChainConfig } from '../../test/testChainConfig.ts'
import { getKnownBooks } from './loadPriceBooks.ts'
import { PointPrices } from './PointPrices.ts'
import { PriceCache } from './PriceCache.ts'

it('keeps the prices of a head, however many past ones and those of other chains are requested', () => {
  const chain = testChainConfig(7)
  const other = testChainConfig(8)
  const cache = new PriceCache()
  const headAt = (number: number) => ({
    number,
    hash: `0x${number}`,
    time: number,
    metadataVersion: 0,
  })
  const point = { chain, head: headAt(100) }
  const prices = cache.getOrCreate(point)
  for (const toPoint of [
    (block: number) => ({ ...point, block }),
    (block: number) => ({ chain: other, head: headAt(block) }),
  ]) {
    for (let block = 0; block < 30; block++) {
      const others = new PointPrices(chain)
      for (let token = 0; token < 15_000; token++) {
        others.routes.set(`0x${token}`, { route: undefined, rejected: [] })
      }
      cache.set(toPoint(block), others)
    }
    expect(cache.get(toPoint(0))).toBeUndefined()
    expect(cache.get(toPoint(29))).toBeDefined()
  }
  expect(cache.get(point)).toBe(prices)
})

it('does not keep the prices of a block for the books of its responses, as later blocks would remain with it', async () => {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as () => void
  const chain = testChainConfig(7)
  const head = { number: 1, hash: '0x1', time: 1, metadataVersion: 0 }
  const findBooks = () => {
    const cache = new PriceCache()
    const prices = cache.getOrCreate({ chain, head })
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
