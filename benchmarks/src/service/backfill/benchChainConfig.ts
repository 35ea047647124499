import { benchChainId } from '../history/startNode.ts'

/** Addresses that nothing is at: what follows them is switched on and has nothing to do. */
const nobody = (digit: string) => `0x${digit.repeat(40)}`

/** The benchmark's chain in the configuration, with everything switched on. */
export function benchChainConfig(rpcUrl: string) {
  return {
    id: benchChainId,
    name: 'bench',
    tags: ['default'],
    rpcUrls: [rpcUrl],
    nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
    wrappedNative: nobody('1'),
    stablecoins: [nobody('2')],
    uniswapV2Factories: [nobody('3')],
    uniswapV3Factories: [nobody('4')],
    marketplaces: [nobody('5')],
    finalityDepth: 64,
  }
}
