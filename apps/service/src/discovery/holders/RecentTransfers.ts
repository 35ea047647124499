import { LRUCache } from 'lru-cache'
import type { Scope } from '../../indexing/decode/Scope.ts'
import type { ChainNode } from '../../rpc/ChainNode.ts'
import type { BlockRef } from '../../rpc/methods/BlockHeader.ts'
import type { FoundLog } from '../../rpc/methods/requestLogs.ts'
import { NodeError } from '../../rpc/transport/NodeError.ts'
import { waitAtMost } from '../../waitAtMost.ts'
import type { HeadTrail } from '../HeadTrail.ts'
import {
  foldTransfers,
  getHolderTopics,
  type HolderChanges,
  type HolderStandard,
} from './foldTransfers.ts'

/** Tokens in memory, with the logs of some hundred blocks each. */
const maxTokens = 100
/** Timeout of the requests for a range of the latest blocks, of which a node with limits needs several. */
const rangeTimeoutMs = 5_000

/** The most headers that are fetched of the blocks between two responses. With more blocks, all logs are fetched. */
const maxHeaders = 32

interface TransfersQuery {
  readonly standard: HolderStandard
  /** The first block. */
  readonly from: number
  /** For all requests together; unlimited by default. */
  readonly timeoutMs?: number
}

interface Recent {
  readonly from: number
  readonly head: BlockRef
  readonly logs: readonly FoundLog[]
}

/** The transfers of tokens in the latest blocks, which a reorg may replace, up to a head. */
export class RecentTransfers {
  readonly #node: Pick<ChainNode, 'getContractLogs' | 'getHeader'>
  readonly #scope: Scope
  readonly #trail: Pick<HeadTrail, 'add' | 'extends'>
  readonly #recent = new LRUCache<string, Promise<Recent>>({ max: maxTokens })

  /** @param trail - has the heads that are passed to `load`. */
  constructor(
    node: Pick<ChainNode, 'getContractLogs' | 'getHeader'>,
    scope: Scope,
    trail: Pick<HeadTrail, 'add' | 'extends'>,
  ) {
    this.#node = node
    this.#scope = scope
    this.#trail = trail
  }

  /**
   * Sums the transfers of the blocks from `from` up to the head.
   *
   * @throws {NodeError} when no node returns them, or not within `timeoutMs`. The next call then waits for the same requests.
   */
  async load(
    token: string,
    { standard, from, timeoutMs }: TransfersQuery,
    head: BlockRef,
  ): Promise<HolderChanges> {
    const previous = this.#recent.get(token)
    const loading = this.#extend(token, previous, from, head)
    this.#recent.set(token, loading)
    loading.catch(() => {
      if (this.#recent.peek(token) === loading) {
        this.#recent.delete(token)
      }
    })
    const loaded = await (timeoutMs === undefined ? loading : waitAtMost(loading, timeoutMs))
    if (!loaded) {
      throw new NodeError('eth_getLogs: no response before the deadline', { kind: 'timeout' })
    }
    return foldTransfers(
      loaded.logs.filter(({ blockNumber }) => blockNumber >= from),
      standard,
      this.#scope,
    )
  }

  /** Forgets the logs of a token, so that they are fetched again. */
  forget(token: string): void {
    this.#recent.delete(token)
  }

  /** Adds the blocks since the last head, as long as that is still part of the chain. */
  async #extend(
    token: string,
    loading: Promise<Recent> | undefined,
    from: number,
    head: BlockRef,
  ): Promise<Recent> {
    const previous = await loading?.catch(() => undefined)
    if (!previous || previous.from > from || previous.head.number > head.number) {
      return { from, head, logs: await this.#fetch(token, from, head) }
    }
    if (previous.head.hash === head.hash) {
      return previous
    }
    if (!(await this.#extends(head, previous.head))) {
      return { from, head, logs: await this.#fetch(token, from, head) }
    }
    const added = await this.#fetch(token, previous.head.number + 1, head)
    const logs = [...previous.logs.filter(({ blockNumber }) => blockNumber >= from), ...added]
    return { from, head, logs }
  }

  /**
   * Whether a head extends another one by the parents of all blocks between them: a node that lags still returns a replaced
   * block by its number.
   */
  async #extends(head: BlockRef, ancestor: BlockRef): Promise<boolean> {
    if (this.#trail.extends(head.hash, ancestor.hash)) {
      return true
    }
    const between = Math.max(0, head.number - ancestor.number - 1)
    if (between > maxHeaders) {
      return false
    }
    const signal = AbortSignal.timeout(rangeTimeoutMs)
    const headers = await Promise.all(
      Array.from({ length: between }, (_, index) =>
        this.#node.getHeader(ancestor.number + 1 + index, signal),
      ),
    )
    for (const header of headers) {
      if (header) {
        this.#trail.add(header)
      }
    }
    return this.#trail.extends(head.hash, ancestor.hash)
  }

  async #fetch(token: string, from: number, head: BlockRef): Promise<readonly FoundLog[]> {
    const filter = { address: token, topics: getHolderTopics(this.#scope) }
    const logs: (readonly FoundLog[])[] = []
    for (let first = from; first <= head.number;) {
      const range = { from: first, to: head.number, hash: head.hash }
      const found = await this.#node.getContractLogs(filter, range, { timeoutMs: rangeTimeoutMs })
      logs.push(found.logs)
      first = found.to + 1
    }
    return logs.flat()
  }
}
