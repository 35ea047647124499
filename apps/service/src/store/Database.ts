import type { ColumnType, Generated } from 'kysely'
import type { PoolType } from '../pricing/Pool.ts'

/** `bytea`: 20 bytes for an address, 32 for a hash. Both drivers return a Uint8Array (`pg` its subclass Buffer). */
type Bytes = Uint8Array

/** `numeric`: integers of any size. Both drivers return text, so that amounts are never floats. */
type BigInteger = ColumnType<string, string | bigint, string | bigint>

/** `bigint` within the safe integers (block numbers, unix seconds), which both drivers parse as a number. */
type Int = ColumnType<number, number, number>

/** A chain and its cursor, which is updated in the transaction that writes the rows of the blocks. */
export interface ChainsTable {
  chain_id: number
  /** Hash of block 0. A different one means a different chain with the same id. */
  genesis_hash: Bytes
  indexed_block: Int | null
  indexed_hash: Bytes | null
  /** Unix seconds of the indexed block. */
  indexed_time: Int | null
  /** The highest final block, -1 for none. A reorg below needs an operator. */
  final_block: ColumnType<number, number | undefined, number>
  /** Undo images exist for exactly the blocks above it. It is at most the final block. */
  undo_block: ColumnType<number, number | undefined, number>
  /** The `StoredScope` of the rows, as JSON. */
  scope: ColumnType<string, string | undefined, string>
  /** Counts the changes of the metadata of its tokens, which do not depend on blocks. */
  metadata_version: ColumnType<number, number | undefined, number>
  /** The version of the latest row of `changes`. */
  change_version: ColumnType<number, number | undefined, number>
  /** When the initial sync was completed; null before, and requests for the chain are rejected until then. */
  synced_at: Date | null
}

/** The changes of the latest commits of a chain. Lists are concatenated addresses; null if everything may have changed. */
export interface ChangesTable {
  chain_id: number
  /** Counts the rows of the chain. */
  version: Int
  /** The indexed block after the commit. */
  block_number: Int
  block_hash: Bytes
  /** The metadata versions of the chain before and after the commit. */
  metadata_before: Int
  metadata_version: Int
  /** In a reorg, the common ancestor of the replaced and the new blocks. */
  ancestor: Int | null
  /** Accounts with changed balances or NFTs. */
  holders: Bytes | null
  /** Contracts with changed balances. */
  ledgers: Bytes | null
  /** Contracts with changed metadata or sales. */
  contracts: Bytes | null
  /** Tokens with a created or changed pool. */
  pooled: Bytes | null
  /** All changes of the ERC20 balances of some of the holders: positions in `holders` and `ledgers`, and the difference. */
  deltas: string | null
}

/** Headers of all indexed blocks: their times for past prices, their hashes to find the common ancestor of a reorg. */
export interface BlocksTable {
  chain_id: number
  number: Int
  hash: Bytes
  /** Unix seconds. */
  time: Int
}

/** The number of a token standard: ERC20, ERC721 or ERC1155. */
export type TokenStandard = 20 | 721 | 1155

/** A token that was transferred, and the metadata of its contract. */
export interface TokensTable {
  chain_id: number
  /**
   * Counts the tokens of the chain from 1. Balances reference it instead of the address. It depends on the time of the
   * insert, so no response is ordered by it.
   */
  id: number
  address: Bytes
  /**
   * The standard of its first event; once the contract was called, that of `classifyContract`. A contract of 20 may have
   * NFTs as well.
   */
  standard: TokenStandard
  /** The standards of all its events: the sum of 1 (ERC20), 2 (ERC721) and 4 (ERC1155); 0 where only pools name it. */
  events: ColumnType<number, number | undefined, number>
  /** Whether it is a quote token, in a token list, or has the liquidity of a token that is not spam; updated periodically. */
  is_notable: ColumnType<boolean, boolean | undefined, boolean>
  /** Whether its events of ERC721 and ERC1155 are those of NFTs. False for an ERC20 with an indexed amount. */
  has_collectibles: ColumnType<boolean, boolean | undefined, boolean>
  /** Block of its first transfer. A reorg of the block deletes the row. */
  first_block: Int
  /** `pending` until the contract was called, then `read`, or `failed` when it returned no valid metadata. */
  metadata: ColumnType<MetadataState, MetadataState | undefined, MetadataState>
  /** How many calls failed because of the node. Tokens with the fewest are called first. */
  attempts: ColumnType<number, number | undefined, number>
  /** How many of these failed while calls to other tokens succeeded. Above a limit the token counts as `failed`. */
  failures: ColumnType<number, number | undefined, number>
  name: string | null
  symbol: string | null
  decimals: number | null
  /** `chain` once the ledger of an ERC20 token contradicted `balanceOf`. Its balances are then read from the chain. */
  amounts_from: ColumnType<'ledger' | 'chain', 'ledger' | 'chain' | undefined, 'ledger' | 'chain'>
  /** Block of its latest audit, -1 before the first. */
  audited_block: ColumnType<number, number | undefined, number>
  /**
   * Latest block at which an amount of its ledger was compared with `balanceOf`; null before the first comparison, and
   * while one differs.
   */
  compared_block: ColumnType<number | null, number | null | undefined, number | null>
  /** Position of the audit in the list of holders by amount: amount (`Infinity` at its start) and address. */
  audit_amount: ColumnType<string, string | undefined, string>
  audit_holder: ColumnType<Bytes, Bytes | undefined, Bytes>
  /** For a token with amounts read from the chain: whether `chain_amounts` contains all holders of the ledger. */
  holders_listed: ColumnType<boolean, boolean | undefined, boolean>
  /** For a token with amounts read from the chain: whether each of these was read once, so that they can be ranked. */
  holders_read: ColumnType<boolean, boolean | undefined, boolean>
}

/** Amounts that were read from the chain at a recent block, of tokens with `amounts_from` = `chain`. */
export interface ChainAmountsTable {
  chain_id: number
  token: Bytes
  holder: Bytes
  /** null before the first read, and where the contract returned none. */
  amount: BigInteger | null
  /** Block of the latest successful read. */
  block_number: Int | null
  /** `is_notable` of the token when the holder was queued. */
  is_notable: ColumnType<boolean, boolean | undefined, boolean>
  /** Block of the latest attempt; the lowest is read next, -1 before all others. */
  queue_block: ColumnType<number, number | undefined, number>
}

/** Progress of the audit of a chain. */
export interface AuditsTable {
  chain_id: number
  /** How many amounts were compared, and how many of them differed. */
  checked: Int
  mismatched: Int
  /** The latest block with processed changes. */
  seen_block: Int
}

/** Whether metadata was read: `pending` before, `failed` when that is not possible. */
type MetadataState = 'pending' | 'read' | 'failed'

/**
 * The ledger at the indexed block: the balance of each holder in each ERC20 token, and the number of NFTs of each ERC721
 * contract. A contract that emits both has rows of both. Rows with amount 0 are not deleted.
 */
export interface BalancesTable {
  chain_id: number
  holder: Bytes
  /** The id of the token for amounts of ERC20; its negative for numbers of ERC721 tokens. */
  token: number
  /** A coarse logarithm of the amount, by which an index orders the holders of a token: two ranks per power of two. */
  rank: ColumnType<number, never, never>
  amount: BigInteger
  /** Block of the first transfer in, null for none. */
  first_in_block: Int | null
  /** First block with a transfer from the holder, in a transaction of the holder; null for none. */
  initiated_block: Int | null
}

/** The balance of each holder in each NFT at the indexed block. Rows with amount 0 are not deleted. */
export interface CollectibleBalancesTable {
  chain_id: number
  holder: Bytes
  contract: Bytes
  token_id: BigInteger
  amount: BigInteger
  /** Block of the latest transfer in, null for none. */
  last_in_block: Int | null
}

/** A trait of an NFT. */
export interface CollectibleAttribute {
  readonly key: string
  readonly value: string
}

/** An NFT that was transferred, and the metadata of its document. Texts are untrusted, sanitized and truncated. */
export interface CollectiblesTable {
  chain_id: number
  contract: Bytes
  token_id: BigInteger
  /** Block of its first transfer. A reorg of the block deletes the row. */
  first_block: Int
  /** The recipient of its latest ERC721 transfer, the zero address once it is burned; null without such a transfer. */
  owner: ColumnType<Bytes | null, Bytes | null | undefined, Bytes | null>
  /** `pending` until its document was read, then `read`, or `failed` after the last retry. */
  metadata: ColumnType<MetadataState, MetadataState | undefined, MetadataState>
  /** How many reads of its document failed. */
  attempts: ColumnType<number, number | undefined, number>
  /** When the next read may start; null when none failed. */
  retry_at: ColumnType<Date | null, Date | null | undefined, Date | null>
  /** When an API request first needed it, which gives it priority; null for never. */
  requested_at: ColumnType<Date | null, Date | null | undefined, Date | null>
  /** The URI of its document from the contract. Null also for a long one, such as a `data:` URI. */
  uri: ColumnType<string | null, string | null | undefined, string | null>
  name: ColumnType<string | null, string | null | undefined, string | null>
  description: ColumnType<string | null, string | null | undefined, string | null>
  /** The URI of its image, or the image as a `data:` URI of up to 256 KiB, which lists must not load. */
  image: ColumnType<string | null, string | null | undefined, string | null>
  /** Written as JSON text. */
  attributes: ColumnType<
    readonly CollectibleAttribute[] | null,
    string | null | undefined,
    string | null
  >
}

/** A sale of exactly one NFT on a configured marketplace, for the native asset or its wrapped form. */
export interface CollectibleSalesTable {
  chain_id: number
  marketplace: Bytes
  contract: Bytes
  token_id: BigInteger
  block_number: Int
  log_index: number
  /** The total that the buyer paid, in the smallest unit of the native asset. */
  price: BigInteger
}

/** An event of a contract that exceeds a limit and is not part of the ledger. */
export interface SkippedEventsTable {
  chain_id: number
  block_number: Int
  log_index: number
  contract: Bytes
  reason: string
}

/** A pool of a configured factory: a row for each pair of its tokens. */
export interface PoolsTable {
  chain_id: number
  /** The contract; of a pool in a singleton, its id of 32 bytes. */
  address: Bytes
  kind: PoolType
  factory: Bytes
  token0: Bytes
  token1: Bytes
  /** Which tokens of the pool these are: 1 for the first. */
  index0: number
  index1: number
  /** Hundredths of a basis point; null where it is not constant, or the same for all pools of the factory. */
  fee: number | null
  tick_spacing: number | null
  first_block: Int
  /** The contract that emits its events; null for the pool itself or its factory, and if unknown. */
  emitter: Bytes | null
}

/** A registration whose pool could not be read, as no node had the state of its block. */
export interface UnreadPoolsTable {
  chain_id: number
  block_number: Int
  log_index: number
  factory: Bytes
  /** Its `topics` and `data`, as JSON. */
  log: string
  /** The later block at which it was read; null before. */
  read_block: number | null
}

/** The state of a pool at the end of each block that changed it, from which past prices are derived. */
export interface PoolStatesTable {
  chain_id: number
  pool: Bytes
  block_number: Int
  /** See `PoolState`. */
  reserve0: BigInteger
  reserve1: BigInteger
  /** `sqrtPriceX96`; null without concentrated liquidity. */
  sqrt_price: BigInteger | null
  /** See `PoolBalances`; null for a pool whose state is in events. Its reserves are those of the first two tokens. */
  balances: BigInteger[] | null
  prices: BigInteger[] | null
  /** The lowest balances of the states between the one before and this one, which downsampling deleted; null for none. */
  lows: BigInteger[] | null
}

/**
 * The magnitude of a pool's reserve of a token: an interval of blocks for each rank. Ranks select the pools that may price
 * the token at a block. A pool of more than two tokens also has the ranks of each pair.
 */
export interface PoolRanksTable {
  chain_id: number
  pool: Bytes
  /** The token; for a pair of a pool of more tokens, both of its tokens. */
  token: Bytes
  /** The first block with this rank. */
  from_block: Int
  /** The first block with the next rank; null for the current one. */
  to_block: number | null
  /** The binary logarithm of the balanced reserve (`getBalancedReserve`) within one, rounded down; -1 for an empty reserve. */
  rank: number
  /**
   * The position of the token in a pool of two tokens: 1 for the first. This and the next columns are copied from `pools`;
   * null for pools of more tokens.
   */
  index: number | null
  other_token: Bytes | null
  kind: PoolType | null
  first_block: number | null
}

/** The total liquidity in each range of ticks of a pool with concentrated liquidity. Rows with liquidity 0 are not deleted. */
export interface PoolPositionsTable {
  chain_id: number
  pool: Bytes
  tick_lower: number
  tick_upper: number
  liquidity: BigInteger
}

/** The block up to which `pool_states` is downsampled. */
export interface PriceHistoriesTable {
  chain_id: number
  thinned_block: Int
}

/**
 * Images: the rows before the first change by each undoable block, to undo it. The images of a block are the elements of its
 * arrays: for a row that did not exist, all columns except its key are null. Images of blocks up to `undo_block` are deleted.
 */
type UndoTable<Table, Column extends keyof Table> = {
  [Name in Column]: (Table[Name] | null)[]
} & { chain_id: number; block_number: Int; part: number; existed: boolean[] }

/** The bits that an undoable block added to `tokens.events`. Rows of blocks up to `undo_block` are deleted. */
interface UndoTokenEventsTable {
  chain_id: number
  block_number: Int
  address: Bytes
  events: number
}

/** An API key. Only its hash is stored. */
export interface KeysTable {
  id: Generated<number>
  name: string
  /** The first characters of the key, to recognize it in lists. */
  prefix: string
  /** SHA-256 of the whole key. */
  hash: Bytes
  purpose: string
  created_at: ColumnType<Date, never, never>
  expires_at: Date | null
  revoked_at: Date | null
  /** The most compute units in total; null for no limit. */
  units_quota: Int | null
  /** The used compute units that the processes have flushed. */
  units_used: ColumnType<number, never, number>
  /** The rate limit: requests per number of seconds. Both are null for the configured default. */
  rate_requests: number | null
  rate_seconds: number | null
  /** When its usage was last flushed. */
  used_at: ColumnType<Date | null, never, Date>
}

/** The latest flush of compute units by each process, so that a retried flush counts once. */
export interface UnitFlushesTable {
  process: string
  number: Int
  flushed_at: Date
}

/**
 * A repair of a chain that is in progress, an `import` that is in progress or not complete, or `detached`, which lasts until the
 * chain is reset.
 */
export type ChainHold = 'rewind' | 'reset' | 'import' | 'detach' | 'detached'

/** State of the process that indexes a chain, for the processes that serve it. */
export interface IndexersTable {
  chain_id: number
  /** The latest block of the nodes and its time in unix seconds; null before the first. */
  head_block: number | null
  head_time: number | null
  /** When the indexed block was last confirmed as the head of the nodes; null before the first time. */
  confirmed_at: Date | null
  /** When its process last wrote this row, every few seconds; null before the first time. */
  reported_at: Date | null
  /** How its blocks become final; null before the first report. */
  finality: 'finalized' | 'safe' | 'depth' | null
  /** The repair that keeps all processes from indexing the chain; null for none. */
  hold: ChainHold | null
  /** Why indexing stopped permanently; null while it runs. The rows may then be outdated. */
  stopped_reason: string | null
  /** Why the last attempt to index failed, before the next attempt; null while attempts succeed. */
  failure: string | null
  /** Averages of the last half minute of indexing; null before the first. */
  blocks_per_second: number | null
  events_per_second: number | null
  /** Until the head is reached at this rate, or until the end of the stage; null while the rate is unknown. */
  seconds_left: number | null
  /** The stage of a bulk load; null otherwise. */
  stage: string | null
}

/**
 * The pools and sales of earlier blocks that are being added to a chain, because its configuration lists more contracts.
 * `backfill_pools` and `backfill_sales` have those up to `block_number`. The states and positions of these pools are in
 * their tables already, where nothing reads them before the pools are added.
 */
export interface BackfillsTable {
  chain_id: number
  /** The latest block that was read. */
  block_number: Int
  seconds_left: number | null
  /** The `StoredScope` that the chain has afterwards, as JSON. */
  scope: string
}

/** The latest final block of a chain that was searched without an index. With another hash there, the chain was replaced. */
export interface SearchedChainsTable {
  chain_id: number
  block_number: Int
  /** Unix seconds. */
  block_time: Int
  block_hash: Bytes
  /** Changes when the results of searches are deleted. */
  search_id: Generated<string>
}

/**
 * The final blocks that were searched for transfers of a wallet, while its chain is not indexed: inclusive ranges that do not
 * touch.
 */
export interface WalletRangesTable {
  chain_id: number
  wallet: Bytes
  from_block: Int
  to_block: Int
}

/** A wallet with searched ranges. */
export interface SearchedWalletsTable {
  chain_id: number
  wallet: Bytes
  /** The number of its rows in all tables. */
  row_count: Int
  /** When a client last requested it, to within an hour. */
  requested_at: ColumnType<Date, Date | undefined>
  /** The process that searches it. */
  claimed_by: string | null
  claimed_until: ColumnType<Date, Date | undefined>
}

/** The contracts of the transfers of a searched wallet, which it may hold. */
export interface WalletTokensTable {
  chain_id: number
  wallet: Bytes
  token: Bytes
}

/** The NFTs of the transfers of a searched wallet. */
export interface WalletCollectiblesTable {
  chain_id: number
  wallet: Bytes
  contract: Bytes
  token_id: string
  /** The standard of the event. */
  standard: number
  /** Block and unix seconds of the latest transfer to the wallet; -1 for none. */
  last_in: Int
  last_in_time: Int
  /** Block of the latest transfer from the wallet; -1 for none. */
  last_out: Int
}

/** A token whose holders are found by the logs of its contract, while its chain is not indexed. */
export interface HolderScansTable {
  chain_id: number
  token: Bytes
  standard: 20 | 721
  /** The first block that was searched. */
  start_block: Int
  /** The last block that was searched, as all blocks before it from `start_block` on. It is final. */
  scanned_block: Int
  /** The latest final block when it was last searched; null before. */
  target_block: Int | null
  /** Until the search is complete, at its measured rate; null while that is unknown. */
  seconds_left: Int | null
  /** `chain` once an amount that follows from the logs differed from `balanceOf`: all are then read by calls. */
  amounts_from: 'ledger' | 'chain'
  /** Whether the amounts of all holders were compared with `balanceOf`, or read by it. */
  is_verified: boolean
  /** The process that searches the token, and the end of its claim. */
  claimed_by: string | null
  claimed_until: Date
  /** The number of its holders. */
  row_count: Int
  /** When a client last requested it, to within an hour. */
  requested_at: Date
}

/** A holder of a scanned token, at the scanned block. */
export interface ScannedHoldersTable {
  chain_id: number
  token: Bytes
  holder: Bytes
  /** The sum of the transfers or, with `amounts_from` = `chain`, the result of `balanceOf`; null before the first read. */
  amount: BigInteger | null
  /** The block at which the amount was read; null for a sum. */
  read_block: Int | null
  /** Block and unix seconds of the first transfer in; the time is null until it is read. */
  first_in_block: Int | null
  first_in_time: Int | null
  /** Whether the holder sent one of the transactions of its transfers; null while that is unknown. */
  initiated: boolean | null
  /** Hashes of the first transactions with a transfer from the holder, until their senders are known. */
  sent_in: Bytes
}

/** The documents of NFTs that responses listed while their chain is not indexed. */
export interface CollectibleDocumentsTable {
  chain_id: number
  contract: Bytes
  token_id: string
  uri: string | null
  name: string | null
  description: string | null
  image: string | null
  attributes: CollectibleAttribute[] | null
}

/** Prices of requested tokens in USD per smallest unit, exact fractions. */
export interface RecordedPricesTable {
  chain_id: number
  token: Bytes
  /** Unix seconds of the block. */
  time: Int
  numerator: BigInteger
  denominator: BigInteger
}

/** The limits that were found of a node, for the next start. */
export interface NodeLimitsTable {
  chain_id: number
  /** Hash of its URL. */
  node: Bytes
  /** Its host. */
  name: string
  /** `NodeLimits` as JSON. */
  limits: string
  found_at: ColumnType<Date, never, Date>
}

/** The versions of the service that can use the tables: one row. */
export interface CompatibilityTable {
  /** Versions whose latest migration is older cannot use the tables; empty if all versions can. */
  oldest_migration: string
}

/** A secret that all processes of the store share, such as the one that signs cursors. */
export interface SecretsTable {
  name: string
  value: Bytes
}

/** The tables of the store, PostgreSQL and PGlite alike. */
export interface Database {
  chains: ChainsTable
  changes: ChangesTable
  blocks: BlocksTable
  tokens: TokensTable
  undo_token_events: UndoTokenEventsTable
  balances: BalancesTable
  undo_balances: UndoTable<
    BalancesTable,
    'holder' | 'token' | 'amount' | 'first_in_block' | 'initiated_block'
  >
  collectible_balances: CollectibleBalancesTable
  undo_collectible_balances: UndoTable<
    CollectibleBalancesTable,
    'holder' | 'contract' | 'token_id' | 'amount' | 'last_in_block'
  >
  collectibles: CollectiblesTable
  undo_collectibles: UndoTable<CollectiblesTable, 'contract' | 'token_id' | 'first_block' | 'owner'>
  collectible_sales: CollectibleSalesTable
  skipped_events: SkippedEventsTable
  pools: PoolsTable
  pool_states: PoolStatesTable
  unread_pools: UnreadPoolsTable
  pool_ranks: PoolRanksTable
  pool_positions: PoolPositionsTable
  price_histories: PriceHistoriesTable
  undo_pool_positions: UndoTable<
    PoolPositionsTable,
    'pool' | 'tick_lower' | 'tick_upper' | 'liquidity'
  >
  keys: KeysTable
  unit_flushes: UnitFlushesTable
  secrets: SecretsTable
  compatibility: CompatibilityTable
  indexers: IndexersTable
  chain_amounts: ChainAmountsTable
  audits: AuditsTable
  backfills: BackfillsTable
  backfill_pools: PoolsTable
  backfill_sales: CollectibleSalesTable
  searched_chains: SearchedChainsTable
  searched_wallets: SearchedWalletsTable
  wallet_ranges: WalletRangesTable
  wallet_tokens: WalletTokensTable
  wallet_collectibles: WalletCollectiblesTable
  holder_scans: HolderScansTable
  scanned_holders: ScannedHoldersTable
  collectible_documents: CollectibleDocumentsTable
  node_limits: NodeLimitsTable
  recorded_prices: RecordedPricesTable
}
