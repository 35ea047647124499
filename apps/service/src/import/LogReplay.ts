import type { ConsecutiveTransferEvent, DecodedEvent } from '../indexing/decode/DecodedEvent.ts'
import { decodeLog } from '../indexing/decode/decodeLog.ts'
import type { Scope } from '../indexing/decode/Scope.ts'
import { topics } from '../indexing/decode/topics.ts'
import { encodeWord, zeroAddress } from '../indexing/decode/words.ts'
import { expandConsecutiveTransfer } from '../indexing/fold/applyTransfer.ts'
import type { ChainNode } from '../rpc/ChainNode.ts'
import type { BlockRef } from '../rpc/methods/BlockHeader.ts'
import type { FoundLog, LogTopics } from '../rpc/methods/requestLogs.ts'

const transfers = [topics.transfer, topics.erc20Transfer]
const deposits = [topics.deposit, topics.withdrawal]
const itemTransfers = [topics.transferSingle, topics.transferBatch]

interface ReplayOptions {
  readonly node: Pick<ChainNode, 'getContractLogs'>
  readonly scope: Scope
  readonly startBlock: number
  /** The last block. */
  readonly block: BlockRef
  readonly signal: AbortSignal
}

/**
 * Derives amounts from all logs of a contract that concern them, up to a block, as indexing does: it shows whether an amount
 * that differs from a call is that of the ledger, as with tokens whose amounts change without events.
 */
export class LogReplay {
  readonly #options: ReplayOptions

  constructor(options: ReplayOptions) {
    this.#options = options
  }

  /** The ERC20 balance of a holder. */
  async getBalance(token: string, holder: string): Promise<bigint> {
    const word = encodeWord(holder)
    return await this.#sum(
      token,
      [
        [transfers, [word]],
        [transfers, null, [word]],
        [deposits, [word]],
      ],
      ({ from, to }) => (to === holder ? 1n : 0n) - (from === holder ? 1n : 0n),
    )
  }

  /** The balances of all holders of an ERC20 token together. */
  async getSupply(token: string): Promise<bigint> {
    const zero = encodeWord(zeroAddress)
    return await this.#sum(
      token,
      [
        [transfers, [zero]],
        [transfers, null, [zero]],
        ...(token === this.#options.scope.wrappedNative ? [[deposits]] : []),
      ],
      ({ from, to }) => (from === zeroAddress ? 1n : 0n) - (to === zeroAddress ? 1n : 0n),
    )
  }

  /** The owner of an ERC721 token; the zero address when it is burned, undefined without a transfer. */
  async getOwner(contract: string, tokenId: bigint): Promise<string | undefined> {
    let owner: string | undefined
    for await (const event of this.#getEvents(contract, [
      [[topics.transfer], null, null, [encodeWord(`0x${tokenId.toString(16)}`)]],
      [[topics.consecutiveTransfer]],
    ])) {
      if (
        (event.kind === 'collectible-transfer' && event.standard === 721) ||
        (event.kind === 'consecutive-transfer' && contains(event, tokenId))
      ) {
        owner = event.to
      }
    }
    return owner
  }

  /** The balance of a holder in an NFT by events of ERC1155. */
  async getItemBalance(contract: string, tokenId: bigint, holder: string): Promise<bigint> {
    const word = encodeWord(holder)
    let sum = 0n
    for await (const event of this.#getEvents(contract, [
      [itemTransfers, null, [word]],
      [itemTransfers, null, null, [word]],
    ])) {
      if (event.kind === 'collectible-transfer') {
        const sign = (event.to === holder ? 1n : 0n) - (event.from === holder ? 1n : 0n)
        for (const item of event.items) {
          sum += BigInt(item.tokenId) === tokenId ? sign * item.amount : 0n
        }
      }
    }
    return sum
  }

  async #sum(
    token: string,
    filters: readonly LogTopics[],
    getSign: (parties: { readonly from: string; readonly to: string }) => bigint,
  ): Promise<bigint> {
    let sum = 0n
    for await (const event of this.#getEvents(token, filters)) {
      sum += event.kind === 'transfer' ? getSign(event) * event.amount : 0n
    }
    return sum
  }

  /** In the chain's order; a range of blocks at a time is in memory. */
  async *#getEvents(
    address: string,
    filters: readonly LogTopics[],
  ): AsyncGenerator<DecodedEvent, void, undefined> {
    const { node, scope, startBlock, block, signal } = this.#options
    for (let from = startBlock; from <= block.number;) {
      const range = { from, to: block.number, hash: block.hash }
      const { logs, to } = await node.getContractLogs({ address, filters }, range, { signal })
      let previous: FoundLog | undefined
      for (const log of logs) {
        // A transfer to its sender matches two filters.
        const isRepeated =
          previous?.blockNumber === log.blockNumber && previous.logIndex === log.logIndex
        const event = isRepeated ? undefined : decodeLog(log, scope)
        previous = log
        if (event) {
          yield event
        }
      }
      from = to + 1
    }
  }
}

/** Whether a transfer has a token. Indexing skips those of too many. */
function contains(event: ConsecutiveTransferEvent, tokenId: bigint): boolean {
  const isInRange = event.firstId <= tokenId && tokenId <= event.lastId
  return isInRange && 'items' in expandConsecutiveTransfer(event, 0)
}
