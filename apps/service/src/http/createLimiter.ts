import { ApiError } from '../operations/ApiError.ts'
import { FairQueue } from '../queues/FairQueue.ts'

/** Runs work of an account, such as an API key, once there is capacity for it, unless the signal has aborted by then. */
export type Limiter = <Result>(
  work: () => Promise<Result>,
  account?: unknown,
  signal?: AbortSignal,
) => Promise<Result>

/** How many tasks run at once, and how many more may be queued. */
export interface Capacity {
  readonly working: number
  readonly waiting: number
}

/**
 * Limits concurrent work, and shares its time fairly among accounts: that of one in the order of its arrival.
 *
 * @throws {ApiError} from the limiter: 503 when the queue is full.
 */
export function createLimiter({ working, waiting }: Capacity): Limiter {
  const queue = new FairQueue({
    permits: working,
    maxWaiting: waiting,
    createError: () =>
      new ApiError(503, 'SERVICE_BUSY', 'The service is overloaded', { retryAfterSeconds: 1 }),
  })
  return async (work, account, signal) => await queue.run(account, work, signal)
}
