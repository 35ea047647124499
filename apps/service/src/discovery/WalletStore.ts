import { randomUUID } from 'node:crypto'
import type { Kysely } from 'kysely'
import { LRUCache } from 'lru-cache'
import type { Logger } from 'pino'
import type { ChainConfig } from '../config/Config.ts'
import type { Database } from '../store/Database.ts'
import { msPerHour } from '../time.ts'
import { addRange } from './Coverage.ts'
import type { FinalBlock } from './FinalBlock.ts'
import { addFindings, createFindings, limitCollectibles, maxCollectibles } from './Findings.ts'
import type { SeenTokens } from './SeenTokens.ts'
import type { Wallet } from './Wallet.ts'
import {
  type ExchangedWallet,
  exchangeWalletRows,
  isIndexed,
  loadWalletRows,
  touchWallet,
} from './walletRows.ts'

/** Wallets in memory. */
const maxWallets = 10_000
/** Tokens and NFTs of all wallets in memory. */
const maxFound = 2_000_000

interface Options {
  readonly chain: Pick<ChainConfig, 'id' | 'history'>
  readonly db: Kysely<Database>
  readonly finalBlock: Pick<FinalBlock, 'isCurrent'>
  readonly seen: Pick<SeenTokens, 'add'>
  readonly logger: Pick<Logger, 'warn'>
}

/** The wallets of a chain that clients request: in memory, as far as there is room, and in the store. */
export class WalletStore {
  readonly #options: Options
  readonly #process = randomUUID()
  readonly #wallets = new LRUCache<string, Promise<Wallet>>({
    max: maxWallets,
    maxSize: maxFound,
  })

  constructor(options: Options) {
    this.#options = options
  }

  /** @throws {unknown} when the store is unavailable. */
  async load(address: string): Promise<Wallet> {
    const cached = this.#wallets.get(address)
    if (cached) {
      return await cached
    }
    const { db, chain, seen } = this.#options
    const loading = loadWalletRows(db, { chainId: chain.id, wallet: address }).then(
      ({ findings, coverage }): Wallet => {
        seen.add(findings.tokens)
        return {
          address,
          findings,
          coverage,
          stored: coverage,
          unwritten: createFindings(),
          search: undefined,
          recent: {},
          lastFound: {},
          skipped: [],
          isReplaced: false,
          touchedAt: -Infinity,
        }
      },
    )
    this.#wallets.set(address, loading, { size: 1 })
    loading.then(
      (wallet) => this.#resize(wallet, loading),
      () => this.#wallets.delete(address),
    )
    return await loading
  }

  /** Records that a client requested a wallet, without waiting for it. */
  touch(wallet: Wallet): void {
    const { db, chain, logger } = this.#options
    const now = performance.now()
    if (now - wallet.touchedAt < msPerHour) {
      return
    }
    wallet.touchedAt = now
    touchWallet(db, { chainId: chain.id, wallet: wallet.address }).catch((error: unknown) => {
      logger.warn({ chain: chain.id, err: error }, 'failed to record the request of a wallet')
    })
  }

  /**
   * Writes what was found of a wallet, and adds what other processes found. While the store is unavailable, the next exchange,
   * or another search after a restart, repeats it.
   *
   * @param claimSeconds - for how long this process claims the wallet; 0 ends its claim.
   * @returns whether this process may search the wallet, and no other one.
   */
  async exchange(wallet: Wallet, claimSeconds: number): Promise<boolean> {
    const { db, chain, finalBlock, logger } = this.#options
    const { address, coverage, findings, stored, unwritten } = wallet
    wallet.unwritten = createFindings()
    try {
      const exchanged = await db.transaction().execute(async (transaction) => {
        // Both wait for a reset.
        const isReplaced = (await isIndexed(transaction, chain.id)) && chain.history !== 'node'
        if (isReplaced || !(await finalBlock.isCurrent(transaction))) {
          return undefined
        }
        const key = { chainId: chain.id, wallet: address }
        const known = { coverage, findings, unwritten, stored }
        const claim = { process: this.#process, seconds: claimSeconds }
        return await exchangeWalletRows(transaction, key, known, claim)
      })
      wallet.isReplaced = exchanged === undefined
      wallet.stored = exchanged?.coverage ?? []
      this.#add(wallet, exchanged)
      return exchanged?.isClaimed ?? false
    } catch (error) {
      addFindings(wallet.unwritten, unwritten)
      logger.warn({ chain: chain.id, err: error }, 'failed to write what a wallet may hold')
      return true
    }
  }

  #add(wallet: Wallet, exchanged: ExchangedWallet | undefined): void {
    if (exchanged?.others) {
      this.#options.seen.add(
        [...exchanged.others.tokens].filter((token) => !wallet.findings.tokens.has(token)),
      )
      addFindings(wallet.findings, exchanged.others)
      limitCollectibles(wallet.findings, maxCollectibles)
    }
    wallet.coverage = (exchanged?.coverage ?? []).reduce(addRange, wallet.coverage)
    const loaded = this.#wallets.peek(wallet.address)
    if (loaded) {
      this.#resize(wallet, loaded)
    }
  }

  /** Records how much memory a wallet takes, unless it was evicted. */
  #resize({ address, findings }: Wallet, loaded: Promise<Wallet>): void {
    if (this.#wallets.peek(address) === loaded) {
      const size = 1 + findings.tokens.size + findings.collectibles.size
      this.#wallets.set(address, loaded, { size })
    }
  }
}
