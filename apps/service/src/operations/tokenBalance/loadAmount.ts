import type { Kysely } from 'kysely'
import type { Database } from '../../store/Database.ts'
import { fromHex } from '../../store/hex.ts'

/**
 * What a wallet has of an ERC20 token by the ledger, in smallest units; zero when it never had any. Undefined when only
 * the chain tells, since the ledger of the token disagreed with it.
 */
export async function loadAmount(
  db: Kysely<Database>,
  chainId: number,
  token: string,
  wallet: string,
): Promise<bigint | undefined> {
  const row = await db
    .selectFrom('tokens')
    .leftJoin('balances', (join) =>
      join
        .onRef('balances.chain_id', '=', 'tokens.chain_id')
        .onRef('balances.token', '=', 'tokens.address')
        .on('balances.holder', '=', fromHex(wallet))
        .on('balances.standard', '=', 20),
    )
    .select(['amount', 'amounts_from'])
    .where('tokens.chain_id', '=', chainId)
    .where('tokens.address', '=', fromHex(token))
    .executeTakeFirst()
  return row?.amounts_from === 'chain' ? undefined : BigInt(row?.amount ?? 0)
}
