import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { seededRandom } from '@headwater/devnet'
import { describeEachStore } from '../../test/describeEachStore.ts'
import { seedChain, testAddress } from '../../test/seedChain.ts'
import { loadPools } from './loadPools.ts'
import { loadQuietPools } from './loadQuietPools.ts'
import type { PricingPoint } from './PricingPoint.ts'

const chainId = 7
const lastBlock = 40
const start = 1_700_000_000
const tokens = Array.from({ length: 60 }, (_, index) => testAddress(1 + index))

const types = ['uniswap-v2', 'uniswap-v3', 'uniswap-v4', 'solidly-stable', 'curve-stable'] as const

/** Points whose windows are ten blocks, and one whose window starts before the chain. */
const points = [lastBlock, 34, 8].map((block, index): PricingPoint => {
  const windowBlock = Math.max(-1, block - 10)
  const time = start + 12 * block
  const windowTime = start + 12 * (block - 10)
  return { chainId, index, block, time, windowBlock, windowTime }
})

describeEachStore('loadQuietPools', (openTestStore) => {
  it('returns the same pools as at each point, of random pools', async () => {
    const { db } = await openTestStore()
    const random = seededRandom('quiet pools')
    // The rank of half of the pools is that of their first state.
    const createReserve = () => {
      const isRanked = random.chance(50)
      const bits = BigInt(random.integer(8, 60))
      return () =>
        isRanked && random.chance(10)
          ? 0n
          : (8n << (isRanked ? BigInt(random.integer(8, 60)) : bits)) + BigInt(random.integer(0, 7))
    }
    const pools = Array.from({ length: 120 }, (_, index) => {
      const blocks = Array.from({ length: random.integer(1, 2) }, () =>
        random.integer(0, random.chance(20) ? lastBlock : 12),
      )
      const reserve = createReserve()
      const kind = random.pick(types)
      const address = testAddress(0x1000 + index)
      return {
        // Pools of a singleton have an id of 32 bytes.
        address: kind === 'uniswap-v4' ? `${address}${'ab'.repeat(12)}` : address,
        token0: random.pick(tokens),
        token1: random.pick(tokens),
        kind,
        states: Object.fromEntries(
          blocks.map((block) => [block, [reserve(), reserve()] as const] as const),
        ),
      }
    })
    await seedChain(db, {
      chainId,
      blocks: Object.fromEntries(
        Array.from({ length: lastBlock + 1 }, (_, block) => [block, start + 12 * block]),
      ),
      tokens: tokens.map((address, index) => ({ address, decimals: index % 5 || null })),
      pools,
    })
    await sql`update pools set first_block = (
      select min(block_number) from pool_states
      where pool_states.chain_id = pools.chain_id and pool = address
    ) where chain_id = ${chainId}`.execute(db)
    await sql`update pool_ranks set first_block = pools.first_block from pools
      where pool_ranks.chain_id = ${chainId} and pools.chain_id = ${chainId}
        and pools.address = pool`.execute(db)
    // As earlier versions wrote them.
    await sql`update pool_ranks set index = null, other_token = null, kind = null, first_block = null
      where chain_id = ${chainId} and get_byte(pool, 19) % 2 = 0`.execute(db)
    await sql`update pool_states set sqrt_price = reserve0 + 1 where chain_id = ${chainId}
      and pool in (select address from pools where kind in ('uniswap-v3', 'uniswap-v4'))`.execute(
      db,
    )
    await sql`update pool_states
      set balances = array[reserve0, reserve1 + 5, 9], prices = array[reserve1 + 1, 3, 4]
      where chain_id = ${chainId}
      and pool in (select address from pools where kind = 'curve-stable')`.execute(db)
    const quoteTokens = new Set(tokens.slice(0, 3))
    // Those of quote tokens are not loaded as quiet ones.
    const others = tokens.slice(3)
    const requests = points.flatMap((point) =>
      others.map((token) => ({ point, token, quoteTokens })),
    )
    for (const at of [[0], [0, 1], [0, 1, 2]]) {
      const requested = requests.filter(({ point }) => at.includes(point.index))
      const expected = await loadPools(db, requested)
      const { quiet, rest } = await loadQuietPools(db, requested)
      const each = quiet.flatMap(({ requests: ofToken, pools: found }) =>
        ofToken.map((request) => [request, found] as const),
      )
      const poolsOf = new Map(
        expected.flatMap(({ requests: [request], pools: found }) => [[request, found]]),
      )
      for (const [request, found] of each) {
        expect(found).toEqual(poolsOf.get(request))
      }
      const isQuiet = new Set(each.map(([request]) => request))
      expect(each.length + rest.length).toBe(requested.length)
      expect(rest.filter((request) => isQuiet.has(request))).toEqual([])
      if (!at.includes(2)) {
        expect(each.filter(([, found]) => found.length > 1).length).toBeGreaterThan(3)
        expect(rest.length).toBeGreaterThan(3)
      }
    }
  })
})
