import { type Kysely, sql } from 'kysely'

/** Adds which process searches a wallet. */
export async function up(db: Kysely<never>): Promise<void> {
  await sql`
    alter table searched_wallets
      add column claimed_by uuid,
      add column claimed_until timestamptz not null default '-infinity'`.execute(db)
}
