import { type Kysely, type RawBuilder, type Selectable, sql } from 'kysely'
import type { Database, HolderScansTable } from '../../store/Database.ts'
import { fromHex, toHex } from '../../store/hex.ts'
import type { HolderChanges, HolderStandard } from './foldTransfers.ts'
import { mergeHolders, type TokenKey, whereToken } from './holderRows.ts'

/** How far the holders of a token are known. */
export interface HolderScan {
  readonly standard: HolderStandard
  /** The first block that was searched. */
  readonly startBlock: number
  /** All blocks from it up to this one were searched. */
  readonly scannedBlock: number
  readonly targetBlock: number | undefined
  readonly secondsLeft: number | undefined
  readonly amountsFrom: 'ledger' | 'chain'
  readonly isVerified: boolean
  /** When a client last requested it, give or take an hour. */
  readonly requestedAt: Date
}

/** After a process was killed, another one continues its search within this time. */
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
    startBlock: Number(row.start_block),
    scannedBlock: Number(row.scanned_block),
    targetBlock: row.target_block === null ? undefined : Number(row.target_block),
    secondsLeft: row.seconds_left === null ? undefined : Number(row.seconds_left),
    amountsFrom: row.amounts_from,
    isVerified: row.is_verified,
    requestedAt: row.requested_at,
  }
}

/** Whether nothing was added to a token, and the source of its amounts is the same. */
export function isSameScan(
  a: HolderScan | undefined,
  { startBlock, scannedBlock, amountsFrom }: HolderScan,
): boolean {
  return (
    a?.startBlock === startBlock && a.scannedBlock === scannedBlock && a.amountsFrom === amountsFrom
  )
}

/**
 * The share of the blocks of a chain that were searched, from 0 to 1.
 *
 * @param firstBlock - the first block of the chain that counts.
 */
export function getScannedShare(
  { startBlock, scannedBlock, targetBlock }: HolderScan,
  firstBlock: number,
): number {
  return targetBlock === undefined
    ? 0
    : (scannedBlock - Math.max(startBlock, firstBlock) + 1) /
        Math.max(1, targetBlock - firstBlock + 1)
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
    insert into holder_scans (chain_id, token, standard, start_block, scanned_block)
    select ${chainId}::bigint, ${fromHex(token)}::bytea, ${standard}::smallint,
      ${startBlock}::bigint, ${startBlock - 1}::bigint
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

/** The changes of blocks that were searched. */
interface SearchedBlocks {
  /** The process that reserves the token. */
  readonly process: string
  /** The end of the blocks that were searched before, where these continue. */
  readonly from: number
  /** The new end. */
  readonly to: number
  readonly secondsLeft: number | undefined
  readonly changes: HolderChanges
}

/**
 * Adds the changes of the next blocks, in one transaction, and keeps the reservation.
 *
 * @param step.areDoubtful - whether the sums may be wrong now, so that they have to be compared.
 * @returns false if the token was searched by another process meanwhile, or deleted: nothing is written.
 */
export async function advanceScan(
  db: Kysely<Database>,
  key: TokenKey,
  step: SearchedBlocks & { readonly targetBlock: number; readonly areDoubtful: boolean },
): Promise<boolean> {
  const { from, to, targetBlock, areDoubtful } = step
  return await writeSearched(db, key, step, {
    condition: sql`scanned_block = ${from}::bigint`,
    set: sql`scanned_block = ${to}::bigint, target_block = ${targetBlock}::bigint,
      is_verified = is_verified and not (amounts_from = 'ledger' and ${areDoubtful}::boolean)`,
  })
}

/** Adds the changes of blocks before the first one that was searched. All amounts have to be compared afterwards. */
export async function extendScan(
  db: Kysely<Database>,
  key: TokenKey,
  step: SearchedBlocks,
): Promise<boolean> {
  return await writeSearched(db, key, step, {
    condition: sql`start_block = ${step.from}::bigint`,
    set: sql`start_block = ${step.to}::bigint, is_verified = false`,
  })
}

async function writeSearched(
  db: Kysely<Database>,
  key: TokenKey,
  { process, secondsLeft, changes }: SearchedBlocks,
  {
    condition,
    set,
  }: { readonly condition: RawBuilder<unknown>; readonly set: RawBuilder<unknown> },
): Promise<boolean> {
  return await db.transaction().execute(async (transaction) => {
    const { rows } = await sql<{ amounts_from: 'ledger' | 'chain' }>`
      update holder_scans
      set ${set}, seconds_left = ${secondsLeft ?? null}::bigint,
        claimed_until = now() + make_interval(secs => ${claimSeconds}::float8)
      where ${whereToken(key)} and ${condition} and claimed_by = ${process}::uuid
      returning amounts_from`.execute(transaction)
    const [scan] = rows
    if (scan && changes.size > 0) {
      const added = await mergeHolders(transaction, key, changes, scan.amounts_from === 'ledger')
      await sql`
        update holder_scans set row_count = row_count + ${added}::bigint
        where ${whereToken(key)}`.execute(transaction)
    }
    return scan !== undefined
  })
}

/** Records that a client requested a token. */
export async function touchScan(db: Kysely<Database>, key: TokenKey): Promise<void> {
  await sql`update holder_scans set requested_at = now() where ${whereToken(key)}`.execute(db)
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
