import type { BlockHeader } from './BlockHeader.ts'
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
const restMs = 30_000

/** Reads the newest block, and notices when the preferred node has fallen behind the others. */
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
    const compared = isDue && this.#pool.size > 1 ? await this.#compare(signal) : undefined
    const head = compared ?? (await this.#pool.run(askHead, { signal }))
    this.#standsStill = head.number <= this.#highest
    this.#highest = Math.max(this.#highest, head.number)
    return head
  }

  /** The highest of all nodes' heads, if any. Nodes far below it rest. */
  async #compare(signal?: AbortSignal): Promise<BlockHeader | undefined> {
    this.#comparedAt = performance.now()
    const told = await this.#pool.runEach(askHead, { signal, totalMs: comparisonMs })
    const heads = told.map((settled) =>
      settled.status === 'fulfilled' ? settled.value : undefined,
    )
    signal?.throwIfAborted()
    const best = heads.reduce((a, b) => (!a || (b && b.number > a.number) ? b : a), undefined)
    for (const [at, head] of heads.entries())
      if (head && best && head.number < best.number && best.time - head.time > lagSeconds)
        this.#pool.rest(at, restMs)
    return best
  }
}

const askHead: Task<BlockHeader> = async (node, waiting) => {
  const head = await node.ask('eth_getBlockByNumber', ['latest', false], waiting)
  if (typeof head === 'object' && head) return parseHeader(head)
  throw new NodeError('The node has no newest block', { kind: 'malformed' })
}
