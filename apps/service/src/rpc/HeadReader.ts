import type { BlockHeader } from './BlockHeader.ts'
import { findCommonHash } from './findCommonHash.ts'
import { NodeError } from './NodeError.ts'
import type { NodePool, Task } from './NodePool.ts'
import { parseHeader } from './parseHeader.ts'

/** How often the nodes' heads are compared. */
const comparedMs = 60_000
/** How often while the preferred node's head stands still, which may be the chain's or the node's doing. */
const comparedStillMs = 15_000
/** A node that takes longer has no say in a comparison. */
const comparisonMs = 3_000
/** How far behind, in seconds of block time, a node is taken for one that lags. */
const lagSeconds = 15
/** A head that is this much newer than the clock is nobody's. */
const futureSeconds = 900
/** A head that is so many blocks above what was known is believed only after a comparison. */
const farBlocks = 128
const restMs = 30_000

/** Reads the newest block, and notices when the preferred node has fallen behind the others or runs ahead of them. */
export class HeadReader {
  readonly #pool: NodePool
  #highest = -1
  #standsStill = false
  #comparedAt = -Infinity

  constructor(pool: NodePool) {
    this.#pool = pool
  }

  async read(signal?: AbortSignal): Promise<BlockHeader> {
    const since = performance.now() - this.#comparedAt
    const isDue = since > (this.#standsStill ? comparedStillMs : comparedMs)
    let head = isDue ? await this.#compare(signal) : undefined
    head ??= await this.#pool.run(askHead, { signal })
    if (!isDue && (head.number > this.#highest + farBlocks || isFuture(head)))
      head = (await this.#compare(signal)) ?? head
    this.#standsStill = head.number <= this.#highest
    this.#highest = head.number
    return head
  }

  /** Has the nodes compared the next time: what the last head promised is not there. */
  doubt(): void {
    this.#comparedAt = -Infinity
  }

  /** The highest of all nodes' heads that no other node contradicts, if any. Nodes far from it rest. */
  async #compare(signal?: AbortSignal): Promise<BlockHeader | undefined> {
    if (this.#pool.size === 1) return undefined
    this.#comparedAt = performance.now()
    const told = await this.#pool.runEach(askHead, { signal, totalMs: comparisonMs })
    const heads = told.map((settled) =>
      settled.status === 'fulfilled' ? settled.value : undefined,
    )
    signal?.throwIfAborted()
    const best = await this.#highestOf(
      heads.flatMap((head) => head ?? []),
      signal,
    )
    for (const [at, head] of heads.entries())
      if (head && best && (lags(head, best) || head.number > best.number + farBlocks))
        this.#pool.rest(at, restMs)
    return best
  }

  async #highestOf(
    told: readonly BlockHeader[],
    signal: AbortSignal | undefined,
  ): Promise<BlockHeader | undefined> {
    const present = told.filter((head) => !isFuture(head))
    const heads = (present.length > 0 ? present : told).toSorted((a, b) => b.number - a.number)
    for (const [at, head] of heads.entries()) {
      const isAgreed = heads.filter(({ hash }) => hash === head.hash).length > 1
      if (isAgreed || at === heads.length - 1) return head
      if ((await findCommonHash(this.#pool, head.number - 1, signal)) === head.parentHash)
        return head
    }
    return undefined
  }
}

function lags(head: BlockHeader, best: BlockHeader): boolean {
  return head.number < best.number && best.time - head.time > lagSeconds
}

function isFuture({ time }: BlockHeader): boolean {
  return time - Date.now() / 1000 > futureSeconds
}

const askHead: Task<BlockHeader> = async (node, waiting) => {
  const head = await node.ask('eth_getBlockByNumber', ['latest', false], waiting)
  if (typeof head === 'object' && head) return parseHeader(head)
  throw new NodeError('The node has no newest block', { kind: 'malformed' })
}
