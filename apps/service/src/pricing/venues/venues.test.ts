import fc from 'fast-check'
import type { Hex } from 'viem'
import { describe, expect, it } from 'vitest'
import { venueEvent } from '../../../test/fakeEvents.ts'
import { testAddress } from '../../../test/seedChain.ts'
import { testChainConfig, testTokens } from '../../../test/testChainConfig.ts'
import { decodeLog } from '../../indexing/decode/decodeLog.ts'
import { createScope } from '../../indexing/decode/Scope.ts'
import type { PoolType } from '../Pool.ts'
import { getCryptoSwapPrices } from './curve/cryptoSwap.ts'
import { getStableSwapPrices } from './stableSwap.ts'
import { getPoolModel, getSpotPrice, mapVenues, venues } from './venues.ts'

const factory = testAddress(0x200)
const pool = testAddress(0x300)
const other = testAddress(0x201)
const token0 = testAddress(0x101)
const token1 = testAddress(0x102)
const { weth } = testTokens
const id: Hex = `0x${'ab'.repeat(32)}`
const sqrtPrice = 2n ** 96n

function decode(event: ReturnType<typeof venueEvent>, wrappedNative: string | null = weth) {
  const chain = testChainConfig(
    1,
    mapVenues(() => [factory]),
  )
  const place = { blockNumber: 1, blockHash: '0x1', logIndex: 0, transactionFrom: token0 }
  const { wrappedNative: _, ...withoutWrapped } = chain
  return decodeLog({ ...event, ...place }, createScope(wrappedNative ? chain : withoutWrapped))
}

describe('the events of venues', () => {
  const created = { kind: 'pool', address: pool, factory, tokens: [token0, token1], fee: null }

  it('create pools only if a configured factory emits them', () => {
    const solidly = (from: Hex, stable: number) =>
      venueEvent(
        from,
        'PoolCreated(address,address,bool,address,uint256)',
        [token0, token1, stable],
        [pool, 1],
      )
    const volatile = { ...created, type: 'solidly-volatile', tickSpacing: null }
    expect(decode(solidly(factory, 0))).toEqual(volatile)
    expect(decode(solidly(factory, 1))).toEqual({ ...volatile, type: 'solidly-stable' })
    expect(decode(solidly(other, 0))).toBeUndefined()
    const pair = (stable: number) =>
      venueEvent(
        factory,
        'PairCreated(address,address,bool,address,uint256)',
        [token0, token1],
        [stable, pool, 1],
      )
    expect(decode(pair(0))).toEqual(volatile)
    expect(decode(pair(1))).toEqual({ ...volatile, type: 'solidly-stable' })
    expect(decode({ ...pair(1), data: '0x' })).toBeUndefined()
    const slipstream = (from: Hex) =>
      venueEvent(from, 'PoolCreated(address,address,int24,address)', [token0, token1, 200], [pool])
    expect(decode(slipstream(factory))).toEqual({
      ...created,
      type: 'slipstream',
      tickSpacing: 200,
    })
    expect(decode(slipstream(other))).toBeUndefined()
    const algebra = (from: Hex) =>
      venueEvent(from, 'Pool(address,address,address)', [token0, token1], [pool])
    expect(decode(algebra(factory))).toEqual({ ...created, type: 'algebra', tickSpacing: null })
    expect(decode(algebra(other))).toBeUndefined()
  })

  it('change pools of Algebra Integral 1.2, whose events have the fees of a plugin', () => {
    const swap = venueEvent(
      pool,
      'Swap(address,address,int256,int256,uint160,uint128,int24,uint24,uint24)',
      [token0, token1],
      [-1, 1, sqrtPrice, 5, 0, 100, 200],
    )
    expect(decode(swap)).toEqual({ kind: 'price', pool, sqrtPrice })
    const burn = venueEvent(
      pool,
      'Burn(address,int24,int24,uint128,uint256,uint256,uint24)',
      [token0, -60, 60],
      [7, 1, 1, 100],
    )
    const change = { kind: 'liquidity', pool, tickLower: -60, tickUpper: 60, change: -7n }
    expect(decode(burn)).toEqual(change)
  })

  it('lead to pools that both versions of the factory of Solidly return', () => {
    const [volatile] = venues.solidlyFactories.findPools(factory, [token1, token0])
    const found = { type: 'solidly-volatile', address: pool, tokens: [token0, token1] }
    const word = `0x${pool.slice(2).padStart(64, '0')}`
    const none = `0x${'0'.repeat(64)}`
    expect(volatile?.decode([word, '0x'])).toMatchObject(found)
    expect(volatile?.decode(['0x', word])).toMatchObject(found)
    expect(volatile?.decode(['0x', none])).toBeUndefined()
  })

  it('register the pools of the first registry of Curve, except those with rates', () => {
    // As the registry of Ethereum emits them: the method is an array of four bytes.
    const added = (address: Hex, method: bigint) =>
      venueEvent(factory, 'PoolAdded(address,bytes)', [address], [0x20, 4, method << 224n])
    const threePool = '0xbebc44782c7db0a1a60cb6fe97d0b483032ff1c7'
    expect(decode(added(threePool, 0n))).toMatchObject({
      kind: 'registration',
      pool: threePool,
      factory,
    })
    // `exchangeRateStored()` of the tokens of Compound.
    const compoundPool = '0xa2b47e3d5c44877cca798226b7b8118f9bfb7a56'
    expect(decode(added(compoundPool, 0x182df0f5n))).toBeUndefined()
  })

  describe('of Uniswap V4', () => {
    const initialize = (fields: {
      manager?: Hex
      currencies?: [Hex, Hex]
      fee?: number
      hooks?: Hex
      price?: bigint
    }) => {
      const { manager = factory, currencies = [token0, token1], fee = 3000 } = fields
      const { hooks = testAddress(0), price = sqrtPrice } = fields
      return venueEvent(
        manager,
        'Initialize(bytes32,address,address,uint24,int24,address,uint160,int24)',
        [id, ...currencies],
        [fee, 60, hooks, price, 0],
      )
    }
    const expected = {
      kind: 'pool',
      type: 'uniswap-v4',
      address: id,
      factory,
      tokens: [token0, token1],
      fee: 3000,
      tickSpacing: 60,
      sqrtPrice,
    }

    it('create pools with an id and a price, the native currency as wrapped native', () => {
      expect(decode(initialize({}))).toEqual(expected)
      const native = initialize({ currencies: [testAddress(0), token1] })
      expect(decode(native)).toEqual({ ...expected, tokens: [weth, token1] })
      expect(decode(native, null)).toBeUndefined()
      expect(decode(initialize({ currencies: [testAddress(0), weth as Hex] }))).toBeUndefined()
      expect(decode(initialize({ manager: other }))).toBeUndefined()
      expect(decode(initialize({ price: 0n }))).toBeUndefined()
    })

    it.each([
      // The permissions are the last bits of the address.
      ['that is called before swaps', { hooks: testAddress(0x4080) }],
      ['that is called after swaps', { hooks: testAddress(0x4040) }],
      ['that returns amounts before swaps', { hooks: testAddress(0x4008) }],
      ['that returns amounts after swaps', { hooks: testAddress(0x4004) }],
      ['with a dynamic fee', { hooks: testAddress(0x5000), fee: 0x800000 }],
    ])('ignore pools with a hook %s', (_, fields) => {
      expect(decode(initialize(fields))).toBeUndefined()
    })

    it('create pools with a hook for liquidity, and none with a fee above 1 %', () => {
      expect(decode(initialize({ hooks: testAddress(0x7f33) }))).toEqual(expected)
      expect(decode(initialize({ fee: 10_000 }))).toMatchObject({ fee: 10_000 })
      expect(decode(initialize({ fee: 10_001 }))).toBeUndefined()
    })

    it('change pools only if the manager emits them', () => {
      const swap = (manager: Hex) =>
        venueEvent(
          manager,
          'Swap(bytes32,address,int128,int128,uint160,uint128,int24,uint24)',
          [id, token0],
          [-1, 1, sqrtPrice, 5, 0, 3000],
        )
      expect(decode(swap(factory))).toEqual({ kind: 'price', pool: id, sqrtPrice })
      expect(decode(swap(other))).toBeUndefined()
      const modify = (manager: Hex, tickUpper = 60) =>
        venueEvent(
          manager,
          'ModifyLiquidity(bytes32,address,int24,int24,int256,bytes32)',
          [id, token0],
          [-60, tickUpper, -7, 0],
        )
      const change = { kind: 'liquidity', pool: id, tickLower: -60, tickUpper: 60, change: -7n }
      expect(decode(modify(factory))).toEqual(change)
      expect(decode(modify(other))).toBeUndefined()
      expect(decode(modify(factory, -60))).toBeUndefined()
    })
  })
})

describe('the price of a stable pool of Solidly', () => {
  const decimals = fc.integer({ min: 0, max: 24 })
  const whole = fc.bigInt(1n, 10n ** 12n)
  const getPrice = (reserve0: bigint, reserve1: bigint, places?: readonly [number, number]) =>
    getSpotPrice({
      kind: 'solidly-stable',
      address: pool,
      token0,
      token1,
      reserve0,
      reserve1,
      ...(places && { decimals0: places[0], decimals1: places[1] }),
    })

  it('is one whole token for another of equal reserves, and has no price without decimals', () => {
    fc.assert(
      fc.property(whole, decimals, decimals, (amount, decimals0, decimals1) => {
        const unit0 = 10n ** BigInt(decimals0)
        const unit1 = 10n ** BigInt(decimals1)
        const price = getPrice(amount * unit0, amount * unit1, [decimals0, decimals1])
        expect((price?.numerator ?? 0n) * unit0).toBe((price?.denominator ?? 1n) * unit1)
      }),
    )
    expect(getPrice(1n, 1n)).toBeUndefined()
    expect(getPrice(1n, 0n, [18, 18])).toBeUndefined()
  })

  it('is the inverse of that of the pool with the tokens exchanged', () => {
    fc.assert(
      fc.property(whole, whole, decimals, decimals, (reserve0, reserve1, decimals0, decimals1) => {
        const price = getPrice(reserve0, reserve1, [decimals0, decimals1])
        const inverse = getPrice(reserve1, reserve0, [decimals1, decimals0])
        expect((price?.numerator ?? 0n) * (inverse?.numerator ?? 0n)).toBe(
          (price?.denominator ?? 1n) * (inverse?.denominator ?? 1n),
        )
      }),
    )
  })
})

describe('pools whose state is read', () => {
  const types: readonly PoolType[] = [
    ...(['curve-stable', 'curve-crypto', 'balancer-weighted', 'balancer-stable'] as const),
    ...(['erc4626', 'rocket-pool', 'chainlink'] as const),
  ]
  /** Small numbers make offsets and lengths of arrays plausible. */
  const word = fc
    .oneof(fc.bigInt(0n, 4n), fc.constantFrom(32n, 64n, 96n, 18n), fc.bigInt(0n, 2n ** 256n - 1n))
    .map((value) => value.toString(16).padStart(64, '0'))
  const data = fc.array(word, { maxLength: 8 }).map((words) => `0x${words.join('')}`)

  it('have positive prices of each token, or none, whatever their contracts return', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...types),
        fc.infiniteStream(data),
        fc.integer({ min: 2, max: 4 }),
        async (type, results, count) => {
          const tokens = Array.from({ length: count }, (_, index) => testAddress(0x500 + index))
          const state = await getPoolModel(type).readBalances?.(
            { address: `${pool}${'0'.repeat(24)}`, factory, tokens },
            async (calls) => calls.map(() => results.next().value as string),
            { time: 0 },
          )
          expect(state?.prices.every((price) => price > 0n) ?? true).toBe(true)
        },
      ),
      { numRuns: 200 },
    )
  })

  it('have prices of their invariants, or none, for any balances and parameters', () => {
    const value = fc.oneof(fc.bigInt(0n, 3n), fc.bigInt(0n, 2n ** 256n - 1n))
    const balances = fc.array(value, { minLength: 2, maxLength: 8 })
    fc.assert(
      fc.property(balances, value, value, value, (each, amplification, gamma, invariant) => {
        for (const prices of [
          getStableSwapPrices(each, amplification, gamma),
          getCryptoSwapPrices(each, { amplification, gamma, invariant }),
        ]) {
          expect(prices?.length ?? each.length).toBe(each.length)
        }
      }),
      { numRuns: 200 },
    )
  })

  it('have a price where the rounding of Newton’s method does not settle', () => {
    // Of a pool on a node, in the units of the first versions of Balancer.
    const balances = [
      39_186_468_924_029_332n * 10n ** 30n,
      225_618_907_404_222_074_973_822n * 10n ** 24n,
    ]
    expect(getStableSwapPrices(balances, 400_000n, 1_000n)).toHaveLength(2)
    const balance = fc.bigInt({ min: 10n ** 18n, max: 10n ** 50n })
    fc.assert(
      fc.property(
        balance,
        fc.nat(999_999),
        fc.integer({ min: 2, max: 5_000 }),
        (each, share, a) => {
          const other = (each * BigInt(share + 1)) / 1_000_000n
          expect(getStableSwapPrices([each, other], BigInt(2 * a) * 1_000n, 1_000n)).toHaveLength(2)
        },
      ),
      { numRuns: 300 },
    )
  })

  it('are registered by configured factories only, whatever these return', async () => {
    const registered = venueEvent(factory, 'PoolCreated(address)', [pool], [])
    expect(decode(registered)).toMatchObject({ kind: 'registration', factory })
    expect(decode(venueEvent(other, 'PoolCreated(address)', [pool], []))).toBeUndefined()
    const event = decode(registered)
    await fc.assert(
      fc.asyncProperty(fc.infiniteStream(data), async (results) => {
        const read =
          event?.kind === 'registration'
            ? await event.read(async (calls) => calls.map(() => results.next().value as string), 0)
            : undefined
        expect(new Set(read?.tokens).size).toBe(read?.tokens.length ?? 0)
      }),
    )
    const deposit = [pool, other]
    const signature = 'Deposit(address,address,uint256,uint256)'
    expect(decode(venueEvent(factory, signature, deposit, [1, 1]))).toMatchObject({
      kind: 'registration',
      pool: factory,
    })
    expect(decode(venueEvent(other, signature, deposit, [1, 1]))).toEqual({
      kind: 'touch',
      pool: other,
    })
  })
})
