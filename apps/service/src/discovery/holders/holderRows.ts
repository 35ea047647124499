import { type Kysely, sql } from 'kysely'
import { bytesArray, integerArray, numericArray } from '../../store/arrays.ts'
import type { Database } from '../../store/Database.ts'
import { fromHex, toHex } from '../../store/hex.ts'
import { toChunks } from '../../toChunks.ts'
import { type HolderChanges, maxSentIn } from './foldTransfers.ts'

/** A token of a chain. */
export interface TokenKey {
  readonly chainId: number
  /** Address in lower case. */
  readonly token: string
}

/** A holder as the store has it. */
export interface ScannedHolder {
  readonly holder: string
  /** Undefined where the contract returned none, and before it was read. */
  readonly amount: bigint | undefined
  readonly readBlock: number | undefined
  readonly firstInBlock: number | undefined
  readonly firstInTime: number | undefined
  readonly hasInitiated: boolean | undefined
  /** Hashes of transactions whose senders are unknown. */
  readonly sentIn: readonly string[]
}

/** What was found about the history of a holder. */
export interface HolderDetails {
  readonly holder: string
  readonly firstInTime: number | undefined
  /** Undefined while it is unknown. */
  readonly initiated: boolean | undefined
  /** The transactions that were examined. With further ones meanwhile, nothing is written. */
  readonly sentIn: readonly string[]
  readonly isContract: boolean
}

const hashBytes = 32
const maxSentBytes = maxSentIn * hashBytes

/** The rows of a token. */
export const whereToken = ({ chainId, token }: TokenKey) =>
  sql`chain_id = ${chainId}::bigint and token = ${fromHex(token)}::bytea`

/**
 * Adds holders and, for a ledger, their amounts.
 *
 * @returns the number of holders that are new.
 */
export async function mergeHolders(
  db: Kysely<Database>,
  { chainId, token }: TokenKey,
  changes: HolderChanges,
  isLedger: boolean,
): Promise<number> {
  const all = [...changes.values()]
  const orNegative = (value: number | undefined) => value ?? -1
  const { rows } = await sql<{ count: number }>`
    with merged as (
    insert into scanned_holders as held
      (chain_id, token, holder, amount, first_in_block, first_in_time, sent_in)
    select ${chainId}::bigint, ${fromHex(token)}::bytea, holder,
      ${isLedger ? sql`amount` : sql`null`}, nullif(first_in, -1), nullif(first_time, -1), sent_in
    from unnest(
      ${bytesArray([...changes.keys()])},
      ${numericArray(all.map(({ amount }) => amount))},
      ${integerArray(all.map(({ firstIn }) => orNegative(firstIn)))},
      ${integerArray(all.map(({ firstTime }) => orNegative(firstTime)))},
      ${bytesArray(all.map(({ sentIn }) => joinHashes(sentIn)))}
    ) as change (holder, amount, first_in, first_time, sent_in)
    on conflict (chain_id, token, holder) do update set
      ${isLedger ? sql`amount = held.amount + excluded.amount,` : sql``}
      first_in_block = least(held.first_in_block, excluded.first_in_block),
      first_in_time = case when held.first_in_block <= coalesce(excluded.first_in_block, held.first_in_block)
        then held.first_in_time else excluded.first_in_time end,
      initiated = case
        when not held.initiated and length(held.sent_in) < ${maxSentBytes} and length(excluded.sent_in) > 0
        then null else held.initiated end,
      sent_in = case when held.initiated then ''
        else substring(held.sent_in || excluded.sent_in from 1 for ${maxSentBytes}) end
    returning xmax = 0 as is_new
    )
    select count(*) as count from merged where is_new`.execute(db)
  return Number(rows[0]?.count ?? 0)
}

/** Rows of a statement. */
const writtenRows = 10_000

/** Replaces the amounts of holders by what the contract returned at a block, and adds those that are missing: all or none. */
export async function writeReadAmounts(
  db: Kysely<Database>,
  { chainId, token }: TokenKey,
  amounts: ReadonlyMap<string, bigint | undefined>,
  block: number,
): Promise<void> {
  await db.transaction().execute(async (transaction) => {
    for (const rows of toChunks([...amounts], writtenRows)) {
      const holders = bytesArray(rows.map(([holder]) => holder))
      const values = numericArray(rows.map(([, amount]) => amount ?? -1n))
      await sql`
        insert into scanned_holders (chain_id, token, holder, amount, read_block)
        select scan.chain_id, scan.token, holder, nullif(amount, -1), ${block}::bigint
        from holder_scans scan, unnest(${holders}, ${values}) as read (holder, amount)
        where scan.chain_id = ${chainId}::bigint and scan.token = ${fromHex(token)}::bytea
          and scan.amounts_from = 'chain'
        on conflict (chain_id, token, holder) do update
        set amount = excluded.amount, read_block = excluded.read_block`.execute(transaction)
    }
  })
}

/** Loads holders by address, in this order, also those without an amount. */
export async function loadHolderBatch(
  db: Kysely<Database>,
  key: TokenKey,
  after: string | undefined,
  limit: number,
): Promise<ScannedHolder[]> {
  const { rows } = await sql<StoredHolder>`
    select * from scanned_holders
    where ${whereToken(key)} and holder > ${after === undefined ? Buffer.alloc(0) : fromHex(after)}::bytea
    order by chain_id, token, holder limit ${limit}`.execute(db)
  return rows.map(toScannedHolder)
}

export async function loadHoldersByAddress(
  db: Kysely<Database>,
  key: TokenKey,
  holders: readonly string[],
): Promise<ScannedHolder[]> {
  const { rows } = await sql<StoredHolder>`
    select held.* from unnest(${bytesArray(holders)}) as listed (holder)
    join scanned_holders held on ${whereToken(key)} and held.holder = listed.holder`.execute(db)
  return rows.map(toScannedHolder)
}

/** Writes what was found about the history of holders. */
export async function writeHolderDetails(
  db: Kysely<Database>,
  { chainId, token }: TokenKey,
  details: readonly HolderDetails[],
): Promise<void> {
  await db.transaction().execute(async (transaction) => {
    for (const { holder, firstInTime, initiated, sentIn, isContract } of details) {
      if (initiated === undefined && firstInTime === undefined) {
        continue
      }
      await transaction
        .updateTable('scanned_holders')
        .set({
          ...(initiated !== undefined && {
            initiated,
            // A contract never sends any, so that no further one is kept.
            sent_in: Buffer.alloc(isContract ? maxSentBytes : 0),
          }),
          ...(firstInTime !== undefined && { first_in_time: firstInTime }),
        })
        .where('chain_id', '=', chainId)
        .where('token', '=', fromHex(token))
        .where('holder', '=', fromHex(holder))
        .where('sent_in', '=', fromHex(joinHashes(sentIn)))
        .execute()
    }
  })
}

export interface StoredHolder {
  readonly holder: Uint8Array
  readonly amount: string | null
  readonly read_block: number | null
  readonly first_in_block: number | null
  readonly first_in_time: number | null
  readonly initiated: boolean | null
  readonly sent_in: Uint8Array
}

export function toScannedHolder(row: StoredHolder): ScannedHolder {
  const optional = (value: number | null) => (value === null ? undefined : Number(value))
  return {
    holder: toHex(row.holder),
    amount: row.amount === null ? undefined : BigInt(row.amount),
    readBlock: optional(row.read_block),
    firstInBlock: optional(row.first_in_block),
    firstInTime: optional(row.first_in_time),
    hasInitiated: row.initiated ?? undefined,
    sentIn: splitHashes(row.sent_in),
  }
}

function joinHashes(hashes: Iterable<string>): string {
  return `0x${[...hashes].map((hash) => hash.slice(2)).join('')}`
}

function splitHashes(bytes: Uint8Array): string[] {
  return Array.from({ length: bytes.length / hashBytes }, (_, index) =>
    toHex(bytes.subarray(index * hashBytes, (index + 1) * hashBytes)),
  )
}
