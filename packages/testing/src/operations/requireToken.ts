import { ApiError } from '../http/ApiError.ts'
import type { WorldToken } from '../world/FakeToken.ts'
import { findToken } from '../world/World.ts'
import type { RowContext } from './Generator.ts'

/**
 * The token of a request for one chain.
 *
 * @param param - wire name of the parameter of the address.
 * @throws {ApiError} 404 for an address that is not an ERC20 token of the chain.
 */
export function requireToken(
  { world, chains }: RowContext,
  address: string,
  param: string,
): WorldToken {
  const chainId = chains[0]?.id ?? 0
  const token = findToken(world, { chainId, address })
  if (!token) {
    throw tokenNotFound(chainId, address, param)
  }
  return token
}

/** The error for an address that is not a token that the operation supports. */
export function tokenNotFound(chainId: number, address: string, param: string): ApiError {
  const message = `Chain ${chainId} has no such token ${address.toLowerCase()}`
  return new ApiError(404, 'TOKEN_NOT_FOUND', message, { param })
}
