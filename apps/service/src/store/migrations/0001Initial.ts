import { type Kysely, sql } from 'kysely'

/**
 * Creates the tables. The large ones are partitioned by chain; `createPartitions` adds the partitions of a chain and all
 * their indexes, so that the partitioned tables have none.
 */
export async function up(db: Kysely<never>): Promise<void> {
  for (const statement of [
    ...amountRank,
    ...chainTables,
    ...partitionedTables,
    ...contractTables,
    ...backfillTables,
    ...walletTables,
    ...holderTables,
    ...priceTables,
    ...sharedTables,
  ]) {
    await sql.raw(statement).execute(db)
  }
}

/**
 * A coarse logarithm of an amount, by which indexes order holders: an index of amounts would be written with each transfer.
 * Two ranks per power of two, zero for zero, negative for negative amounts: the sign, the exponent and the first bit
 * of the mantissa of its double, as integer arithmetic never orders two amounts differently from their ranks.
 */
const amountRank = [
  `create function amount_rank(amount numeric) returns smallint
     language sql immutable strict parallel safe as $$
     select (sign(amount) * ((
       get_byte(float8send(abs(amount)::float8), 0) << 8 | get_byte(float8send(abs(amount)::float8), 1)
     ) >> 3))::smallint
   $$`,
]

const chainTables = [
  `create table chains (
     chain_id bigint primary key,
     genesis_hash bytea not null,
     indexed_block bigint,
     indexed_hash bytea,
     indexed_time bigint,
     final_block bigint not null default -1,
     undo_block bigint not null default -1,
     scope text not null default '',
     metadata_version bigint not null default 0,
     change_version bigint not null default 0,
     synced_at timestamptz
   )`,
  `create table indexers (
     chain_id bigint primary key,
     head_block bigint,
     head_time bigint,
     stopped_reason text,
     failure text,
     blocks_per_second double precision,
     events_per_second double precision,
     seconds_left bigint,
     confirmed_at timestamptz,
     finality text,
     hold text
   )`,
  // Triggers, so that manual SQL notifies too. Updates of the head do not notify, as they are frequent.
  `create function notify_chains() returns trigger language plpgsql as $$
   begin
     notify headwater_chains;
     return null;
   end
   $$`,
  `create trigger notify_chains after insert or update or delete or truncate on chains
     for each statement execute function notify_chains()`,
  `create trigger notify_indexers after insert or update of stopped_reason, hold or delete or truncate
     on indexers for each statement execute function notify_chains()`,
  // Addresses are concatenated, as arrays of them would be several times as large. Null for a commit that may change everything.
  `create table changes (
     chain_id bigint not null,
     version bigint not null,
     block_number bigint not null,
     metadata_before bigint not null,
     metadata_version bigint not null,
     ancestor bigint,
     block_hash bytea not null,
     holders bytea,
     ledgers bytea,
     contracts bytea,
     pooled bytea,
     primary key (chain_id, version)
   )`,
  `create table audits (
     chain_id bigint primary key,
     checked bigint not null,
     mismatched bigint not null,
     seen_block bigint not null
   )`,
  `create table price_histories (
     chain_id bigint primary key,
     thinned_block bigint not null
   )`,
]

const partitionedTables = [
  `blocks (
     chain_id bigint not null,
     number bigint not null,
     time bigint not null,
     hash bytea not null
   )`,
  `balances (
     chain_id bigint not null,
     first_in_block bigint,
     initiated_block bigint,
     token int not null,
     rank smallint not null generated always as (amount_rank(amount)) stored,
     holder bytea not null,
     amount numeric not null
   )`,
  `undo_balances (
     chain_id bigint not null,
     block_number bigint not null,
     part int not null,
     existed boolean[] not null,
     holder bytea[] not null,
     token int[] not null,
     amount numeric[] not null,
     first_in_block bigint[] not null,
     initiated_block bigint[] not null
   )`,
  `collectible_balances (
     chain_id bigint not null,
     last_in_block bigint,
     holder bytea not null,
     contract bytea not null,
     token_id numeric not null,
     amount numeric not null
   )`,
  `undo_collectible_balances (
     chain_id bigint not null,
     block_number bigint not null,
     part int not null,
     existed boolean[] not null,
     holder bytea[] not null,
     contract bytea[] not null,
     token_id numeric[] not null,
     amount numeric[] not null,
     last_in_block bigint[] not null
   )`,
  `collectibles (
     chain_id bigint not null,
     first_block bigint not null,
     retry_at timestamptz,
     requested_at timestamptz,
     attempts int not null default 0,
     contract bytea not null,
     token_id numeric not null,
     owner bytea,
     metadata text not null default 'pending' check (metadata in ('pending', 'read', 'failed')),
     uri text,
     name text,
     description text,
     image text,
     attributes jsonb
   )`,
  `undo_collectibles (
     chain_id bigint not null,
     block_number bigint not null,
     part int not null,
     existed boolean[] not null,
     contract bytea[] not null,
     token_id numeric[] not null,
     first_block bigint[] not null,
     owner bytea[] not null
   )`,
  `collectible_sales (
     chain_id bigint not null,
     block_number bigint not null,
     log_index int not null,
     marketplace bytea not null,
     contract bytea not null,
     token_id numeric not null,
     price numeric not null
   )`,
  `pool_states (
     chain_id bigint not null,
     block_number bigint not null,
     pool bytea not null,
     reserve0 numeric not null,
     reserve1 numeric not null,
     sqrt_price numeric
   )`,
].map((table) => `create table ${table} partition by list (chain_id)`)

/** Smaller tables, which many statements join: a partition more of each would take longer to plan than to read. */
const contractTables = [
  `create table tokens (
     chain_id bigint not null,
     first_block bigint not null,
     id int not null,
     address bytea not null,
     standard smallint not null check (standard in (20, 721, 1155)),
     events int not null default 0,
     is_notable boolean not null default false,
     has_collectibles boolean not null default true,
     metadata text not null default 'pending' check (metadata in ('pending', 'read', 'failed')),
     attempts int not null default 0,
     failures int not null default 0,
     name text,
     symbol text,
     decimals int,
     amounts_from text not null default 'ledger' check (amounts_from in ('ledger', 'chain')),
     audited_block bigint not null default -1,
     compared_block bigint,
     audit_amount numeric not null default 'Infinity',
     audit_holder bytea not null default decode(repeat('00', 20), 'hex'),
     holders_listed boolean not null default false,
     holders_read boolean not null default false,
     primary key (chain_id, address),
     unique (chain_id, id)
   )`,
  `create index tokens_by_first_block on tokens (chain_id, first_block)`,
  `create index tokens_pending on tokens (chain_id, attempts, first_block) where metadata = 'pending'`,
  `create index tokens_to_audit on tokens (chain_id, is_notable, audited_block)
     where standard = 20 and amounts_from = 'ledger'`,
  `create index tokens_compared on tokens (chain_id, compared_block) where compared_block is not null`,
  `create index tokens_from_chain on tokens (chain_id, address) where amounts_from = 'chain'`,
  `create table skipped_events (
     chain_id bigint not null,
     block_number bigint not null,
     log_index int not null,
     contract bytea not null,
     reason text not null,
     primary key (chain_id, block_number, log_index)
   )`,
  `create table pools (
     chain_id bigint not null,
     first_block bigint not null,
     fee int,
     tick_spacing int,
     address bytea not null,
     factory bytea not null,
     token0 bytea not null,
     token1 bytea not null,
     kind text not null,
     primary key (chain_id, address, token0, token1)
   )`,
  `create index pools_by_pair on pools (chain_id, token0, token1)`,
  `create index pools_by_reverse_pair on pools (chain_id, token1, token0)`,
  `create table pool_ranks (
     chain_id bigint not null,
     from_block bigint not null,
     to_block bigint,
     rank smallint not null,
     pool bytea not null,
     token bytea not null,
     primary key (chain_id, pool, token, from_block)
   ) with (fillfactor = 85)`,
  // Without `to_block`, so that the end of an interval writes no index.
  `create index pool_ranks_by_rank on pool_ranks (chain_id, token, rank desc, pool)`,
  `create index pools_by_first_block on pools (chain_id, first_block)`,
  `create table pool_positions (
     chain_id bigint not null,
     tick_lower int not null,
     tick_upper int not null,
     pool bytea not null,
     liquidity numeric not null,
     primary key (chain_id, pool, tick_lower, tick_upper)
   ) with (fillfactor = 85)`,
  `create table undo_pool_positions (
     chain_id bigint not null,
     block_number bigint not null,
     part int not null,
     existed boolean[] not null,
     pool bytea[] not null,
     tick_lower int[] not null,
     tick_upper int[] not null,
     liquidity numeric[] not null,
     primary key (chain_id, block_number, part)
   )`,
  `create table chain_amounts (
     chain_id bigint not null,
     block_number bigint,
     queue_block bigint not null default -1,
     is_notable boolean not null default false,
     token bytea not null,
     holder bytea not null,
     amount numeric,
     primary key (chain_id, token, holder),
     foreign key (chain_id, token) references tokens (chain_id, address) on delete cascade
   )`,
  `create index chain_amounts_by_amount on chain_amounts (chain_id, token, amount desc, holder)
     where amount > 0`,
  `create index chain_amounts_to_read on chain_amounts (chain_id, is_notable, queue_block)`,
  `create index chain_amounts_by_token on chain_amounts (chain_id, token, queue_block)`,
]

/** Pools and sales that are being added to a chain; `backfill_pools` and `backfill_sales` have few rows at most times. */
const backfillTables = [
  `create table backfills (
     chain_id bigint primary key,
     block_number bigint not null,
     seconds_left bigint,
     scope text not null
   )`,
  'create table backfill_pools (like pools, primary key (chain_id, address, token0, token1))',
  'create table backfill_sales (like collectible_sales)',
]

/** What wallets may hold according to the nodes, while their chain is not indexed. */
const walletTables = [
  `create table wallet_ranges (
     chain_id bigint not null,
     from_block bigint not null,
     to_block bigint not null,
     wallet bytea not null,
     primary key (chain_id, wallet, from_block)
   )`,
  `create table wallet_tokens (
     chain_id bigint not null,
     wallet bytea not null,
     token bytea not null,
     primary key (chain_id, wallet, token)
   )`,
  `create table wallet_collectibles (
     chain_id bigint not null,
     last_in bigint not null,
     last_in_time bigint not null,
     last_out bigint not null,
     standard smallint not null,
     wallet bytea not null,
     contract bytea not null,
     token_id numeric not null,
     primary key (chain_id, wallet, contract, token_id)
   )`,
  `create table collectible_documents (
     chain_id bigint not null,
     contract bytea not null,
     token_id numeric not null,
     uri text,
     name text,
     description text,
     image text,
     attributes jsonb,
     primary key (chain_id, contract, token_id)
   )`,
]

/** Prices while a chain is not indexed, and its nodes have no past states. */
const priceTables = [
  `create table recorded_prices (
     chain_id bigint not null,
     time bigint not null,
     token bytea not null,
     numerator numeric not null,
     denominator numeric not null,
     primary key (chain_id, token, time)
   )`,
  `create index recorded_prices_by_time on recorded_prices (chain_id, time)`,
]

/** The holders of requested tokens according to the nodes, while their chain is not indexed. */
const holderTables = [
  `create table holder_scans (
     chain_id bigint not null,
     scanned_block bigint not null,
     target_block bigint,
     seconds_left bigint,
     standard smallint not null check (standard in (20, 721)),
     amounts_from text not null default 'ledger' check (amounts_from in ('ledger', 'chain')),
     is_verified boolean not null default false,
     claimed_by uuid,
     claimed_until timestamptz not null default '-infinity',
     token bytea not null,
     primary key (chain_id, token)
   )`,
  `create table scanned_holders (
     chain_id bigint not null,
     first_in_block bigint,
     first_in_time bigint,
     read_block bigint,
     initiated boolean,
     token bytea not null,
     holder bytea not null,
     amount numeric,
     sent_in bytea not null default '',
     primary key (chain_id, token, holder),
     foreign key (chain_id, token) references holder_scans (chain_id, token) on delete cascade
   )`,
  `create index scanned_holders_by_amount on scanned_holders (chain_id, token, amount desc, holder)
     where amount > 0`,
]

const sharedTables = [
  // The key is a hash of the URL of the node, which may contain a secret.
  `create table node_limits (
     chain_id bigint not null,
     node bytea not null,
     name text not null,
     limits text not null,
     found_at timestamptz not null default now(),
     primary key (chain_id, node)
   )`,
  `create table keys (
     id bigint generated always as identity primary key,
     name text not null,
     prefix text not null,
     hash bytea not null unique,
     purpose text not null,
     created_at timestamptz not null default now(),
     expires_at timestamptz,
     revoked_at timestamptz,
     units_quota bigint check (units_quota >= 0),
     units_used bigint not null default 0,
     rate_requests int check (rate_requests > 0),
     rate_seconds int check (rate_seconds > 0),
     used_at timestamptz,
     check ((rate_requests is null) = (rate_seconds is null))
   )`,
  `create table unit_flushes (
     process uuid primary key,
     number bigint not null,
     flushed_at timestamptz not null
   )`,
  `create table secrets (
     name text primary key,
     value bytea not null
   )`,
]
