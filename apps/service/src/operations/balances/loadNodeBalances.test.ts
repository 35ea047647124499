import { expect, it } from 'vitest'
import { testAddress } from '../../../test/seedChain.ts'
import { testChainConfig } from '../../../test/testChainConfig.ts'
import type { NodeChain } from '../fromNode/NodeChain.ts'
import type { NodeChains } from '../fromNode/NodeChains.ts'
import type { HandlerContext } from '../Handler.ts'
import { loadNodeBalances } from './loadNodeBalances.ts'

const wallet = testAddress(1)
const [held, empty, unread] = [2, 3, 4].map((number) => testAddress(number)) as [
  string,
  string,
  string,
]
const chain = testChainConfig(1)
const head = { number: 9, hash: '0x9', time: 0, metadataVersion: 0 }

/** A node that returns no states of pools, and no amount of one token. */
const node = {
  lastReads: new Map(),
  listTokens: () => ({ configured: [empty], listed: [unread] }),
  discovery: {
    find: async () =>
      await Promise.resolve({ tokens: new Set([held]), knownSinceBlock: 0, share: 1 }),
  },
  tokens: {
    read: async () =>
      await Promise.resolve(new Map([[held, { name: 'A', symbol: 'A', decimals: 18 }]])),
  },
  prices: { load: async () => await Promise.resolve(undefined) },
  loadPrices: async () => await Promise.resolve(undefined),
} as unknown as NodeChain

const context = {
  nodeChains: {
    load: async (_chains, load) => ({
      requested: {
        chains: [chain],
        heads: new Map([[1, head]]),
        unavailable: [],
        stale: [],
        nodeBacked: [],
      },
      results: [await load(node, chain, head)],
    }),
  } satisfies Pick<NodeChains, 'load'>,
  chainReader: {
    amounts: async () =>
      await Promise.resolve(
        new Map([
          [held, 5n],
          [empty, 0n],
        ]),
      ),
  },
  keyId: 1,
} as unknown as Pick<HandlerContext, 'nodeChains' | 'chainReader' | 'keyId'>

it.each([true, false])(
  'counts amounts that no node returned, and keeps unpriced tokens, with excludeSpamTokens = %s',
  async (excludeSpamTokens) => {
    const parameters = { address: wallet, excludeSpamTokens }
    const loaded = await loadNodeBalances(wallet, [], parameters, context)
    expect(loaded.reads.tokens.map(({ token }) => token.address)).toEqual([held])
    expect(loaded.reads.skipped).toEqual(new Map([[1, 1]]))
    expect(loaded.isComplete).toBe(false)
    expect(loaded.unpricedChains).toEqual(new Set([1]))
    expect(loaded.warnings.map(({ code }) => code)).toEqual(['PRICES_NOT_READ'])
  },
)
