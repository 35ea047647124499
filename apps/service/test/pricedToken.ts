import type { Kysely } from 'kysely'
import { loadPriceBooks } from '../src/pricing/loadPriceBooks.ts'
import { toNumber } from '../src/pricing/toNumber.ts'
import type { Database } from '../src/store/Database.ts'
import { seedChain, type SeededChain, testAddress } from './seedChain.ts'
import { testChainConfig } from './testChainConfig.ts'

export const [usd, weth, token, x1, x2] = [1, 2, 3, 4, 5].map(testAddress) as [
  ...[string, string, string, string, string],
]
export const e18 = 10n ** 18n
export const usd6 = 10n ** 6n
export const start = 1_700_000_000 - (1_700_000_000 % 3600)

// Two hours of blocks every 12 seconds, five per minute.
const chainId = 100
export const head = 600
export const minute = 5
export const hour = 60 * minute
const blocks = Object.fromEntries(
  Array.from({ length: head + 1 }, (_, number) => [number, start + 12 * number]),
)

export type Pool = NonNullable<SeededChain['pools']>[number]
export type State = Pool['states'][number]

/** A V2 pool of a token and USD, of equal value at a price in cents. */
export function usdPool(
  id: number,
  states: Record<number, readonly [usd: bigint, cents: bigint]>,
  base = token,
): Pool {
  const entries = Object.entries(states).map(([block, [value, cents]]): [string, State] => {
    return [block, [value * usd6, (value * e18 * 100n) / cents]]
  })
  return {
    address: testAddress(0x1000 + id),
    token0: usd,
    token1: base,
    states: Object.fromEntries(entries),
  }
}

/** A V3 pool of USD and the token at a price of 1,000 USD, with reserves in range. */
export function expensivePool(
  states: Record<number, readonly [usd: bigint, milliTokens: bigint]>,
): Pool {
  // A token has 1e18 units for 1e9 units of USD: 1e9 units of the token each, the square of 2 ** 15 nearly.
  const sqrtPrice = 31_623n << 96n
  const entries = Object.entries(states).map(([block, [dollars, milliTokens]]): [string, State] => {
    return [block, [dollars * usd6, (milliTokens * e18) / 1000n, sqrtPrice]]
  })
  return {
    address: testAddress(0x2000),
    token0: usd,
    token1: token,
    states: Object.fromEntries(entries),
  }
}

export const wethUsd: Pool = {
  address: testAddress(0x900),
  token0: usd,
  token1: weth,
  states: { 0: [5_000_000n * usd6, 2000n * e18] },
}
/** 500,000 USD at 1.00. */
export const honest = usdPool(1, { 0: [500_000n, 100n] })

interface PricingOptions {
  /** The token to price; default {@link token}. */
  readonly priced?: string
  /** Blocks of the creation of pools, by address. */
  readonly createdAt?: Readonly<Record<string, number>>
  /** Unix seconds of blocks. */
  readonly times?: Readonly<Record<number, number>>
  readonly priceWindowMinutes?: number
  /** In addition to USD and WETH. */
  readonly quoteTokens?: readonly string[]
}

/** The price of a token by some pools, its size, and the reasons of rejected pools by address. */
export async function priceToken(
  db: Kysely<Database>,
  pools: readonly Pool[],
  {
    priced = token,
    createdAt = {},
    times = {},
    priceWindowMinutes = 60,
    quoteTokens = [],
  }: PricingOptions = {},
) {
  const timeOf: Record<number, number> = { ...blocks, ...times }
  await seedChain(db, {
    chainId,
    blocks: timeOf,
    pools,
    tokens: [usd, weth, token, x1, x2].map((address) => ({
      address,
      decimals: address === usd ? 6 : 18,
    })),
  })
  for (const [address, first_block] of Object.entries(createdAt)) {
    const pool = Buffer.from(address.slice(2), 'hex')
    await db
      .updateTable('pools')
      .set({ first_block })
      .where('chain_id', '=', chainId)
      .where('address', '=', pool)
      .execute()
    await db
      .updateTable('pool_ranks')
      .set({ first_block })
      .where('chain_id', '=', chainId)
      .where('pool', '=', pool)
      .execute()
  }
  const chain = testChainConfig(chainId, {
    wrappedNative: weth,
    stablecoins: [usd],
    priceWindowMinutes,
    quoteTokens,
  })
  const request = {
    chain,
    tokens: [priced],
    head: { number: head, hash: '0x1', time: timeOf[head] ?? 0, metadataVersion: 0 },
  }
  const book = (await loadPriceBooks(db, [request], [])).get(chainId)
  const route = book?.now.get(priced)
  return {
    usd: route && toNumber({ ...route.price, numerator: route.price.numerator * e18 }),
    size: route?.poolSize && toNumber(route.poolSize),
    rejected: Object.fromEntries(
      (book?.rejected.get(priced) ?? []).map(({ assessed, reason }) => [
        assessed.pool.address,
        reason,
      ]),
    ),
  }
}
