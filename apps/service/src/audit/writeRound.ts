import { type Kysely, sql } from 'kysely'
import { bytesArray } from '../store/arrays.ts'
import type { Database } from '../store/Database.ts'
import { type AuditedBlock, holdBlock } from './AuditedBlock.ts'
import type { LedgerPair, Pair } from './Pair.ts'
import { trackHolders } from './trackHolders.ts'

/** A token that had its turn. */
interface Turn {
  readonly token: string
  /** Where its next one goes on in the list of its holders: after one, at its start, or again where this one did. */
  readonly next: LedgerPair | 'start' | 'again'
}

/** What came of a round of the audit. */
interface Round {
  /** How many amounts of the ledger were compared. */
  readonly checked: number
  readonly turns: readonly Turn[]
  /** Amounts that were read from the chain; null where the contract tells none. */
  readonly read: readonly (Pair & { readonly amount: bigint | null })[]
  /** Those that no node told. */
  readonly unread: readonly Pair[]
}

/** Writes what came of a round, in one commit; nothing when its block was taken back meanwhile. */
export async function writeRound(
  db: Kysely<Database>,
  block: AuditedBlock,
  { checked, turns, read, unread }: Round,
): Promise<void> {
  const { chainId } = block
  await db.transaction().execute(async (transaction) => {
    if (!(await holdBlock(transaction, block))) {
      return
    }
    await trackHolders(transaction, block)
    if (checked > 0) {
      await sql`
        update audits set checked = checked + ${checked}::bigint
        where chain_id = ${chainId}::bigint`.execute(transaction)
    }
    await writeTurns(transaction, block, turns)
    await writeRead(transaction, block, read)
    await writeUnread(transaction, block, unread)
    await markRead(transaction, chainId)
  })
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
    next === 'again' ? 'null' : next === 'start' ? 'Infinity' : String(next.amount),
  )
  const holders = turns.map(({ next }) => (typeof next === 'string' ? '0x' : next.holder))
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
    update chain_amounts set amount = told.amount, block_number = ${number}::bigint,
      queue_block = ${number}::bigint
    from unnest(
      ${bytesArray(read.map(({ token }) => token))}, ${bytesArray(read.map(({ holder }) => holder))},
      ${`{${amounts.join(',')}}`}::text[]::numeric[]
    ) as told (token, holder, amount)
    where chain_amounts.chain_id = ${chainId}::bigint and chain_amounts.token = told.token
      and chain_amounts.holder = told.holder`.execute(transaction)
}

/** Has others asked for before they are again; what was never read still comes before what was. */
async function writeUnread(
  transaction: Kysely<Database>,
  { chainId, number }: AuditedBlock,
  unread: readonly Pair[],
): Promise<void> {
  if (unread.length === 0) {
    return
  }
  await sql`
    update chain_amounts
    set queue_block = case when block_number is null then 0 else ${number}::bigint end
    from unnest(
      ${bytesArray(unread.map(({ token }) => token))},
      ${bytesArray(unread.map(({ holder }) => holder))}
    ) as asked (token, holder)
    where chain_amounts.chain_id = ${chainId}::bigint and chain_amounts.token = asked.token
      and chain_amounts.holder = asked.holder`.execute(transaction)
}

/** Notes the tokens whose holders can be ranked now. */
async function markRead(transaction: Kysely<Database>, chainId: number): Promise<void> {
  await sql`
    update tokens set holders_read = true
    where chain_id = ${chainId}::bigint and amounts_from = 'chain'
      and holders_listed and not holders_read
      and not exists (
        select from chain_amounts waiting
        where waiting.chain_id = tokens.chain_id and waiting.token = tokens.address
          and waiting.queue_block <= 0 and waiting.block_number is null
      )`.execute(transaction)
}
