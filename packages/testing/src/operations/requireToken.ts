import { RefusalError } from '../http/RefusalError.ts'
import type { WorldToken } from '../world/FakeToken.ts'
import { findToken } from '../world/World.ts'
import type { RowContext } from './Generator.ts'

/**
 * The token that a request names, on its one chain.
 *
 * @param param - what the address is called on the wire.
 * @throws {RefusalError} 404 for an address that is no ERC20 token of the chain.
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

/** The refusal of an address that is no token that the operation answers for. */
export function tokenNotFound(chainId: number, address: string, param: string): RefusalError {
  const sentence = `Chain ${chainId} has no such token ${address.toLowerCase()}`
  return new RefusalError(404, 'TOKEN_NOT_FOUND', sentence, { param })
}
