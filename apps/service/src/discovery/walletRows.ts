import { type Kysely, sql } from 'kysely'
import { bytesArray, integerArray } from '../store/arrays.ts'
import type { Database } from '../store/Database.ts'
import { fromHex, toHex } from '../store/hex.ts'
import type { Coverage } from './Coverage.ts'

/** A wallet of a chain. */
export interface WalletKey {
  readonly chainId: number
  /** Address in lower case. */
  readonly wallet: string
}

/** What was found of a wallet, and in which blocks. */
export interface WalletRows {
  readonly coverage: Coverage
  /** Contracts. */
  readonly tokens: readonly string[]
}

export async function loadWalletRows(
  db: Kysely<Database>,
  { chainId, wallet }: WalletKey,
): Promise<WalletRows> {
  const load = async <Table extends 'wallet_ranges' | 'wallet_tokens'>(table: Table) =>
    await sql<Database[Table]>`
      select * from ${sql.table(table)}
      where chain_id = ${chainId}::bigint and wallet = ${fromHex(wallet)}::bytea`.execute(db)
  const { rows: ranges } = await load('wallet_ranges')
  const { rows: tokens } = await load('wallet_tokens')
  return {
    coverage: ranges
      .map(({ from_block, to_block }) => ({ from: Number(from_block), to: Number(to_block) }))
      .sort((a, b) => b.to - a.to),
    tokens: tokens.map(({ token }) => toHex(token)),
  }
}

/** Adds tokens to a wallet and replaces its coverage, in one transaction. */
export async function writeWalletRows(
  db: Kysely<Database>,
  { chainId, wallet }: WalletKey,
  { coverage, tokens }: WalletRows,
): Promise<void> {
  const holder = sql`${fromHex(wallet)}::bytea`
  await db.transaction().execute(async (transaction) => {
    await sql`
      delete from wallet_ranges where chain_id = ${chainId}::bigint and wallet = ${holder}`.execute(
      transaction,
    )
    await sql`
      insert into wallet_ranges (chain_id, wallet, from_block, to_block)
      select ${chainId}::bigint, ${holder}, * from unnest(
        ${integerArray(coverage.map(({ from }) => from))},
        ${integerArray(coverage.map(({ to }) => to))}
      )
      on conflict (chain_id, wallet, from_block) do update set to_block = excluded.to_block`.execute(
      transaction,
    )
    await sql`
      insert into wallet_tokens (chain_id, wallet, token)
      select ${chainId}::bigint, ${holder}, * from unnest(${bytesArray(tokens)})
      on conflict do nothing`.execute(transaction)
  })
}
