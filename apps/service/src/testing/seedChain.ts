import { type Insertable, type Kysely, sql } from 'kysely'
import { hexToBytes } from 'viem'
import type { Database } from '../store/Database.ts'

/** Rows of one chain, as an indexer would have left them. Addresses as `testAddress` makes them. */
export interface SeededChain {
  readonly chainId: number
  /** Time of each block by its number, in unix seconds; the last one is the head. */
  readonly blocks: Readonly<Record<number, number>>
  readonly synced?: boolean
  readonly tokens?: readonly {
    address: string
    symbol?: string
    name?: string
    decimals?: number | null
    firstBlock?: number
  }[]
  readonly balances?: readonly { holder: string; token: string; amount: bigint }[]
  readonly pools?: readonly {
    address: string
    token0: string
    token1: string
    /** Reserves after each block that changed them, by its number. */
    states: Readonly<Record<number, readonly [bigint, bigint]>>
  }[]
}

/** An address made of a small number. */
export function testAddress(number: number): `0x${string}` {
  return `0x${number.toString(16).padStart(40, '0')}`
}

/** Hash of a seeded block. */
export function testBlockHash(chainId: number, number: number): `0x${string}` {
  return `0x${chainId.toString(16).padStart(32, '0')}${number.toString(16).padStart(32, '0')}`
}

/** Writes a chain's rows straight into the tables, in place of those it had. */
export async function seedChain(db: Kysely<Database>, chain: SeededChain): Promise<void> {
  const { chainId, tokens = [], balances = [], pools = [] } = chain
  const blocks = Object.entries(chain.blocks).map(([number, time]) => ({
    chain_id: chainId,
    number: Number(number),
    hash: bytes(testBlockHash(chainId, Number(number))),
    time,
  }))
  const head = blocks.at(-1)
  await db.transaction().execute(async (transaction) => {
    const put = async <Table extends keyof Database>(
      table: Table,
      rows: readonly Insertable<Database[Table]>[],
    ) => {
      await sql`delete from ${sql.table(table)} where chain_id = ${chainId}`.execute(transaction)
      if (rows.length > 0) await transaction.insertInto(table).values(rows).execute()
    }
    await put('chains', [
      {
        chain_id: chainId,
        genesis_hash: bytes(testBlockHash(chainId, 0)),
        indexed_block: head?.number ?? null,
        indexed_hash: head?.hash ?? null,
        indexed_time: head?.time ?? null,
        synced_at: (chain.synced ?? true) ? new Date() : null,
      },
    ])
    await put('blocks', blocks)
    await put(
      'tokens',
      tokens.map(({ address, symbol, name, decimals = 18, firstBlock = 0 }) => ({
        chain_id: chainId,
        address: bytes(address),
        first_block: firstBlock,
        standard: 20 as const,
        metadata: 'read' as const,
        symbol: symbol ?? null,
        name: name ?? null,
        decimals,
      })),
    )
    await put(
      'balances',
      balances.map(({ holder, token, amount }) => ({
        chain_id: chainId,
        holder: bytes(holder),
        token: bytes(token),
        standard: 20 as const,
        amount,
        first_in_block: 0,
        initiated_block: null,
      })),
    )
    await put(
      'pools',
      pools.map(({ address, token0, token1 }) => ({
        chain_id: chainId,
        address: bytes(address),
        kind: 'uniswap-v2' as const,
        factory: bytes(testAddress(0xfac)),
        token0: bytes(token0),
        token1: bytes(token1),
        fee: null,
        tick_spacing: null,
        first_block: 0,
      })),
    )
    await put(
      'pool_states',
      pools.flatMap(({ address, states }) =>
        Object.entries(states).map(([number, [reserve0, reserve1]]) => ({
          chain_id: chainId,
          pool: bytes(address),
          block_number: Number(number),
          reserve0,
          reserve1,
          sqrt_price: null,
        })),
      ),
    )
  })
}

function bytes(hex: string): Uint8Array {
  return hexToBytes(hex as `0x${string}`)
}
