import { isDeepStrictEqual } from 'node:util'
import { type Kysely, sql, type Transaction } from 'kysely'
import { bytesArray, integerArray, numericArray } from '../store/arrays.ts'
import type { Database, WalletRangesTable } from '../store/Database.ts'
import { fromHex, toHex } from '../store/hex.ts'
import type { Coverage } from './Coverage.ts'
import { addCollectible, createFindings, type Findings } from './Findings.ts'

/** The tables with what was found of wallets. */
export const walletTables = [
  'wallet_ranges',
  'wallet_tokens',
  'wallet_collectibles',
  'searched_wallets',
] as const
/** A block that is not known. */
const none = -1

/** A wallet of a chain. */
export interface WalletKey {
  readonly chainId: number
  /** Address in lower case. */
  readonly wallet: string
}

/** What was found of a wallet, and in which blocks. */
export interface WalletRows {
  readonly coverage: Coverage
  readonly findings: Findings
}

export async function loadWalletRows(
  db: Kysely<Database>,
  { chainId, wallet }: WalletKey,
): Promise<WalletRows> {
  const load = async <Table extends (typeof walletTables)[number]>(table: Table) =>
    await sql<Database[Table]>`
      select * from ${sql.table(table)}
      where chain_id = ${chainId}::bigint and wallet = ${fromHex(wallet)}::bytea`.execute(db)
  const { rows: ranges } = await load('wallet_ranges')
  const { rows: tokens } = await load('wallet_tokens')
  const { rows: collectibles } = await load('wallet_collectibles')
  const findings = createFindings()
  for (const { token } of tokens) {
    findings.tokens.add(toHex(token))
  }
  for (const { contract, token_id, standard, last_in, last_in_time, last_out } of collectibles) {
    const [number, time, lastOut] = [last_in, last_in_time, last_out].map(Number)
    addCollectible(findings, {
      contract: toHex(contract),
      tokenId: BigInt(token_id),
      standard: standard === 1155 ? 1155 : 721,
      lastIn: number === none ? undefined : { number: number ?? none, time },
      lastOut: lastOut === none ? undefined : lastOut,
    })
  }
  return {
    coverage: toCoverage(ranges),
    findings,
  }
}

type RangeRow = Pick<WalletRangesTable, 'from_block' | 'to_block'>

function toCoverage(rows: readonly RangeRow[]): Coverage {
  return rows
    .map(({ from_block, to_block }) => ({ from: Number(from_block), to: Number(to_block) }))
    .sort((a, b) => b.to - a.to)
}

/** What a process knows of a wallet. */
export interface KnownWallet extends WalletRows {
  /** The findings that it did not write yet. */
  readonly unwritten: Findings
  /** The coverage that it last loaded or wrote; empty if what the store has is replaced. */
  readonly stored: Coverage
}

/**
 * Replaces the coverage of a wallet and adds what was found since the last write. If the store has another coverage than
 * at that time, because the chain was reset or another process wrote, its findings may not be those of this coverage: all
 * are replaced.
 */
export async function writeWalletRows(
  db: Transaction<Database>,
  { chainId, wallet }: WalletKey,
  { coverage, findings: all, unwritten, stored }: KnownWallet,
): Promise<void> {
  const chain = sql`${chainId}::bigint`
  const holder = sql`${fromHex(wallet)}::bytea`
  const { rows: ranges } = await sql<RangeRow>`
    delete from wallet_ranges where chain_id = ${chain} and wallet = ${holder}
    returning from_block, to_block`.execute(db)
  const isUnchanged = stored.length > 0 && isDeepStrictEqual(toCoverage(ranges), stored)
  if (!isUnchanged) {
    for (const table of ['wallet_tokens', 'wallet_collectibles'] as const) {
      await sql`
        delete from ${sql.table(table)} where chain_id = ${chain} and wallet = ${holder}`.execute(
        db,
      )
    }
  }
  const findings = isUnchanged ? unwritten : all
  const size = coverage.length + all.tokens.size + all.collectibles.size
  await sql`
    insert into searched_wallets (chain_id, wallet, row_count)
    values (${chain}, ${holder}, ${size}::bigint)
    on conflict (chain_id, wallet) do update set row_count = excluded.row_count`.execute(db)
  await sql`
    insert into wallet_ranges (chain_id, wallet, from_block, to_block)
    select ${chain}, ${holder}, * from unnest(
      ${integerArray(coverage.map(({ from }) => from))},
      ${integerArray(coverage.map(({ to }) => to))}
    )
    on conflict (chain_id, wallet, from_block) do update set to_block = excluded.to_block`.execute(
    db,
  )
  await sql`
    insert into wallet_tokens (chain_id, wallet, token)
    select ${chain}, ${holder}, * from unnest(${bytesArray([...findings.tokens])})
    on conflict do nothing`.execute(db)
  const found = [...findings.collectibles.values()]
  // Another process may have found later transfers.
  await sql`
    insert into wallet_collectibles
      (chain_id, wallet, contract, token_id, standard, last_in, last_in_time, last_out)
    select ${chain}, ${holder}, * from unnest(
      ${bytesArray(found.map(({ contract }) => contract))},
      ${numericArray(found.map(({ tokenId }) => tokenId))},
      ${integerArray(found.map(({ standard }) => standard))},
      ${integerArray(found.map(({ lastIn }) => lastIn?.number ?? none))},
      ${integerArray(found.map(({ lastIn }) => lastIn?.time ?? none))},
      ${integerArray(found.map(({ lastOut }) => lastOut ?? none))}
    )
    on conflict (chain_id, wallet, contract, token_id) do update set
      standard = least(wallet_collectibles.standard, excluded.standard),
      last_in = greatest(wallet_collectibles.last_in, excluded.last_in),
      last_in_time = greatest(wallet_collectibles.last_in_time, excluded.last_in_time),
      last_out = greatest(wallet_collectibles.last_out, excluded.last_out)`.execute(db)
}

/** Records that a client requested a wallet, if anything of it is stored. */
export async function touchWallet(
  db: Kysely<Database>,
  { chainId, wallet }: WalletKey,
): Promise<void> {
  await sql`
    update searched_wallets set requested_at = now()
    where chain_id = ${chainId}::bigint and wallet = ${fromHex(wallet)}::bytea`.execute(db)
}

/** Whether the index of a chain is complete. Until the end of the transaction, it does not become so. */
export async function isIndexed(db: Transaction<Database>, chainId: number): Promise<boolean> {
  const { rows } = await sql<{ synced_at: Date | null }>`
    select synced_at from chains where chain_id = ${chainId}::bigint for share`.execute(db)
  return (rows[0]?.synced_at ?? null) !== null
}

/** Deletes what was found of all wallets of a chain. */
export async function deleteWalletRows(db: Kysely<Database>, chainId: number): Promise<void> {
  for (const table of walletTables) {
    await sql`delete from ${sql.table(table)} where chain_id = ${chainId}::bigint`.execute(db)
  }
}
