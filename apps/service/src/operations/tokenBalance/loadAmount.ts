import type { Kysely } from 'kysely'
import type { Database } from '../../store/Database.ts'
import { fromHex } from '../../store/hex.ts'

/** What a wallet has of an ERC20 token by the ledger, in smallest units; zero when it never had any. */
export async function loadAmount(
  db: Kysely<Database>,
  chainId: number,
  token: string,
  wallet: string,
): Promise<bigint> {
  const row = await db
    .selectFrom('balances')
    .select('amount')
    .where('chain_id', '=', chainId)
    .where('holder', '=', fromHex(wallet))
    .where('token', '=', fromHex(token))
    .where('standard', '=', 20)
    .executeTakeFirst()
  return BigInt(row?.amount ?? 0)
}
