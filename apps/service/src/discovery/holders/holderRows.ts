import { type Kysely, type Selectable, sql } from 'kysely'
import { bytesArray, integerArray, numericArray } from '../../store/arrays.ts'
import type { Database, HolderScansTable } from '../../store/Database.ts'
import { fromHex, toHex } from '../../store/hex.ts'
import { type HolderChanges, type HolderStandard, maxSentIn } from './foldTransfers.ts'

/** A token of a chain. */
export interface TokenKey {
  readonly chainId: number
  /** Address in lower case. */
  readonly token: string
}

/** How far the holders of a token are known. */
export interface HolderScan {
  readonly standard: HolderStandard
  /** All blocks up to it were searched. */
  readonly scannedBlock: number
  readonly targetBlock: number | undefined
  readonly secondsLeft: number | undefined
  readonly amountsFrom: 'ledger' | 'chain'
  readonly isVerified: boolean
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

/** The search of a process that was killed is continued by another one after so many seconds. */
const claimSeconds = 60
const hashBytes = 32
const maxSentBytes = maxSentIn * hashBytes

const whereToken = ({ chainId, token }: TokenKey) =>
  sql`chain_id = ${chainId}::bigint and token = ${fromHex(token)}::bytea`

/** A token whose holders are not known yet. */
export interface IncompleteScan extends HolderScan {
  readonly token: string
}

export async function loadScan(
  db: Kysely<Database>,
  key: TokenKey,
): Promise<HolderScan | undefined> {
  const { rows } = await sql<Selectable<HolderScansTable>>`
    select * from holder_scans where ${whereToken(key)}`.execute(db)
  return rows.map(toScan)[0]
}

/** Loads the tokens that are searched, by chain id. */
export async function loadIncompleteScans(
  db: Kysely<Database>,
): Promise<ReadonlyMap<number, readonly IncompleteScan[]>> {
  const rows = await db
    .selectFrom('holder_scans')
    .selectAll()
    .where('is_verified', '=', false)
    .orderBy('scanned_block', 'desc')
    .execute()
  const byChain = Map.groupBy(rows, ({ chain_id }) => Number(chain_id))
  return new Map(
    [...byChain].map(([chainId, ofChain]) => [
      chainId,
      ofChain.map((row) => ({ ...toScan(row), token: toHex(row.token) })),
    ]),
  )
}

function toScan(row: Selectable<HolderScansTable>): HolderScan {
  return {
    standard: row.standard,
    scannedBlock: Number(row.scanned_block),
    targetBlock: row.target_block === null ? undefined : Number(row.target_block),
    secondsLeft: row.seconds_left === null ? undefined : Number(row.seconds_left),
    amountsFrom: row.amounts_from,
    isVerified: row.is_verified,
  }
}

/** Whether nothing was added to a token, and the source of its amounts is the same. */
export function isSameScan(
  a: HolderScan | undefined,
  { scannedBlock, amountsFrom }: HolderScan,
): boolean {
  return a?.scannedBlock === scannedBlock && a.amountsFrom === amountsFrom
}

/** The share of the blocks of a chain that were searched, from 0 to 1. */
export function getScannedShare(
  { scannedBlock, targetBlock }: Pick<HolderScan, 'scannedBlock' | 'targetBlock'>,
  startBlock: number,
): number {
  return targetBlock === undefined
    ? 0
    : (scannedBlock - startBlock + 1) / Math.max(1, targetBlock - startBlock + 1)
}

/**
 * Adds a token whose blocks from `startBlock` on are to be searched, unless it is there.
 *
 * @param isIndexed - whether the chain is indexed, so that no search starts once its index is complete.
 */
export async function insertScan(
  db: Kysely<Database>,
  { chainId, token }: TokenKey,
  {
    standard,
    startBlock,
    isIndexed,
  }: {
    readonly standard: HolderStandard
    readonly startBlock: number
    readonly isIndexed: boolean
  },
): Promise<void> {
  await sql`
    insert into holder_scans (chain_id, token, standard, scanned_block)
    select ${chainId}::bigint, ${fromHex(token)}::bytea, ${standard}::smallint, ${startBlock - 1}::bigint
    where not (${isIndexed} and exists (
      select from chains where chain_id = ${chainId}::bigint and synced_at is not null
    ))
    on conflict do nothing`.execute(db)
}

/**
 * Reserves a token for a process, so that no other one searches it meanwhile.
 *
 * @returns how far its holders are known; undefined if another process has reserved it, or it was deleted.
 */
export async function claimScan(
  db: Kysely<Database>,
  key: TokenKey,
  process: string,
): Promise<HolderScan | undefined> {
  const { rows } = await sql<Selectable<HolderScansTable>>`
    update holder_scans
    set claimed_by = ${process}::uuid, claimed_until = now() + make_interval(secs => ${claimSeconds}::float8)
    where ${whereToken(key)} and (claimed_by = ${process}::uuid or claimed_until < now())
    returning *`.execute(db)
  return rows.map(toScan)[0]
}

/** Ends the reservation of a process. */
export async function releaseScan(
  db: Kysely<Database>,
  key: TokenKey,
  process: string,
): Promise<void> {
  await sql`
    update holder_scans set claimed_until = '-infinity'
    where ${whereToken(key)} and claimed_by = ${process}::uuid`.execute(db)
}

/**
 * Adds the changes of the next blocks, in one transaction, and keeps the reservation.
 *
 * @returns false if the token was searched by another process meanwhile, or deleted: nothing is written.
 */
export async function advanceScan(
  db: Kysely<Database>,
  key: TokenKey,
  {
    process,
    from,
    to,
    targetBlock,
    secondsLeft,
    changes,
  }: {
    readonly process: string
    /** The block that the changes begin after. */
    readonly from: number
    readonly to: number
    readonly targetBlock: number
    readonly secondsLeft: number | undefined
    readonly changes: HolderChanges
  },
): Promise<boolean> {
  return await db.transaction().execute(async (transaction) => {
    const { rows } = await sql<{ amounts_from: 'ledger' | 'chain' }>`
      update holder_scans
      set scanned_block = ${to}::bigint, target_block = ${targetBlock}::bigint,
        seconds_left = ${secondsLeft ?? null}::bigint,
        claimed_until = now() + make_interval(secs => ${claimSeconds}::float8)
      where ${whereToken(key)} and scanned_block = ${from}::bigint and claimed_by = ${process}::uuid
      returning amounts_from`.execute(transaction)
    const [scan] = rows
    if (scan && changes.size > 0) {
      await mergeHolders(transaction, key, changes, scan.amounts_from === 'ledger')
    }
    return scan !== undefined
  })
}

/** Adds holders and, for a ledger, their amounts. */
async function mergeHolders(
  db: Kysely<Database>,
  { chainId, token }: TokenKey,
  changes: HolderChanges,
  isLedger: boolean,
): Promise<void> {
  const all = [...changes.values()]
  const orNegative = (value: number | undefined) => value ?? -1
  await sql`
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
      first_in_block = coalesce(held.first_in_block, excluded.first_in_block),
      first_in_time = case when held.first_in_block is null
        then excluded.first_in_time else held.first_in_time end,
      initiated = case
        when not held.initiated and length(held.sent_in) < ${maxSentBytes} and length(excluded.sent_in) > 0
        then null else held.initiated end,
      sent_in = case when held.initiated then ''
        else substring(held.sent_in || excluded.sent_in from 1 for ${maxSentBytes}) end`.execute(db)
}

/** Replaces the amounts of holders by what the contract returned at a block, and adds those that are missing. */
export async function writeReadAmounts(
  db: Kysely<Database>,
  { chainId, token }: TokenKey,
  amounts: ReadonlyMap<string, bigint | undefined>,
  block: number,
): Promise<void> {
  const values = [...amounts.values()].map((amount) => amount ?? -1n)
  await sql`
    insert into scanned_holders (chain_id, token, holder, amount, read_block)
    select scan.chain_id, scan.token, holder, nullif(amount, -1), ${block}::bigint
    from holder_scans scan,
      unnest(${bytesArray([...amounts.keys()])}, ${numericArray(values)}) as read (holder, amount)
    where scan.chain_id = ${chainId}::bigint and scan.token = ${fromHex(token)}::bytea
      and scan.amounts_from = 'chain'
    on conflict (chain_id, token, holder) do update
    set amount = excluded.amount, read_block = excluded.read_block`.execute(db)
}

/**
 * Marks the amounts of a token as verified, or all as to be read from the chain, unless another process reserved the token or
 * their source changed meanwhile.
 *
 * @param from - the source of the amounts that were verified.
 * @returns whether they are marked.
 */
export async function markAudited(
  db: Kysely<Database>,
  key: TokenKey,
  process: string,
  from: HolderScan['amountsFrom'],
  state: Pick<HolderScan, 'amountsFrom' | 'isVerified'>,
): Promise<boolean> {
  const { rows } = await sql`
    update holder_scans
    set amounts_from = ${state.amountsFrom}, is_verified = ${state.isVerified}, seconds_left = null
    where ${whereToken(key)} and claimed_by = ${process}::uuid and amounts_from = ${from}
    returning token`.execute(db)
  return rows.length > 0
}

/** Marks verified sums of transfers as to be compared again. Amounts from the chain are read in each round anyway. */
export async function markDoubtful(db: Kysely<Database>, key: TokenKey): Promise<void> {
  await sql`
    update holder_scans set is_verified = false, seconds_left = null
    where ${whereToken(key)} and amounts_from = 'ledger' and is_verified`.execute(db)
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
