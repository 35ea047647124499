import { type Kysely, sql } from 'kysely'

/** Adds quotas, usage and rate limits of keys, and the latest flush of usage by each process. */
export async function up(db: Kysely<never>): Promise<void> {
  const statements = [
    `alter table keys
       add column units_quota bigint check (units_quota >= 0),
       add column units_used bigint not null default 0,
       add column rate_requests int check (rate_requests > 0),
       add column rate_seconds int check (rate_seconds > 0),
       add column used_at timestamptz,
       add check ((rate_requests is null) = (rate_seconds is null))`,
    `create table unit_flushes (
       process uuid primary key,
       number bigint not null,
       flushed_at timestamptz not null
     )`,
  ]
  for (const statement of statements) {
    await sql.raw(statement).execute(db)
  }
}
