import pg from 'pg'

/** The sum of all balances that a peer has indexed. */
export async function sumAmounts(databaseUrl: string, table: string): Promise<bigint> {
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  const { rows } = await client.query<{ total: string }>(
    `select coalesce(sum(amount), 0)::text as total from ${table}`,
  )
  await client.end()
  return BigInt(rows[0]?.total ?? 0)
}
