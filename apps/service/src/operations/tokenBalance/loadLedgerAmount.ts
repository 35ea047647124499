import { type Kysely, sql } from 'kysely'
import type { Database } from '../../store/Database.ts'
import { fromHex } from '../../store/hex.ts'
import { isHolder } from '../../store/holderKey.ts'

/**
 * Loads a wallet's balance of an ERC20 token from the ledger, in smallest units; zero if it never had any.
 *
 * @returns undefined if the ledger of the token differs from the chain, so that the balance must be read there.
 */
export async function loadLedgerAmount(
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
        .onRef('balances.token', '=', 'tokens.id')
        .on(isHolder(sql.ref('balances.holder'), sql`${fromHex(wallet)}::bytea`)),
    )
    .select(['amount', 'amounts_from'])
    .where('tokens.chain_id', '=', chainId)
    .where('tokens.address', '=', fromHex(token))
    .executeTakeFirst()
  return row?.amounts_from === 'chain' ? undefined : BigInt(row?.amount ?? 0)
}
