import { FifoQueue } from '../queues/FifoQueue.ts'
import { UntrustedFetchError } from './UntrustedFetchError.ts'

/** A request for permission to run a task. */
interface TaskRequest {
  readonly host: string
  /** Concurrent tasks of this host, if it differs from the general limit. */
  readonly maxPerHost?: number
  /** The entity the task runs for; without one, the limits per owner do not apply. */
  readonly owner?: string | undefined
}

interface QueueLimits {
  /** Concurrent tasks in total. */
  readonly maxConcurrent: number
  /** Concurrent tasks per host. */
  readonly maxPerHost: number
  /** Concurrent tasks per owner. */
  readonly maxPerOwner: number
  /** Queued requests in total; a single owner may use half of them. */
  readonly maxQueued: number
}

/**
 * A semaphore with limits in total, per host and per owner. Queued requests of the owner with the fewest running tasks
 * start first, so that an owner with many requests does not delay the others.
 */
export class HostQueue {
  readonly #limits: QueueLimits
  readonly #runningByHost = new Map<string, number>()
  readonly #runningByOwner = new Map<string, number>()
  #running = 0
  readonly #queue = new FifoQueue<TaskRequest>()

  constructor(limits: QueueLimits) {
    this.#limits = limits
  }

  /**
   * Waits until the task may run.
   *
   * @returns a function that releases the permission; call it once.
   * @throws {UntrustedFetchError} `busy` when the queue is full; the signal's reason when it aborts before the task starts.
   */
  async acquire(request: TaskRequest, signal: AbortSignal): Promise<() => void> {
    signal.throwIfAborted()
    if (this.#canRun(request)) {
      this.#count(request, 1)
    } else if (this.#isFull(request)) {
      throw new UntrustedFetchError('busy', 'Too many requests are queued')
    } else {
      await this.#queue.enqueue(request, signal)
    }
    return () => {
      this.#count(request, -1)
      this.#startNext()
    }
  }

  #startNext(): void {
    const [next] = [...this.#queue]
      .filter((request) => this.#canRun(request))
      .sort((a, b) => this.#runningOfOwner(a) - this.#runningOfOwner(b))
    if (next) {
      // Counted before its caller continues, so that no other request takes the place in between.
      this.#count(next, 1)
      this.#queue.dequeue(next)
    }
  }

  #runningOfOwner({ owner }: TaskRequest): number {
    return owner === undefined ? 0 : (this.#runningByOwner.get(owner) ?? 0)
  }

  #canRun(request: TaskRequest): boolean {
    const { maxConcurrent, maxPerHost, maxPerOwner } = this.#limits
    const runningOfHost = this.#runningByHost.get(request.host) ?? 0
    return (
      this.#running < maxConcurrent &&
      runningOfHost < (request.maxPerHost ?? maxPerHost) &&
      this.#runningOfOwner(request) < maxPerOwner
    )
  }

  #isFull({ owner }: TaskRequest): boolean {
    const { maxQueued } = this.#limits
    if (this.#queue.length >= maxQueued) {
      return true
    }
    if (owner === undefined) {
      return false
    }
    return [...this.#queue].filter((each) => each.owner === owner).length >= maxQueued / 2
  }

  #count({ host, owner }: TaskRequest, change: 1 | -1): void {
    this.#running += change
    add(this.#runningByHost, host, change)
    if (owner !== undefined) {
      add(this.#runningByOwner, owner, change)
    }
  }
}

function add(counts: Map<string, number>, key: string, change: number): void {
  const count = (counts.get(key) ?? 0) + change
  if (count > 0) {
    counts.set(key, count)
  } else {
    counts.delete(key)
  }
}
