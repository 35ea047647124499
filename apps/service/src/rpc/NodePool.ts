import { setTimeout as delay } from 'node:timers/promises'
import { Deadline } from './Deadline.ts'
import { NodeConnection } from './NodeConnection.ts'
import { type NodeEndpoint, parseUrl } from './NodeEndpoint.ts'
import { NodeError } from './NodeError.ts'
import { NodeHealth } from './NodeHealth.ts'
import type { NodeStats } from './NodeStatistics.ts'
import type { Patience, Waiting } from './Patience.ts'

/**
 * Questions to one node and the examination of its answers, for no longer than that node is waited for. Rejects with a
 * {@link NodeError} to be done elsewhere.
 */
export type Task<T> = (node: NodeConnection, waiting: Waiting) => Promise<T>

interface Member {
  readonly connection: NodeConnection
  readonly health: NodeHealth
}

const retryMs = 150
/** Who has not all the time waits no longer for a node while another is left to ask. */
const attemptMs = 1_500

/** The nodes of one chain: what one does not answer, or answers wrongly, is asked of the next. */
export class NodePool {
  readonly #members: readonly Member[]

  /** @param endpoints the preferred first. */
  constructor(endpoints: readonly NodeEndpoint[]) {
    this.#members = endpoints.map((endpoint, at) => ({
      connection: new NodeConnection(endpoint, nameOf(endpoints, at)),
      health: new NodeHealth(),
    }))
  }

  get size(): number {
    return this.#members.length
  }

  /** The node that is asked first at present. */
  get first(): NodeConnection | undefined {
    return this.#ordered()[0]?.connection
  }

  /**
   * Does a task with the first node, with the next one when it fails, and with all of them once more.
   *
   * @throws {NodeError} that tells most, when none succeeds; or the signal's reason.
   */
  async run<T>(task: Task<T>, patience: Patience = {}): Promise<T> {
    const { signal } = patience
    const endsAt = performance.now() + (patience.totalMs ?? Infinity)
    let failure = new NodeError('There is no node', { kind: 'connection', retryable: false })
    for (let round = 1; ; round++) {
      const members = this.#ordered()
      for (const [at, member] of members.entries())
        try {
          const totalMs = shareOf(endsAt - performance.now(), members.length - at)
          return await attempt(member, task, { signal, totalMs })
        } catch (error) {
          signal?.throwIfAborted()
          if (!(error instanceof NodeError)) throw error
          // What a node says tells more than that another is away.
          const isFirst = round === 1 && at === 0
          if (isFirst || !failure.mayBeTooMuch || error.mayBeTooMuch) failure = error
        }
      const isOver = performance.now() + retryMs >= endsAt
      if (round === 2 || !failure.retryable || isOver) throw failure
      await delay(retryMs, undefined, signal && { signal })
    }
  }

  /** Does a task with every node at once. Gives what came of it, in the order of the configuration. */
  async runEach<T>(task: Task<T>, patience: Patience = {}): Promise<PromiseSettledResult<T>[]> {
    return await Promise.allSettled(this.#members.map((member) => attempt(member, task, patience)))
  }

  /** Asks a node after the others for a while. */
  rest(at: number, milliseconds: number): void {
    this.#members[at]?.health.rest(milliseconds)
  }

  /** What became of the questions to each node, in the order of the configuration. */
  stats(): NodeStats[] {
    return this.#members.map(({ connection, health }) =>
      connection.statistics.read(health.restsUntil > 0),
    )
  }

  /** The well ones as configured, then the resting ones by when they come back. */
  #ordered(): Member[] {
    return this.#members.toSorted((a, b) => a.health.restsUntil - b.health.restsUntil)
  }
}

/** How much of the time left the first of so many nodes may take. */
function shareOf(leftMs: number, nodes: number): number {
  return nodes === 1 || leftMs === Infinity ? leftMs : Math.min(attemptMs, leftMs / nodes)
}

async function attempt<T>(
  { connection, health }: Member,
  task: Task<T>,
  { signal, totalMs = Infinity }: Patience,
): Promise<T> {
  const deadline = new Deadline(totalMs, signal)
  try {
    const result = await task(connection, deadline)
    health.succeeded()
    return result
  } catch (error) {
    if (error instanceof NodeError) {
      health.failed(error)
      if (error.kind === 'mismatch') connection.statistics.failed(error.kind)
    }
    throw error
  } finally {
    deadline.cancel()
  }
}

function nameOf(endpoints: readonly NodeEndpoint[], at: number): string {
  const hosts = endpoints.map((endpoint) => parseUrl(endpoint).host)
  const host = hosts[at] ?? ''
  const before = hosts.slice(0, at).filter((other) => other === host).length
  return before === 0 ? host : `${host}#${before + 1}`
}
