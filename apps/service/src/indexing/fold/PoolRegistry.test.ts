import fc from 'fast-check'
import { expect, it } from 'vitest'
import { ConcentratedLiquidity } from '../../pricing/ConcentratedLiquidity.ts'
import type { PoolType } from '../../pricing/Pool.ts'
import { ChangeSet } from './ChangeSet.ts'
import type { ConcentratedPool } from './ConcentratedPools.ts'
import { PoolRegistry, type PoolSource } from './PoolRegistry.ts'

const pools = ['0xa', '0xb', '0xc', '0xd', '0xe', '0xf']
const range = { tickLower: -60, tickUpper: 60 }
const outOfRange = { tickLower: 600, tickUpper: 660 }
/** Pools whose type is that of V2; the others are of V3. */
const withReserves = new Set(['0xe', '0xf'])
const others = { factory: '0xf', tokens: [], fee: null, tickSpacing: null }

type Action = 'create' | 'price' | 'reserves' | 'deposit' | 'deposit out of range'
/** By batch and block. */
type Plan = (readonly [pool: string, action: Action, amount: bigint])[][][]

const plan: fc.Arbitrary<Plan> = fc.array(
  fc.array(
    fc.array(
      fc.tuple(
        fc.constantFrom(...pools),
        fc.constantFrom<Action>('create', 'price', 'reserves', 'deposit', 'deposit out of range'),
        fc.bigInt(1n, 9n),
      ),
      { maxLength: 5 },
    ),
    { maxLength: 3 },
  ),
  { maxLength: 12 },
)

/** What the store has of the batches that were committed. */
class Stored implements PoolSource {
  readonly #types = new Map<string, PoolType>()
  readonly #states = new Map<string, ConcentratedPool['state']>()
  readonly #positions: { pool: string; tickLower: number; tickUpper: number; liquidity: bigint }[] =
    []

  commit(changes: ChangeSet): void {
    for (const { address, type } of changes.pools) {
      this.#types.set(address, type)
    }
    for (const { pool: address, sqrtPrice, reserve0, reserve1 } of changes.poolStates.values()) {
      if (sqrtPrice !== null) {
        this.#states.set(address, { sqrtPrice, reserve0, reserve1 })
      }
    }
    this.#positions.push(...changes.positions.values())
  }

  loadTypes = async (addresses: readonly string[]) =>
    new Map([...this.#types].filter(([address]) => addresses.includes(address)))

  loadBalancesPools = async () => new Map()

  loadConcentrated = async (addresses: readonly string[]) =>
    new Map(
      addresses.map((address): [string, ConcentratedPool] => {
        const liquidity = new ConcentratedLiquidity()
        for (const position of this.#positions.filter(({ pool }) => pool === address)) {
          liquidity.add(position, position.liquidity)
        }
        const state = this.#states.get(address)
        return [address, { sqrtPrice: state?.sqrtPrice ?? 0n, liquidity, ...(state && { state }) }]
      }),
    )
}

/** Folds a plan. A batch is committed while the next one is built, just before that one ends. */
async function fold(batches: Plan, max?: { types: number; ticks: number }) {
  const registry = new PoolRegistry(max)
  const stored = new Stored()
  let commit = () => {}
  let block = 0
  const all: object[] = []
  for (const batch of batches) {
    const changes = new ChangeSet()
    await registry.load(new Set(batch.flat().map(([pool]) => pool)), stored)
    for (const events of batch) {
      block++
      for (const [pool, action, amount] of events) {
        const event = { pool, sqrtPrice: 2n ** 96n + amount, reserve0: amount, reserve1: amount }
        if (action === 'create') {
          const type = withReserves.has(pool) ? 'uniswap-v2' : 'uniswap-v3'
          const created = { kind: 'pool', address: pool, type, ...others } as const
          registry.add(changes, created, block, `${block} `)
        } else if (action === 'price' || action === 'reserves') {
          registry.apply(changes, { ...event, kind: action }, block, `${block} `)
        } else {
          const ticks = action === 'deposit' ? range : outOfRange
          registry.apply(
            changes,
            { kind: 'liquidity', pool, ...ticks, change: amount * 10n ** 20n },
            block,
            `${block} `,
          )
        }
      }
      registry.endBlock(changes, block, `${block} `)
    }
    commit()
    registry.endBatch()
    commit = () => stored.commit(changes)
    all.push({
      created: changes.pools,
      states: changes.poolStates,
      positions: changes.positions,
    })
  }
  return all
}

it('folds the same changes with a cache of any size', async () => {
  await fc.assert(
    fc.asyncProperty(plan, fc.nat(4), fc.nat(4), async (batches, types, ticks) => {
      expect(await fold(batches, { types, ticks })).toEqual(await fold(batches))
    }),
    { numRuns: 300 },
  )
})

it('forgets the pools that were used the longest ago', async () => {
  const registry = new PoolRegistry({ types: 2, ticks: 2 })
  const loaded: (readonly string[])[] = []
  const source: PoolSource = {
    loadTypes: async (addresses) => {
      loaded.push(addresses)
      return new Map()
    },
    loadConcentrated: async () => new Map(),
    loadBalancesPools: async () => new Map(),
  }
  for (const addresses of [
    ['0xa', '0xb'],
    ['0xc', '0xa'],
    ['0xa', '0xb'],
  ]) {
    await registry.load(new Set(addresses), source)
    registry.endBatch()
  }
  // Contracts that only emit events like those of pools take part.
  expect(loaded).toEqual([['0xa', '0xb'], ['0xc'], ['0xb']])
})
