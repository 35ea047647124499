import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<never>): Promise<void> {
  const statements = [
    `create table chains (
       chain_id bigint primary key,
       genesis_hash bytea not null,
       indexed_block bigint,
       indexed_hash bytea,
       indexed_time bigint,
       synced_at timestamptz
     )`,
    `create table blocks (
       chain_id bigint not null,
       number bigint not null,
       hash bytea not null,
       time bigint not null,
       primary key (chain_id, number)
     )`,
    `create index blocks_by_time on blocks (chain_id, time, number)`,
    `create table tokens (
       chain_id bigint not null,
       address bytea not null,
       first_block bigint not null,
       metadata text not null default 'pending' check (metadata in ('pending', 'read', 'failed')),
       name text,
       symbol text,
       decimals int,
       primary key (chain_id, address)
     )`,
    `create index tokens_pending on tokens (chain_id, first_block) where metadata = 'pending'`,
    `create table balances (
       chain_id bigint not null,
       holder bytea not null,
       token bytea not null,
       amount numeric not null,
       first_block bigint not null,
       primary key (chain_id, holder, token)
     )`,
    `create table balance_changes (
       chain_id bigint not null,
       block_number bigint not null,
       holder bytea not null,
       token bytea not null,
       delta numeric not null,
       primary key (chain_id, block_number, holder, token)
     )`,
    `create table pools (
       chain_id bigint not null,
       address bytea not null,
       factory bytea not null,
       token0 bytea not null,
       token1 bytea not null,
       first_block bigint not null,
       primary key (chain_id, address)
     )`,
    `create index pools_by_token0 on pools (chain_id, token0)`,
    `create index pools_by_token1 on pools (chain_id, token1)`,
    `create table pool_states (
       chain_id bigint not null,
       pool bytea not null,
       block_number bigint not null,
       reserve0 numeric not null,
       reserve1 numeric not null,
       primary key (chain_id, pool, block_number)
     )`,
    `create table keys (
       id bigint generated always as identity primary key,
       name text not null,
       prefix text not null,
       hash bytea not null unique,
       purpose text not null,
       created_at timestamptz not null default now(),
       expires_at timestamptz,
       revoked_at timestamptz
     )`,
  ]
  for (const statement of statements) {
    await sql.raw(statement).execute(db)
  }
}
