import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { type Kysely, sql } from 'kysely'
import type { PoolState } from '../../../../apps/service/src/indexing/fold/ChangeSet.ts'
import { rankPools } from '../../../../apps/service/src/indexing/write/rankPools.ts'
import { loadPriceBooks } from '../../../../apps/service/src/pricing/loadPriceBooks.ts'
import { PriceCache } from '../../../../apps/service/src/pricing/PriceCache.ts'
import { PriceEpochs } from '../../../../apps/service/src/pricing/PriceEpochs.ts'
import { configureWrites } from '../../../../apps/service/src/store/configureWrites.ts'
import type { Database } from '../../../../apps/service/src/store/Database.ts'
import { openStore } from '../../../../apps/service/src/store/openStore.ts'
import { createPartitions } from '../../../../apps/service/src/store/partitions.ts'
import type { Store } from '../../../../apps/service/src/store/Store.ts'
import { testAddress } from '../../../../apps/service/test/seedChain.ts'
import { testChainConfig, testTokens } from '../../../../apps/service/test/testChainConfig.ts'
import { printFigure, printProgress, rounded } from '../../printFigure.ts'
import { median } from '../../quantile.ts'
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
  /** By figure. */
  readonly costs: Map<Figure, Cost[]>
  readonly cache: PriceCache
  readonly epochs: PriceEpochs
}

type Figure = 'ranks' | 'wallet' | 'pastWallet' | 'carried'

/** In milliseconds. */
interface Cost {
  readonly wall: number
  /** Of this process and its connections to the database, which is independent of other work on the machine. */
  readonly cpu: number
}

/**
 * Measures the prices of a chain with many pools: what a head that changes 200 of them costs the indexer in addition to their
 * states, and a serving process that carries the prices of 1,000 tokens to it; and the first request of a wallet with these,
 * which carries nothing, also with a past price.
 */
export async function benchPrices(postgres: BenchPostgres): Promise<void> {
  const stores: BenchStore[] = []
  try {
    for (const pools of sizes) {
      printProgress(`Prices: ${pools} pools …`)
      // Helpers of a query would not be measured.
      const url = new URL(await postgres.createDatabase())
      url.searchParams.set('options', '-c max_parallel_workers_per_gather=0 -c jit=off')
      const store = await openStore({ databaseUrl: url.href })
      stores.push({ pools, store, costs: new Map(), ...createEpochs(store) })
      await seed(store.db, pools)
    }
    const memory = readHeap()
    // In turns, so that both are measured under the same load.
    for (let block = firstHead; block < firstHead + heads; block++) {
      for (const store of stores) {
        await measureHead(store, block, postgres)
      }
    }
    const heap = readHeap() - memory
    for (const { pools, store, costs } of stores) {
      const { rows } = await sql<{ bytes: number }>`
        select pg_total_relation_size('pool_ranks')::float8 as bytes`.execute(store.db)
      const figures = [...costs].map(([figure, all]) => [
        [`${figure}_ms`, rounded(median(all.map(({ wall }) => wall)))],
        [`${figure}_cpu_ms`, rounded(median(all.map(({ cpu }) => cpu)))],
        [`${figure}_mean_cpu_ms`, rounded(getMean(all.map(({ cpu }) => cpu)))],
      ])
      printFigure('prices', {
        pools,
        ...Object.fromEntries(figures.flat()),
        rank_bytes_per_pool: Math.round((rows[0]?.bytes ?? 0) / pools),
      })
    }
    printFigure('prices memory', {
      heap_of_both_mb: rounded(heap),
      rss_mb: Math.round(process.memoryUsage().rss / 2 ** 20),
    })
    checkTimes(stores)
  } finally {
    for (const { store } of stores) {
      await store.close()
    }
  }
}

function checkTimes(stores: readonly BenchStore[]): void {
  const [few, many] = stores
  const check = (name: string, value: number, reach: number) =>
    printFigure('prices target', { name, value: rounded(value), reach, ok: value <= reach })
  const getCpu = (figure: Figure, store = many) =>
    getMean(store?.costs.get(figure)?.map(({ cpu }) => cpu) ?? [])
  const ranks = many?.costs.get('ranks')?.map(({ wall }) => wall) ?? []
  check('milliseconds per head', median(ranks), 50)
  for (const figure of ['ranks', 'carried', 'wallet', 'pastWallet'] as const) {
    const times = getCpu(figure) / getCpu(figure, few)
    check(`${figure}: times the CPU time with a tenth of the pools`, times, 2)
  }
}

/** What a serving process keeps from head to head. */
function createEpochs({ db }: Store): Pick<BenchStore, 'cache' | 'epochs'> {
  const cache = new PriceCache()
  const epochs = new PriceEpochs({
    chain,
    cache,
    config: { epochSeconds: 10_000, minChange: 0.0001 },
    read: async (load) => await load(db),
    logger: {
      warn: (error: unknown) => {
        throw new Error('Prices were not carried', { cause: error })
      },
    },
  })
  return { cache, epochs }
}

const chain = testChainConfig(chainId, { priceWindowMinutes: 60 })

const refOf = (number: number) => ({ number, hash: `0x${number}`, time: start + 12 * number })

/** Commits a head, requests a wallet at it, and carries the prices of the wallet to it. */
async function measureHead(
  { pools, store: { db }, costs, cache, epochs }: BenchStore,
  number: number,
  postgres: BenchPostgres,
): Promise<void> {
  const measure = async <Result>(figure: Figure, run: () => Promise<Result>): Promise<Result> => {
    const readCpu = () => {
      const { user, system } = process.cpuUsage()
      return (user + system) / 1000
    }
    const server = postgres.readCpu()
    const cpu = readCpu()
    const time = performance.now()
    const result = await run()
    const wall = performance.now() - time
    const used = readCpu() - cpu
    const cost = { wall, cpu: used + postgres.readCpu() - server }
    costs.set(figure, [...(costs.get(figure) ?? []), cost])
    return result
  }
  const tokens = Array.from({ length: walletTokens }, (_, index) =>
    tokenAddress(1 + Math.floor((index * pools) / walletTokens)),
  )
  const head = { ...refOf(number), metadataVersion: 0 }
  const load = async (offsets: readonly number[], known?: PriceCache) => {
    const books = await loadPriceBooks(db, [{ chain, head, tokens }], offsets, known)
    const priced = books.get(chainId)?.now.size ?? 0
    if (priced < walletTokens) {
      throw new Error(`Only ${priced} tokens have a price`)
    }
  }
  const states = getStates(number, pools)
  await commitHead(db, states, (rank) => measure('ranks', rank))
  await measure('wallet', () => load([]))
  await measure('pastWallet', () => load([1]))
  if (number === firstHead) {
    await load([], cache)
    return
  }
  const pooled = [
    testTokens.weth,
    ...states.map(({ pool }) => testAddress(Number(BigInt(pool)) - 2 ** 40 + 2 ** 41)),
  ]
  const keys = { holders: [], ledgers: [], contracts: [], pooled }
  await measure('carried', () =>
    epochs.advance({
      chainId,
      block: refOf(number),
      metadataVersion: 0,
      changeVersion: number,
      sequence: number,
      before: { block: refOf(number - 1), metadataVersion: 0 },
      changes: [
        {
          version: number,
          block: refOf(number),
          metadataVersions: [0, 0],
          ancestor: undefined,
          keys,
          deltas: [],
        },
      ],
      keys,
    }),
  )
  await load([], cache)
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
  for (const [index, side, other, sideRank] of [
    [1, side0, side1, rank],
    [2, side1, side0, sql`case when n = 0 then 74 else ${rank} end`],
  ] as const) {
    await sql`
      insert into pool_ranks
        (chain_id, from_block, rank, pool, token, index, other_token, kind, first_block)
      select 1, 0, ${sideRank}, ${poolOf}, ${side}, ${sql.lit(index)}, ${other}, 'uniswap-v2', 0
      from generate_series(0, ${pools}::int) as n`.execute(db)
  }
  await sql`analyze`.execute(db)
}

/** The states of the pools that a head changes. */
function getStates(block: number, pools: number): PoolState[] {
  const states = Array.from({ length: changedPools }, (_, index): PoolState => {
    const number = 1 + ((block * 7919 + index * 104_729) % pools)
    const reserve = BigInt(1 + (number % 997)) * 10n ** 18n
    // A twentieth moves by more than a rank.
    const factor = index % 20 === 0 ? 16n : 1n
    const pool = testAddress(number + 2 ** 40)
    return {
      pool,
      block,
      reserve0: reserve * factor,
      reserve1: reserve + BigInt(index),
      sqrtPrice: null,
    }
  })
  return [...new Map(states.map((state) => [state.pool, state])).values()]
}

/** Writes the states of a head in a transaction, and their ranks. */
async function commitHead(
  db: Kysely<Database>,
  states: readonly PoolState[],
  measureRanks: (rank: () => Promise<void>) => Promise<void>,
): Promise<void> {
  await db.transaction().execute(async (transaction) => {
    await configureWrites(transaction, '1min')
    await transaction
      .insertInto('pool_states')
      .values(
        states.map(({ pool, block, reserve0, reserve1 }) => ({
          chain_id: chainId,
          pool: Buffer.from(pool.slice(2), 'hex'),
          block_number: block,
          reserve0,
          reserve1,
          sqrt_price: null,
        })),
      )
      .execute()
    await measureRanks(() => rankPools({ transaction, chainId }, states))
  })
}

const tokenOffset = '(1::bigint << 41)'

function tokenAddress(number: number): string {
  return testAddress(number + 2 ** 41)
}

function bytes(address: string) {
  return sql.raw(`'\\x${address.slice(2)}'::bytea`)
}

function getMean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length
}

/** Megabytes of live objects of this process. */
function readHeap(): number {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as () => void
  collect()
  return process.memoryUsage().heapUsed / 2 ** 20
}
