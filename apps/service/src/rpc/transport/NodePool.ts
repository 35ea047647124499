import { setTimeout as delay } from 'node:timers/promises'
import { ChainIdCheck, type ChainIdOptions } from './ChainIdCheck.ts'
import { type CallOptions, type Deadline, startDeadline } from './Deadline.ts'
import { NodeConnection } from './NodeConnection.ts'
import { type NodeEndpoint, parseUrl } from './NodeEndpoint.ts'
import { NodeError } from './NodeError.ts'
import type { NodeLimits } from './NodeLimits.ts'
import { isMissingState } from './nodeMessages.ts'
import type { NodeStats } from './NodeStatistics.ts'

/**
 * Requests to one node and the verification of its responses, within the deadline for that node. The pool runs it on the
 * next node when it rejects with a {@link NodeError}.
 */
export type Task<T> = (node: NodeConnection, deadline: Deadline) => Promise<T>

interface Member {
  readonly connection: NodeConnection
  readonly health: NodeHealth
  readonly chainId: ChainIdCheck
}

export interface NodePoolOptions extends ChainIdOptions {
  /** Milliseconds after which a task that failed on all nodes runs again. */
  readonly retryDelayMs?: number
  /** With a timeout, the most milliseconds for one node while others remain. */
  readonly attemptTimeoutMs?: number
}

/** How often a task runs on all nodes while it fails. */
const rounds = 2
/** How often it runs while nodes at one URL lag behind the one that returned a block, which takes a second at most. */
const roundsOfLag = 4

/** The nodes of one chain. A task that fails on one runs on the next. */
export class NodePool {
  readonly #members: readonly Member[]
  readonly #retryDelayMs: number
  readonly #attemptTimeoutMs: number

  /** @param endpoints - by preference. */
  constructor(
    endpoints: readonly NodeEndpoint[],
    { retryDelayMs = 150, attemptTimeoutMs = 1_500, ...options }: NodePoolOptions = {},
  ) {
    this.#retryDelayMs = retryDelayMs
    this.#attemptTimeoutMs = attemptTimeoutMs
    this.#members = endpoints.map((endpoint, index) => ({
      connection: new NodeConnection(endpoint, getName(endpoints, index)),
      health: new NodeHealth(),
      chainId: new ChainIdCheck(options),
    }))
  }

  get size(): number {
    return this.#members.length
  }

  /** The node that the next task runs on first. */
  get preferred(): NodeConnection | undefined {
    return this.#byPreference()[0]?.connection
  }

  /**
   * Runs a task on the preferred node and, while it fails, on the others, all of them several times.
   *
   * Responses that contradict a block count as a violation of the node once another node's do not: before that, the block
   * itself may be wrong, which may be of another node.
   *
   * @throws {NodeError} the most informative failure, when all fail; or the signal's reason.
   */
  async run<T>(task: Task<T>, options: CallOptions = {}): Promise<T> {
    const { signal, priority } = options
    const suspects: [Member, NodeError][] = []
    const endsAt = performance.now() + (options.timeoutMs ?? Infinity)
    let failure: NodeError | undefined
    let isUnreachable = false
    for (let round = 1; ; round++) {
      const members = this.#byPreference()
      for (const [index, member] of members.entries()) {
        try {
          const timeoutMs = this.#shareTimeout(endsAt - performance.now(), members.length - index)
          const result = await attempt(member, task, { signal, timeoutMs, priority })
          for (const [suspect, error] of suspects) {
            recordViolation(suspect, error)
          }
          return result
        } catch (error) {
          signal?.throwIfAborted()
          if (!(error instanceof NodeError)) {
            throw error
          }
          if (this.size === 1) {
            recordViolation(member, error)
          } else if (error.violation) {
            suspects.push([member, error])
          }
          isUnreachable ||= error.retryable
          if (!failure || getRank(error) >= getRank(failure)) {
            failure = error
          }
        }
      }
      const delayMs = this.#retryDelayMs * 2 ** (round - 1)
      const isTimedOut = performance.now() + delayMs >= endsAt
      if (!failure) {
        throw new NodeError('No node is configured', { kind: 'connection', retryable: false })
      }
      // A node that was unreachable for a short time may have the state that another one lacks.
      const isFinal = !failure.retryable && !(isUnreachable && isMissingState(failure.message))
      const maxRounds = failure.kind === 'missing-block' ? roundsOfLag : rounds
      if (round === maxRounds || isFinal || isTimedOut) {
        throw failure
      }
      await delay(delayMs, undefined, signal && { signal })
    }
  }

  /**
   * Runs a task on all nodes at once. Its requests are of one node each, which a violation is recorded for.
   *
   * @returns the results in the order of the configuration.
   */
  async runOnAll<T>(task: Task<T>, options: CallOptions = {}): Promise<PromiseSettledResult<T>[]> {
    const runs = this.#members.map(async (member) => {
      try {
        return await attempt(member, task, options)
      } catch (error) {
        recordViolation(member, error)
        throw error
      }
    })
    return await Promise.allSettled(runs)
  }

  /** Prefers the other nodes to this one for some time. */
  coolDown(index: number, durationMs: number): void {
    this.#members[index]?.health.coolDown(durationMs)
  }

  /** Verifies the chain of each node again before its next task. */
  verifyChainIds(): void {
    for (const { chainId } of this.#members) {
      chainId.repeat()
    }
  }

  /** Statistics of each node, in the order of the configuration. */
  stats(): NodeStats[] {
    return this.#members.map(({ connection, health }) =>
      connection.statistics.read(health.coolsDownUntil > 0),
    )
  }

  /** What each node was found to accept, in the order of the configuration. */
  limits(): { readonly key: string; readonly name: string; readonly limits: NodeLimits }[] {
    return this.#members.map(({ connection: { key, limits, statistics } }) => ({
      key,
      limits,
      name: statistics.name,
    }))
  }

  /** @param limits - by key of the node. */
  restoreLimits(limits: ReadonlyMap<string, NodeLimits>): void {
    for (const { connection } of this.#members) {
      connection.restoreLimits(limits.get(connection.key) ?? {})
    }
  }

  /** How much of the remaining time the first of the remaining nodes may take. */
  #shareTimeout(remainingMs: number, nodes: number): number {
    return nodes === 1 || remainingMs === Infinity
      ? remainingMs
      : Math.min(this.#attemptTimeoutMs, remainingMs / nodes)
  }

  /** Healthy nodes as configured, then those that cool down, the earliest to recover first. */
  #byPreference(): Member[] {
    return this.#members.toSorted((a, b) => a.health.coolsDownUntil - b.health.coolsDownUntil)
  }
}

async function attempt<T>(
  { connection, health, chainId }: Member,
  task: Task<T>,
  { signal, timeoutMs = Infinity, priority }: CallOptions,
): Promise<T> {
  const deadline = startDeadline(timeoutMs, signal, priority)
  try {
    await chainId.verify(connection, deadline)
    const result = await task(connection, deadline)
    health.recordSuccess()
    return result
  } catch (error) {
    if (error instanceof NodeError) {
      health.recordFailure(error)
      chainId.recordFailure(error)
      if (error.kind === 'mismatch') {
        connection.statistics.recordFailure(error.kind)
      }
    }
    throw error
  } finally {
    deadline.clear()
  }
}

/**
 * A rejection is more informative than another node being unreachable. A node of another chain is the last reason: it is one
 * only if all nodes are.
 */
function getRank({ kind, retryable, mayExceedLimit, violation }: NodeError): number {
  if (mayExceedLimit) {
    return 3
  }
  if (violation) {
    return 2
  }
  return kind === 'other-chain' ? -1 : kind === 'rejected' && !retryable ? 1 : 0
}

/** Counts a violation, and prefers the other nodes for some time, also while other requests succeed. */
function recordViolation({ connection, health }: Member, error: unknown): void {
  if (error instanceof NodeError && error.violation) {
    connection.statistics.recordViolation(error.violation.kind)
    health.coolDown(maxCooldownMs)
  }
}

/** The node's host, numbered from the second of the same host on. */
function getName(endpoints: readonly NodeEndpoint[], index: number): string {
  const hosts = endpoints.map((endpoint) => parseUrl(endpoint).host)
  const host = hosts[index] ?? ''
  const before = hosts.slice(0, index).filter((other) => other === host).length
  return before === 0 ? host : `${host}#${before + 1}`
}

const initialCooldownMs = 500
const maxCooldownMs = 30_000

/** Whether a node works, or cools down after a failure while others are preferred. */
class NodeHealth {
  #failures = 0
  #failureCooldownUntil = -Infinity
  #cooldownUntil = -Infinity

  /** When its usual preference returns, by `performance.now()`; 0 when it does not cool down. */
  get coolsDownUntil(): number {
    const until = Math.max(this.#failureCooldownUntil, this.#cooldownUntil)
    return until > performance.now() ? until : 0
  }

  recordSuccess(): void {
    this.#failures = 0
    this.#failureCooldownUntil = -Infinity
  }

  /** Cools down, for as long as the node requests or twice as long after each failure in a row. */
  recordFailure(error: NodeError): void {
    if (error.kind === 'other-chain') {
      this.coolDown(maxCooldownMs)
    }
    // Neither an error that any node would return nor a request that was not sent counts against the node.
    if (!error.retryable || error.kind === 'busy') {
      return
    }
    this.#failureCooldownUntil = fromNow(
      error.retryAfterMs ?? initialCooldownMs * 2 ** this.#failures++,
    )
  }

  /** Cools down regardless of its responses: it lags, or follows another chain. */
  coolDown(durationMs: number): void {
    this.#cooldownUntil = fromNow(durationMs)
  }
}

function fromNow(durationMs: number): number {
  return performance.now() + Math.min(maxCooldownMs, durationMs)
}
