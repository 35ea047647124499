import type { DevnetChain } from '@headwater/devnet'
import { parseConfig } from '../src/config/parseConfig.ts'
import { fillPendingTokens } from '../src/metadata/fillPendingTokens.ts'
import type { Store } from '../src/store/Store.ts'
import { indexTestChain } from './indexTestChain.ts'
import { markAllNotable } from './markAllNotable.ts'
import { onFixtureFinished } from './shareFixture.ts'
import { startTestService, type TestService } from './startTestService.ts'

/** The API for devnet chains. */
export interface ServedDevnet extends TestService {
  /** Waits until the current heads are indexed and no token metadata is pending. */
  readonly catchUp: () => Promise<void>
}

/** Indexes devnet chains into a store and serves them until the test or the shared fixture ends. */
export async function serveDevnet(
  store: Store,
  devnetChains: readonly DevnetChain[],
): Promise<ServedDevnet> {
  const file = JSON.stringify({ chains: devnetChains.map(({ config }) => config) })
  const { chains } = parseConfig(file, 'devnet')
  const indexers = chains.map((chain) => ({ chain, indexer: indexTestChain(store, chain) }))
  onFixtureFinished(async () => {
    await Promise.all(indexers.map(({ indexer }) => indexer.stop()))
  })
  const catchUp = async () => {
    for (const { chain, indexer } of indexers) {
      await indexer.reaches((await indexer.node.getHead()).hash)
      while ((await fillPendingTokens(store.db, indexer.node, chain.id)) > 0) {
        // Repeats until no token is pending.
      }
    }
    await markAllNotable(store)
  }
  await catchUp()
  return { ...(await startTestService(store, chains)), catchUp }
}
