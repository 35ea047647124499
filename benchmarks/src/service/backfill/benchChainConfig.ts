import { benchChainId } from '../history/startNode.ts'

/** Addresses without contracts: their features are enabled and idle. */
const unusedAddress = (digit: string) => `0x${digit.repeat(40)}`

/** The configuration of the benchmark's chain, with all features enabled. */
export function benchChainConfig(rpcUrl: string) {
  return {
    id: benchChainId,
    name: 'bench',
    tags: ['default'],
    rpcUrls: [rpcUrl],
    nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
    wrappedNative: unusedAddress('1'),
    stablecoins: [unusedAddress('2')],
    uniswapV2Factories: [unusedAddress('3')],
    uniswapV3Factories: [unusedAddress('4')],
    marketplaces: [unusedAddress('5')],
    finalityDepth: 64,
  }
}
