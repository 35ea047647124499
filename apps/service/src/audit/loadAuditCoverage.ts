import { type Kysely, sql } from 'kysely'
import type { Database } from '../store/Database.ts'

/** How much of a chain's ledger is audited, and of the amounts that are read from the chain instead. */
export interface AuditCoverage {
  readonly chainId: number
  /** ERC20 tokens with amounts from the ledger. */
  readonly tokens: number
  /** ERC20 tokens that were not compared with their contract yet. */
  readonly neverAudited: number
  /** Seconds of block time since the audit that was the longest ago; null where there was none. */
  readonly oldestSeconds: number | null
  /** Holders of tokens with amounts that are read from the chain. */
  readonly holders: number
  /** Holders whose amount was never read, or has changed since the read. */
  readonly staleHolders: number
}

/** Loads the coverage of all chains, which counts all tokens: not to be called for each request. */
export async function loadAuditCoverage(db: Kysely<Database>): Promise<AuditCoverage[]> {
  const audited = sql`
    from tokens where tokens.chain_id = chains.chain_id and standard = 20
      and amounts_from = 'ledger'`
  const queued = sql`from chain_amounts where chain_amounts.chain_id = chains.chain_id`
  const { rows } = await sql<AuditCoverage>`
    select chain_id as "chainId", tokens, never_audited as "neverAudited", holders,
      stale_holders as "staleHolders", (
        select greatest(0, indexed_time - time) from blocks
        where blocks.chain_id = counted.chain_id and number = oldest_block
      ) as "oldestSeconds"
    from (
      select chain_id, indexed_time, (select count(*) ${audited}) as tokens,
        (select count(*) ${audited} and audited_block < 0) as never_audited,
        (select min(audited_block) ${audited} and audited_block >= 0) as oldest_block,
        (select count(*) ${queued}) as holders,
        (select count(*) ${queued} and queue_block < 0) as stale_holders
      from chains
    ) counted
    order by chain_id`.execute(db)
  return rows
}

/** Describes the coverage of a chain in a line. */
export function formatAuditCoverage({
  tokens,
  neverAudited,
  oldestSeconds,
  holders,
  staleHolders,
}: AuditCoverage): string {
  const age = oldestSeconds === null ? '' : `, the oldest audit is ${oldestSeconds} s old`
  return (
    `${tokens - neverAudited} of ${tokens} tokens are audited${age}; ` +
    `${holders - staleHolders} of ${holders} amounts of other tokens are read from the chain`
  )
}
