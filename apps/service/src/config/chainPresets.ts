import type { PriceFeed } from '../pricing/feeds/chainlink.ts'
import type { FactoryOption } from '../pricing/venues/venues.ts'
import { balanceVenuePresets } from './balanceVenuePresets.ts'
import type { LegacyCollection } from './Config.ts'

/** Defaults for a chain: contracts for prices, sales and early NFTs, and the finality depth. */
interface ChainPreset extends Readonly<Partial<Record<FactoryOption, readonly string[]>>> {
  readonly wrappedNative?: string
  readonly wrappedNativeEmitsTransfers?: boolean
  readonly nativeAliases?: readonly string[]
  readonly stablecoins?: readonly string[]
  readonly priceFeeds?: readonly Omit<PriceFeed, 'everyBlocks'>[]
  readonly quoteTokens?: readonly string[]
  readonly marketplaces?: readonly string[]
  readonly legacyCollections?: readonly LegacyCollection[]
  readonly finalityDepth?: number
  /** Default: 12, that of Ethereum. */
  readonly blockTimeSeconds?: number
}

/*
 * Factories are as their authors publish them: Uniswap (docs.uniswap.org, V2, V3 and V4 deployments, and the addresses of its
 * SDK), PancakeSwap (developer.pancakeswap.finance), Velodrome and Aerodrome (their security pages, the README of Slipstream
 * and the configuration of their indexer), Algebra's forks (docs.algebra.finance, QuickSwap, Camelot, THENA, Swapr), Trader
 * Joe, Pangolin and Honeyswap (their SDKs), SushiSwap (`deployments` of v2-core and v3-core). `headwater doctor` calls them.
 */
const uniswapV3Factory = '0x1f98431c8ad98523631ae4a59f267346ea31f984'
/** The addresses on most chains. */
const sushiswapV2Factory = '0xc35dadb65012ec5796536bd9864ed8773abc74c4'
const pancakeswapV2Factory = '0x02a84c1b3bbd7401a5f7fa98a384ebc70bb5749e'
/** At one address on every chain. */
const pancakeswapV3Factory = '0x0bfbcf9fa4f9c56b0f40a671ad40e0805a091865'
/** `LegacyERC20ETH` of the OP stack, which logged transfers of ETH before Bedrock, and the same address on Metis and Mantle. */
const legacyNative = '0xdeaddeaddeaddeaddeaddeaddeaddeaddead0000'
const opStackWrappedNative = '0x4200000000000000000000000000000000000006'
/** The precompiled contract of the native asset on Moonbeam, Moonriver and Moonbase Alpha. */
const moonbeamNative = '0x0000000000000000000000000000000000000802'
/** USDC, the native asset of Arc, with 6 instead of 18 decimals. */
const arcNative = '0x3600000000000000000000000000000000000000'
/** The system contracts of the native assets of Polygon, ZKsync Era and their testnets. */
const polygonNative = '0x0000000000000000000000000000000000001010'
const zkSyncNative = '0x000000000000000000000000000000000000800a'
const celo = '0x471ece3750da237f93b8e339c536989b8978a438'
/** Seaport 1.5 and 1.6, at one address on every chain. */
const seaports = [
  '0x00000000000000adc04c56bf30ac9d3c0aaf14dc',
  '0x0000000000000068f116a894984e2db1123eb395',
]

function toFeed(token: string, address: string, heartbeatSeconds: number) {
  return { token, address, heartbeatSeconds }
}

/** Its `Transfer` has an amount of 1 and no token id, and its `PunkBought` lacks the recipient of an accepted bid. */
const cryptoPunks: LegacyCollection = {
  address: '0xb47e3cd837ddf8e4c57f05d70ab865de6e193bbb',
  events: [
    'event Assign(address indexed to, uint256 tokenId)',
    'event PunkTransfer(address indexed from, address indexed to, uint256 tokenId)',
    'event PunkBought(uint256 indexed tokenId, uint256 value, address indexed from, address indexed to)',
  ],
  recipientEvent: 'event Transfer(address indexed from, address indexed to, uint256 value)',
  ownerOf: 'function punkIndexToAddress(uint256 tokenId) view returns (address)',
}
const cryptoKitties: LegacyCollection = {
  address: '0x06012c8cf97bead5deae237070f9587f8e7a266d',
  events: ['event Transfer(address from, address to, uint256 tokenId)'],
  ownerOf: 'function ownerOf(uint256 tokenId) view returns (address)',
}

/** Defaults for commonly indexed chains, by chain id. Contracts are as published by their authors. */
export const chainPresets: Readonly<Record<number, ChainPreset>> = {
  // Ethereum
  1: {
    ...balanceVenuePresets[1],
    wrappedNative: '0xc02aaa39b223fe8d0a0e5c4f27ead9083c756cc2',
    stablecoins: [
      '0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48', // USDC
      '0xdac17f958d2ee523a2206206994597c13d831ec7', // USDT
      '0x6b175474e89094c44da98b954eedeac495271d0f', // DAI
    ],
    priceFeeds: [
      // Chainlink: USDC, USDT and DAI
      toFeed(
        '0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48',
        '0x8fffffd4afb6115b954bd326cbe7b4ba576818f6',
        86_400,
      ),
      toFeed(
        '0xdac17f958d2ee523a2206206994597c13d831ec7',
        '0x3e7d1eab13ad0104d2750b8863b489d65364e32d',
        86_400,
      ),
      toFeed(
        '0x6b175474e89094c44da98b954eedeac495271d0f',
        '0xaed0c38402a5d19df6e4c03f4e2dced6e29c1ee9',
        3_600,
      ),
    ],
    quoteTokens: ['0x2260fac5e5542a773aa44fbcfedf7c193bc2c599'], // WBTC
    uniswapV2Factories: [
      '0x5c69bee701ef814a2b6a3edd4b1652cb9cc5aa6f', // Uniswap
      '0xc0aee478e3658e2610c5f7a4a2e1777ce9e4f2ac', // SushiSwap
      '0x1097053fd2ea711dad45caccc45eff7548fcb362', // PancakeSwap
    ],
    uniswapV3Factories: [
      uniswapV3Factory,
      '0xbaceb8ec6b9355dfc0269c18bac9d6e2bdc29c4f', // SushiSwap
    ],
    uniswapV4Managers: ['0x000000000004444c5dc75cb358380d2e3de08a90'],
    pancakeswapV3Factories: [pancakeswapV3Factory],
    marketplaces: seaports,
    legacyCollections: [cryptoPunks, cryptoKitties],
  },
  // OP Mainnet
  10: {
    ...balanceVenuePresets[10],
    wrappedNative: opStackWrappedNative,
    nativeAliases: [legacyNative],
    stablecoins: [
      '0x0b2c639c533813f4aa9d7837caf62653d097ff85', // USDC
      '0x94b008aa00579c1307b0ef2c499ad98a8ce58e58', // USDT
      '0xda10009cbd5d07dd0cecc66161fc93d7c9000da1', // DAI
    ],
    uniswapV2Factories: [
      '0x0c3c1c532f1e39edf36be9fe0be1410313e074bf', // Uniswap
      '0xfbc12984689e5f15626bad03ad60160fe98b303c', // SushiSwap
    ],
    uniswapV3Factories: [
      uniswapV3Factory,
      '0x9c6522117e2ed1fe5bdb72bb0ed5e3f2bde7dbe0', // SushiSwap
    ],
    uniswapV4Managers: ['0x9a13f98cb987694c9f086b1f5eb990eea8264ec3'],
    slipstreamFactories: [
      // Velodrome, of which each version of the gauges has its own
      '0x548118c7e0b865c2cfa94d15ec86b666468ac758',
      '0xcc0bddb707055e04e497ab22a59c2af4391cd12f',
      '0xe13dd1fba721aa81a1826d9523ac9bc7d260c879',
    ],
    solidlyFactories: [
      '0x25cbddb98b35ab1ff77413456b31ec81a6b6b746', // Velodrome V1
      '0xf1046053aa5682b4f9a81b5481394da16be5ff5a', // Velodrome V2
    ],
    marketplaces: seaports,
    finalityDepth: 128,
    blockTimeSeconds: 2,
  },
  // BNB Smart Chain
  56: {
    ...balanceVenuePresets[56],
    wrappedNative: '0xbb4cdb9cbd36b01bd1cbaebf2de08d9173bc095c',
    stablecoins: [
      '0x55d398326f99059ff775485246999027b3197955', // USDT
      '0x8ac76a51cc950d9822d68b83fe1ad97b32cd580d', // USDC
    ],
    uniswapV2Factories: [
      '0x8909dc15e40173ff4699343b6eb8132c65e18ec6', // Uniswap
      '0xca143ce32fe78f1f7019d7d551a6402fc5350c73', // PancakeSwap
      sushiswapV2Factory,
    ],
    uniswapV3Factories: [
      '0xdb1d10011ad0ff90774d0c6bb92e5c5c8b4461f7', // Uniswap
      '0x126555dd55a39328f69400d6ae4f782bd4c34abb', // SushiSwap
    ],
    uniswapV4Managers: ['0x28e2ea090877bf75740558f6bfb36a5ffee9e9df'],
    pancakeswapV3Factories: [pancakeswapV3Factory],
    algebraFactories: [
      '0x306f06c147f064a010530292a1eb6737c3e378e4', // THENA
      '0x30055f87716d3dfd0e5198c27024481099fb4a98', // THENA, Integral
    ],
    solidlyFactories: ['0xafd89d21bdb66d00817d4153e055830b1c2b3970'], // THENA V1
    marketplaces: seaports,
    blockTimeSeconds: 0.75,
  },
  // Polygon
  137: {
    ...balanceVenuePresets[137],
    wrappedNative: '0x0d500b1d8e8ef31e21c99d1db9a6444d3adf1270',
    nativeAliases: [polygonNative],
    stablecoins: [
      '0x3c499c542cef5e3811e1192ce70d8cc03d5c3359', // USDC
      '0x2791bca1f2de4661ed88a30c99a7a9449aa84174', // USDC.e
      '0xc2132d05d31c914a87c6611c10748aeb04b58e8f', // USDT
    ],
    quoteTokens: ['0x7ceb23fd6bc0add59e62ac25578270cff1b9f619'], // WETH
    uniswapV2Factories: [
      '0x9e5a52f57b3038f1b8eee45f28b3c1967e22799c', // Uniswap
      '0x5757371414417b8c6caad45baef941abc7d3ab32', // QuickSwap
      sushiswapV2Factory,
    ],
    uniswapV3Factories: [
      uniswapV3Factory,
      '0x917933899c6a5f8e37f31e19f92cdbff7e8ff0e2', // SushiSwap
    ],
    uniswapV4Managers: ['0x67366782805870060151383f4bbff9dab53e5cd6'],
    algebraFactories: [
      '0x411b0facc3489691f28ad58c47006af5e3ab3a28', // QuickSwap V3
      '0x134c1dbe4860a9caaf89002574ffe814772d9904', // QuickSwap V4
    ],
    marketplaces: seaports,
    finalityDepth: 256,
    blockTimeSeconds: 2,
  },
  // Polygon Amoy
  80002: { nativeAliases: [polygonNative], blockTimeSeconds: 2 },
  // Gnosis: its native asset is worth 1 USD.
  100: {
    ...balanceVenuePresets[100],
    wrappedNative: '0xe91d153e0b41518a2ce8dd3d7944fa863463a97d', // WXDAI
    stablecoins: [
      '0xddafbb505ad214d7b80b1f830fccc89b60fb7a83', // USDC, of the bridge of xDai
      '0x2a22f9c3b484c3629090feed35f17ff8f88f76f0', // USDC.e
    ],
    uniswapV2Factories: [
      '0xa818b4f111ccac7aa31d0bcc0806d64f2e0737d7', // Honeyswap
      sushiswapV2Factory,
    ],
    uniswapV3Factories: [
      '0xe32f7dd7e3f098d518ff19a22d5f028e076489b1', // Uniswap, by Oku
      '0xf78031cbca409f2fb6876bdfdbc1b2df24cf9bef', // SushiSwap
    ],
    algebraFactories: ['0xa0864cca6e114013ab0e27cbd5b6f4c8947da766'], // Swapr V3
    marketplaces: seaports,
    blockTimeSeconds: 5,
  },
  // ZKsync Era and its testnet: their base token logs each transfer of the native asset.
  300: { nativeAliases: [zkSyncNative], blockTimeSeconds: 1 },
  324: { nativeAliases: [zkSyncNative], blockTimeSeconds: 1 },
  // Metis
  1088: { nativeAliases: [legacyNative], blockTimeSeconds: 4 },
  // Moonbeam, Moonriver and Moonbase Alpha
  1284: { nativeAliases: [moonbeamNative], blockTimeSeconds: 6 },
  1285: { nativeAliases: [moonbeamNative], blockTimeSeconds: 6 },
  1287: { nativeAliases: [moonbeamNative], blockTimeSeconds: 6 },
  // Mantle and its testnet
  5000: { nativeAliases: [legacyNative], blockTimeSeconds: 2 },
  5003: { nativeAliases: [legacyNative], blockTimeSeconds: 2 },
  // Arc and its testnet
  5042: { nativeAliases: [arcNative], blockTimeSeconds: 0.5 },
  5042002: { nativeAliases: [arcNative], blockTimeSeconds: 0.5 },
  // Base
  8453: {
    ...balanceVenuePresets[8453],
    wrappedNative: opStackWrappedNative,
    stablecoins: ['0x833589fcd6edb6e08f4c7c32d4f71b54bda02913'], // USDC
    priceFeeds: [
      toFeed(
        '0x833589fcd6edb6e08f4c7c32d4f71b54bda02913',
        '0x7e860098f58bbfc8648a4311b374b1d669a2bc6b',
        86_400,
      ),
    ],
    uniswapV2Factories: [
      '0x8909dc15e40173ff4699343b6eb8132c65e18ec6', // Uniswap
      '0x71524b4f93c58fcbf659783284e38825f0622859', // SushiSwap
      pancakeswapV2Factory,
    ],
    uniswapV3Factories: [
      '0x33128a8fc17869897dce68ed026d694621f6fdfd', // Uniswap
      '0xc35dadb65012ec5796536bd9864ed8773abc74c4', // SushiSwap
    ],
    uniswapV4Managers: ['0x498581ff718922c3f8e6a244956af099b2652b2b'],
    pancakeswapV3Factories: [pancakeswapV3Factory],
    slipstreamFactories: [
      // Aerodrome, of which each version of the gauges has its own
      '0x5e7bb104d84c7cb9b682aac2f3d509f5f406809a',
      '0xade65c38cd4849adba595a4323a8c7ddfe89716a',
      '0x9592cd9b267748cbfbde90ac9f7df3c437a6d51b',
      '0xf8f2eb4940cfe7d13603dddd87f123820fc061ef',
    ],
    algebraFactories: ['0xc5396866754799b9720125b104ae01d935ab9c7b'], // QuickSwap V4
    solidlyFactories: ['0x420dd381b31aef6683db6b902084cb0ffece40da'], // Aerodrome
    marketplaces: seaports,
    finalityDepth: 128,
    blockTimeSeconds: 2,
  },
  // Celo: CELO is an ERC20 token, and its pools price the native asset.
  42220: {
    wrappedNative: celo,
    wrappedNativeEmitsTransfers: true,
    nativeAliases: [celo],
    blockTimeSeconds: 1,
  },
  // Arbitrum One
  42161: {
    ...balanceVenuePresets[42161],
    wrappedNative: '0x82af49447d8a07e3bd95bd0d56f35241523fbab1',
    stablecoins: [
      '0xaf88d065e77c8cc2239327c5edb3a432268e5831', // USDC
      '0xfd086bc7cd5c481dcc9c85ebe478a1c0b69fcbb9', // USDT
    ],
    uniswapV2Factories: [
      '0xf1d7cc64fb4452f05c498126312ebe29f30fbcf9', // Uniswap
      sushiswapV2Factory,
      pancakeswapV2Factory,
    ],
    uniswapV3Factories: [
      uniswapV3Factory,
      '0x1af415a1eba07a4986a52b6f2e7de7003d82231e', // SushiSwap
    ],
    uniswapV4Managers: ['0x360e68faccca8ca495c1b759fd9eee466db9fb32'],
    pancakeswapV3Factories: [pancakeswapV3Factory],
    algebraFactories: ['0x1a3c9b1d2f0529d97f2afc5136cc23e58f1fd35b'], // Camelot V3
    marketplaces: seaports,
    finalityDepth: 256,
    blockTimeSeconds: 0.25,
  },
  // Avalanche
  43114: {
    ...balanceVenuePresets[43114],
    wrappedNative: '0xb31f66aa3c1e785363f0875a1b74e27b85fd66c7',
    stablecoins: [
      '0xb97ef9ef8734c71904d8002f8b6bc66dd9c48a6e', // USDC
      '0x9702230a8ea53601f5cd2dc00fdbc13d4df4a8c7', // USDT
    ],
    uniswapV2Factories: [
      '0x9e5a52f57b3038f1b8eee45f28b3c1967e22799c', // Uniswap
      '0x9ad6c38be94206ca50bb0d90783181662f0cfa10', // Trader Joe V1
      '0xefa94de7a4656d787667c749f7e1223d71e9fd88', // Pangolin
      sushiswapV2Factory,
    ],
    uniswapV3Factories: [
      '0x740b1c1de25031c31ff4fc9a62f554a55cdc1bad', // Uniswap
      '0x3e603c14af37ebdad31709c4f848fc6ad5bec715', // SushiSwap
    ],
    uniswapV4Managers: ['0x06380c0e0912312b5150364b9dc4542ba0dbbc85'],
    marketplaces: seaports,
    blockTimeSeconds: 1,
  },
}

/** What the past of a chain lacks, for operators, by chain id. A configuration can do nothing about it. */
export const historyGaps: Readonly<Record<number, string>> = {
  10: 'what happened before its regenesis of 2021-11-11 is in no block: balances from before have no transfers, so that the audit moves their tokens to the chain',
  42161:
    'blocks before Nitro (22207817) were made by Arbitrum Classic: nodes return their logs, and execute no calls at them without a Classic node',
}
