import { onTestFinished } from 'vitest'
import type { DevnetChain } from '@headwater/devnet'
import { parseConfig } from '../src/config/parseConfig.ts'
import { fillPendingTokens } from '../src/metadata/fillPendingTokens.ts'
import type { Store } from '../src/store/Store.ts'
import { indexTestChain } from './indexTestChain.ts'
import { startTestService, type TestService } from './startTestService.ts'

/** The API over chains of the local network, as a client sees it. */
export interface ServedDevnet extends TestService {
  /** Waits until everything is indexed and read that the nodes have now. Without actors, that is of their newest blocks. */
  readonly catchUp: () => Promise<void>
}

/** Indexes chains of the local network into a store and serves them, until the test ends. */
export async function serveDevnet(
  store: Store,
  devnetChains: readonly DevnetChain[],
): Promise<ServedDevnet> {
  const file = JSON.stringify({ chains: devnetChains.map(({ config }) => config) })
  const { chains } = parseConfig(file, 'devnet')
  const indexers = chains.map((chain) => ({ chain, indexer: indexTestChain(store, chain) }))
  onTestFinished(async () => {
    await Promise.all(indexers.map(({ indexer }) => indexer.stop()))
  })
  const catchUp = async () => {
    for (const { chain, indexer } of indexers) {
      await indexer.reaches((await indexer.node.getHead()).hash)
      while ((await fillPendingTokens(store.db, indexer.node, chain.id)) > 0) {
        // Until no token is pending.
      }
    }
  }
  await catchUp()
  return { ...(await startTestService(store, chains)), catchUp }
}
