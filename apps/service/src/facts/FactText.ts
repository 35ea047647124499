import type {
  CollectibleTransferEvent,
  ConsecutiveTransferEvent,
  DecodedEvent,
} from '../indexing/decode/DecodedEvent.ts'
import { decodeLog } from '../indexing/decode/decodeLog.ts'
import type { Scope } from '../indexing/decode/Scope.ts'
import { zeroAddress } from '../indexing/decode/words.ts'
import type { FetchedBlocks } from '../indexing/fetch/fetchBlocks.ts'
import { expandConsecutiveTransfer } from '../indexing/fold/applyTransfer.ts'
import type { LoggedState, PoolEvent, Venue } from '../pricing/venues/Venue.ts'
import { type FactoryOption, factoryOptions, venues } from '../pricing/venues/venues.ts'
import type { Log, LogWithSender } from '../rpc/methods/Log.ts'
import { type FactKind, factKinds, nullField } from './factTables.ts'

type VenueDecoder<Events extends 'creations' | 'changes'> = readonly [
  FactoryOption,
  Venue[Events][string],
]

/** Decoders of the events of all factories, by first topic: several venues have the same event. */
const creationDecoders = new Map<string, VenueDecoder<'creations'>[]>()
/** Decoders of the events of pools in the storage of their factory, by first topic. */
const singletonDecoders = new Map<string, VenueDecoder<'changes'>>()
for (const option of factoryOptions) {
  const { creations, changes, isSingleton }: Venue = venues[option]
  for (const [topic, decode] of Object.entries(creations)) {
    creationDecoders.set(topic, [...(creationDecoders.get(topic) ?? []), [option, decode]])
  }
  for (const [topic, decode] of isSingleton ? Object.entries(changes) : []) {
    singletonDecoders.set(topic, [option, decode])
  }
}

interface Transfer {
  readonly contract: string
  readonly standard: 20 | 721 | 1155
  readonly from: string
  readonly to: string
  /** The position among the transfers of the log. */
  readonly item: number
  /** null for ERC20. */
  readonly tokenId: bigint | null
  readonly amount: bigint
}

type Field = string | number | bigint | null

/** Of the data of a log, as hex: more than any venue decodes. Contracts may emit megabytes. */
const maxDataCharacters = 2 + 2 * 1024

/**
 * Decodes blocks to facts, as lines of text for {@link selectFromText}. Transfers without effect are omitted: those of
 * amount 0, which anyone can emit in the name of any holder, and those from the zero address to itself.
 */
export class FactText {
  /** The lines of each kind, which the caller takes with {@link take}. */
  #lines = createLines()
  #counts = createCounts()
  readonly #scope: Scope

  /** @param scope - of a chain's configuration; only its ledger decides which facts there are. */
  constructor(scope: Scope) {
    this.#scope = { ...scope, factoryDecoders: new Map(), marketplaces: { has: () => true } }
  }

  /** The number of facts of each kind so far. */
  get counts(): Readonly<Record<FactKind, number>> {
    return this.#counts
  }

  /** Returns the lines that were added since the last call. */
  take(): Record<FactKind, string> {
    const lines = this.#lines
    this.#lines = createLines()
    return lines
  }

  /** Adds whole blocks with their logs in the chain's order. */
  add({ blocks, logs }: FetchedBlocks): void {
    for (const { number, hash, time } of blocks) {
      this.#append('blocks', [number, hash, time])
    }
    let block: number | undefined
    let consecutive = 0
    for (const [index, log] of logs.entries()) {
      if (log.blockNumber !== block) {
        block = log.blockNumber
        consecutive = 0
      }
      const event = decodeLog(log, this.#scope, logs[index - 1])
      if (event?.kind === 'consecutive-transfer') {
        consecutive += this.#addConsecutive(event, log, consecutive)
      } else if (event) {
        this.#addEvent(event, log)
      } else {
        this.#addFactoryEvents(log)
      }
    }
  }

  #addEvent(event: Exclude<DecodedEvent, ConsecutiveTransferEvent>, log: LogWithSender): void {
    switch (event.kind) {
      case 'transfer': {
        const { token: contract, from, to, amount } = event
        const transfer = {
          contract,
          standard: 20,
          from,
          to,
          item: 0,
          tokenId: null,
          amount,
        } as const
        return this.#addTransfer(transfer, log)
      }
      case 'collectible-transfer':
        return this.#addItems(event, log)
      case 'deposit':
        if (event.account !== zeroAddress) {
          this.#append('deposits', [...positionOf(log), event.token, event.account])
        }
        return
      case 'sale': {
        const { marketplace, contract, tokenId, price } = event
        const fields = [marketplace, contract, BigInt(tokenId), price]
        return this.#append('sales', [...positionOf(log), ...fields])
      }
      case 'pool':
      case 'registration':
      case 'retried-pool':
      case 'unread-pool':
        throw new Error('The scope of facts has no factories')
      case 'touch':
        return this.#addPoolLog(log)
      case 'reserves':
      case 'price':
      case 'liquidity':
        this.#addPoolEvent(event, log, null)
    }
  }

  /** Events of contracts that may be factories. */
  #addFactoryEvents(log: Log): void {
    const [topic = ''] = log.topics
    const { nativeEmitters, legacyCollections, wrappedNative } = this.#scope
    if (nativeEmitters.has(log.address) || legacyCollections.has(log.address)) {
      return
    }
    let isRegistration = false
    for (const [option, decode] of creationDecoders.get(topic) ?? []) {
      const pool = decode(log, wrappedNative)
      if (pool?.kind === 'pool') {
        this.#addPool(pool, log, option)
      } else if (pool) {
        isRegistration = true
      }
    }
    if (isRegistration) {
      this.#addPoolLog(log)
    }
    const [option, decode] = singletonDecoders.get(topic) ?? []
    const event = decode?.(log)
    if (event && event.kind !== 'touch' && option) {
      this.#addPoolEvent(event, log, option)
    }
  }

  #addItems(
    { items, ...transfer }: Omit<CollectibleTransferEvent, 'kind'>,
    log: LogWithSender,
  ): void {
    for (const [item, { tokenId, amount }] of items.entries()) {
      this.#addTransfer({ ...transfer, item, tokenId: BigInt(tokenId), amount }, log)
    }
  }

  #addTransfer(
    { contract, standard, from, to, item, tokenId, amount }: Transfer,
    log: LogWithSender,
  ): void {
    if (amount === 0n || (from === zeroAddress && to === zeroAddress)) {
      return
    }
    const parties = [contract, from, to]
    const fields = [item, standard, ...parties, tokenId, amount, log.transactionFrom]
    this.#append('transfers', [...positionOf(log), ...fields])
  }

  #addConsecutive(
    event: ConsecutiveTransferEvent,
    log: LogWithSender,
    appliedInBlock: number,
  ): number {
    const { contract, from, to } = event
    const expanded = expandConsecutiveTransfer(event, appliedInBlock)
    if ('reason' in expanded) {
      this.#append('skipped_events', [...positionOf(log), contract, expanded.reason])
      return 0
    }
    this.#addItems({ contract, standard: 721, from, to, items: expanded.items }, log)
    return expanded.items.length
  }

  #addPool(pool: PoolEvent, log: Log, venue: FactoryOption): void {
    const { type, address, factory, tokens, fee, tickSpacing, sqrtPrice = null } = pool
    const fields = [venue, type, address, factory, tokens.join(), fee, tickSpacing, sqrtPrice]
    this.#append('pools', [...positionOf(log), ...fields])
  }

  /** A log of a pool whose tokens or state are read by calls, and in no event. */
  #addPoolLog(log: Log): void {
    const { address, topics, data } = log
    const fields = [address, topics.join(), data.slice(0, maxDataCharacters)]
    this.#append('pool_logs', [...positionOf(log), ...fields])
  }

  #addPoolEvent(event: LoggedState, log: Log, venue: FactoryOption | null): void {
    const reserves = event.kind === 'reserves' ? [event.reserve0, event.reserve1] : [null, null]
    const price = event.kind === 'price' ? event.sqrtPrice : null
    const liquidity =
      event.kind === 'liquidity'
        ? [event.tickLower, event.tickUpper, event.change]
        : [null, null, null]
    const fields = [log.address, event.pool, venue, event.kind, ...reserves, price, ...liquidity]
    this.#append('pool_events', [...positionOf(log), ...fields])
  }

  #append(kind: FactKind, fields: readonly Field[]): void {
    let line = ''
    for (let index = 0; index < fields.length; index++) {
      line += `${index > 0 ? '\t' : ''}${fields[index] ?? nullField}`
    }
    this.#lines[kind] += `${line}\n`
    this.#counts[kind]++
  }
}

function positionOf({ blockNumber, logIndex }: Log): [number, number] {
  return [blockNumber, logIndex]
}

function createLines(): Record<FactKind, string> {
  return Object.fromEntries(factKinds.map((kind) => [kind, ''])) as Record<FactKind, string>
}

function createCounts(): Record<FactKind, number> {
  return Object.fromEntries(factKinds.map((kind) => [kind, 0])) as Record<FactKind, number>
}
