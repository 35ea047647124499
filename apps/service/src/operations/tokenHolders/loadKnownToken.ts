import type { Kysely } from 'kysely'
import type { Database } from '../../store/Database.ts'
import { fromHex } from '../../store/hex.ts'

/** What a contract that moved tokens is. */
interface KnownToken {
  /** 20, 721 or 1155. */
  readonly standard: number
  readonly amountsFrom: 'ledger' | 'chain'
  /** Whether its holders can be ranked: those of a token read from the chain once all of them were read. */
  readonly isRanked: boolean
}

/** Loads what a contract is; undefined for one that never moved a token. */
export async function loadKnownToken(
  db: Kysely<Database>,
  chainId: number,
  token: string,
): Promise<KnownToken | undefined> {
  const row = await db
    .selectFrom('tokens')
    .select(['standard', 'amounts_from', 'holders_read'])
    .where('chain_id', '=', chainId)
    .where('address', '=', fromHex(token))
    .executeTakeFirst()
  return (
    row && {
      standard: row.standard,
      amountsFrom: row.amounts_from,
      isRanked: row.amounts_from === 'ledger' || row.holders_read,
    }
  )
}
