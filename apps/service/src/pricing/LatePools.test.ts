import { expect, it } from 'vitest'
import { testChainConfig } from '../../test/testChainConfig.ts'
import { LatePools } from './LatePools.ts'
import { PointPrices } from './PointPrices.ts'

it('takes the pools that were added after their point was carried, once, and of the latest point', () => {
  const late = new LatePools()
  const [first, second] = [10, 11].map((block) => {
    const prices = new PointPrices(testChainConfig(1))
    prices.pools.set('carried', [])
    late.add(1, block, prices)
    return prices
  })
  expect(late.take(1, new Map())).toEqual([])
  first?.pools.set('token', [])
  first?.pools.set('other', [])
  second?.pools.set('token', [])
  const known = new Map([['carried', []]])
  const take = () => late.take(1, known).map(({ block, pools }) => [block, [...pools.keys()]])
  expect(take()).toEqual([
    [11, ['token']],
    [10, ['other']],
  ])
  expect(take()).toEqual([])
  second?.pools.set('third', [])
  late.clear(1)
  expect(take()).toEqual([])
})
