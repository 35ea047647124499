import { FinalBlock } from '../../discovery/FinalBlock.ts'
import type { Head } from '../../store/Head.ts'
import { isDatabaseUnavailable } from '../../store/isDatabaseUnavailable.ts'
import { deleteSearches } from '../../store/partitions.ts'
import { NodeChain } from './NodeChain.ts'

export type ServedChainOptions = Omit<ConstructorParameters<typeof NodeChain>[0], 'finalBlock'>

/**
 * A chain that is answered by its nodes, as long as it is the one that was searched. Once it was replaced, everything that was
 * found, in memory and in the store, is deleted before the next response.
 */
export class ServedChain {
  readonly #options: ServedChainOptions
  #finalBlock: FinalBlock
  #nodeChain: NodeChain
  #comparing: Promise<void> | undefined

  constructor(options: ServedChainOptions) {
    this.#options = options
    this.#finalBlock = new FinalBlock(options)
    this.#nodeChain = new NodeChain({ ...options, finalBlock: this.#finalBlock })
  }

  get nodeChain(): NodeChain {
    return this.#nodeChain
  }

  /** Whether no node serves the chain, but others: the operator has to correct `rpcUrls`. */
  get isOtherChain(): boolean {
    return this.#options.node.stats().every(({ otherChain }) => otherChain !== undefined)
  }

  /** The latest block of the nodes; undefined while none responds, or it is unknown whether the chain is the same. */
  async findHead(): Promise<Head | undefined> {
    const nodeChain = this.#nodeChain
    const head = await nodeChain.findHead()
    if (!head) {
      this.#finalBlock.invalidate()
      return undefined
    }
    const due = this.#finalBlock.isDue(head.number)
    if (due) {
      this.#comparing ??= this.#compare(head).finally(() => {
        this.#comparing = undefined
      })
    }
    if (due !== 'before') {
      this.#comparing?.catch(() => {})
      return head
    }
    try {
      await this.#comparing
    } catch {
      // The error may reveal the URL of the node.
      return undefined
    }
    return nodeChain === this.#nodeChain ? head : await this.#nodeChain.findHead()
  }

  async close(): Promise<void> {
    await this.#comparing?.catch(() => {})
    await this.#nodeChain.close()
  }

  async #compare(head: Head): Promise<void> {
    const { chain, db, logger } = this.#options
    const found = await this.#compareFinalBlock(head).catch((error: unknown) => {
      if (isDatabaseUnavailable(error)) {
        // What depends on it is unavailable, too, and amounts are exact.
        return 'same' as const
      }
      this.#finalBlock.invalidate()
      throw error
    })
    if (found === 'same') {
      return
    }
    this.#finalBlock.invalidate()
    await this.#nodeChain.close()
    if (found !== 'deleted') {
      const reason = 'the chain was replaced, or had a reorg deeper than finalityDepth'
      logger.warn({ chain: chain.id }, `${reason}: what was found without an index is deleted`)
      await deleteSearches(db, chain.id, found.replaced)
    }
    this.#finalBlock = new FinalBlock(this.#options)
    this.#nodeChain = new NodeChain({ ...this.#options, finalBlock: this.#finalBlock })
  }

  /** Compares the final block. Another one is that of another chain where the nodes have begun to serve one. */
  async #compareFinalBlock(head: Head): ReturnType<FinalBlock['compare']> {
    const found = await this.#finalBlock.compare(head)
    if (typeof found === 'object') {
      this.#options.node.verifyChainIds()
      return await this.#finalBlock.compare(head)
    }
    return found
  }
}
