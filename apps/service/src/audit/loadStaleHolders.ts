import { type Kysely, sql } from 'kysely'
import type { Database } from '../store/Database.ts'
import { uniqueBy } from '../uniqueBy.ts'
import type { AuditedBlock } from './AuditedBlock.ts'
import { getTokenHolderKey, type TokenHolder } from './LedgerBalance.ts'

const tokensPerRound = 20

/** The holders to read from the chain in a round. */
interface StaleHolders {
  readonly holders: readonly TokenHolder[]
  /** The last token of the turns; empty at the end of the tokens. */
  readonly last: string
}

/** A holder, and the block at which it was queued: -1 if its amount was never read or has changed. */
interface QueuedHolder extends TokenHolder {
  readonly queuedAt: number
}

/**
 * Loads the holders to read from the chain, those that wait the longest first, so that a token has a share of the calls in
 * proportion to its holders. Half of the calls is for notable tokens, as anyone can create others with any number of holders,
 * and a quarter for the others. With the last quarter the tokens take turns, so that none waits for one with millions of
 * holders.
 *
 * @param after - the last token of the turns of the previous round; empty to start with the first one.
 */
export async function loadStaleHolders(
  snapshot: Kysely<Database>,
  block: AuditedBlock,
  limit: number,
  after: string,
): Promise<StaleHolders> {
  if (limit <= 0) {
    return { holders: [], last: after }
  }
  const notable = await loadOldest(snapshot, block, true, limit)
  const others = await loadOldest(snapshot, block, false, limit)
  if (notable.length + others.length === 0) {
    return { holders: [], last: '' }
  }
  const quarter = Math.floor(limit / 4)
  // While some were never read, none is read again in turns.
  const isUrgent = [notable[0], others[0]].some((holder) => holder && holder.queuedAt < 0)
  const turns = await loadTurns(snapshot, block, { limit: quarter, after, isUrgent })
  const byShare = [
    ...turns.holders,
    ...notable.slice(0, 2 * quarter),
    ...others.slice(0, quarter),
    ...notable.slice(2 * quarter),
    ...others.slice(quarter),
  ]
  return { holders: uniqueBy(byShare, getTokenHolderKey).slice(0, limit), last: turns.last }
}

async function loadOldest(
  snapshot: Kysely<Database>,
  { chainId, number }: AuditedBlock,
  isNotable: boolean,
  limit: number,
): Promise<QueuedHolder[]> {
  const { rows } = await sql<QueuedHolder>`
    select '0x' || encode(token, 'hex') as token, '0x' || encode(holder, 'hex') as holder,
      queue_block as "queuedAt"
    from chain_amounts
    where chain_id = ${chainId}::bigint and is_notable = ${sql.lit(isNotable)}
      and queue_block < ${number}::bigint
    order by queue_block limit ${sql.lit(limit)}`.execute(snapshot)
  return rows
}

/** Loads the oldest holders of each of the next tokens, first one of each. */
async function loadTurns(
  snapshot: Kysely<Database>,
  { chainId, number }: AuditedBlock,
  { limit, after, isUrgent }: { limit: number; after: string; isUrgent: boolean },
): Promise<StaleHolders> {
  if (limit === 0) {
    return { holders: [], last: after }
  }
  const maxTokens = Math.min(tokensPerRound, limit)
  const { rows } = await sql<{ token: string; holder: string | null }>`
    with turns as materialized (
      select address from tokens
      where chain_id = ${chainId}::bigint and amounts_from = 'chain'
        and address > decode(${after.slice(2)}, 'hex')
      order by address limit ${sql.lit(maxTokens)}
    )
    select '0x' || encode(turns.address, 'hex') as token, '0x' || encode(stale.holder, 'hex') as holder
    from turns left join lateral (
      select holder, queue_block from chain_amounts
      where chain_id = ${chainId}::bigint and token = turns.address
        and queue_block < ${isUrgent ? 0 : number}::bigint
      order by queue_block limit ${sql.lit(limit)}
    ) stale on true
    order by row_number() over (partition by turns.address order by stale.queue_block), turns.address
    limit ${sql.lit(limit)}`.execute(snapshot)
  const tokens = [...new Set(rows.map(({ token }) => token))].sort()
  const holders = rows.flatMap(({ token, holder }) => (holder === null ? [] : [{ token, holder }]))
  return { holders, last: tokens.length < maxTokens ? '' : (tokens.at(-1) ?? '') }
}
