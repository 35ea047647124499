import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { expect, it } from 'vitest'
import { testChainConfig } from '../../test/testChainConfig.ts'
import { type AssessedPool, assessPool } from './AssessedPool.ts'
import { LatePools } from './LatePools.ts'
import { PointPrices } from './PointPrices.ts'

it('takes the pools that were added after their point was carried, once, and of the latest point', () => {
  const late = new LatePools()
  const createPoint = (block: number) => {
    const { pools } = new PointPrices(testChainConfig(1))
    pools.set('carried', []).set('due', [])
    late.add(block, pools)
    return pools
  }
  const first = createPoint(10)
  const second = createPoint(11)
  // Its pools were carried, and then removed as they are read again.
  const known = new Set(['carried'])
  const take = () => late.take(known).map(({ block, pools }) => [block, [...pools.keys()]])
  expect(take()).toEqual([])
  first.set('token', []).set('other', []).set('carried', [])
  second.set('token', [])
  expect(take()).toEqual([
    [11, ['token']],
    [10, ['other']],
  ])
  expect(take()).toEqual([])
  second.set('third', [])
  late.clear()
  expect(take()).toEqual([])
})

it('takes no pools of tokens with other metadata since, also if they are added later', () => {
  const late = new LatePools()
  const { pools } = new PointPrices(testChainConfig(1))
  late.add(10, pools)
  pools.set('token', [toAssessed('described')])
  late.discardPools(['described'])
  pools.set('other', [toAssessed('described')]).set('third', [toAssessed('fourth')])
  expect(late.take(new Set()).map((taken) => [...taken.pools.keys()])).toEqual([['third']])
})

function toAssessed(token0: string): AssessedPool {
  const state = { reserve0: 1n, reserve1: 1n }
  const pool = { kind: 'uniswap-v2', address: 'pool', token0, token1: 'usd', ...state } as const
  return assessPool({ pool, isSeasoned: true, createdBlock: 0, samples: [] })
}

it('does not keep points, whose pools would take the memory of all blocks', async () => {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as () => void
  const late = new LatePools()
  const addPoint = () => {
    const point = new PointPrices(testChainConfig(1))
    point.pools.set('carried', [])
    late.add(10, point.pools)
    point.pools.set('token', [])
    return new WeakRef(point.pools)
  }
  const pools = addPoint()
  await new Promise(setImmediate)
  collect()
  expect(pools.deref()).toBeUndefined()
  expect(late.take(new Set()).map((taken) => [...taken.pools.keys()])).toEqual([['token']])
})
