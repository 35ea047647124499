import type { Kysely } from 'kysely'
import type { ChainConfig } from '../../config/Config.ts'
import type { Database, TokenStandard } from '../../store/Database.ts'
import { fromHex } from '../../store/hex.ts'
import { ApiError } from '../ApiError.ts'
import { type ChainToken, nativeToken } from './ChainToken.ts'

/**
 * Loads a token by its address, or the native asset of the chain. An ERC20 token is known from its first transfer on,
 * also before its texts were read.
 *
 * @param param - what the address is called on the wire, for the refusal.
 * @throws {ApiError} 404 for an address that is no ERC20 token of the chain.
 */
export async function loadToken(
  db: Kysely<Database>,
  chain: ChainConfig,
  address: string,
  param: string,
): Promise<ChainToken> {
  if (address === 'native') {
    return nativeToken(chain)
  }
  const row = await db
    .selectFrom('tokens')
    .select(['standard', 'name', 'symbol', 'decimals'])
    .where('chain_id', '=', chain.id)
    .where('address', '=', fromHex(address))
    .executeTakeFirst()
  if (row?.standard !== 20) {
    throw notFound(chain, address, row?.standard, param)
  }
  return {
    chain,
    address,
    name: row.name ?? undefined,
    symbol: row.symbol ?? undefined,
    decimals: row.decimals ?? undefined,
  }
}

function notFound(
  { id }: ChainConfig,
  address: string,
  standard: TokenStandard | undefined,
  param: string,
): ApiError {
  const sentence = standard
    ? `${address} on chain ${id} is an ERC${standard} contract; this operation answers for ERC20 tokens`
    : `Chain ${id} has no ERC20 token ${address}`
  return new ApiError(404, 'TOKEN_NOT_FOUND', sentence, { param })
}
