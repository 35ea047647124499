import type { Kysely } from 'kysely'
import type { ChainConfig } from '../../config/Config.ts'
import type { Database } from '../../store/Database.ts'
import { fromHex } from '../../store/hex.ts'
import { ApiError } from '../ApiError.ts'
import { type ChainToken, findNativeToken } from './ChainToken.ts'

/**
 * Loads a token by its address, or the native asset of the chain. An ERC20 token is stored with its first transfer, before its
 * name, symbol and decimals are.
 *
 * @param param - name of the parameter with the address, for the error.
 * @throws {ApiError} 404 for an address without an ERC20 token.
 */
export async function loadToken(
  db: Kysely<Database>,
  chain: ChainConfig,
  address: string,
  param: string,
): Promise<ChainToken> {
  const native = findNativeToken(chain, address)
  if (native) {
    return native
  }
  const row = await db
    .selectFrom('tokens')
    .select(['standard', 'events', 'name', 'symbol', 'decimals'])
    .where('chain_id', '=', chain.id)
    .where('address', '=', fromHex(address))
    .executeTakeFirst()
  if (!row || !isToken(row) || row.standard !== 20) {
    const message =
      row && isToken(row)
        ? `${address} on chain ${chain.id} is an ERC${row.standard} contract; this operation supports ERC20 tokens only`
        : `Chain ${chain.id} has no ERC20 token ${address}`
    throw new ApiError(404, 'TOKEN_NOT_FOUND', message, { param })
  }
  return {
    chain,
    address,
    name: row.name ?? undefined,
    symbol: row.symbol ?? undefined,
    decimals: row.decimals ?? undefined,
  }
}

/** Whether a contract is a token: a pool alone, which anyone can create of any address, does not show it. */
export function isToken({
  events,
  decimals,
}: {
  readonly events: number
  readonly decimals: number | null
}): boolean {
  return events !== 0 || decimals !== null
}
