import { type Kysely, sql } from 'kysely'

/**
 * Adds NFTs and their sales, the first transfers of holders, Uniswap V3 pools, and images of rows for undo. All of it is
 * derived from the chain, so that the existing tables are emptied and their chains are indexed again.
 *
 * Tables with rows that change have free space in their pages, so that most updates do not write to an index. Indexes
 * that only reads need are created at the end of the initial sync, which they would slow down.
 */
export async function up(db: Kysely<never>): Promise<void> {
  const statements = [
    `drop table balance_changes, balances, pool_states, pools, tokens`,
    `truncate chains, blocks`,
    `create table tokens (
       chain_id bigint not null,
       address bytea not null,
       standard smallint not null check (standard in (20, 721, 1155)),
       events int not null default 0,
       has_collectibles boolean not null default true,
       first_block bigint not null,
       metadata text not null default 'pending' check (metadata in ('pending', 'read', 'failed')),
       attempts int not null default 0,
       failures int not null default 0,
       name text,
       symbol text,
       decimals int,
       primary key (chain_id, address)
     )`,
    `create index tokens_by_first_block on tokens (chain_id, first_block)`,
    `create index tokens_pending on tokens (chain_id, attempts, first_block) where metadata = 'pending'`,
    `create table balances (
       chain_id bigint not null,
       holder bytea not null,
       token bytea not null,
       standard smallint not null,
       amount numeric not null,
       first_in_block bigint,
       initiated_block bigint,
       primary key (chain_id, holder, token, standard)
     ) with (fillfactor = 80)`,
    `create table collectible_balances (
       chain_id bigint not null,
       holder bytea not null,
       contract bytea not null,
       token_id numeric not null,
       amount numeric not null,
       last_in_block bigint,
       primary key (chain_id, holder, contract, token_id)
     ) with (fillfactor = 80)`,
    `create table collectibles (
       chain_id bigint not null,
       contract bytea not null,
       token_id numeric not null,
       first_block bigint not null,
       owner bytea,
       metadata text not null default 'pending' check (metadata in ('pending', 'read', 'failed')),
       attempts int not null default 0,
       primary key (chain_id, contract, token_id)
     ) with (fillfactor = 80)`,
    `create table collectible_sales (
       chain_id bigint not null,
       contract bytea not null,
       token_id numeric not null,
       block_number bigint not null,
       log_index int not null,
       price numeric not null,
       primary key (chain_id, contract, token_id, block_number, log_index)
     )`,
    `create index collectible_sales_by_block on collectible_sales (chain_id, block_number)`,
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
       address bytea not null,
       kind text not null check (kind in ('uniswap-v2', 'uniswap-v3')),
       factory bytea not null,
       token0 bytea not null,
       token1 bytea not null,
       fee int,
       tick_spacing int,
       first_block bigint not null,
       primary key (chain_id, address)
     )`,
    `create index pools_by_token1 on pools (chain_id, token1)`,
    `create index pools_by_pair on pools (chain_id, token0, token1)`,
    `create index pools_by_first_block on pools (chain_id, first_block)`,
    `create table pool_states (
       chain_id bigint not null,
       pool bytea not null,
       block_number bigint not null,
       reserve0 numeric not null,
       reserve1 numeric not null,
       sqrt_price numeric,
       primary key (chain_id, pool, block_number)
     )`,
    `create index pool_states_by_block on pool_states (chain_id, block_number)`,
    `create table pool_positions (
       chain_id bigint not null,
       pool bytea not null,
       tick_lower int not null,
       tick_upper int not null,
       liquidity numeric not null,
       primary key (chain_id, pool, tick_lower, tick_upper)
     )`,
    `create table undo_balances (
       chain_id bigint not null,
       block_number bigint not null,
       holder bytea not null,
       token bytea not null,
       standard smallint not null,
       existed boolean not null,
       amount numeric,
       first_in_block bigint,
       initiated_block bigint,
       primary key (chain_id, block_number, holder, token, standard)
     )`,
    `create table undo_collectible_balances (
       chain_id bigint not null,
       block_number bigint not null,
       holder bytea not null,
       contract bytea not null,
       token_id numeric not null,
       existed boolean not null,
       amount numeric,
       last_in_block bigint,
       primary key (chain_id, block_number, holder, contract, token_id)
     )`,
    `create table undo_collectibles (
       chain_id bigint not null,
       block_number bigint not null,
       contract bytea not null,
       token_id numeric not null,
       existed boolean not null,
       first_block bigint,
       owner bytea,
       primary key (chain_id, block_number, contract, token_id)
     )`,
    `create table undo_pool_positions (
       chain_id bigint not null,
       block_number bigint not null,
       pool bytea not null,
       tick_lower int not null,
       tick_upper int not null,
       existed boolean not null,
       liquidity numeric,
       primary key (chain_id, block_number, pool, tick_lower, tick_upper)
     )`,
  ]
  for (const statement of statements) {
    await sql.raw(statement).execute(db)
  }
}
