import { Slots } from '../queues/Slots.ts'
import { RefusalError } from '../operations/RefusalError.ts'

/** Does work once there is room for it. */
export type Gate = <Result>(work: () => Promise<Result>) => Promise<Result>

/** How much work is done at once, and how much more may wait for that. */
export interface Capacity {
  readonly working: number
  readonly waiting: number
}

/**
 * Lets only so much work be done at once, in the order it came, and refuses what would have to wait behind too much.
 *
 * @throws {RefusalError} from the gate: 503, when too many wait.
 */
export function createGate({ working, waiting }: Capacity): Gate {
  const slots = new Slots(working)
  return async (work) => {
    if (!slots.isFree && slots.waiting >= waiting)
      throw new RefusalError(503, 'SERVICE_BUSY', 'The service has too much to do now', {
        retryAfterSeconds: 1,
      })
    return await slots.run(work)
  }
}
