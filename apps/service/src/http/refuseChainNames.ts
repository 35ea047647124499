import type { ChainConfig } from '../config/Config.ts'
import { RefusalError } from '../operations/RefusalError.ts'
import { isChainName } from './isChainName.ts'

/**
 * Says of chain names, which are never accepted, that this is what they are. Other values pass.
 *
 * @param param as it is called on the wire.
 * @throws {RefusalError} 400 for the name of a chain.
 */
export function refuseChainNames(
  values: readonly unknown[],
  param: string,
  configured: readonly ChainConfig[],
): void {
  for (const value of values)
    if (typeof value === 'string' && isChainName(value, configured))
      throw new RefusalError(
        400,
        'CHAIN_NAME_NOT_ACCEPTED',
        `${param} takes no names; "${value}" is the name of a chain`,
        { param },
      )
}
