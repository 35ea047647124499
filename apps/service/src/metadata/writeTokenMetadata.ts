import { type Kysely, sql } from 'kysely'
import { bytesArray } from '../store/arrays.ts'
import { loadHoldersOf, recordChange } from '../store/changes.ts'
import type { Database } from '../store/Database.ts'
import { classifyContract } from './classifyContract.ts'
import type { TokenMetadata } from './fetchTokenMetadata.ts'
import { selectFirstHash } from './selectFirstHash.ts'

/** The failures, while the calls of other tokens succeeded, after which a token is not tried again. */
const maxFailures = 10

/**
 * Writes the metadata of tokens, and counts a failure for the others, in one transaction.
 *
 * @param read - with the events by which each was classified, and the hash of its first block. A token that has emitted others
 *   meanwhile, or whose first block was replaced, remains pending.
 */
export async function writeTokenMetadata(
  db: Kysely<Database>,
  chainId: number,
  read: readonly (TokenMetadata & {
    readonly token: string
    readonly events: number
    readonly firstHash: string | null
  })[],
  failed: readonly string[],
): Promise<void> {
  const rows = read.map(({ name, symbol, decimals, firstHash, ...behaviour }, index) => ({
    name,
    symbol,
    decimals,
    first_hash: firstHash,
    read_events: behaviour.events,
    position: index + 1,
    ...classifyContract({ ...behaviour, decimals }),
  }))
  await db.transaction().execute(async (transaction) => {
    if (read.length > 0) {
      // Locks the row of the chain first, as the indexer does, so that the two do not deadlock.
      const chain = await transaction
        .selectFrom('chains')
        .select('synced_at')
        .where('chain_id', '=', chainId)
        .forNoKeyUpdate()
        .executeTakeFirst()
      const contracts = new Set(read.map(({ token }) => token))
      // Before the initial sync is complete, no index finds the holders of a token, and no response contains the chain.
      const isSynced = Boolean(chain?.synced_at)
      const before = isSynced ? await loadHoldersOf(transaction, chainId, contracts) : undefined
      await sql`
        update tokens set name = read.name, symbol = read.symbol, decimals = read.decimals,
          standard = coalesce(read.standard, tokens.standard),
          has_collectibles = coalesce(read.has_collectibles, tokens.has_collectibles),
          -- The ledger has no amounts of a token whose amounts are indexed.
          amounts_from = case
            when read.standard = 20 and not read.has_collectibles and events & 3 = 2 then 'chain'
            when read.standard <> 20 then 'ledger'
            else amounts_from end,
          metadata = case when coalesce(read.name, read.symbol, read.decimals::text) is null
            then 'failed' else 'read' end
        from (
          select address, texts.*
          from unnest(${bytesArray(read.map(({ token }) => token))})
            with ordinality as addresses (address, position)
          join jsonb_to_recordset(${JSON.stringify(rows)}::jsonb)
            as texts (position int, first_hash text, read_events int, name text, symbol text, decimals int,
              standard smallint, has_collectibles boolean) using (position)
        ) read
        where tokens.chain_id = ${chainId}::bigint and tokens.address = read.address
          and events = read_events
          and coalesce(${selectFirstHash('tokens')} = first_hash, true)`.execute(transaction)
      const holders = before && (await loadHoldersOf(transaction, chainId, contracts))
      await recordChange(transaction, chainId, holders && { holders, contracts }, {
        isMetadata: true,
      })
    }
    if (failed.length > 0) {
      const counted = read.length > 0 ? 1 : 0
      await sql`
        update tokens set attempts = attempts + 1, failures = failures + ${counted}::int,
          metadata = case when ${counted}::int = 1 and failures + 1 >= ${maxFailures}::int
            then 'failed' else metadata end
        where chain_id = ${chainId}::bigint and address = any(${bytesArray(failed)})`.execute(
        transaction,
      )
    }
  })
}
