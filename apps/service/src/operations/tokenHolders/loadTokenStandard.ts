import type { Kysely } from 'kysely'
import type { Database } from '../../store/Database.ts'
import { fromHex } from '../../store/hex.ts'

/** The standard of a token, 20, 721 or 1155; undefined for a contract that never moved one. */
export async function loadTokenStandard(
  db: Kysely<Database>,
  chainId: number,
  token: string,
): Promise<number | undefined> {
  const row = await db
    .selectFrom('tokens')
    .select('standard')
    .where('chain_id', '=', chainId)
    .where('address', '=', fromHex(token))
    .executeTakeFirst()
  return row?.standard
}
