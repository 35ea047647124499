import { isDeepStrictEqual } from 'node:util'
import { type Kysely, type RawBuilder, sql, type Transaction } from 'kysely'
import { bytesArray, integerArray, numericArray } from '../store/arrays.ts'
import type { Database, WalletRangesTable } from '../store/Database.ts'
import { fromHex, toHex } from '../store/hex.ts'
import { addRange, type Coverage } from './Coverage.ts'
import {
  addCollectible,
  createFindings,
  type Findings,
  limitCollectibles,
  maxCollectibles,
  mergeFindings,
} from './Findings.ts'

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
  /** The coverage that it last loaded or wrote; empty if what the store has is to be written anew. */
  readonly stored: Coverage
}

/** What the store has of a wallet after a process wrote. */
export interface ExchangedWallet {
  /** Whether this process may search the wallet, and no other one. */
  readonly isClaimed: boolean
  readonly coverage: Coverage
  /** What other processes found; undefined if none wrote since. */
  readonly others: Findings | undefined
}

/**
 * Adds what a process found of a wallet, and loads what other processes added since its last exchange. Final blocks do not
 * change, so that what all of them know together is right.
 *
 * @param claim.process - the process, which claims the wallet unless another one did.
 * @param claim.seconds - for how long; 0 ends its claim.
 */
export async function exchangeWalletRows(
  db: Transaction<Database>,
  { chainId, wallet }: WalletKey,
  { coverage, findings, unwritten, stored }: KnownWallet,
  claim: { readonly process: string; readonly seconds: number },
): Promise<ExchangedWallet> {
  const chain = sql`${chainId}::bigint`
  const holder = sql`${fromHex(wallet)}::bytea`
  const process = sql`${claim.process}::uuid`
  // Locks the wallet until the end of the transaction.
  const { rows: claims } = await sql<{ is_claimed: boolean }>`
    insert into searched_wallets as searched (chain_id, wallet, row_count, claimed_by, claimed_until)
    values (${chain}, ${holder}, 0, ${process}, now() + make_interval(secs => ${claim.seconds}::float8))
    on conflict (chain_id, wallet) do update set
      claimed_by = excluded.claimed_by, claimed_until = excluded.claimed_until
      where searched.claimed_by = excluded.claimed_by or searched.claimed_until < now()
        or searched.claimed_by is null
    returning true as is_claimed`.execute(db)
  const { rows: ranges } = await sql<RangeRow>`
    delete from wallet_ranges where chain_id = ${chain} and wallet = ${holder}
    returning from_block, to_block`.execute(db)
  const inStore = toCoverage(ranges)
  const isUnchanged = stored.length > 0 && isDeepStrictEqual(inStore, stored)
  const others = isUnchanged ? undefined : (await loadWalletRows(db, { chainId, wallet })).findings
  const all = mergeFindings(findings, others)
  if (others) {
    limitCollectibles(all, maxCollectibles)
    await sql`
      delete from wallet_collectibles where chain_id = ${chain} and wallet = ${holder}`.execute(db)
  }
  const union = inStore.reduce(addRange, coverage)
  await insertRows(db, { chain, holder }, union, others ? all : unwritten)
  const size = union.length + all.tokens.size + all.collectibles.size
  await sql`
    update searched_wallets set row_count = ${size}::bigint
    where chain_id = ${chain} and wallet = ${holder}`.execute(db)
  return { isClaimed: claims.length > 0, coverage: union, others }
}

async function insertRows(
  db: Transaction<Database>,
  { chain, holder }: { readonly chain: RawBuilder<unknown>; readonly holder: RawBuilder<unknown> },
  coverage: Coverage,
  { tokens, collectibles }: Findings,
): Promise<void> {
  await sql`
    insert into wallet_ranges (chain_id, wallet, from_block, to_block)
    select ${chain}, ${holder}, * from unnest(
      ${integerArray(coverage.map(({ from }) => from))},
      ${integerArray(coverage.map(({ to }) => to))}
    )`.execute(db)
  await sql`
    insert into wallet_tokens (chain_id, wallet, token)
    select ${chain}, ${holder}, * from unnest(${bytesArray([...tokens])})
    on conflict do nothing`.execute(db)
  const found = [...collectibles.values()]
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
