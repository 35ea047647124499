import type { Logger } from 'pino'
import type { Metrics } from '../Metrics.ts'

/** What the log tells of a request beside what the figures hold. */
interface RequestDetails {
  readonly requestId: string
  readonly method: string
  readonly path: string | undefined
  readonly units: number
  readonly keyId: number | undefined
}

/** One line a request, and its part of the figures. Neither headers nor the query: nothing secret gets into the log, whatever clients send. */
export function recordRequest(
  { logger, metrics }: { readonly logger: Logger; readonly metrics: Metrics },
  answered: {
    /** Undefined for a path that is no operation's. */
    readonly operation: string | undefined
    readonly status: number
    /** When it came, as `performance.now()` tells it. */
    readonly start: number
  },
  details: () => RequestDetails,
): void {
  const { operation, status, start } = answered
  const milliseconds = performance.now() - start
  metrics.answered(operation ?? 'other', status, milliseconds / 1000)
  // To look at an answer's headers costs more than the rest of this.
  if (!logger.isLevelEnabled('debug')) {
    return
  }
  logger.debug({ ...details(), status, milliseconds: Math.round(milliseconds) }, 'request')
}
