import { oddUris } from './oddUris.ts'
import type { Scenario } from './Scenario.ts'

/** The larger chain, with every kind of token and NFT in wallets. */
export const devnetOne: Scenario = {
  chainId: 31_337,
  name: 'devnet-one',
  nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
  nativePriceUsd: '3184.25',
  nativeVolatility: 6_000,
  stablecoins: ['HUSD', 'AUSD'],
  tokens: [
    stable('HUSD', 'Harbor Dollar', 6, 250_000_000n),
    stable('AUSD', 'Anchor Dollar', 18, 90_000_000n),
    { ...volatile('SBTC', 'Sluice Bitcoin', 8, 2_400n, '96420.5'), volatility: 5_000 },
    volatile('DELTA', 'Delta Governance', 18, 40_000_000n, '12.4'),
    volatile('MNDR', 'Meander', 18, 310_000_000n, '0.847'),
    {
      ...volatile('CASC', 'Cascade', 18, 420_690_000_000_000n, '0.00000001234'),
      volatility: 16_000,
    },
    volatile('OXBOW', 'Oxbow Points', 0, 8_000_000n, '2.5'),
    { ...volatile('GRAM', 'Placer Gold Gram', 9, 600_000n, '74.2'), volatility: 2_000 },
    volatile('BRAID', 'Braided Stream', 18, 9_000_000n, '6.1'),
    {
      symbol: 'SILT',
      name: 'Silt',
      decimals: 18,
      supply: 1_000_000_000n,
      volatility: 0,
      appearsAt: 0,
    },
    { ...volatile('EDDY', 'Eddy', 18, 5_000_000n, '0.31'), appearsAt: 55 },
    {
      symbol: '$\u0000CLAIM\u202e<b>NOW</b>',
      name:
        '\u0007<script>alert("claim")</script>\n<img src=x onerror=alert(1)> Visit https://claim.invalid \u202e' +
        'to redeem your reward! '.repeat(24),
      decimals: 18,
      supply: 1_000_000_000_000n,
      priceUsd: '1.0',
      volatility: 0,
      appearsAt: 95,
      spam: true,
    },
  ],
  pools: [
    { base: 'WETH', quote: 'HUSD', depthUsd: 6_400_000n },
    { base: 'WETH', quote: 'AUSD', depthUsd: 1_200_000n },
    { base: 'HUSD', quote: 'AUSD', depthUsd: 2_500_000n },
    { base: 'SBTC', quote: 'WETH', depthUsd: 3_100_000n },
    { base: 'SBTC', quote: 'HUSD', depthUsd: 800_000n },
    { base: 'DELTA', quote: 'HUSD', depthUsd: 420_000n },
    { base: 'DELTA', quote: 'WETH', depthUsd: 150_000n },
    { base: 'MNDR', quote: 'WETH', depthUsd: 260_000n },
    { base: 'CASC', quote: 'WETH', depthUsd: 65_000n },
    { base: 'OXBOW', quote: 'HUSD', depthUsd: 52_000n },
    { base: 'GRAM', quote: 'AUSD', depthUsd: 120_000n },
    { base: 'EDDY', quote: 'HUSD', depthUsd: 1_500n },
    { base: '$\u0000CLAIM\u202e<b>NOW</b>', quote: 'WETH', depthUsd: 40n },
  ],
  concentratedPools: [
    { base: 'WETH', quote: 'HUSD', fee: 500, depthUsd: 1_900_000n },
    { base: 'WETH', quote: 'HUSD', fee: 3_000, depthUsd: 600_000n },
    { base: 'SBTC', quote: 'WETH', fee: 3_000, depthUsd: 700_000n },
    { base: 'HUSD', quote: 'AUSD', fee: 500, depthUsd: 900_000n },
    { base: 'DELTA', quote: 'HUSD', fee: 10_000, depthUsd: 60_000n },
    // The only pool that prices it.
    { base: 'BRAID', quote: 'HUSD', fee: 3_000, depthUsd: 240_000n },
    { base: 'MNDR', quote: 'HUSD', fee: 3_000, depthUsd: 500_000n, outOfRange: true },
  ],
  venues: {
    tokens: [
      { symbol: 'WEIR', name: 'Weir', decimals: 18, supply: 50_000_000n, priceUsd: '1.8' },
      { symbol: 'RIFFL', name: 'Riffle', decimals: 18, supply: 9_000_000n, priceUsd: '7.25' },
      { symbol: 'FORD', name: 'Ford', decimals: 6, supply: 400_000_000n, priceUsd: '0.165' },
      { symbol: 'OXEYE', name: 'Oxeye', decimals: 18, supply: 3_000_000n, priceUsd: '22.4' },
      { symbol: 'SPATE', name: 'Spate', decimals: 18, supply: 70_000_000n, priceUsd: '0.92' },
      { symbol: 'PUSD', name: 'Pontoon Dollar', decimals: 18, supply: 9_000_000n, priceUsd: '1' },
      { symbol: 'RUSD', name: 'Rapids Dollar', decimals: 6, supply: 9_000_000n, priceUsd: '1' },
      { symbol: 'SWASH', name: 'Swash', decimals: 18, supply: 8_000_000n, priceUsd: '3.4' },
      { symbol: 'GLIDE', name: 'Glide', decimals: 18, supply: 60_000_000n, priceUsd: '0.42' },
    ],
    // No pool has more of two other tokens than the pools above, which price these. The states of the latter ones are read,
    // which nodes have of the latest 256 blocks.
    pools: [
      { type: 'uniswap-v4', tokens: ['native', 'WEIR'], depthUsd: 260_000n, appearsAt: 0 },
      { type: 'pancakeswap-v3', tokens: ['RIFFL', 'HUSD'], depthUsd: 180_000n, appearsAt: 0 },
      { type: 'slipstream', tokens: ['FORD', 'WETH'], depthUsd: 150_000n, appearsAt: 0 },
      { type: 'algebra', tokens: ['OXEYE', 'HUSD'], depthUsd: 120_000n, appearsAt: 0 },
      { type: 'solidly-volatile', tokens: ['SPATE', 'HUSD'], depthUsd: 90_000n, appearsAt: 0 },
      { type: 'solidly-stable', tokens: ['RUSD', 'HUSD'], depthUsd: 140_000n, appearsAt: 0 },
      { type: 'curve-stable', tokens: ['HUSD', 'AUSD', 'PUSD'], depthUsd: 300_000n, appearsAt: 62 },
      { type: 'curve-crypto', tokens: ['HUSD', 'SWASH'], depthUsd: 160_000n, appearsAt: 62 },
      { type: 'balancer-weighted', tokens: ['GLIDE', 'HUSD'], depthUsd: 110_000n, appearsAt: 62 },
      { type: 'balancer-stable', tokens: ['RUSD', 'AUSD'], depthUsd: 200_000n, appearsAt: 62 },
      { type: 'erc4626', tokens: ['hWETH', 'WETH'], depthUsd: 240_000n, appearsAt: 62 },
    ],
  },
  collections: [
    { standard: 721, symbol: 'LIGHT', name: 'Harbor Lights', minted: 48 },
    { standard: 721, symbol: 'DRIFT', name: 'Driftwood', minted: 0, uris: oddUris },
    { standard: 1_155, symbol: 'CARGO', name: 'Cargo', minted: 12 },
    {
      standard: 1_155,
      symbol: 'BALLAST',
      name: 'Ballast',
      minted: 5,
      uri: 'ipfs://bafybeigdyrzt5sfp7udm7hu76uh7y26nf3efuylqabf3oclgtqy55fbzdi/{id}.json',
    },
  ],
  oddTokens: [
    {
      kind: 'fee-on-transfer',
      symbol: 'TOLL',
      name: 'Toll Bridge',
      decimals: 18,
      supply: 10n ** 26n,
    },
    { kind: 'rebasing', symbol: 'SWELL', name: 'Swell', decimals: 9, supply: 10n ** 16n },
    { kind: 'airdropped', symbol: 'SHOAL', name: 'Shoal', decimals: 18, supply: 10n ** 24n },
  ],
  secondsBetweenBlocks: 3_600,
  transactionsPerBlock: [4, 10],
  smallHolders: 320,
}

function stable(symbol: string, name: string, decimals: number, supply: bigint) {
  return { symbol, name, decimals, supply, priceUsd: '1', volatility: 0, appearsAt: 0 }
}

function volatile(
  symbol: string,
  name: string,
  decimals: number,
  supply: bigint,
  priceUsd: string,
) {
  return { symbol, name, decimals, supply, priceUsd, volatility: 9_000, appearsAt: 0 }
}
