import type { ChainConfig } from '../../config/Config.ts'
import { ApiError } from '../../operations/ApiError.ts'

/** Only a person can help; whoever waits for it need not ask more often. */
const RETRY_AFTER_SECONDS = 60

/**
 * Lets no answer be made of a chain whose indexing ended for good.
 *
 * @throws {ApiError} 503 when one of the chains is stopped.
 */
export function rejectStopped(
  chains: readonly ChainConfig[],
  stoppedChains: ReadonlySet<number>,
): void {
  const stopped = chains.filter(({ id }) => stoppedChains.has(id)).map(({ id }) => id)
  if (stopped.length === 0) {
    return
  }
  throw new ApiError(
    503,
    'CHAIN_STOPPED',
    `The service cannot answer now for chain ${stopped.join(', ')}`,
    { retryAfterSeconds: RETRY_AFTER_SECONDS },
  )
}
