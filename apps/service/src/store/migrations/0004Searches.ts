import { type Kysely, sql } from 'kysely'

/**
 * Adds when a client last requested what is searched without an index, and its size, so that old searches can be deleted,
 * and the first block that the holders of a token are known from.
 */
export async function up(db: Kysely<never>): Promise<void> {
  for (const statement of [
    `create table searched_wallets (
       chain_id bigint not null,
       row_count bigint not null,
       requested_at timestamptz not null default now(),
       wallet bytea not null,
       primary key (chain_id, wallet)
     )`,
    `insert into searched_wallets (chain_id, wallet, row_count)
     select chain_id, wallet, count(*) from (
       select chain_id, wallet from wallet_ranges
       union all select chain_id, wallet from wallet_tokens
       union all select chain_id, wallet from wallet_collectibles
     ) as row group by chain_id, wallet`,
    `alter table holder_scans
       add column start_block bigint not null default 0,
       add column row_count bigint not null default 0,
       add column requested_at timestamptz not null default now()`,
    `update holder_scans scan set row_count = (
       select count(*) from scanned_holders held
       where held.chain_id = scan.chain_id and held.token = scan.token
     )`,
  ]) {
    await sql.raw(statement).execute(db)
  }
}
