import type { ChainConfig } from '../../config/Config.ts'
import type { HeadTrail } from '../../discovery/HeadTrail.ts'
import type { Head } from '../../store/Head.ts'
import type { NodeSource } from './NodeSource.ts'

/** A node behind the URL that lags returns a lower head. The highest one is kept for this many polls. */
const lagPolls = 5
/** A client waits no longer for the head. */
const timeoutMs = 5_000

interface NodeHeadOptions {
  readonly chain: Pick<ChainConfig, 'pollIntervalMs'>
  readonly node: Pick<NodeSource, 'getHead'>
  readonly trail: Pick<HeadTrail, 'add'>
}

/** The head of a chain's nodes, which is requested at most once per poll interval. */
export class NodeHead {
  readonly #options: NodeHeadOptions
  #requested: { readonly until: number; readonly value: Promise<Head | undefined> } | undefined
  #highest: { readonly until: number; readonly head: Head } | undefined

  constructor(options: NodeHeadOptions) {
    this.#options = options
  }

  /** @returns undefined while no node responds. */
  async find(): Promise<Head | undefined> {
    const now = performance.now()
    if (!this.#requested || this.#requested.until < now) {
      const { chain } = this.#options
      this.#requested = { until: now + chain.pollIntervalMs, value: this.#request() }
    }
    return await this.#requested.value
  }

  async #request(): Promise<Head | undefined> {
    const { node, trail } = this.#options
    try {
      const header = await node.getHead(undefined, timeoutMs)
      trail.add(header)
      const { number, hash, time } = header
      return this.#keepHighest({ number, hash, time, metadataVersion: 0 })
    } catch {
      // The error may reveal the URL of the node.
      return undefined
    }
  }

  #keepHighest(head: Head): Head {
    const now = performance.now()
    if (this.#highest && head.number < this.#highest.head.number && now < this.#highest.until) {
      return this.#highest.head
    }
    const { pollIntervalMs } = this.#options.chain
    this.#highest = { head, until: now + lagPolls * pollIntervalMs }
    return head
  }
}
