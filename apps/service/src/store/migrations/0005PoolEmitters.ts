import { type Kysely, sql } from 'kysely'
import { balanceVenuePresets } from '../../config/balanceVenuePresets.ts'

/** Balancer's vault, at one address on each chain with a preset. Forks have their own: their pools count events of any contract. */
const balancerVault = '\\xba12222222228d8ba445958a75a0704d566bf2c8'
const balancerFactories = Object.values(balanceVenuePresets)
  .flatMap(({ balancerV2Factories = [] }) => balancerV2Factories)
  .map((factory) => `'\\x${factory.slice(2)}'`)

/**
 * Adds the contract that emits the events of a pool, the registrations of pools that are not read yet, and the lowest
 * reserves of downsampled states.
 */
export async function up(db: Kysely<never>): Promise<void> {
  for (const statement of [
    ...['pools', 'backfill_pools'].flatMap((table) => [
      `alter table ${table} add column emitter bytea`,
      `update ${table} set emitter = '${balancerVault}'
         where kind like 'balancer-%' and factory in (${balancerFactories.join()})`,
    ]),
    'alter table pool_states add column lows numeric[]',
    `create table unread_pools (
       chain_id bigint not null,
       block_number bigint not null,
       read_block bigint,
       log_index int not null,
       factory bytea not null,
       log text not null,
       primary key (chain_id, block_number, log_index)
     )`,
    'create index unread_pools_by_read_block on unread_pools (chain_id, read_block)',
  ]) {
    await sql.raw(statement).execute(db)
  }
}
