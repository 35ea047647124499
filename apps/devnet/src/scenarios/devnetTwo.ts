import type { Scenario } from './Scenario.ts'

/** The smaller chain: some tokens of the first one, and some of its own. */
export const devnetTwo: Scenario = {
  chainId: 31_338,
  name: 'devnet-two',
  nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
  nativePriceUsd: '3186.1',
  nativeVolatility: 6_000,
  stablecoins: ['HUSD', 'AUSD'],
  tokens: [
    token('HUSD', 'Harbor Dollar', 6, 40_000_000n, '1', 0),
    token('AUSD', 'Anchor Dollar', 18, 15_000_000n, '1', 0),
    token('MNDR', 'Meander (bridged)', 8, 20_000_000n, '0.851', 9_000),
    token('KELP', 'Kelp Forest', 18, 12_000_000n, '4.05', 11_000),
    token('TERN', 'Tern', 6, 90_000_000n, '0.062', 12_000),
    { symbol: 'REED', name: 'Reed', decimals: 2, supply: 3_000_000n, volatility: 0, appearsAt: 0 },
    {
      symbol: '<img src=x onerror=alert(2)>',
      name: 'AIRDROP\u0000\u001b[31m',
      decimals: 18,
      supply: 777_777_777n,
      priceUsd: '0.5',
      volatility: 0,
      appearsAt: 80,
      spam: true,
    },
  ],
  pools: [
    { base: 'WETH', quote: 'HUSD', depthUsd: 1_100_000n },
    { base: 'HUSD', quote: 'AUSD', depthUsd: 400_000n },
    { base: 'MNDR', quote: 'WETH', depthUsd: 85_000n },
    { base: 'KELP', quote: 'HUSD', depthUsd: 140_000n },
    { base: 'TERN', quote: 'WETH', depthUsd: 900n },
    { base: '<img src=x onerror=alert(2)>', quote: 'HUSD', depthUsd: 25n },
  ],
  concentratedPools: [
    { base: 'WETH', quote: 'HUSD', fee: 3_000, depthUsd: 300_000n },
    { base: 'KELP', quote: 'WETH', fee: 10_000, depthUsd: 40_000n },
  ],
  collections: [
    { standard: 721, symbol: 'BUOY', name: 'Signal Buoys', minted: 20 },
    { standard: 1_155, symbol: 'CRATE', name: 'Crates', minted: 6 },
  ],
  oddTokens: [],
  secondsBetweenBlocks: 7_200,
  transactionsPerBlock: [2, 7],
  smallHolders: 120,
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
