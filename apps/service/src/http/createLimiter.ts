import { ApiError } from '../operations/ApiError.ts'
import { Semaphore } from '../queues/Semaphore.ts'

/** Does work once there is room for it. */
export type Limiter = <Result>(work: () => Promise<Result>) => Promise<Result>

/** How much work is done at once, and how much more may wait for that. */
export interface Capacity {
  readonly working: number
  readonly waiting: number
}

/**
 * Lets only so much work be done at once, in the order it came, and refuses what would have to wait behind too much.
 *
 * @throws {ApiError} from the gate: 503, when too many wait.
 */
export function createLimiter({ working, waiting }: Capacity): Limiter {
  const slots = new Semaphore(working)
  return async (work) => {
    if (!slots.isFree && slots.pendingCount >= waiting) {
      throw new ApiError(503, 'SERVICE_BUSY', 'The service has too much to do now', {
        retryAfterSeconds: 1,
      })
    }
    return await slots.run(work)
  }
}
