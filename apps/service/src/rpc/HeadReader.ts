import { msPerMinute } from '../time.ts'
import { type BlockHeader, parseHeader } from './methods/BlockHeader.ts'
import { startDeadline } from './transport/Deadline.ts'
import { NodeError } from './transport/NodeError.ts'
import type { NodePool, Task } from './transport/NodePool.ts'
import { findCommonHash } from './verify/quorum.ts'

/** How often the heads of the nodes are compared. */
const comparisonIntervalMs = msPerMinute
/** The interval while the head does not advance, for which the chain or the preferred node may be the reason. */
const stalledComparisonIntervalMs = 15_000
/** Slower nodes do not take part in a comparison. */
const comparisonTimeoutMs = 3_000
/** A node lags when its head is older than the best one by more than this, in seconds of block time. */
const maxLagSeconds = 15
/** A head that is further ahead of the clock is invalid. */
const maxFutureSeconds = 900
/** A head that is higher than expected by more blocks is trusted only after a comparison. */
const maxJumpBlocks = 128
const cooldownMs = 30_000

/** Reads the latest block, and detects a preferred node that lags or reports a head that does not exist. */
export class HeadReader {
  readonly #pool: NodePool
  #highest = -1
  #isStalled = false
  #comparedAt = -Infinity

  constructor(pool: NodePool) {
    this.#pool = pool
  }

  /**
   * @param timeoutMs - of all requests together.
   * @throws {NodeError} when no node returns one; or the signal's reason.
   */
  async read(signal?: AbortSignal, timeoutMs = Infinity): Promise<BlockHeader> {
    const startedAt = performance.now()
    const elapsedMs = startedAt - this.#comparedAt
    const isDue = elapsedMs > (this.#isStalled ? stalledComparisonIntervalMs : comparisonIntervalMs)
    const getRemainingMs = () => startedAt + timeoutMs - performance.now()
    let head = isDue ? await this.#compareWithin(timeoutMs / 2, signal) : undefined
    head ??= await this.#pool.run(getLatestHeader, { signal, timeoutMs: getRemainingMs() })
    if (!isDue && (head.number > this.#highest + maxJumpBlocks || isFuture(head))) {
      head = (await this.#compareWithin(getRemainingMs(), signal)) ?? head
    }
    this.#isStalled = head.number <= this.#highest
    this.#highest = head.number
    return head
  }

  /** Compares the nodes at the next read, because blocks below the last head do not exist. */
  invalidate(): void {
    this.#comparedAt = -Infinity
  }

  /** Compares the nodes; undefined also if that takes too long. */
  async #compareWithin(timeoutMs: number, signal?: AbortSignal): Promise<BlockHeader | undefined> {
    const deadline = startDeadline(timeoutMs, signal)
    try {
      return await this.#compare(deadline.signal)
    } catch (error) {
      signal?.throwIfAborted()
      if (error instanceof NodeError) {
        return undefined
      }
      throw error
    } finally {
      deadline.clear()
    }
  }

  /** Finds the highest head that the other nodes do not contradict, if any. Nodes far from it cool down. */
  async #compare(signal?: AbortSignal): Promise<BlockHeader | undefined> {
    if (this.#pool.size === 1) {
      return undefined
    }
    this.#comparedAt = performance.now()
    const options = { signal, timeoutMs: comparisonTimeoutMs }
    const heads = (await this.#pool.runOnAll(getLatestHeader, options)).map((result) =>
      result.status === 'fulfilled' ? result.value : undefined,
    )
    signal?.throwIfAborted()
    const best = await this.#findHighest(
      heads.flatMap((head) => head ?? []),
      signal,
    )
    for (const [index, head] of heads.entries()) {
      if (head && best && (lags(head, best) || head.number > best.number + maxJumpBlocks)) {
        this.#pool.coolDown(index, cooldownMs)
      }
    }
    return best
  }

  async #findHighest(
    candidates: readonly BlockHeader[],
    signal: AbortSignal | undefined,
  ): Promise<BlockHeader | undefined> {
    const valid = candidates.filter((head) => !isFuture(head))
    const heads = (valid.length > 0 ? valid : candidates).toSorted((a, b) => b.number - a.number)
    for (const [index, head] of heads.entries()) {
      const isShared = heads.filter(({ hash }) => hash === head.hash).length > 1
      if (isShared || index === heads.length - 1) {
        return head
      }
      if ((await findCommonHash(this.#pool, head.number - 1, signal)) === head.parentHash) {
        return head
      }
    }
    return undefined
  }
}

function lags(head: BlockHeader, best: BlockHeader): boolean {
  return head.number < best.number && best.time - head.time > maxLagSeconds
}

function isFuture({ time }: BlockHeader): boolean {
  return time - Date.now() / 1000 > maxFutureSeconds
}

const getLatestHeader: Task<BlockHeader> = async (node, deadline) => {
  const head = parseHeader(await node.request('eth_getBlockByNumber', ['latest', false], deadline))
  if (head) {
    return head
  }
  throw new NodeError('The node returned no latest block', { kind: 'malformed' })
}
