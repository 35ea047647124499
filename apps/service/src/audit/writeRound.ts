import { type Kysely, sql } from 'kysely'
import { zeroAddress } from '../indexing/decode/words.ts'
import { bytesArray } from '../store/arrays.ts'
import type { Database } from '../store/Database.ts'
import { type AuditedBlock, lockBlock } from './AuditedBlock.ts'
import type { LedgerBalance, TokenHolder } from './LedgerBalance.ts'
import { trackHolders } from './trackHolders.ts'

/** A token that was compared. */
interface Turn {
  readonly token: string
  /** The holder after which its next turn continues; or `start` of the list of holders, or `repeat` the same step. */
  readonly next: LedgerBalance | 'start' | 'repeat'
}

/** The results of a round of the audit. */
interface Round {
  /** The amounts of the ledger that were compared, and whether they are those of the contract. */
  readonly checked: readonly { readonly token: string; readonly isEqual: boolean }[]
  readonly turns: readonly Turn[]
  /** The amounts that were read from the chain; null where the contract returned none. */
  readonly read: readonly (TokenHolder & { readonly amount: bigint | null })[]
  /** The holders for which the call failed. */
  readonly failed: readonly TokenHolder[]
}

/**
 * Writes the results of a round in one transaction; nothing if its block was replaced meanwhile.
 *
 * @returns whether all holders of tokens with amounts read from the chain are listed again.
 */
export async function writeRound(
  db: Kysely<Database>,
  block: AuditedBlock,
  { checked, turns, read, failed }: Round,
): Promise<boolean> {
  const { chainId } = block
  return await db.transaction().execute(async (transaction) => {
    if (!(await lockBlock(transaction, block))) {
      return false
    }
    const isListedAgain = await trackHolders(transaction, block)
    if (checked.length > 0) {
      await sql`
        update audits set checked = checked + ${checked.length}::bigint
        where chain_id = ${chainId}::bigint`.execute(transaction)
      await writeCompared(transaction, block, checked)
    }
    await writeTurns(transaction, block, turns)
    await writeRead(transaction, block, read)
    await requeueFailed(transaction, block, failed)
    await markHoldersRead(transaction, chainId)
    return isListedAgain
  })
}

async function writeCompared(
  transaction: Kysely<Database>,
  { chainId, number }: AuditedBlock,
  checked: Round['checked'],
): Promise<void> {
  await sql`
    update tokens set compared_block = case when is_equal then ${number}::bigint end
    from (
      select token, bool_and(compared.is_equal) as is_equal
      from unnest(
        ${bytesArray(checked.map(({ token }) => token))},
        ${`{${checked.map(({ isEqual }) => isEqual).join(',')}}`}::text[]::boolean[]
      ) as compared (token, is_equal)
      group by token
    ) as compared
    where chain_id = ${chainId}::bigint and address = compared.token`.execute(transaction)
}

async function writeTurns(
  transaction: Kysely<Database>,
  { chainId, number }: AuditedBlock,
  turns: readonly Turn[],
): Promise<void> {
  if (turns.length === 0) {
    return
  }
  const amounts = turns.map(({ next }) =>
    next === 'repeat' ? 'null' : next === 'start' ? 'Infinity' : String(next.amount),
  )
  const holders = turns.map(({ next }) => (typeof next === 'string' ? zeroAddress : next.holder))
  await sql`
    update tokens set audited_block = ${number}::bigint,
      audit_amount = coalesce(turn.amount, audit_amount),
      audit_holder = case when turn.amount is null then audit_holder else turn.holder end
    from unnest(
      ${bytesArray(turns.map(({ token }) => token))},
      ${`{${amounts.join(',')}}`}::text[]::numeric[], ${bytesArray(holders)}
    ) as turn (token, amount, holder)
    where chain_id = ${chainId}::bigint and address = turn.token`.execute(transaction)
}

async function writeRead(
  transaction: Kysely<Database>,
  { chainId, number }: AuditedBlock,
  read: Round['read'],
): Promise<void> {
  if (read.length === 0) {
    return
  }
  const amounts = read.map(({ amount }) => String(amount))
  await sql`
    update chain_amounts set amount = read.amount, block_number = ${number}::bigint,
      queue_block = ${number}::bigint
    from unnest(
      ${bytesArray(read.map(({ token }) => token))}, ${bytesArray(read.map(({ holder }) => holder))},
      ${`{${amounts.join(',')}}`}::text[]::numeric[]
    ) as read (token, holder, amount)
    where chain_amounts.chain_id = ${chainId}::bigint and chain_amounts.token = read.token
      and chain_amounts.holder = read.holder`.execute(transaction)
}

/** Moves holders with failed calls to the end of the queue; of those never read, before the holders that were read. */
async function requeueFailed(
  transaction: Kysely<Database>,
  { chainId, number }: AuditedBlock,
  failed: readonly TokenHolder[],
): Promise<void> {
  if (failed.length === 0) {
    return
  }
  await sql`
    update chain_amounts
    set queue_block = case when block_number is null then 0 else ${number}::bigint end
    from unnest(
      ${bytesArray(failed.map(({ token }) => token))},
      ${bytesArray(failed.map(({ holder }) => holder))}
    ) as failed (token, holder)
    where chain_amounts.chain_id = ${chainId}::bigint and chain_amounts.token = failed.token
      and chain_amounts.holder = failed.holder`.execute(transaction)
}

/** Marks the tokens of which all amounts were read, so that their holders can be ranked. */
async function markHoldersRead(transaction: Kysely<Database>, chainId: number): Promise<void> {
  await sql`
    update tokens set holders_read = true
    where chain_id = ${chainId}::bigint and amounts_from = 'chain'
      and holders_listed and not holders_read
      and not exists (
        select from chain_amounts pending
        where pending.chain_id = tokens.chain_id and pending.token = tokens.address
          and pending.queue_block <= 0 and pending.block_number is null
      )`.execute(transaction)
}
