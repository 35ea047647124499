import { ApiError } from '../operations/ApiError.ts'
import { Semaphore } from '../queues/Semaphore.ts'

/** Runs work once there is capacity for it. */
export type Limiter = <Result>(work: () => Promise<Result>) => Promise<Result>

/** How many tasks run at once, and how many more may be queued. */
export interface Capacity {
  readonly working: number
  readonly waiting: number
}

/**
 * Limits concurrent work, first in, first out.
 *
 * @throws {ApiError} from the limiter: 503 when the queue is full.
 */
export function createLimiter({ working, waiting }: Capacity): Limiter {
  const semaphore = new Semaphore(working)
  return async (work) => {
    if (!semaphore.isFree && semaphore.pendingCount >= waiting) {
      throw new ApiError(503, 'SERVICE_BUSY', 'The service is overloaded', { retryAfterSeconds: 1 })
    }
    return await semaphore.run(work)
  }
}
