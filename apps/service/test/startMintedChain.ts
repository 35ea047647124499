import { onTestFinished } from 'vitest'
import type { ChainConfig } from '../src/config/Config.ts'
import type { Store } from '../src/store/Store.ts'
import { FakeChain, type FakeEvent } from './FakeChain.ts'
import { indexTestChain } from './indexTestChain.ts'
import { testAddress } from './seedChain.ts'
import { startFakeNode } from './startFakeNode.ts'
import { testChainConfig } from './testChainConfig.ts'

/** The only token of a minted chain. */
export const mintedToken = testAddress(0x100)

/** Mints one unit to its only holder. */
export const mint: FakeEvent = {
  type: 'transfer',
  token: mintedToken,
  from: testAddress(0),
  to: testAddress(1),
  amount: 1n,
}

/** The finality depth of a minted chain. */
export const mintedFinalityDepth = 4

/** Ten blocks with one mint each, after the empty block 0. */
export function mineMintedChain(salt?: string): FakeChain {
  const chain = new FakeChain(salt)
  for (let block = 0; block < 10; block++) {
    chain.mine([mint])
  }
  return chain
}

export type MintedChain = Awaited<ReturnType<typeof startMintedChain>>

let chains = 100

/**
 * Starts a node of a chain with a unique id, so that tests can share a store. The node and the indexers of the test stop
 * when the test ends.
 */
export async function startMintedChain(store: Store) {
  const chainId = ++chains
  const chain = mineMintedChain()
  const node = await startFakeNode(chain, chainId)
  const config = testChainConfig(chainId, {
    rpcUrls: [node.url],
    finalityDepth: mintedFinalityDepth,
    pollIntervalMs: 10,
  })
  const indexers: ReturnType<typeof indexTestChain>[] = []
  onTestFinished(async () => {
    // A test expects the error of its indexer itself.
    for (const indexer of indexers) {
      await indexer.stop().catch(() => {})
    }
    await node.close()
  })
  return {
    chainId,
    chain,
    node,
    /** Starts an indexer of the chain. */
    start(overrides: Partial<ChainConfig> = {}, options?: Parameters<typeof indexTestChain>[2]) {
      const indexer = indexTestChain(store, { ...config, ...overrides }, options)
      indexers.push(indexer)
      return indexer
    },
    /** The number of units in the store. */
    async minted(): Promise<number> {
      const row = await store.db
        .selectFrom('balances')
        .select('amount')
        .where('chain_id', '=', chainId)
        .executeTakeFirst()
      return Number(row?.amount ?? 0)
    },
  }
}
