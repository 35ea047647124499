import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { address, balance, numberedAddress } from '../../test/balances.ts'
import type { Balance, Portfolio } from '../index.ts'
import { ChainSums, createPortfolio } from './createPortfolio.ts'

const addWallets = (
  wallets: Readonly<Record<string, readonly Balance[]>>,
  offsets: readonly number[] = [],
) =>
  createPortfolio(
    Object.entries(wallets).map(([address, rows]) => {
      return { address, rows, sums: new ChainSums(offsets, rows), complete: true }
    }),
    offsets,
    { warnings: [], errors: undefined },
  )
const omitWallets = ({ wallets, holdings, complete, ...rest }: Portfolio) => rest
const add = (rows: readonly Balance[], offsets?: readonly number[]) =>
  addWallets({ [address]: rows }, offsets)

/** A decimal number as a float and exactly: `digits * 10 ** -places`. */
const decimal = fc
  .record({ digits: fc.integer({ min: 0, max: 999_999_999_999_999 }), places: fc.nat(15) })
  .map(({ digits, places }) => ({ digits, places, float: Number(`${digits}e-${places}`) }))
const largest = 2n ** 256n - 1n
const row = fc.record({
  chain_id: fc.integer({ min: 1, max: 4 }),
  amount: fc.oneof(fc.bigInt({ min: 1n, max: largest }), fc.constant(largest), fc.constant(1n)),
  decimals: fc.nat(36),
  price: fc.option(decimal, { nil: undefined }),
  past: fc.option(decimal, { nil: undefined }),
  low: fc.boolean(),
})
type Row = typeof row extends fc.Arbitrary<infer T> ? T : never

const toBalance = ({ chain_id, amount, decimals, price, past, low }: Row, index: number): Balance =>
  balance({
    chain_id,
    address: numberedAddress(index),
    amount: String(amount),
    decimals,
    low_liquidity: low,
    ...(price && { price_usd: price.float }),
    historical_prices: [{ offset_hours: 24, price_usd: past?.float ?? null }],
  })

/** The same by fractions with a common denominator. */
const places = 60
const worth = ({ amount, decimals }: Row, price: Row['price']) =>
  price ? amount * BigInt(price.digits) * 10n ** BigInt(places - decimals - price.places) : 0n
const sum = (numbers: readonly bigint[]) => numbers.reduce((a, b) => a + b, 0n)
const toFloat = (number: bigint) => Number(`${number}e-${places}`)

describe('a portfolio', () => {
  it('is the exact sum of amounts times prices, rounded once, per chain and in total', () => {
    fc.assert(
      fc.property(fc.array(row, { maxLength: 30 }), (rows) => {
        const portfolio = add(rows.map(toBalance))
        const total = (some: readonly Row[]) =>
          toFloat(sum(some.map((each) => worth(each, each.price))))
        expect(portfolio.value_usd).toBe(total(rows.filter(({ low }) => !low)))
        expect(portfolio.lowLiquidity.value_usd).toBe(total(rows.filter(({ low }) => low)))
        for (const { chain_id, value_usd, lowLiquidity } of portfolio.chains) {
          const of = rows.filter((each) => each.chain_id === chain_id)
          expect(value_usd).toBe(total(of.filter(({ low }) => !low)))
          expect(lowLiquidity.value_usd).toBe(total(of.filter(({ low }) => low)))
        }
        expect(portfolio.chains).toHaveLength(new Set(rows.map((each) => each.chain_id)).size)
      }),
    )
  })

  it('has the exact change of all items with both prices', () => {
    fc.assert(
      fc.property(fc.array(row, { maxLength: 30 }), (rows) => {
        const both = rows.filter(({ price, past, low }) => price && past && !low)
        const now = sum(both.map((each) => worth(each, each.price)))
        const then = sum(both.map((each) => worth(each, each.past)))
        const [change] = add(rows.map(toBalance), [24]).changes
        expect(change?.offset_hours).toBe(24)
        expect(change?.change_usd).toBe(toFloat(now - then))
        if (then === 0n) {
          expect(change).not.toHaveProperty('percent')
        } else {
          expect(change?.percent).toBeCloseTo((toFloat(now - then) / toFloat(then)) * 100)
        }
      }),
    )
  })

  it('is independent of the order', () => {
    const shuffled = fc
      .array(row, { maxLength: 30 })
      .chain((rows) =>
        fc.tuple(
          fc.constant(rows.map(toBalance)),
          fc.shuffledSubarray(rows.map(toBalance), { minLength: rows.length }),
        ),
      )
    fc.assert(
      fc.property(shuffled, ([rows, others]) => {
        expect(add(others, [24])).toEqual(add(rows, [24]))
      }),
    )
  })

  it('is the sum of its chains', () => {
    const whole = fc.record({
      chain_id: fc.integer({ min: 1, max: 5 }),
      price_usd: fc.integer({ min: 0, max: 1_000_000_000 }),
    })
    fc.assert(
      fc.property(fc.array(whole), (rows) => {
        const { value_usd, tokens, chains } = add(
          rows.map((each) => balance({ ...each, decimals: 0 })),
        )
        expect(chains.reduce((total, chain) => total + chain.value_usd, 0)).toBe(value_usd)
        expect(chains.reduce((total, chain) => total + chain.tokens, 0)).toBe(tokens)
      }),
    )
  })

  it('does not lose small values beside large ones', () => {
    const rows = [
      balance({ amount: String(largest), decimals: 0, price_usd: 1e300, low_liquidity: true }),
      balance({ amount: String(10n ** 16n), decimals: 0, price_usd: 1 }),
      balance({ amount: '1', decimals: 0, price_usd: 1 }),
      balance({ amount: '1', decimals: 0, price_usd: 1 }),
    ]
    expect(add(rows).value_usd).toBe(10_000_000_000_000_002)
    expect(
      add([0.1, 0.2, 0.3].map((price_usd) => balance({ price_usd, decimals: 0 }))).value_usd,
    ).toBe(0.6)
  })

  it('uses the value of the service where it cannot calculate one, and counts what is unknown', () => {
    const bare = (fields: Partial<Balance>): Balance => ({
      chain_id: 1,
      address: 'native',
      amount: '1',
      ...fields,
    })
    const unknown = [
      bare({ value_usd: 5.5 }),
      bare({ price_usd: 3 }),
      bare({ chain_id: 2 }),
      bare({ chain_id: 2, decimals: 0, price_usd: 4.5, pool_size: 9999 }),
    ]
    const { value_usd, tokens, pricedShare, lowLiquidity, chains } = add(unknown)
    expect({ value_usd, tokens, pricedShare }).toEqual({
      value_usd: 5.5,
      tokens: 4,
      pricedShare: 0.5,
    })
    expect(lowLiquidity).toEqual({ value_usd: 4.5, tokens: 1 })
    expect(chains.map(({ chain_id, share }) => [chain_id, share])).toEqual([
      [1, 1],
      [2, 0],
    ])
  })

  it('reports the share of its value that a change covers', () => {
    const rows = [
      balance({
        amount: '3',
        decimals: 0,
        price_usd: 10,
        historical_prices: [
          { offset_hours: 1, price_usd: null },
          { offset_hours: 24, price_usd: 8 },
        ],
      }),
      balance({ amount: '10', decimals: 0, price_usd: 1 }),
    ]
    expect(add(rows, [24, 1]).changes).toEqual([
      { offset_hours: 24, change_usd: 6, percent: 25, share: 0.75 },
      { offset_hours: 1, change_usd: 0, share: 0 },
    ])
  })

  it('merges wallets: exact sums in total, by wallet, by chain and by token', () => {
    const wallets = fc.array(fc.array(row, { maxLength: 12 }), { maxLength: 4 })
    fc.assert(
      fc.property(wallets, (rowsOfWallets) => {
        // The wallets share tokens, with decimals and a liquidity that depend on the token alone.
        const rows = rowsOfWallets.map((some) =>
          some.map((each, index) => ({
            ...each,
            chain_id: 1,
            decimals: index,
            low: index % 5 === 4,
          })),
        )
        const addresses = rows.map((_, index) => numberedAddress(900 + index))
        const portfolio = addWallets(
          Object.fromEntries(addresses.map((each, index) => [each, rows[index]!.map(toBalance)])),
          [24],
        )
        expect(portfolio).toMatchObject(
          omitWallets(
            add(
              rows.flatMap((some) => some.map(toBalance)),
              [24],
            ),
          ),
        )
        expect(portfolio.wallets).toHaveLength(rows.length)
        for (const { address: of, share, complete, ...totals } of portfolio.wallets) {
          const alone = add(rows[addresses.indexOf(of)]!.map(toBalance), [24])
          expect(omitWallets(alone)).toMatchObject(totals)
        }
        const tokens = Math.max(0, ...rows.map(({ length }) => length))
        expect(portfolio.holdings).toHaveLength(tokens)
        for (const holding of portfolio.holdings) {
          const index = Number(holding.address)
          const parts = rows.flatMap((some, at) => {
            const part = some[index]
            return part ? [{ ...part, address: addresses[at] }] : []
          })
          expect(holding.amount).toBe(String(sum(parts.map(({ amount }) => amount))))
          expect(holding.wallets).toEqual(
            parts.map((part) => ({ address: part.address, amount: String(part.amount) })),
          )
          if (parts.length > 1 && parts.some(({ price }) => price)) {
            expect(holding.value_usd).toBe(
              toFloat(sum(parts.map((part) => worth(part, part.price)))),
            )
          }
        }
      }),
    )
  })

  it('keeps the holdings of unchanged balances', () => {
    const [first, second, changed] = [1, 2, 3].map((price_usd) => balance({ price_usd }))
    const other = balance({ address: numberedAddress(7) })
    const before = addWallets({ a: [first!, other], b: [second!] }).holdings
    const after = addWallets({ a: [first!, other], b: [changed!] }).holdings
    expect(before).toHaveLength(2)
    expect(after.find((each) => each.address === other.address)).toBe(
      before.find((each) => each.address === other.address),
    )
    expect(addWallets({ a: [first!, other], b: [second!] }).holdings).toEqual(before)
  })

  it('of an empty wallet is worth nothing', () => {
    expect(add([], [24])).toEqual({
      value_usd: 0,
      changes: [{ offset_hours: 24, change_usd: 0, share: 0 }],
      tokens: 0,
      pricedShare: 1,
      lowLiquidity: { value_usd: 0, tokens: 0 },
      chains: [],
      wallets: [
        {
          address,
          value_usd: 0,
          changes: [{ offset_hours: 24, change_usd: 0, share: 0 }],
          tokens: 0,
          pricedShare: 1,
          lowLiquidity: { value_usd: 0, tokens: 0 },
          chains: [],
          share: 0,
          complete: true,
        },
      ],
      holdings: [],
      complete: true,
      warnings: [],
      errors: undefined,
    })
  })
})
