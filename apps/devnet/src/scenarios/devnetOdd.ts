import { oddUris } from './oddUris.ts'
import type { Scenario } from './Scenario.ts'

/** A small chain for tests, with every kind of odd token and one of each other kind of contract. */
export const devnetOdd: Scenario = {
  chainId: 31_339,
  name: 'devnet-odd',
  nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
  nativePriceUsd: '3000',
  nativeVolatility: 6_000,
  stablecoins: ['HUSD'],
  tokens: [
    token('HUSD', 'Harbor Dollar', 6, 40_000_000n, '1', 0),
    token('KELP', 'Kelp Forest', 18, 12_000_000n, '4.05', 11_000),
    token('PEBL', 'Pebble', 0, 1_000_000n, '2', 9_000),
  ],
  pools: [
    { base: 'WETH', quote: 'HUSD', depthUsd: 1_100_000n },
    { base: 'KELP', quote: 'HUSD', depthUsd: 140_000n },
  ],
  concentratedPools: [
    { base: 'WETH', quote: 'HUSD', fee: 500, depthUsd: 300_000n },
    { base: 'KELP', quote: 'WETH', fee: 3_000, depthUsd: 40_000n },
    { base: 'PEBL', quote: 'HUSD', fee: 10_000, depthUsd: 30_000n },
    { base: 'PEBL', quote: 'WETH', fee: 3_000, depthUsd: 50_000n, outOfRange: true },
  ],
  collections: [
    { standard: 721, symbol: 'BUOY', name: 'Signal Buoys', minted: 10 },
    { standard: 721, symbol: 'DRIFT', name: 'Driftwood', minted: 0, uris: oddUris },
    { standard: 1_155, symbol: 'CRATE', name: 'Crates', minted: 6 },
  ],
  oddTokens: [
    odd('fee-on-transfer', 'TOLL', 18, 10n ** 26n),
    odd('rebasing', 'SWELL', 9, 10n ** 16n),
    odd('silent-mint', 'HUSH', 18, 10n ** 24n),
    odd('lying', 'FIB', 18, 10n ** 24n),
    odd('bytes32', 'OLD', 18, 10n ** 24n),
    odd('plain', 'MANY', 77, 10n ** 77n),
    odd('plain', 'ABSURD', 255, 2n ** 256n - 1n),
    odd('garbage', 'GARB', 18, 0n),
  ],
  secondsBetweenBlocks: 7_200,
  transactionsPerBlock: [2, 7],
  smallHolders: 30,
}

function token(
  symbol: string,
  name: string,
  decimals: number,
  supply: bigint,
  priceUsd: string,
  volatility: number,
) {
  return { symbol, name, decimals, supply, priceUsd, volatility, appearsAt: 0 }
}

function odd(
  kind: Scenario['oddTokens'][number]['kind'],
  symbol: string,
  decimals: number,
  supply: bigint,
) {
  return { kind, symbol, name: `Odd ${symbol}`, decimals, supply }
}
