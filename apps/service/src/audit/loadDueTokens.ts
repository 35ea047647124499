import { type Kysely, sql } from 'kysely'
import type { Database } from '../store/Database.ts'
import { holderBucket } from '../store/holderKey.ts'
import { uniqueBy } from '../uniqueBy.ts'
import type { AuditedBlock } from './AuditedBlock.ts'
import { type BalanceRow, type LedgerBalance, toLedgerBalance } from './LedgerBalance.ts'

/** Holders by which a turn advances in the list of a token's holders. */
const stepSize = 3
/** The maximum number of holders that are compared in a turn: the step, one of the largest and one of the smallest. */
export const maxBalancesPerTurn = stepSize + 2

/** A token with amounts that are compared next. */
export interface DueToken {
  readonly token: string
  readonly balances: readonly LedgerBalance[]
  /** The holder after which the next turn continues; `start` at the end of the list. */
  readonly next: LedgerBalance | 'start'
}

/**
 * Loads the tokens that were audited the longest ago, those never audited first; half of them are notable, as anyone can
 * create any number of others. Of each, it loads a holder of the highest
 * rank, one of the lowest, and the next few in the list of all holders by rank, so that every amount is compared
 * eventually, also those that no log ever changed. At the end of its list, a token has its next turn at a later block.
 */
export async function loadDueTokens(
  snapshot: Kysely<Database>,
  { chainId, number }: AuditedBlock,
  limit: number,
): Promise<DueToken[]> {
  if (limit <= 0) {
    return []
  }
  const held = sql`
    select holder, amount, rank from balances
    where chain_id = ${chainId}::bigint and token = due.id`
  const [bucket, position] = [sql`holder`, sql`due.audit_holder`].map(holderBucket)
  const largestFirst = sql`order by rank desc, ${bucket}, holder`
  const next = sql`${largestFirst} limit ${sql.lit(stepSize + 1)}`
  const candidates = sql`
    select id, address, audit_amount, audit_holder, audited_block, is_notable from tokens
    where chain_id = ${chainId}::bigint and standard = 20 and amounts_from = 'ledger'
      and (audited_block < ${number}::bigint or audit_amount <> 'Infinity')`
  const oldest = sql`order by audited_block limit ${sql.lit(limit)}`
  const { rows } = await sql<
    { [Column in keyof BalanceRow]: Column extends 'token' ? string : string | null } & {
      is_step: boolean | null
    }
  >`
    with due as materialized (
      select * from (
        select candidate.*, row_number() over (
          partition by is_notable order by audited_block
        ) > ${sql.lit(Math.ceil(limit / 2))} as is_extra
        from (
          (${candidates} and is_notable ${oldest})
          union all
          (${candidates} and not is_notable ${oldest})
        ) candidate
      ) candidate
      order by is_extra, is_notable desc, audited_block limit ${sql.lit(limit)}
    )
    select '0x' || encode(due.address, 'hex') as token, '0x' || encode(entry.holder, 'hex') as holder,
      entry.amount::text as amount, entry.is_step
    from due left join lateral (
      select *, false as is_step from (${held} ${largestFirst} limit 1) largest
      union all
      select *, false from (${held} order by rank, ${bucket} desc, holder desc limit 1) smallest
      union all
      select *, true from (
        select * from (
          (${held} and rank = amount_rank(due.audit_amount)
            and ${bucket} >= ${position} and holder > due.audit_holder ${next})
          union all
          (${held} and rank < amount_rank(due.audit_amount) ${next})
        ) following ${next}
      ) step
    ) entry on true
    order by due.audited_block, due.address, entry.rank desc, entry.holder`.execute(snapshot)

  const byToken = Map.groupBy(rows, ({ token }) => token)
  return [...byToken].map(([token, ofToken]) => {
    const found = ofToken.flatMap(({ holder, amount, is_step }) =>
      holder === null || amount === null
        ? []
        : [{ isStep: is_step === true, entry: toLedgerBalance({ token, holder, amount }) }],
    )
    // One more than a step shows whether the list continues.
    const following = found.filter(({ isStep }) => isStep)
    const steps = following.slice(0, stepSize)
    const compared = [...found.filter(({ isStep }) => !isStep), ...steps].map(({ entry }) => entry)
    return {
      token,
      balances: uniqueBy(compared, ({ holder }) => holder),
      next: (following.length > stepSize && steps.at(-1)?.entry) || 'start',
    }
  })
}
