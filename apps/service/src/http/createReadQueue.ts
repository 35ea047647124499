import { ApiError } from '../operations/ApiError.ts'
import { FairQueue, type QueueLimits } from '../queues/FairQueue.ts'

/**
 * Creates a queue of reads, which shares the time of the store among accounts such as API keys.
 *
 * @throws {ApiError} from its reads: 503 when the queue is full.
 */
export function createReadQueue(limits: QueueLimits): FairQueue {
  return new FairQueue({
    ...limits,
    createError: () =>
      new ApiError(503, 'SERVICE_BUSY', 'The service is overloaded', { retryAfterSeconds: 1 }),
  })
}
