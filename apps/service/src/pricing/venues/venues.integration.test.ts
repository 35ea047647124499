import { sql } from 'kysely'
import { numberToHex } from 'viem'
import { describe, expect, it } from 'vitest'
import { seededRandom } from '@headwater/devnet'
import { openSharedStore } from '../../../test/describeEachStore.ts'
import { indexTestChain } from '../../../test/indexTestChain.ts'
import { boundRounding, type Position, predictAmountIn } from '../../../test/predictAmountIn.ts'
import { shareFixture } from '../../../test/shareFixture.ts'
import { amountUnit } from '../../../test/solveInvariants.ts'
import { startVenues } from '../../../test/startVenues.ts'
import { testChainConfig } from '../../../test/testChainConfig.ts'
import type { Curve, VenuePool } from '../../../test/VenuePool.ts'
import { createScope } from '../../indexing/decode/Scope.ts'
import { BatchBuilder } from '../../indexing/fold/BatchBuilder.ts'
import type { PoolState } from '../../indexing/fold/ChangeSet.ts'
import { PoolReader } from '../../indexing/fold/PoolReader.ts'
import { PoolRegistry } from '../../indexing/fold/PoolRegistry.ts'
import { ChainNode } from '../../rpc/ChainNode.ts'
import { parseLog, type RawLog } from '../../rpc/methods/Log.ts'
import type { Store } from '../../store/Store.ts'
import type { Pool, PoolType } from '../Pool.ts'
import { encodeCall } from './calls.ts'
import type { Venue } from './Venue.ts'
import { getPoolModel, getSpotPrice, mapVenues, venues } from './venues.ts'

/** States per pool; `VENUE_STATES=1000` is the complete check, of one type with `-t curve-stable`. */
const states = Number(process.env['VENUE_STATES'] ?? 12)
const million = 1_000_000n

const listTypes = (of: Partial<typeof venues>) =>
  Object.values(of).flatMap(({ models }: Venue) => Object.keys(models) as PoolType[])
// Nothing swaps staking tokens, so that their quotes have a test of their own.
const { rocketPoolTokens: _, lidoTokens: __, ...exchanges } = venues

describe('the pools of all venues', () => {
  const getVenues = shareFixture(async () => {
    const started = await startVenues()
    for (const pool of started.pools) {
      await pool.change(seededRandom('first'))
    }
    return { ...started, chain: createChain(started), index: createIndex(started) }
  })

  // Before the others, whose index does not undo blocks.
  it('have the states of a clean run after a reorg and a restart', async () => {
    const { node, pools, chain } = getVenues()
    expect(new Set(pools.map(({ type }) => type))).toEqual(new Set(listTypes(venues)))
    const byAddress = new Map(pools.map((pool) => [pool.pool, pool]))
    const change = async (seed: string) => {
      const random = seededRandom(seed)
      for (const pool of byAddress.values()) {
        // One alone may be a position out of range, which changes no state.
        for (let count = 0; count < 3; count++) {
          await pool.change(random)
        }
      }
      return await node.call<{ number: string; hash: string }>(
        'eth_getBlockByNumber',
        'latest',
        false,
      )
    }
    const store = await openSharedStore('pglite')
    const ancestor = await change('first')
    let indexer = indexTestChain(store, chain)
    await indexer.reaches(ancestor.hash)
    const snapshot = await node.call<string>('evm_snapshot')
    const replaced = await change('replaced')
    await indexer.reaches(replaced.hash)
    const before = await loadPoolRows(store)
    await indexer.stop()
    await node.call('evm_revert', snapshot)
    // Longer than what it replaces.
    await node.call('anvil_mine', numberToHex(Number(replaced.number) - Number(ancestor.number)))
    const head = await change('canonical')
    indexer = indexTestChain(store, chain)
    await indexer.reaches(head.hash)
    await indexer.stop()
    const followed = await loadPoolRows(store)

    await openSharedStore('pglite')
    const clean = indexTestChain(store, chain)
    await clean.reaches(head.hash)
    await clean.stop()
    const expected = await loadPoolRows(store)
    for (const [address, { type }] of byAddress) {
      const of = (rows: readonly PoolRow[]) => rows.filter(({ pool }) => pool === address)
      expect([type, of(followed)]).toEqual([type, of(expected)])
      const undone = of(before).filter(({ block }) => block > Number(ancestor.number))
      expect([type, undone.length]).not.toEqual([type, 0])
      expect([type, of(followed)]).not.toEqual([type, of(before)])
    }
    expect(followed).toHaveLength(expected.length)
  })

  it.each(listTypes(exchanges))(
    'of %s have the spot price and the sellable depth that the contracts quote',
    async (type) => {
      const { pools, index } = getVenues()
      const pairsOfPools = Map.groupBy(
        pools.filter((each) => each.type === type),
        ({ pool }) => pool,
      )
      expect(pairsOfPools.size).toBeGreaterThan(0)
      let compared = 0
      for (const pairs of pairsOfPools.values()) {
        const random = seededRandom(type)
        for (let count = 0; count < states; count++) {
          await pairs[0]?.change(random)
          for (const pair of pairs) {
            const { pool, positions } = await index.read(pair)
            compared += await expectQuotes(pair, pool, positions, `${type}, state ${count}`)
          }
        }
      }
      const all = [...pairsOfPools.values()].flat().length * states * 2
      expect(compared).toBe(all * (getPoolModel(type).state === 'concentrated' ? 3 : 2))
    },
    300_000 + 1_000 * states,
  )

  it('are found, and their states read, by calls', async () => {
    const { pools, index, node } = getVenues()
    const execute = async <Result>(read: {
      calls: readonly { to: string; data: string }[]
      decode: (results: readonly string[]) => Result
    }) =>
      read.decode(
        await Promise.all(
          read.calls.map(({ to, data }) =>
            node.call<string>('eth_call', { to, data }, 'latest').catch(() => '0x'),
          ),
        ),
      )
    for (const venuePool of pools) {
      const { type, option, factory, tokens } = venuePool
      const venue: Venue = venues[option]
      const { readState, state } = getPoolModel(type)
      const [b, a] = tokens
      const found = await Promise.all(venue.findPools(factory, [a, b]).map(execute))
      const reference = found.find((each) => each?.type === type)
      if (!readState) {
        expect(found).toEqual([])
        continue
      }
      expect(reference).toMatchObject({ type, address: venuePool.pool, factory, tokens })
      if (!reference) {
        continue
      }
      const { pool } = await index.read(venuePool)
      const byCall = await execute(readState(reference, 0))
      expect(byCall?.sqrtPrice).toBe(pool.sqrtPrice)
      if (state === 'reserves') {
        expect(byCall).toEqual({ reserve0: pool.reserve0, reserve1: pool.reserve1 })
      } else {
        expect(byCall?.reserve0).toBeGreaterThanOrEqual(pool.reserve0)
        expect(byCall?.reserve1).toBeGreaterThanOrEqual(pool.reserve1)
      }
    }
  })

  it('have factories that the doctor recognizes', async () => {
    const { pools, node } = getVenues()
    for (const { option, factory } of pools) {
      const { data } = encodeCall(factory, venues[option].factoryFunction)
      expect([option, await node.call('eth_call', { to: factory, data }, 'latest')]).not.toEqual([
        option,
        '0x',
      ])
    }
  })
})

type World = Awaited<ReturnType<typeof startVenues>>

function createChain({ node, pools, wrappedNative }: World) {
  const factories = mapVenues((option) => [
    ...new Set(pools.filter((pool) => pool.option === option).map(({ factory }) => factory)),
  ])
  return testChainConfig(31_337, {
    rpcUrls: [node.url],
    pollIntervalMs: 10,
    finalityDepth: 1000,
    undoDepth: 1000,
    ...factories,
    wrappedNative,
  })
}

interface PoolRow {
  readonly pool: string
  readonly block: number
  /** All columns. */
  readonly row: string
}

/** The states, positions and ranks of pools; positions have no block. */
async function loadPoolRows({ db }: Store): Promise<PoolRow[]> {
  const { rows } = await sql<PoolRow>`
    select '0x' || encode(pool, 'hex') as pool, block_number as block, each::text as row from pool_states each
    union all select '0x' || encode(pool, 'hex'), -1, each::text from pool_positions each
    union all select '0x' || encode(pool, 'hex'), from_block, each::text from pool_ranks each
    order by pool, block, row`.execute(db)
  return rows
}

/** Folds the logs of a node into the states of its pools, as the indexer does. */
function createIndex(world: World) {
  const { node } = world
  const scope = createScope(createChain(world))
  const registry = new PoolRegistry()
  const none = async () => new Map()
  const poolSource = { loadTypes: none, loadConcentrated: none, loadBalancesPools: none }
  const reader = new PoolReader(new ChainNode([node.url]))
  const latest = new Map<string, PoolState>()
  const positions = new Map<string, Map<string, Position>>()
  let next = 0
  const readLogs = async () => {
    const head = Number(await node.call<string>('eth_blockNumber'))
    if (head < next) {
      return
    }
    const range = { fromBlock: numberToHex(next), toBlock: numberToHex(head) }
    const logs = (await node.call<RawLog[]>('eth_getLogs', range)).map((log) => {
      const block = { number: Number(log['blockNumber']), hash: String(log['blockHash']) }
      return { ...parseLog(log, block), transactionFrom: '0x' }
    })
    next = head + 1
    const builder = new BatchBuilder({
      scope,
      pools: registry,
      poolSource,
      reader,
      undoBlock: Infinity,
      head: 0,
    })
    await builder.add({ blocks: listBlocks(logs), logs })
    registry.endBatch()
    const { permanent } = builder.batch
    for (const state of permanent.poolStates.values()) {
      latest.set(state.pool, state)
    }
    for (const { pool, tickLower, tickUpper, liquidity } of permanent.positions.values()) {
      const held = positions.get(pool) ?? new Map<string, Position>()
      positions.set(pool, held)
      const key = `${tickLower} ${tickUpper}`
      const sum = (held.get(key)?.liquidity ?? 0n) + liquidity
      held.set(key, { tickLower, tickUpper, liquidity: sum })
    }
  }
  return {
    async read({ pool, type, tokens, decimals, indexes = [0, 1] }: VenuePool) {
      await readLogs()
      const state = latest.get(pool)
      if (!state) {
        throw new Error(`The pool ${type} has no state`)
      }
      const { sqrtPrice, read } = state
      const [first, second] = indexes
      const [reserve0 = state.reserve0, reserve1 = state.reserve1] = read
        ? [read.balances[first], read.balances[second]]
        : []
      const price0 = read?.prices[first]
      const price1 = read?.prices[second]
      const indexed: Pool = {
        kind: type,
        address: pool,
        token0: tokens[0],
        token1: tokens[1],
        reserve0,
        reserve1,
        decimals0: decimals[0],
        decimals1: decimals[1],
        ...(sqrtPrice !== null && { sqrtPrice }),
        ...(price0 !== undefined && price1 !== undefined && { price0, price1 }),
      }
      return { pool: indexed, positions: [...(positions.get(pool)?.values() ?? [])] }
    },
  }
}

/** The blocks of some logs. */
function listBlocks(logs: readonly { blockNumber: number; blockHash: string }[]) {
  const hashes = new Map(logs.map(({ blockNumber, blockHash }) => [blockNumber, blockHash]))
  return [...hashes].map(([number, hash]) => ({ number, hash, parentHash: '0x', time: number }))
}

/** A small amount is so many times the rounding of the contract, so that its quote has ten digits. */
const smallFactor = 10n ** 10n
const nineDigits = 10n ** 9n

/**
 * Compares the spot price with a swap of a small amount, and the depth with one of a tenth of it, in both directions.
 *
 * The small amount is the least whose quote has ten digits in spite of the rounding of the contract. Where that is a notable part
 * of the reserves, the curve states how far the swap itself moves the price. A quote may differ by the rounding only, which
 * has to be beyond its ninth digit.
 *
 * @returns how many quotes were compared.
 */
async function expectQuotes(
  { sell, getFee, readCurve }: VenuePool,
  pool: Pool,
  positions: readonly Position[],
  label: string,
): Promise<number> {
  const spot = getSpotPrice(pool)
  const fee = await getFee()
  if (!spot) {
    throw new Error(`${label} has no price`)
  }
  const expectDirection = async (zeroForOne: boolean) => {
    const reserveOut = zeroForOne ? pool.reserve1 : pool.reserve0
    const [units, each] = zeroForOne
      ? [spot.numerator, spot.denominator]
      : [spot.denominator, spot.numerator]
    const curve: Curve = (await readCurve?.(zeroForOne)) ?? {
      solve: (out) => predictAmountIn(pool, positions, zeroForOne, out, fee),
      rounding: boundRounding(pool, positions, zeroForOne),
    }
    // What is sold is rounded to an integer, and so is its fee.
    const rounding = curve.rounding + 2n * (units / each + 1n)
    const expectQuote = async (out: bigint, amountIn: bigint, name: string) => {
      const quote = await sell(zeroForOne, amountIn / amountUnit)
      const difference = quote > out ? quote - out : out - quote
      const isClose = difference <= rounding
      const hasDigits = rounding * nineDigits <= out
      expect({
        label: `${label}, ${name} ${zeroForOne}`,
        isClose,
        hasDigits,
        ...(!(isClose && hasDigits) && { quote, out, rounding }),
      }).toEqual({ label: `${label}, ${name} ${zeroForOne}`, isClose: true, hasDigits: true })
    }
    const depth = reserveOut / 10n
    const expectSpot = async () => {
      const small = rounding * smallFactor < depth ? rounding * smallFactor : depth
      const amountIn = curve.solve(small * amountUnit)
      // The start of the curve, by two points: with as many digits as `D` has, CryptoSwap's is beside the state.
      const step = (reserveOut * amountUnit) / 10n ** 18n
      const stepIn = curve.solve(2n * step) - curve.solve(step)
      const expected = (small * stepIn * units * (million - fee)) / (step * each * million)
      await expectQuote(expected, amountIn, 'spot')
    }
    const expectDepth = async (out: bigint) =>
      await expectQuote(out, curve.solve(out * amountUnit), 'depth')
    // Other curves pay all of their reserves for an infinite amount only.
    const outs = [depth, ...(pool.sqrtPrice ? [(reserveOut * 999n) / 1000n] : [])]
    await Promise.all([expectSpot(), ...outs.map(expectDepth)])
    return 1 + outs.length
  }
  const first = await expectDirection(true)
  const second = await expectDirection(false)
  return first + second
}
