import { type Kysely, sql } from 'kysely'
import { bytesArray, numericArray } from '../store/arrays.ts'
import type { Database } from '../store/Database.ts'
import { toHex } from '../store/hex.ts'
import type { Rational } from './Rational.ts'

/** Stores prices of a chain at a time, in unix seconds, and deletes those before another one. */
export async function writeRecordedPrices(
  db: Kysely<Database>,
  chainId: number,
  prices: ReadonlyMap<string, Rational>,
  { time, before }: { readonly time: number; readonly before: number },
): Promise<void> {
  const values = [...prices.values()]
  await sql`
    insert into recorded_prices (chain_id, time, token, numerator, denominator)
    select ${chainId}::bigint, ${time}::bigint, * from unnest(
      ${bytesArray([...prices.keys()])},
      ${numericArray(values.map(({ numerator }) => numerator))},
      ${numericArray(values.map(({ denominator }) => denominator))}
    )
    on conflict do nothing`.execute(db)
  await db
    .deleteFrom('recorded_prices')
    .where('chain_id', '=', chainId)
    .where('time', '<', before)
    .execute()
}

/** Loads the latest price of each token in a range of time. */
export async function loadRecordedPrices(
  db: Kysely<Database>,
  chainId: number,
  tokens: readonly string[],
  { after, to }: { readonly after: number; readonly to: number },
): Promise<ReadonlyMap<string, Rational>> {
  const { rows } = await sql<{ token: Uint8Array; numerator: string; denominator: string }>`
    select distinct on (token) token, numerator, denominator from recorded_prices
    where chain_id = ${chainId}::bigint and token = any (${bytesArray(tokens)})
      and time > ${after}::bigint and time <= ${to}::bigint
    order by token, time desc`.execute(db)
  return new Map(
    rows.map(({ token, numerator, denominator }) => [
      toHex(token),
      { numerator: BigInt(numerator), denominator: BigInt(denominator) },
    ]),
  )
}
