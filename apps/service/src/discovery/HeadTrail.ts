import { LRUCache } from 'lru-cache'
import type { BlockHeader } from '../rpc/methods/BlockHeader.ts'
import type { FoundLog } from '../rpc/methods/requestLogs.ts'
import { getBloomBits, mayContain } from '../rpc/verify/bloom.ts'

type TrailBlock = Pick<BlockHeader, 'hash' | 'parentHash' | 'logsBloom' | 'transactionHashes'>

/** Polygon and its testnet, whose bloom filters exclude the logs of state syncs, such as deposits from Ethereum. */
const chainsWithSystemLogs = new Set([137, 80_002])
/** More blocks between two responses are searched for logs. */
const maxBlocks = 256

/** The latest heads of a chain, by whose bloom filters blocks without logs of a wallet are known without a request. */
export class HeadTrail {
  readonly #blocks = new LRUCache<string, TrailBlock>({ max: maxBlocks })
  /** Whether bloom filters have all logs. */
  #isReliable: boolean

  constructor(chainId: number) {
    this.#isReliable = !chainsWithSystemLogs.has(chainId)
  }

  add(head: TrailBlock): void {
    this.#blocks.set(head.hash, head)
  }

  /** Compares logs with the bloom filters of their blocks. Once one is missing there, nothing is excluded. */
  checkLogs(logs: readonly Pick<FoundLog, 'blockHash' | 'address'>[]): void {
    this.#isReliable &&= logs.every(({ blockHash, address }) => {
      const block = this.#blocks.get(blockHash)
      return !block || mayHaveLog(block, getBloomBits(address))
    })
  }

  /**
   * Whether no block after one, up to another that extends it, has a log with a topic.
   *
   * @returns false also where a block between them is unknown.
   */
  excludes(after: string, upTo: string, topic: string): boolean {
    const bits = getBloomBits(topic)
    return this.#isReliable && this.#every(after, upTo, (block) => !mayHaveLog(block, bits))
  }

  /** Whether of these blocks, only the last one may have a log with a topic. */
  excludesBefore(after: string, upTo: string, topic: string): boolean {
    const block = this.#blocks.get(upTo)
    return block !== undefined && this.excludes(after, block.parentHash, topic)
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
