import { type Kysely, type RawBuilder, sql } from 'kysely'
import type { Database } from '../../store/Database.ts'

/**
 * Changes which standards the events of contracts have. Where they differ, the contract is classified again, with its metadata.
 *
 * @param options.changes - selects an `address` and `events`.
 * @param options.merge - the events of a row of `tokens` and its `change`.
 */
export async function changeTokenEvents(
  transaction: Kysely<Database>,
  chainId: number,
  {
    changes,
    merge,
  }: { readonly changes: RawBuilder<unknown>; readonly merge: RawBuilder<unknown> },
): Promise<void> {
  await sql`
    with updated as (
      update tokens set events = ${merge}, metadata = 'pending', attempts = 0, failures = 0
      from (${changes}) change
      where tokens.chain_id = ${chainId}::bigint and tokens.address = change.address
        and ${merge} <> tokens.events
      returning amounts_from
    )
    -- Any account may hold a token whose amounts are read from the chain.
    update chains set metadata_version = metadata_version + 1
    where chain_id = ${chainId}::bigint
      and exists (select from updated where amounts_from = 'chain')`.execute(transaction)
}
