import type { ChainConfig } from '../config/Config.ts'
import type {
  CollectibleTransferEvent,
  ConsecutiveTransferEvent,
} from '../indexing/decode/DecodedEvent.ts'
import { decodeLog } from '../indexing/decode/decodeLog.ts'
import { getLegacyTopics } from '../indexing/decode/legacyCollections.ts'
import { createScope, type Scope } from '../indexing/decode/Scope.ts'
import { topics } from '../indexing/decode/topics.ts'
import { encodeWord, zeroAddress } from '../indexing/decode/words.ts'
import type { ChainNode } from '../rpc/ChainNode.ts'
import type { SearchOptions } from '../rpc/methods/getNewestLogs.ts'
import type { FoundLog, LogBlocks, LogTopics } from '../rpc/methods/requestLogs.ts'
import type { CallOptions } from '../rpc/transport/Deadline.ts'
import { addCollectible, createFindings, type Findings } from './Findings.ts'
import type { HeadTrail } from './HeadTrail.ts'

/** The requests to nodes that searches need. */
export type TransferSource = Pick<ChainNode, 'getNewestLogs' | 'getBlockTimes'>

/** Tokens of one event of ERC2309 beyond this number are ignored, as by the index. */
const maxConsecutive = 5_000
/** Tokens of all such events of one contract in a response. Those of earlier events are ignored. */
const maxConsecutiveOfContract = 10_000

/** Reads the transfers of wallets on a chain. */
export class TransferReader {
  readonly #node: TransferSource
  readonly #scope: Scope
  /** First topics of events, by the topic that has the recipient, and the sender. */
  readonly #received: readonly (readonly string[])[]
  readonly #sent: readonly (readonly string[])[]

  readonly #trail: Pick<HeadTrail, 'checkLogs'>

  constructor(chain: ChainConfig, node: TransferSource, trail: Pick<HeadTrail, 'checkLogs'>) {
    this.#node = node
    this.#trail = trail
    this.#scope = createScope(chain)
    const { transfer, erc20Transfer, deposit, consecutiveTransfer } = topics
    const erc1155 = [topics.transferSingle, topics.transferBatch]
    const legacy = [...this.#scope.legacyCollections.values()].flatMap(({ transfers }) => [
      ...transfers,
    ])
    const legacyWith = (party: 'from' | 'to', topic: number) =>
      legacy.flatMap(([event, shape]) => {
        const position = shape[party]
        return position && 'topic' in position && position.topic === topic ? [event] : []
      })
    this.#received = [
      legacyWith('to', 1),
      [transfer, erc20Transfer, ...legacyWith('to', 2)],
      [...erc1155, consecutiveTransfer, ...legacyWith('to', 3)],
    ]
    this.#sent = [
      // Wrapped native assets that emit no transfer name the owner of a deposit.
      [transfer, erc20Transfer, deposit, ...legacyWith('from', 1)],
      [...erc1155, consecutiveTransfer, ...legacyWith('from', 2)],
      legacyWith('from', 3),
    ]
  }

  /**
   * Finds what a wallet received in the newest blocks of a range, and reads the times of transfers that nodes return without.
   *
   * @param kind - `received-tokens` for no NFTs, `all` for what it sent, too.
   * @returns also the first block that was searched.
   * @throws {NodeError} when a request fails.
   */
  async read(
    wallet: string,
    kind: 'received-tokens' | 'received' | 'all',
    range: LogBlocks,
    { ranges, ...options }: SearchOptions,
  ): Promise<{ readonly findings: Findings; readonly from: number }> {
    const events =
      kind === 'received-tokens'
        ? [[], [topics.transfer, topics.erc20Transfer], []]
        : this.#received.map((received, index) =>
            kind === 'all' ? [...new Set([...received, ...(this.#sent[index] ?? [])])] : received,
          )
    const found = await this.#node.getNewestLogs(createFilters(wallet, events), range, {
      ...options,
      ranges,
    })
    this.#trail.checkLogs(found.logs)
    const logs = [...found.logs]
    for (const [block, ofBlock] of this.#findIncomplete(wallet, logs)) {
      const blocks = { from: block, to: block }
      logs.push(...(await this.#node.getNewestLogs([ofBlock], blocks, options)).logs)
    }
    const findings = this.#decode(wallet, logs)
    if (kind === 'received-tokens') {
      findings.collectibles.clear()
    }
    await this.#addTimes(findings, options)
    return { findings, from: found.from }
  }

  async #addTimes({ collectibles }: Findings, options: CallOptions): Promise<void> {
    const untimed = [...collectibles].flatMap(([key, { lastIn, ...found }]) =>
      lastIn && lastIn.time === undefined ? [{ key, found, number: lastIn.number }] : [],
    )
    if (untimed.length === 0) {
      return
    }
    const blocks = new Set(untimed.map(({ number }) => number))
    const times = await this.#node.getBlockTimes([...blocks], options)
    for (const { key, found, number } of untimed) {
      collectibles.set(key, { ...found, lastIn: { number, time: times.get(number) } })
    }
  }

  /**
   * The blocks of logs that name the recipient of an event beside them, which does not, and the topics of that event. The
   * logs of these blocks complete those of the wallet.
   */
  #findIncomplete(wallet: string, logs: readonly FoundLog[]): ReadonlyMap<number, LogTopics> {
    return new Map(
      logs.flatMap(({ address, topics: [first, ...parties], blockNumber }) => {
        const legacy = this.#scope.legacyCollections.get(address)
        return legacy?.recipient?.topic === first && parties.includes(encodeWord(wallet))
          ? [[blockNumber, [getLegacyTopics(this.#scope.legacyCollections)]]]
          : []
      }),
    )
  }

  /** Decodes logs. Transfers of nothing are ignored, as anyone can emit them in the name of any wallet. */
  #decode(wallet: string, logs: readonly FoundLog[]): Findings {
    const findings = createFindings()
    const byPosition = new Map(logs.map((log) => [getPosition(log), log]))
    const consecutive = new Map<string, number>()
    const newestFirst = [...byPosition.values()].sort((a, b) => b.blockNumber - a.blockNumber)
    for (const log of newestFirst) {
      const previous = byPosition.get(getPosition({ ...log, logIndex: log.logIndex - 1 }))
      const event = decodeLog(log, this.#scope, previous)
      if (event?.kind === 'transfer') {
        if (event.amount > 0n && [event.from, event.to].includes(wallet)) {
          findings.tokens.add(event.token)
        }
      } else if (event?.kind === 'deposit' && event.account === wallet) {
        findings.tokens.add(event.token)
      } else if (event?.kind === 'collectible-transfer') {
        addTransfer(findings, wallet, event, log)
      } else if (event?.kind === 'consecutive-transfer') {
        const count = consecutive.get(event.contract) ?? 0
        if (count < maxConsecutiveOfContract) {
          const added = addTransfer(findings, wallet, event, log)
          consecutive.set(event.contract, count + added)
        }
      }
    }
    return findings
  }
}

/** @returns the number of its tokens. */
function addTransfer(
  findings: Findings,
  wallet: string,
  event: CollectibleTransferEvent | ConsecutiveTransferEvent,
  { blockNumber, time }: FoundLog,
): number {
  const { contract, from, to } = event
  const lastIn = to === wallet ? { number: blockNumber, time } : undefined
  const lastOut = from === wallet ? blockNumber : undefined
  if ((!lastIn && lastOut === undefined) || wallet === zeroAddress) {
    return 0
  }
  const standard = event.kind === 'collectible-transfer' ? event.standard : 721
  const tokenIds = getTokenIds(event)
  for (const tokenId of tokenIds) {
    addCollectible(findings, { contract, tokenId, standard, lastIn, lastOut })
  }
  return tokenIds.length
}

function getTokenIds(event: CollectibleTransferEvent | ConsecutiveTransferEvent): bigint[] {
  if (event.kind === 'collectible-transfer') {
    return event.items.filter(({ amount }) => amount > 0n).map(({ tokenId }) => BigInt(tokenId))
  }
  const count = event.lastId - event.firstId + 1n
  return count > BigInt(maxConsecutive)
    ? []
    : Array.from({ length: Number(count) }, (_, index) => event.firstId + BigInt(index))
}

function createFilters(wallet: string, events: readonly (readonly string[])[]): LogTopics[] {
  return events.flatMap((first, index) =>
    first.length === 0 ? [] : [[first, ...Array<null>(index).fill(null), [encodeWord(wallet)]]],
  )
}

function getPosition({ blockNumber, logIndex }: Pick<FoundLog, 'blockNumber' | 'logIndex'>) {
  return `${blockNumber}/${logIndex}`
}
