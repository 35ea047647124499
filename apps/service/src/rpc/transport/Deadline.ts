import { NodeError } from './NodeError.ts'

/**
 * What a request is for: a response to a client, the search for what clients requested, or the index. Where a node limits
 * the rate, each gets a share of it.
 */
export type Priority = 'client' | 'search' | 'index'

/** How long a caller waits for the nodes of a chain. */
export interface CallOptions {
  /** Cancels the call, which rejects with the signal's reason. */
  readonly signal?: AbortSignal | undefined
  /** Milliseconds for all nodes together; unlimited by default. */
  readonly timeoutMs?: number | undefined
  /** By default `client` with a timeout, and `index` without one. */
  readonly priority?: Priority | undefined
}

/** When the requests of a task to one node end at the latest. */
export interface Deadline {
  /** Aborts at the deadline, or earlier when the caller cancels. */
  readonly signal?: AbortSignal | undefined
  /** When the signal aborts, by `performance.now()`, where that is known in advance. */
  readonly endsAt?: number | undefined
  readonly priority?: Priority | undefined
}

/** The priority of a request: clients do not wait without end. */
export function getPriority({ priority, endsAt = Infinity }: Deadline): Priority {
  return priority ?? (endsAt === Infinity ? 'index' : 'client')
}

/**
 * Starts a deadline that aborts with a {@link NodeError}.
 *
 * @param timeoutMs - milliseconds from now; Infinity for no limit.
 * @param signal - aborts the deadline's signal earlier, with its reason.
 * @returns the deadline, and `clear` to stop its timer.
 */
export function startDeadline(
  timeoutMs: number,
  signal: AbortSignal | undefined,
  priority?: Priority,
): Deadline & { readonly clear: () => void } {
  const endsAt = performance.now() + timeoutMs
  if (timeoutMs === Infinity) {
    return { signal, endsAt, priority, clear: () => {} }
  }
  const controller = new AbortController()
  const timer = setTimeout(
    () => controller.abort(new NodeError('no response before the deadline', { kind: 'timeout' })),
    Math.max(0, timeoutMs),
  )
  return {
    signal: signal ? AbortSignal.any([signal, controller.signal]) : controller.signal,
    endsAt,
    priority,
    clear: () => clearTimeout(timer),
  }
}
