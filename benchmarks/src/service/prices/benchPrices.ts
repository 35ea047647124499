import { type Kysely, sql } from 'kysely'
import {
  type PoolReserves,
  rankPools,
} from '../../../../apps/service/src/indexing/write/rankPools.ts'
import { loadPriceBooks } from '../../../../apps/service/src/pricing/loadPriceBooks.ts'
import { configureWrites } from '../../../../apps/service/src/store/configureWrites.ts'
import type { Database } from '../../../../apps/service/src/store/Database.ts'
import { openStore } from '../../../../apps/service/src/store/openStore.ts'
import { createPartitions } from '../../../../apps/service/src/store/partitions.ts'
import type { Store } from '../../../../apps/service/src/store/Store.ts'
import { testAddress } from '../../../../apps/service/test/seedChain.ts'
import { testChainConfig, testTokens } from '../../../../apps/service/test/testChainConfig.ts'
import { printFigure, printProgress, rounded } from '../../printFigure.ts'
import type { BenchPostgres } from '../startBenchPostgres.ts'

const chainId = 1
const sizes = [100_000, 1_000_000] as const
const changedPools = 200
const walletTokens = 1000
const heads = 40
/** Blocks of 12 seconds. The pools were created two hours before the first measured head. */
const firstHead = 600
const start = 1_700_000_000

interface BenchStore {
  readonly pools: number
  readonly store: Store
  readonly times: Record<keyof Result, number[]>
}

interface Result {
  /** Median milliseconds. */
  readonly write: number
  readonly wallet: number
  readonly pastWallet: number
}

/**
 * Measures the prices of a chain with many pools: what a head that changes 200 of them costs the indexer in addition to their
 * states, and the first request of a wallet with 1,000 tokens at each head, also with a past price.
 */
export async function benchPrices(postgres: BenchPostgres): Promise<void> {
  const stores: BenchStore[] = []
  try {
    for (const pools of sizes) {
      printProgress(`Prices: ${pools} pools …`)
      const store = await openStore({ databaseUrl: await postgres.createDatabase() })
      stores.push({ pools, store, times: { write: [], wallet: [], pastWallet: [] } })
      await seed(store.db, pools)
    }
    // In turns, so that both are measured under the same load.
    for (let block = firstHead; block < firstHead + heads; block++) {
      for (const store of stores) {
        await measureHead(store, block)
      }
    }
    const results: Result[] = []
    for (const { pools, store, times } of stores) {
      const [write, wallet, pastWallet] = [times.write, times.wallet, times.pastWallet].map(median)
      const result = { write: write ?? NaN, wallet: wallet ?? NaN, pastWallet: pastWallet ?? NaN }
      results.push(result)
      const { rows } = await sql<{ bytes: number }>`
        select pg_total_relation_size('pool_ranks')::float8 as bytes`.execute(store.db)
      printFigure('prices', {
        pools,
        head_ms: rounded(result.write),
        wallet_ms: rounded(result.wallet),
        wallet_with_past_price_ms: rounded(result.pastWallet),
        rank_bytes_per_pool: Math.round((rows[0]?.bytes ?? 0) / pools),
        rss_mb: Math.round(process.memoryUsage().rss / 2 ** 20),
      })
    }
    const check = (name: string, value: number, reach: number) =>
      printFigure('prices target', { name, value: rounded(value), reach, ok: value <= reach })
    const [few, many] = results
    if (few && many) {
      check('milliseconds per head', many.write, 50)
      check('times the head with a tenth of the pools', many.write / few.write, 2)
      check('times the wallet with a tenth of the pools', many.wallet / few.wallet, 2)
    }
  } finally {
    for (const { store } of stores) {
      await store.close()
    }
  }
}

/** Commits a head, then requests a wallet at it. */
async function measureHead({ pools, store, times }: BenchStore, number: number): Promise<void> {
  const { db } = store
  const chain = testChainConfig(chainId, { priceWindowMinutes: 60 })
  const tokens = Array.from({ length: walletTokens }, (_, index) =>
    tokenAddress(1 + Math.floor((index * pools) / walletTokens)),
  )
  const head = { number, hash: `0x${number}`, time: start + 12 * number, metadataVersion: 0 }
  times.write.push(await commitHead(db, number, pools))
  const load = async (offsets: readonly number[]) => {
    const before = performance.now()
    const books = await loadPriceBooks(db, [{ chain, head, tokens }], offsets)
    const duration = performance.now() - before
    const priced = books.get(chainId)?.now.size ?? 0
    if (priced < walletTokens) {
      throw new Error(`Only ${priced} tokens have a price`)
    }
    return duration
  }
  times.wallet.push(await load([]))
  times.pastWallet.push(await load([1]))
}

/** A pool of each token with the wrapped native asset, which one stablecoin prices, and of every tenth with its neighbor. */
async function seed(db: Kysely<Database>, pools: number): Promise<void> {
  const { usd, weth } = testTokens
  await createPartitions(db, chainId)
  await sql`set statement_timeout = 0`.execute(db)
  const address = (number: string, offset: string) =>
    sql.raw(`decode(lpad(to_hex(${number} + ${offset}), 40, '0'), 'hex')`)
  const isLinked = sql.raw('n % 10 = 0')
  const poolOf = address('n', '1::bigint << 40')
  const side0 = sql`case when n = 0 then ${bytes(usd)} when ${isLinked} then ${address('n - 1', tokenOffset)} else ${bytes(weth)} end`
  const side1 = sql`case when n = 0 then ${bytes(weth)} else ${address('n', tokenOffset)} end`
  const reserve = sql.raw(
    `case when n = 0 then 5e13::numeric else (1 + n % 997)::numeric * 1e18 end`,
  )
  const rank = sql.raw('case when n = 0 then 45 else floor(log(2, (1 + n % 997) * 1e18)) end')
  await sql`
    insert into blocks_1 (chain_id, number, hash, time)
    select 1, n, decode(md5(n::text), 'hex'), ${start}::bigint + 12 * n
    from generate_series(0, ${firstHead + heads}::int) as n`.execute(db)
  await sql`
    insert into tokens (chain_id, first_block, id, address, standard, metadata, decimals)
    select 1, 0, n + 10, ${address('n', tokenOffset)}, 20, 'read', 18
    from generate_series(1, ${pools}::int) as n
    union all select 1, 0, 1, ${bytes(usd)}, 20, 'read', 6
    union all select 1, 0, 2, ${bytes(weth)}, 20, 'read', 18`.execute(db)
  await sql`
    insert into pools (chain_id, first_block, address, factory, token0, token1, kind)
    select 1, 0, ${poolOf}, ${bytes(testAddress(1))}, ${side0}, ${side1}, 'uniswap-v2'
    from generate_series(0, ${pools}::int) as n`.execute(db)
  await sql`
    insert into pool_states (chain_id, block_number, pool, reserve0, reserve1)
    select 1, 0, ${poolOf}, ${reserve}, case when n = 0 then 2e22 else ${reserve} end
    from generate_series(0, ${pools}::int) as n`.execute(db)
  for (const [side, sideRank] of [
    [side0, rank],
    [side1, sql`case when n = 0 then 74 else ${rank} end`],
  ] as const) {
    await sql`
      insert into pool_ranks (chain_id, from_block, rank, pool, token)
      select 1, 0, ${sideRank}, ${poolOf}, ${side}
      from generate_series(0, ${pools}::int) as n`.execute(db)
  }
  await sql`analyze`.execute(db)
}

/** Writes the states of a head in a transaction. @returns the milliseconds that the ranks took. */
async function commitHead(db: Kysely<Database>, block: number, pools: number): Promise<number> {
  const states = Array.from({ length: changedPools }, (_, index): PoolReserves => {
    const number = 1 + ((block * 7919 + index * 104_729) % pools)
    const reserve = BigInt(1 + (number % 997)) * 10n ** 18n
    // A twentieth moves by more than a rank.
    const factor = index % 20 === 0 ? 16n : 1n
    const pool = testAddress(number + 2 ** 40)
    return { pool, block, reserve0: reserve * factor, reserve1: reserve + BigInt(index) }
  })
  return await db.transaction().execute(async (transaction) => {
    await configureWrites(transaction, '1min')
    const unique = [...new Map(states.map((state) => [state.pool, state])).values()]
    await transaction
      .insertInto('pool_states')
      .values(
        unique.map(({ pool, reserve0, reserve1 }) => ({
          ...{ chain_id: chainId, pool: Buffer.from(pool.slice(2), 'hex'), block_number: block },
          ...{ reserve0, reserve1, sqrt_price: null },
        })),
      )
      .execute()
    const before = performance.now()
    await rankPools({ transaction, chainId }, unique)
    return performance.now() - before
  })
}

const tokenOffset = '(1::bigint << 41)'

function tokenAddress(number: number): string {
  return testAddress(number + 2 ** 41)
}

function bytes(address: string) {
  return sql.raw(`'\\x${address.slice(2)}'::bytea`)
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0
}
