import { type Kysely, sql } from 'kysely'
import type { Database } from '../store/Database.ts'
import type { AuditedBlock } from './AuditedBlock.ts'
import type { TokenHolder } from './LedgerBalance.ts'

const tokensPerRound = 20

/**
 * Loads the holders to read from the chain: of each token those that were read the longest ago. The tokens take turns, so
 * that one with a million holders does not delay the others.
 *
 * @param after - the last token of the previous round; empty to start with the first one.
 * @returns the holders and the last token of this round; empty at the end of the tokens.
 */
export async function loadStaleHolders(
  snapshot: Kysely<Database>,
  { chainId, number }: AuditedBlock,
  limit: number,
  after: string,
): Promise<{ readonly holders: readonly TokenHolder[]; readonly last: string }> {
  if (limit <= 0) {
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
        and queue_block < ${number}::bigint
      order by queue_block limit ${sql.lit(limit)}
    ) stale on true
    order by row_number() over (partition by turns.address order by stale.queue_block), turns.address
    limit ${sql.lit(limit)}`.execute(snapshot)
  const tokens = [...new Set(rows.map(({ token }) => token))].sort()
  const holders = rows.flatMap(({ token, holder }) => (holder === null ? [] : [{ token, holder }]))
  return { holders, last: tokens.length < maxTokens ? '' : (tokens.at(-1) ?? '') }
}
