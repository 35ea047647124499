import { setTimeout as delay } from 'node:timers/promises'
import type { Kysely } from 'kysely'
import type { Logger } from 'pino'
import type { ChainConfig } from '../config/Config.ts'
import { getOwnerFunctions } from '../indexing/decode/legacyCollections.ts'
import { encodeWord } from '../indexing/decode/words.ts'
import type { ChainNode } from '../rpc/ChainNode.ts'
import type { BlockRef } from '../rpc/methods/BlockHeader.ts'
import type { LogBlocks } from '../rpc/methods/requestLogs.ts'
import type { Database } from '../store/Database.ts'
import { addRange, getShare } from './Coverage.ts'
import type { FinalBlock } from './FinalBlock.ts'
import { addFindings, createFindings, type Findings, mergeFindings } from './Findings.ts'
import type { HeadTrail } from './HeadTrail.ts'
import { SeenTokens } from './SeenTokens.ts'
import { TransferReader } from './TransferReader.ts'
import {
  findRecentStart,
  isNear,
  type RecentFindings,
  type RecentKind,
  type Wallet,
} from './Wallet.ts'
import { WalletSearches } from './WalletSearches.ts'
import { WalletStore } from './WalletStore.ts'

/** What a wallet may hold at a block, as far as its transfers are known. */
export interface Discovered extends Findings {
  /** The block since which all transfers are known; undefined if the latest ones are not. */
  readonly knownSinceBlock: number | undefined
  /** The share of the chain's blocks that were searched, from 0 to 1. */
  readonly share: number
}

/** A response waits this long for the search if many blocks are unknown, which is enough for short chains. */
const firstWaitMs = 1_000
/**
 * A node behind a load balancer may lack the latest blocks and return no logs of them, although another entry of the same
 * batch is of a node that has them. So they are searched once more after this time.
 */
const confirmAfterMs = 15_000
/** Timeout of the whole search in the latest blocks, which each response waits for. */
const recentTimeoutMs = 5_000

interface Options {
  readonly chain: ChainConfig
  readonly node: Pick<ChainNode, 'getNewestLogs' | 'getBlockTimes'>
  readonly trail: Pick<HeadTrail, 'excludes' | 'excludesBefore' | 'checkLogs'>
  /** Blocks up to it are searched once. */
  readonly finalBlock: Pick<FinalBlock, 'getNumber' | 'isCurrent'>
  readonly db: Kysely<Database>
  readonly logger: Pick<Logger, 'warn'>
}

/**
 * Finds the tokens and NFTs that wallets may hold by the logs of their transfers. It searches the latest blocks for each
 * response, unless the bloom filters of the blocks since the last one exclude the wallet, and all blocks below, which are
 * final, only once.
 *
 * It finds nothing that is held without a standard event, and no tokens with an indexed amount.
 */
export class WalletDiscovery {
  /** Selectors of functions that return an owner, by collection where it is not `ownerOf`. */
  readonly ownerFunctions: ReadonlyMap<string, string>
  readonly #options: Options
  readonly #transfers: TransferReader
  readonly #seen = new SeenTokens()
  readonly #store: WalletStore
  readonly #searches: WalletSearches

  constructor(options: Options) {
    this.#options = options
    this.ownerFunctions = getOwnerFunctions(options.chain.legacyCollections)
    this.#transfers = new TransferReader(options.chain, options.node, options.trail)
    this.#store = new WalletStore({ ...options, seen: this.#seen })
    this.#searches = new WalletSearches({
      ...options,
      store: this.#store,
      transfers: this.#transfers,
      seen: this.#seen,
    })
  }

  /**
   * Finds what a wallet may hold at the head, and starts to search its history unless that is known.
   *
   * @param address - address in lower case.
   * @param account - the API key that requests it.
   * @param kind - what the latest blocks are searched for.
   * @throws {SearchLimitError} when nothing is known of the wallet, and the key has too many searches in progress.
   * @throws {unknown} when the store is unavailable.
   */
  async find(
    address: string,
    head: BlockRef,
    account: unknown,
    kind: RecentKind = 'received',
  ): Promise<Discovered> {
    const { startBlock } = this.#options.chain
    const wallet = await this.#store.load(address)
    this.#store.touch(wallet)
    const finalBlock = this.#options.finalBlock.getNumber(head.number)
    const isBehind = !isNear(wallet.coverage, finalBlock)
    this.#searches.update(wallet, { from: startBlock, to: finalBlock }, account)
    if (isBehind && wallet.search) {
      const waiting = delay(firstWaitMs, undefined, { ref: false })
      await Promise.race([wallet.search.firstSteps, waiting])
    }
    // The covered blocks may have changed since.
    const from = findRecentStart(wallet.coverage, startBlock, finalBlock)
    const recent = this.#searchRecent(wallet, kind, from, head)
    wallet.recent[kind] = recent
    const found = await recent.found
    if (found) {
      wallet.lastFound[kind] = found
    } else if (wallet.recent[kind] === recent) {
      delete wallet.recent[kind]
    }
    const whole = { from: startBlock, to: head.number }
    const known = found
      ? addRange(wallet.coverage, { from: recent.from, to: head.number })
      : wallet.coverage
    const latest = known.find(({ to }) => to >= head.number)
    return {
      ...mergeFindings(wallet.findings, wallet.lastFound[kind]),
      knownSinceBlock: latest && Math.max(latest.from, startBlock),
      share: getShare(known, whole),
    }
  }

  /** The tokens of the most wallets that were requested, which others may hold. */
  get mostMoved(): string[] {
    return this.#seen.mostMoved
  }

  /** Adds tokens that a wallet holds although none of its known transfers shows them, so that they remain listed. */
  async addHeld(address: string, tokens: readonly string[]): Promise<void> {
    const wallet = await this.#store.load(address)
    for (const token of tokens) {
      wallet.findings.tokens.add(token)
      wallet.unwritten.tokens.add(token)
    }
  }

  /** Ends all searches. What they found is written. */
  async close(): Promise<void> {
    await this.#searches.close()
  }

  /** Searches the latest blocks, without those that are known to add nothing to what was found up to an earlier head. */
  #searchRecent(
    wallet: Wallet,
    kind: RecentKind,
    from: number,
    { number, hash }: BlockRef,
  ): RecentFindings {
    const { trail } = this.#options
    const { address } = wallet
    const recent = wallet.recent[kind]
    const now = performance.now()
    const find = (first: number) =>
      this.#findReceived(address, kind, { from: first, to: number, hash })
    if (!recent || recent.from > from) {
      return { hash, from, found: find(from), searchedAt: now, isConfirmed: false }
    }
    const topic = encodeWord(address)
    if (trail.excludes(recent.hash, hash, topic)) {
      return recent.isConfirmed || now - recent.searchedAt < confirmAfterMs
        ? { ...recent, hash }
        : {
            hash,
            from,
            searchedAt: now,
            isConfirmed: true,
            found: combine(recent.found, find(from)),
          }
    }
    if (trail.excludesBefore(recent.hash, hash, topic)) {
      return { ...recent, hash, found: combine(recent.found, find(number)) }
    }
    return {
      hash,
      from,
      searchedAt: now,
      isConfirmed: false,
      found: withTokens(recent.found, find(from)),
    }
  }

  /** What a wallet received in the latest blocks; undefined if no node returns it. */
  async #findReceived(
    wallet: string,
    kind: RecentKind,
    range: LogBlocks,
  ): Promise<Findings | undefined> {
    const findings = createFindings()
    const endsAt = performance.now() + recentTimeoutMs
    try {
      for (let { to, hash } = range; to >= range.from;) {
        const timeoutMs = endsAt - performance.now()
        if (timeoutMs <= 0) {
          return undefined
        }
        const found = await this.#transfers.read(
          wallet,
          kind,
          { from: range.from, to, hash },
          { timeoutMs, signal: this.#searches.signal },
        )
        addFindings(findings, found.findings)
        ;[to, hash] = [found.from - 1, undefined]
      }
      return findings
    } catch {
      // The error may reveal the URL of the node.
      return undefined
    }
  }
}

/** What was found in both parts of the latest blocks; undefined if no node returned one of them. */
async function combine(
  earlier: Promise<Findings | undefined>,
  latest: Promise<Findings | undefined>,
): Promise<Findings | undefined> {
  const [before, after] = await Promise.all([earlier, latest])
  return before && after && mergeFindings(before, after)
}

/** What was found, with the tokens of an earlier search, which a node that lags does not return. */
async function withTokens(
  earlier: Promise<Findings | undefined>,
  latest: Promise<Findings | undefined>,
): Promise<Findings | undefined> {
  const [before, after] = await Promise.all([earlier, latest])
  return after && { ...after, tokens: new Set([...after.tokens, ...(before ? before.tokens : [])]) }
}
