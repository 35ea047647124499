import { onTestFinished } from 'vitest'
import type { ChainConfig } from '../src/config/Config.ts'
import type { Store } from '../src/store/Store.ts'
import type { FakeChain } from './FakeChain.ts'
import { indexTestChain } from './indexTestChain.ts'
import { startFakeNode } from './startFakeNode.ts'
import { testChainConfig } from './testChainConfig.ts'

/** Starts a node of a chain, where accounts have 5 wei, and indexes the chain until the test ends. @returns its configuration. */
export async function startIndexedChain(
  store: Store,
  chain: FakeChain,
  chainId: number,
): Promise<ChainConfig> {
  const node = await startFakeNode(chain, chainId)
  node.transformResult = (method, _params, result) =>
    method === 'eth_getBalance' ? '0x5' : method === 'eth_call' ? '0x' : result
  const config = testChainConfig(chainId, {
    rpcUrls: [node.url],
    pollIntervalMs: 10,
    verify: 'basic',
  })
  const indexer = indexTestChain(store, config)
  onTestFinished(async () => {
    await indexer.stop()
    await node.close()
  })
  await indexer.reaches(chain.head.hash)
  return config
}
