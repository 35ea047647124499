import type { NativeBalances } from '../../operations/NativeBalances.ts'
import { readSnapshot } from '../../operations/readSnapshot.ts'
import type { PriceCache } from '../../pricing/PriceCache.ts'
import { PriceEpochs } from '../../pricing/PriceEpochs.ts'
import type { ChainUpdate } from '../../store/ChainWatch.ts'
import type { ChangeIndex } from '../../store/ChangeIndex.ts'
import type { ChangeFeed } from '../changes/ChangeFeed.ts'
import type { FollowedWallets } from '../changes/FollowedWallets.ts'
import type { Service } from '../Service.ts'

/**
 * Indexes the changes of the chains, by which cached responses are invalidated, carries cached prices to new blocks, and
 * delivers the changes to subscriptions.
 */
export function indexChanges(
  { config, stores, watch, logger, role }: Service,
  index: ChangeIndex,
  priceCache: PriceCache,
  feed: Pick<ChangeFeed, 'publish' | 'getTokens'>,
  wallets: Pick<FollowedWallets, 'read' | 'publish'>,
  natives: Pick<NativeBalances, 'onHead'>,
): void {
  if (role === 'index') {
    return
  }
  const epochs = new Map(
    config.chains.map((chain) => [
      chain.id,
      new PriceEpochs({
        chain,
        cache: priceCache,
        config: config.prices ?? { epochSeconds: Infinity, minChange: 0 },
        read: async (load) => await readSnapshot(stores.of(chain.id).reader, load),
        logger,
      }),
    ]),
  )
  /** The tokens with changed prices, of updates that are not published yet. */
  const changedPrices = new WeakMap<ChainUpdate, ReadonlySet<string> | 'all'>()
  watch.onUpdate(async (update) => {
    if (update.block) {
      // The publication does not wait for it: requests do.
      void natives.onHead(update.chainId, update.block)
    }
    const [prices = 'all'] = update.keys
      ? await Promise.all([
          epochs.get(update.chainId)?.advance(update, feed.getTokens(update.chainId)),
          wallets.read(update),
        ])
      : []
    index.add(update, prices)
    changedPrices.set(update, prices)
  })
  watch.onPublished((update) => {
    wallets.publish(update)
    feed.publish(update, changedPrices.get(update) ?? 'all')
    void epochs.get(update.chainId)?.refresh(update)
  })
}
