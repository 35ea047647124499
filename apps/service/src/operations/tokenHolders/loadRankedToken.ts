import { type Kysely, sql } from 'kysely'
import type { Database } from '../../store/Database.ts'
import { fromHex } from '../../store/hex.ts'
import { ledgerToken } from '../../store/ledgerToken.ts'
import { ApiError } from '../ApiError.ts'
import { isToken } from '../pricedTokens/loadToken.ts'

/** The audit takes longer the more holders a token has. */
const retryAfterSeconds = 30

/** A token with holders that can be ranked. */
interface RankedToken {
  /** The token as the rows of balances contain it. */
  readonly ledgerToken: number
  /** Where its balances come from: the ledger, or the audit if the ledger differs from the chain. */
  readonly amountsFrom: 'ledger' | 'chain'
}

/**
 * Loads a token by its address.
 *
 * @throws {ApiError} 404 for an address without an ERC20 or ERC721 token; 503 until the audit has read all balances of a
 *   token with a ledger that differs from the chain, and where its contract returns none.
 */
export async function loadRankedToken(
  db: Kysely<Database>,
  chainId: number,
  token: string,
): Promise<RankedToken> {
  const listed = () => sql`
    select from chain_amounts
    where chain_amounts.chain_id = tokens.chain_id and chain_amounts.token = tokens.address`
  const row = await db
    .selectFrom('tokens')
    .select(['id', 'standard', 'events', 'decimals', 'amounts_from', 'holders_read'])
    .select(ledgerToken.as('ledger_token'))
    .select(
      sql<boolean>`exists (${listed()}) and not exists (${listed()} and amount is not null)`.as(
        'is_unreadable',
      ),
    )
    .where('chain_id', '=', chainId)
    .where('address', '=', fromHex(token))
    .executeTakeFirst()
  if (!row || !isToken(row) || (row.standard !== 20 && row.standard !== 721)) {
    throw new ApiError(
      404,
      'TOKEN_NOT_FOUND',
      `Chain ${chainId} has no ERC20 or ERC721 token ${token}`,
      { param: 'address' },
    )
  }
  if (row.amounts_from === 'ledger') {
    return { ledgerToken: row.standard === 721 ? -row.id : row.id, amountsFrom: 'ledger' }
  }
  if (!row.holders_read) {
    throw new ApiError(
      503,
      'HOLDERS_NOT_READ',
      `The onchain balances of ${token} have not all been fetched yet`,
      { retryAfterSeconds },
    )
  }
  if (row.is_unreadable) {
    throw new ApiError(503, 'HOLDERS_NOT_READ', `The contract ${token} returns no balances`, {
      retryAfterSeconds,
    })
  }
  return { ledgerToken: row.ledger_token, amountsFrom: 'chain' }
}
