import { type Kysely, type Selectable, sql } from 'kysely'
import type { Database, HolderScansTable } from '../../store/Database.ts'
import { fromHex, toHex } from '../../store/hex.ts'
import type { HolderChanges, HolderStandard } from './foldTransfers.ts'
import { mergeHolders, type TokenKey, whereToken } from './holderRows.ts'

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

/** The search of a process that was killed is continued by another one after so many seconds. */
const claimSeconds = 60

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
