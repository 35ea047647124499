import {
  SyntheticChain,
  type SyntheticPair,
  type SyntheticToken,
} from '../../../../apps/devnet/src/synthetic/SyntheticChain.ts'
import { wallet } from '../firstResponse/openHostedChain.ts'
import { benchChainId } from '../history/startNode.ts'

/** So that the last chunk of facts of five million transfers is half full. */
const transfersPerBlock = 90
const holders = 8_000
/** The finality depth of the synthetic node as well. */
export const finalityDepth = 64
const blocksPerSync = 10
const tokensPerFactory = 30
const unit = 10n ** 18n

const address = (prefix: number, index = 0) =>
  `0x${prefix.toString(16)}${index.toString(16).padStart(36, '0')}`
const createToken = (symbol: string, index: number): SyntheticToken => ({
  address: address(0xaaaa, index),
  symbol,
  name: symbol,
  decimals: 18,
})

const stablecoin = createToken('USDC', 0)
const wrappedNative = createToken('WETH', 1)
const factories = [address(0xfac0), address(0xfac1)] as const

/** How many tokens have a price with the first factory, which has the anchors as well, and with both. */
export const pricedTokens = { 1: tokensPerFactory + 2, 2: 2 * tokensPerFactory + 2 } as const

/** Creates a chain of so many transfers whose tokens have a pair of one of two factories, and a wallet that holds them all. */
export function openFactoryChain(transfers: number): SyntheticChain {
  const tokens = Array.from({ length: 2 * tokensPerFactory }, (_, index) =>
    createToken(`TOKEN${index}`, index + 2),
  )
  const createPair = (
    index: number,
    factory: string,
    reserves: ReadonlyMap<SyntheticToken, bigint>,
  ): SyntheticPair => {
    // The addresses of the tokens are in their order.
    const [[token0, reserve0] = [], [token1, reserve1] = []] = [...reserves]
    return {
      address: address(0xdead, index),
      factory,
      blocksPerSync,
      tokens: [token0?.address ?? '', token1?.address ?? ''],
      reserves: [(reserve0 ?? 0n) * unit, (reserve1 ?? 0n) * unit],
    }
  }
  const pairs = tokens.map((token, index) => {
    const factory = factories[index < tokensPerFactory ? 0 : 1]
    const reserves = new Map([
      [wrappedNative, 300n],
      [token, 1_000_000n],
    ])
    return createPair(index + 1, factory, reserves)
  })
  const anchors = new Map([
    [stablecoin, 30_000_000n],
    [wrappedNative, 10_000n],
  ])
  return new SyntheticChain({
    chainId: benchChainId,
    seed: 'factory',
    secondsBetweenBlocks: 12,
    holders,
    blocks: Math.ceil(transfers / transfersPerBlock),
    transfersPerBlock,
    tokens: [stablecoin, wrappedNative, ...tokens],
    pairs: [createPair(0, factories[0], anchors), ...pairs],
    wallets: [{ address: wallet, tokens: pricedTokens[2] }],
  })
}

/** The configuration of the chain with the first factory, or with both. */
export function createFactoryConfig(rpcUrl: string, factoryCount: 1 | 2): object {
  return {
    id: benchChainId,
    name: 'bench',
    tags: ['default'],
    rpcUrls: [rpcUrl],
    nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
    wrappedNative: wrappedNative.address,
    stablecoins: [stablecoin.address],
    uniswapV2Factories: factories.slice(0, factoryCount),
    history: 'index',
    finalityDepth,
  }
}
