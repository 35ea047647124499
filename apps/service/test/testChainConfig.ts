import type { ChainConfig } from '../src/config/Config.ts'
import { mapVenues } from '../src/pricing/venues/venues.ts'
import { testAddress } from './seedChain.ts'

/** The stablecoin and the wrapped native asset of every test chain. */
export const testTokens = { usd: testAddress(0x10), weth: testAddress(0x20) }

/** The configuration of a test chain. */
export function testChainConfig(id: number, overrides: Partial<ChainConfig> = {}): ChainConfig {
  return {
    id,
    name: `chain ${id}`,
    tags: ['default'],
    rpcUrls: [],
    nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
    wrappedNative: testTokens.weth,
    wrappedNativeEmitsTransfers: false,
    nativeAliases: [],
    stablecoins: [testTokens.usd],
    ...mapVenues(() => []),
    priceFeeds: [],
    quoteTokens: [],
    priceHistory: { exactDays: 30, bucketMinutes: 5 },
    priceWindowMinutes: 0,
    audit: { callsPerMinute: 300 },
    verify: 'head',
    marketplaces: [],
    legacyCollections: [],
    tokens: [],
    history: 'index',
    searches: {
      walletsPerKey: 200,
      tokensPerKey: 20,
      pauseAfterMinutes: 120,
      expireAfterDays: 30,
      maxRows: 20_000_000,
    },
    startBlock: 0,
    finality: 'depth',
    finalityDepth: 64,
    pollIntervalMs: 1000,
    staleness: { warnAfterSeconds: 120, rejectAfterSeconds: 1200 },
    // No deeper, so that the images of a store do not depend on when its blocks were indexed.
    undoDepth: overrides.finalityDepth ?? 64,
    ...overrides,
  }
}
