import type { Kysely } from 'kysely'
import { balances } from '@headwater/contract'
import type { ChainConfig } from '../../config/Config.ts'
import {
  getChainTokens,
  getPriceableTokens,
  loadRows,
  type WalletRows,
} from '../../operations/balances/loadWallets.ts'
import { findHeads, type NodeHandover } from '../../operations/loadHeads.ts'
import { loadTokenPrices } from '../../operations/pricedTokens/loadTokenPrices.ts'
import { readSnapshot } from '../../operations/readSnapshot.ts'
import type { StoreCache } from '../../operations/StoreCache.ts'
import type { PriceCache } from '../../pricing/PriceCache.ts'
import type { ChainUpdate } from '../../store/ChainWatch.ts'
import type { BalanceDelta } from '../../store/changes.ts'
import type { Database } from '../../store/Database.ts'
import type { Head } from '../../store/Head.ts'
import { waitAtMost } from '../../waitAtMost.ts'
import type { Service } from '../Service.ts'
import type { ChangeFeed } from './ChangeFeed.ts'

/** Most wallets that are read per block. The others are read when requested. */
const maxWallets = 50
/** The publication of a block waits for the read at most for this time, in milliseconds. */
const maxWaitMs = 100

type FollowedWalletsOptions = Pick<Service, 'config' | 'stores' | 'watch' | 'logger'> & {
  readonly feed: Pick<ChangeFeed, 'findWallets'>
  readonly storeCache: Pick<StoreCache, 'canUpdate' | 'getOrLoad' | 'getOrLoadMany' | 'keep'>
  readonly priceCache: PriceCache
  readonly nodeChains: NodeHandover
}

/** Rows of wallets, and the heads at which they were read. */
interface ReadWallets {
  readonly heads: ReadonlyMap<number, Head>
  readonly rows: ReadonlyMap<string, WalletRows>
}

/**
 * Reads the followed wallets that a block changed, together and while the prices of the block are found, so that the requests
 * that follow its events read nothing. One read per chain runs at once.
 */
export class FollowedWallets {
  readonly #options: FollowedWalletsOptions
  readonly #reading = new Set<number>()
  /** What was read before the block was published, by chain id. */
  readonly #read = new Map<number, readonly ReadWallets[]>()

  constructor(options: FollowedWalletsOptions) {
    this.#options = options
  }

  /**
   * Reads the wallets of an update that is not published yet, except those with cached rows that follow from it. Resolves once
   * they are read, or after a time.
   */
  async read(update: ChainUpdate): Promise<void> {
    const { feed, storeCache, logger } = this.#options
    const { chainId, keys } = update
    const holders = keys?.holders ?? []
    const found = this.#reading.has(chainId) ? [] : feed.findWallets(chainId, holders, maxWallets)
    const deltas = found.length > 0 ? findDeltas(update) : new Map<string, never>()
    const groups = found.flatMap(({ chainIds, wallets }) => {
      const unread = wallets.filter((wallet) => {
        const known = deltas.get(wallet)
        return !known || !storeCache.canUpdate(chainIds, [balances.name, wallet], chainId, known)
      })
      return unread.length > 0 ? [{ chainIds, wallets: unread }] : []
    })
    if (groups.length === 0) {
      return
    }
    this.#reading.add(chainId)
    const reading = Promise.all(
      groups.map(({ chainIds, wallets }) => this.#readGroup(update, chainIds, wallets)),
    )
      .then((read) => {
        // Unless it took longer than the publication, they are kept after it.
        this.#read.set(chainId, read.flat())
        this.#keep(read.flat())
      })
      .catch((error: unknown) => {
        logger.warn({ chain: chainId, err: error }, 'failed to read followed wallets')
      })
      .finally(() => this.#reading.delete(chainId))
    await waitAtMost(reading, maxWaitMs)
  }

  /** Keeps what was read for an update that is published. */
  publish({ chainId }: ChainUpdate): void {
    this.#keep(this.#read.get(chainId) ?? [])
    this.#read.delete(chainId)
  }

  #keep(read: readonly ReadWallets[]): void {
    for (const { heads, rows } of read) {
      this.#options.storeCache.keep(heads, balances.name, rows)
    }
  }

  /** Reads wallets that are requested with the same chains. */
  async #readGroup(
    update: ChainUpdate,
    chainIds: readonly number[],
    wallets: readonly string[],
  ): Promise<ReadWallets[]> {
    const { config, stores } = this.#options
    const chains = config.chains
      .filter(({ id }) => chainIds.includes(id))
      .toSorted((a, b) => a.id - b.id)
    const [[store] = [], another] = stores.group(chains)
    if (!store || another) {
      return []
    }
    return [
      await readSnapshot(store.reader, (snapshot) => this.#load(snapshot, update, chains, wallets)),
    ]
  }

  async #load(
    snapshot: Kysely<Database>,
    { chainId, before }: ChainUpdate,
    requestedChains: readonly ChainConfig[],
    wallets: readonly string[],
  ): Promise<ReadWallets> {
    const { storeCache, priceCache } = this.#options
    const requested = await findHeads(snapshot, requestedChains, this.#options)
    const { chains, heads } = requested
    const onChain = await getChainTokens(requested, storeCache, snapshot)
    const rows = await loadRows(snapshot, chains, wallets, onChain)
    const chain = chains.find(({ id }) => id === chainId)
    const previous =
      chain &&
      before &&
      priceCache.get({
        chain,
        head: { ...before.block, metadataVersion: before.metadataVersion },
      })
    // Those that are known of the block before are being carried to this one.
    const tokens = [...rows.values()]
      .flatMap((row) => getPriceableTokens(row, onChain))
      .filter((token) => token.chain.id !== chainId || !previous?.pools.has(token.address))
    if (tokens.length > 0) {
      await loadTokenPrices(snapshot, { chains, heads, tokens, priceCache })
    }
    return { heads, rows }
  }
}

/** All changes of the balances of accounts with an update, by account. Others may have changed in another way. */
function findDeltas({ changes = [] }: ChainUpdate): Map<string, BalanceDelta[]> {
  const deltas = Map.groupBy(
    changes.flatMap((change) => change.deltas),
    ({ holder }) => holder,
  )
  for (const change of changes) {
    const known = new Set(change.deltas.map(({ holder }) => holder))
    for (const holder of change.keys?.holders ?? []) {
      if (!known.has(holder)) {
        deltas.delete(holder)
      }
    }
  }
  return deltas
}
