import type { ColumnType, Generated } from 'kysely'

/** `bytea`: 20 bytes for an address, 32 for a hash. Both drivers hand out a Uint8Array (`pg` its subclass Buffer). */
type Bytes = Uint8Array

/** `numeric`: whole numbers of any size, text in both drivers so that no float touches an amount. */
type Whole = ColumnType<string, string | bigint, string | bigint>

/** `bigint` that fits a number safely (block numbers, unix seconds); drivers are told to parse it so. */
type Int = ColumnType<number, number, number>

/** A chain: what it is and how far it is indexed. The row is the cursor; it moves in the transaction of the block's rows. */
export interface ChainsTable {
  chain_id: number
  /** Hash of block 0: another one under the same id is another chain. */
  genesis_hash: Bytes
  indexed_block: Int | null
  indexed_hash: Bytes | null
  /** Unix seconds of the indexed block. */
  indexed_time: Int | null
  /** Highest block that counts as final: undo is kept only above it, so no reorg may reach below. -1 before the first. */
  final_block: ColumnType<number, number | undefined, number>
  /** The part of the configuration that decides what is indexed; rows made under another are incomplete. */
  scope: ColumnType<string, string | undefined, string>
  /** Counts the changes of the texts and decimals of its tokens, which come without a new block. */
  metadata_version: ColumnType<number, number | undefined, number>
  /** When the first indexing reached the head; null until then, and until then the chain is not answered. */
  synced_at: Date | null
}

/** Header of every indexed block: times for prices in the past, hashes to find where a reorg began. */
export interface BlocksTable {
  chain_id: number
  number: Int
  hash: Bytes
  /** Unix seconds. */
  time: Int
}

/** A token seen in a transfer, and the texts that its contract tells. */
export interface TokensTable {
  chain_id: number
  address: Bytes
  /** Block in which it was first seen; a reorg of that block forgets it. */
  first_block: Int
  /** `pending` until the contract was asked, then `read`, or `failed` when it gave no usable answer. */
  metadata: 'pending' | 'read' | 'failed'
  /** How often it was asked and the node did not answer; who has the fewest is asked first. */
  attempts: ColumnType<number, number | undefined, number>
  /** How many of these while it answered for other tokens; after some the token counts as `failed`. */
  failures: ColumnType<number, number | undefined, number>
  name: string | null
  symbol: string | null
  decimals: number | null
}

/** The ledger: what each holder has of each ERC20 token at the indexed block. Rows at zero stay, queries skip them. */
export interface BalancesTable {
  chain_id: number
  holder: Bytes
  token: Bytes
  amount: Whole
  /** Block in which the row came to be; a reorg of that block removes it. */
  first_block: Int
}

/** What a block that may still be reorged did to the ledger: its undo. Pruned below finality. */
export interface BalanceChangesTable {
  chain_id: number
  block_number: Int
  holder: Bytes
  token: Bytes
  delta: Whole
}

/** A pool that a configured factory made. */
export interface PoolsTable {
  chain_id: number
  address: Bytes
  factory: Bytes
  token0: Bytes
  token1: Bytes
  first_block: Int
}

/** Reserves of a pool at the end of each block that changed them: the price at any past block. */
export interface PoolStatesTable {
  chain_id: number
  pool: Bytes
  block_number: Int
  reserve0: Whole
  reserve1: Whole
}

/** An API key. Only its hash is kept. */
export interface KeysTable {
  id: Generated<number>
  name: string
  /** First characters of the key, to tell keys apart in lists. */
  prefix: string
  /** SHA-256 of the whole key. */
  hash: Bytes
  purpose: string
  created_at: ColumnType<Date, never, never>
  expires_at: Date | null
  revoked_at: Date | null
}

/** A secret that every process on this store shares, such as the one that signs cursors. */
export interface SecretsTable {
  name: string
  value: Bytes
}

/** The tables of the store, PostgreSQL and PGlite alike. */
export interface Database {
  chains: ChainsTable
  blocks: BlocksTable
  tokens: TokensTable
  balances: BalancesTable
  balance_changes: BalanceChangesTable
  pools: PoolsTable
  pool_states: PoolStatesTable
  keys: KeysTable
  secrets: SecretsTable
}
