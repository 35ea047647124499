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

/** A token's standard: ERC20, ERC721, ERC1155. */
export type TokenStandard = 20 | 721 | 1155

/** A token seen in a transfer, and the texts that its contract tells. */
export interface TokensTable {
  chain_id: number
  address: Bytes
  /** By the first of its events in the chain's order, as contracts may log events of several standards. */
  standard: TokenStandard
  /** Block in which it was first seen; a reorg of that block forgets it. */
  first_block: Int
  /** `pending` until the contract was asked, then `read`, or `failed` when it gave no usable answer. */
  metadata: ColumnType<MetadataState, MetadataState | undefined, MetadataState>
  /** How often it was asked and the node did not answer; who has the fewest is asked first. */
  attempts: ColumnType<number, number | undefined, number>
  /** How many of these while it answered for other tokens; after some the token counts as `failed`. */
  failures: ColumnType<number, number | undefined, number>
  name: string | null
  symbol: string | null
  decimals: number | null
  /** `chain` since the ledger of an ERC20 token disagreed with `balanceOf`: no answer tells its ledger any more. */
  amounts_from: ColumnType<'ledger' | 'chain', 'ledger' | 'chain' | undefined, 'ledger' | 'chain'>
  /** Block at which holders of it were last compared, in its turn; -1 for a token that had none yet. */
  audited_block: ColumnType<number, number | undefined, number>
  /** How far down the list of its holders the audit is: amount (`Infinity` at its beginning) and address. */
  audit_amount: ColumnType<string, string | undefined, string>
  audit_holder: ColumnType<Bytes, Bytes | undefined, Bytes>
  /** Of a token that is read from the chain: whether `chain_amounts` has all holders that the ledger has. */
  holders_listed: ColumnType<boolean, boolean | undefined, boolean>
  /** Of a token that is read from the chain: whether each of them was asked for once, so that they can be ranked. */
  holders_read: ColumnType<boolean, boolean | undefined, boolean>
}

/** What holders have of the tokens that are read from the chain, as it was at some block not long ago. */
export interface ChainAmountsTable {
  chain_id: number
  token: Bytes
  holder: Bytes
  /** null until it was read, and where the contract tells none. */
  amount: Whole | null
  /** Block at which it was read. */
  block_number: Int | null
  /** Block at which it was last asked for, -1 to be asked for next: the lowest is. */
  queue_block: ColumnType<number, number | undefined, number>
}

/** How far the audit of a chain is. */
export interface AuditsTable {
  chain_id: number
  /** Amounts that were compared, and how many of them were wrong. */
  checked: Int
  mismatched: Int
  /** The block whose changes it has seen. */
  seen_block: Int
  seen_hash: Bytes
}

/** Whether a contract was asked for its texts: `pending` until then. */
type MetadataState = 'pending' | 'read' | 'failed'

/**
 * The ledger at the indexed block: what each holder has of each ERC20 token (standard 20), and how many NFTs of each
 * ERC721 contract (721). A contract that logs both shapes has rows of both. Rows at zero stay, queries skip them.
 */
export interface BalancesTable {
  chain_id: number
  holder: Bytes
  token: Bytes
  standard: 20 | 721
  amount: Whole
  /** Block of the first transfer in; null where there was none. */
  first_in_block: Int | null
  /** First block with a transfer from the holder in a transaction that it sent itself. */
  initiated_block: Int | null
}

/** What each holder has of each NFT at the indexed block: 1 of an ERC721, any number of an ERC1155. Rows at zero stay. */
export interface CollectibleBalancesTable {
  chain_id: number
  holder: Bytes
  contract: Bytes
  token_id: Whole
  amount: Whole
  /** Block of the newest transfer in; null where there was none. */
  last_in_block: Int | null
}

/** A trait of an NFT, as answers tell it. */
export interface CollectibleAttribute {
  readonly key: string
  readonly value: string
}

/** Every NFT that was ever transferred, and what its document tells. Texts are a stranger's, cleaned and cut. */
export interface CollectiblesTable {
  chain_id: number
  contract: Bytes
  token_id: Whole
  /** Block in which it was first seen; a reorg of that block forgets it. */
  first_block: Int
  /** `pending` until its document was read, then `read`, or `failed` when that was given up. */
  metadata: ColumnType<MetadataState, MetadataState | undefined, MetadataState>
  /** How often its document could not be read. */
  attempts: ColumnType<number, number | undefined, number>
  /** Not to be asked for before; null when it never failed. */
  retry_at: ColumnType<Date | null, Date | null | undefined, Date | null>
  /** Since when somebody waits for it: asked for before the others. */
  requested_at: ColumnType<Date | null, Date | null | undefined, Date | null>
  /** Where the contract says that its document is; a long one (a document in itself) is cut. */
  uri: ColumnType<string | null, string | null | undefined, string | null>
  name: ColumnType<string | null, string | null | undefined, string | null>
  description: ColumnType<string | null, string | null | undefined, string | null>
  /** Where its image is, or the image itself as a `data:` URI of up to 256 KiB: not to be loaded in lists. */
  image: ColumnType<string | null, string | null | undefined, string | null>
  /** JSON text when written. */
  attributes: ColumnType<
    readonly CollectibleAttribute[] | null,
    string | null | undefined,
    string | null
  >
}

/** A sale of exactly one NFT on a configured marketplace, for the native asset or its wrapped form. */
export interface CollectibleSalesTable {
  chain_id: number
  contract: Bytes
  token_id: Whole
  block_number: Int
  log_index: number
  /** All that the buyer paid, in the smallest unit of the native asset. */
  price: Whole
}

/** A pool that a configured factory made. */
export interface PoolsTable {
  chain_id: number
  address: Bytes
  kind: 'uniswap-v2' | 'uniswap-v3'
  factory: Bytes
  token0: Bytes
  token1: Bytes
  /** Hundredths of a basis point; null where the factory's pools all have one. */
  fee: number | null
  tick_spacing: number | null
  first_block: Int
}

/** A pool at the end of each block that changed it: the price at any past block. */
export interface PoolStatesTable {
  chain_id: number
  pool: Bytes
  block_number: Int
  /** What can be sold into: all that a V2 pool holds, what the positions in range of a V3 pool hold. */
  reserve0: Whole
  reserve1: Whole
  /** V3's `sqrtPriceX96`; null for V2, whose price is `reserve1 / reserve0`. */
  sqrt_price: Whole | null
}

/** Liquidity of a V3 pool by range of ticks, all positions of a range in one. Rows at zero stay. */
export interface PoolPositionsTable {
  chain_id: number
  pool: Bytes
  tick_lower: number
  tick_upper: number
  liquidity: Whole
}

/** How far back the price of any moment is still told: `pool_states` is thinned up to this block, exact above it. */
export interface PriceHistoriesTable {
  chain_id: number
  thinned_block: Int
}

/**
 * Rows as they were before a block that may still be replaced first touched them: its undo. Where the row did not exist
 * everything beside its key is null. Pruned at finality.
 */
type UndoTable<Table, Key extends keyof Table> = Pick<Table, Key> & {
  [Column in Exclude<keyof Table, Key>]: Table[Column] | null
} & { block_number: Int; existed: boolean }

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
  /** Compute units that it may use in all; null for any number. */
  units_quota: Int | null
  /** Compute units that it used, but for the last moments of every serving process. */
  units_used: ColumnType<number, never, number>
  /** So many requests every so many seconds; both null for the configured rate. */
  rate_requests: number | null
  rate_seconds: number | null
  /** When use of it was last written down. */
  used_at: ColumnType<Date | null, never, Date>
}

/** The newest write of units by each serving process, so that one that is tried again counts once. */
export interface UnitFlushesTable {
  process: string
  number: Int
  flushed_at: Date
}

/** What the process that indexes a chain tells those that serve it, besides the chain's rows. */
export interface IndexersTable {
  chain_id: number
  /** The newest block that the nodes have told of, and its unix seconds; null before the first. */
  head_block: number | null
  head_time: number | null
  /** Why indexing ended for good, until it goes on; what is stored may not be the chain any more. */
  stopped_reason: string | null
  /** Over the last half minute of indexing; null before. */
  blocks_per_second: number | null
  events_per_second: number | null
  /** Until the head is reached at this rate; null where it is not known. */
  seconds_left: number | null
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
  undo_balances: UndoTable<BalancesTable, 'chain_id' | 'holder' | 'token' | 'standard'>
  collectible_balances: CollectibleBalancesTable
  undo_collectible_balances: UndoTable<
    CollectibleBalancesTable,
    'chain_id' | 'holder' | 'contract' | 'token_id'
  >
  collectibles: CollectiblesTable
  collectible_sales: CollectibleSalesTable
  pools: PoolsTable
  pool_states: PoolStatesTable
  pool_positions: PoolPositionsTable
  price_histories: PriceHistoriesTable
  undo_pool_positions: UndoTable<
    PoolPositionsTable,
    'chain_id' | 'pool' | 'tick_lower' | 'tick_upper'
  >
  keys: KeysTable
  unit_flushes: UnitFlushesTable
  secrets: SecretsTable
  indexers: IndexersTable
  chain_amounts: ChainAmountsTable
  audits: AuditsTable
}
