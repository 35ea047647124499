import { type Insertable, type Kysely, sql } from 'kysely'
import { hexToBytes } from 'viem'
import type { PoolState } from '../src/indexing/fold/ChangeSet.ts'
import { rankPools } from '../src/indexing/write/rankPools.ts'
import { eventBits } from '../src/metadata/classifyContract.ts'
import type { PoolBalances, PoolType } from '../src/pricing/Pool.ts'
import type { Database, PoolStatesTable, TokenStandard } from '../src/store/Database.ts'
import { createPartitions } from '../src/store/partitions.ts'

/** Rows of one chain in the format of the indexer. Addresses are made with `testAddress`. */
export interface SeededChain {
  readonly chainId: number
  /** Timestamp of each block by its number, in Unix seconds; the last one is the head. */
  readonly blocks: Readonly<Record<number, number>>
  readonly synced?: boolean
  /** Seconds since its head was last confirmed; default 0. */
  readonly unconfirmedSeconds?: number
  readonly tokens?: readonly {
    address: string
    symbol?: string
    name?: string
    decimals?: number | null
    firstBlock?: number
    /** Default 20. */
    standard?: TokenStandard
  }[]
  readonly balances?: readonly {
    holder: string
    token: string
    amount: bigint
    /** Default 20. */
    standard?: 20 | 721
    /** Block of the first incoming transfer; default 0. */
    firstIn?: number | null
    /** First block with a transfer that the holder sent; default none. */
    initiated?: number
  }[]
  readonly collectibles?: readonly {
    contract: string
    tokenId: bigint
    holder: string
    /** Default 1. */
    amount?: bigint
    /** Block of the latest incoming transfer. */
    lastIn: number
    /** Prices of its sales by block, in the smallest unit of the native asset. */
    sales?: Readonly<Record<number, bigint>>
    /** The content of its document; without it the document is pending. */
    document?: {
      uri?: string
      name?: string
      description?: string
      image?: string
      attributes?: readonly { key: string; value: string }[]
    }
  }[]
  readonly pools?: readonly {
    address: string
    token0: string
    token1: string
    /** Uniswap V3 if a state has a price, V2 otherwise. */
    kind?: PoolType
    /** The positions of the tokens in a pool of more than two, of which each pair is an element; default 1 and 2. */
    indexes?: readonly [number, number]
    /** States of pools that are read, by the number of the block; for a pool of more than two tokens, of one of its pairs. */
    reads?: Readonly<Record<number, PoolBalances>>
    /** Reserves by the number of the block that changed them; for V3 pools with `sqrtPriceX96`. */
    states: Readonly<Record<number, readonly [bigint, bigint, sqrtPrice?: bigint]>>
  }[]
}

/** An address from a small number. */
export function testAddress(number: number): `0x${string}` {
  return `0x${number.toString(16).padStart(40, '0')}`
}

/** Another address with the last nine bytes of an address, by which the index of balances finds it. */
export function toSameKey(address: string): `0x${string}` {
  return `0x${'e'.repeat(22)}${address.slice(24)}`
}

/** The hash of a seeded block. */
export function testBlockHash(chainId: number, number: number): `0x${string}` {
  return `0x${chainId.toString(16).padStart(32, '0')}${number.toString(16).padStart(32, '0')}`
}

/** Replaces the rows of a chain. */
export async function seedChain(db: Kysely<Database>, chain: SeededChain): Promise<void> {
  const {
    chainId,
    unconfirmedSeconds = 0,
    tokens = [],
    balances = [],
    collectibles = [],
    pools = [],
  } = chain
  const blocks = Object.entries(chain.blocks).map(([number, time]) => ({
    chain_id: chainId,
    number: Number(number),
    hash: bytes(testBlockHash(chainId, Number(number))),
    time,
  }))
  const head = blocks.at(-1)
  // Not in the order of addresses, so that tests find what depends on ids.
  const addresses = [...tokens.map(({ address }) => address), ...balances.map(({ token }) => token)]
  const ids = new Map(
    [...new Set(addresses)].map((address, index, { length }) => [address, length - index]),
  )
  const getId = (address: string) => ids.get(address) ?? 0
  const states = pools.flatMap(({ address: pool, states = {}, reads = {} }): PoolState[] => [
    ...Object.entries(states).map(([number, [reserve0, reserve1, sqrtPrice = null]]) => {
      return { pool, block: Number(number), reserve0, reserve1, sqrtPrice }
    }),
    ...Object.entries(reads).map(([number, read]) => {
      const [reserve0 = 0n, reserve1 = 0n] = read.balances
      return { pool, block: Number(number), reserve0, reserve1, sqrtPrice: null, read }
    }),
  ])
  await createPartitions(db, chainId)
  await db.transaction().execute(async (transaction) => {
    const put = async <Table extends keyof Database>(
      table: Table,
      rows: readonly Insertable<Database[Table]>[],
    ) => {
      await sql`delete from ${sql.table(table)} where chain_id = ${chainId}`.execute(transaction)
      if (rows.length > 0) {
        await transaction.insertInto(table).values(rows).execute()
      }
    }
    await put('chains', [
      {
        chain_id: chainId,
        genesis_hash: bytes(testBlockHash(chainId, 0)),
        indexed_block: head?.number ?? null,
        indexed_hash: head?.hash ?? null,
        indexed_time: head?.time ?? null,
        synced_at: (chain.synced ?? true) ? new Date(Date.now() - unconfirmedSeconds * 1000) : null,
      },
    ])
    await put('blocks', blocks)
    await put(
      'tokens',
      tokens.map(({ address, symbol, name, decimals = 18, firstBlock = 0, standard = 20 }) => ({
        chain_id: chainId,
        id: getId(address),
        address: bytes(address),
        first_block: firstBlock,
        standard,
        events: eventBits[standard],
        metadata: 'read' as const,
        symbol: symbol ?? null,
        name: name ?? null,
        decimals,
      })),
    )
    await put(
      'balances',
      balances.map(({ holder, token, amount, standard = 20, firstIn = 0, initiated = null }) => ({
        chain_id: chainId,
        holder: bytes(holder),
        token: standard === 20 ? getId(token) : -getId(token),
        amount,
        first_in_block: firstIn,
        initiated_block: initiated,
      })),
    )
    await put(
      'collectible_balances',
      collectibles.map(({ contract, tokenId, holder, amount = 1n, lastIn }) => ({
        chain_id: chainId,
        holder: bytes(holder),
        contract: bytes(contract),
        token_id: tokenId,
        amount,
        last_in_block: lastIn,
      })),
    )
    await put(
      'collectibles',
      [
        ...new Map(collectibles.map((each) => [`${each.contract}/${each.tokenId}`, each])).values(),
      ].map(({ contract, tokenId, document }) => ({
        chain_id: chainId,
        contract: bytes(contract),
        token_id: tokenId,
        first_block: 0,
        ...(document && {
          ...document,
          metadata: 'read' as const,
          attributes: document.attributes ? JSON.stringify(document.attributes) : null,
        }),
      })),
    )
    await put(
      'collectible_sales',
      collectibles.flatMap(({ contract, tokenId, sales = {} }) =>
        Object.entries(sales).map(([number, price]) => ({
          chain_id: chainId,
          contract: bytes(contract),
          token_id: tokenId,
          block_number: Number(number),
          log_index: 0,
          marketplace: bytes(testAddress(0x400)),
          price,
        })),
      ),
    )
    await put(
      'pools',
      pools.map(({ address, token0, token1, kind, indexes, states }) => ({
        chain_id: chainId,
        address: bytes(address),
        kind:
          kind ??
          (Object.values(states).some(([, , sqrtPrice]) => sqrtPrice !== undefined)
            ? ('uniswap-v3' as const)
            : ('uniswap-v2' as const)),
        factory: bytes(testAddress(0xfac)),
        token0: bytes(token0),
        token1: bytes(token1),
        index0: indexes?.[0] ?? 1,
        index1: indexes?.[1] ?? 2,
        fee: null,
        tick_spacing: null,
        first_block: 0,
      })),
    )
    await put(
      'pool_states',
      states.map(({ pool, block, reserve0, reserve1, sqrtPrice, read }) => ({
        chain_id: chainId,
        pool: bytes(pool),
        block_number: block,
        reserve0,
        reserve1,
        sqrt_price: sqrtPrice,
        ...(read && { balances: toColumn(read.balances), prices: toColumn(read.prices) }),
      })),
    )
    await put('pool_ranks', [])
    await rankPools({ transaction, chainId }, states)
  })
}

/** Kysely has no type for what is inserted into an array. */
function toColumn(values: readonly bigint[]) {
  return values as readonly unknown[] as NonNullable<PoolStatesTable['balances']>
}

function bytes(hex: string): Uint8Array {
  return hexToBytes(hex as `0x${string}`)
}
