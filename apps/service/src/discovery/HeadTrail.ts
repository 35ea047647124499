import { LRUCache } from 'lru-cache'
import type { BlockHeader } from '../rpc/methods/BlockHeader.ts'
import { getBloomBits, mayContain } from '../rpc/verify/bloom.ts'

type TrailBlock = Pick<BlockHeader, 'hash' | 'parentHash' | 'logsBloom' | 'transactionHashes'>

/** More blocks between two responses are searched for logs. */
const maxBlocks = 256

/** The latest heads of a chain, by whose bloom filters blocks without logs of a wallet are known without a request. */
export class HeadTrail {
  readonly #blocks = new LRUCache<string, TrailBlock>({ max: maxBlocks })

  add(head: TrailBlock): void {
    this.#blocks.set(head.hash, head)
  }

  /**
   * Whether no block after one, up to another that extends it, has a log with a topic.
   *
   * @returns false also where a block between them is unknown.
   */
  excludes(after: string, upTo: string, topic: string): boolean {
    const bits = getBloomBits(topic)
    return this.#every(after, upTo, (block) => !mayHaveLog(block, bits))
  }

  /** Whether a block is another one or a descendant of it, by the parents of all blocks between them, which must be known. */
  extends(hash: string, ancestor: string): boolean {
    return this.#every(ancestor, hash, () => true)
  }

  /** Whether all blocks after one, up to another that extends it, are known and meet a condition. */
  #every(after: string, upTo: string, isMet: (block: TrailBlock) => boolean): boolean {
    for (let hash = upTo; hash !== after;) {
      const block = this.#blocks.get(hash)
      if (!block || !isMet(block)) {
        return false
      }
      hash = block.parentHash
    }
    return true
  }
}

/** Some chains leave all bloom filters empty, which excludes nothing. */
function mayHaveLog({ logsBloom, transactionHashes }: TrailBlock, bits: readonly number[]) {
  return (
    transactionHashes.length > 0 &&
    (logsBloom === undefined || !/[^0x]/.test(logsBloom) || mayContain(logsBloom, bits))
  )
}
