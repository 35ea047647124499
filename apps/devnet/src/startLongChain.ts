import { join } from 'node:path'
import type { Address } from 'viem'
import { ChainFolder, createRecord } from './anvil/ChainFolder.ts'
import { sampleWallets } from './sampleWallets.ts'
import { emptyWallet } from './scenarios/accounts.ts'
import type { ServiceChainConfig } from './serviceChainConfig.ts'
import type { DevnetProgress, StartOptions } from './startChain.ts'
import { startSyntheticNode } from './synthetic/startSyntheticNode.ts'
import {
  SyntheticChain,
  type SyntheticPair,
  type SyntheticToken,
} from './synthetic/SyntheticChain.ts'

/** Options of `startLongChain`. */
export interface StartLongChainOptions extends Omit<StartOptions, 'days' | 'blockTime'> {
  /** Default 0, a free port. */
  readonly port?: number | undefined
  /** The number of blocks in the past. A saved chain keeps it. */
  readonly blocks: number
}

/** Its entry in the configuration of the service. */
export interface LongChainConfig extends Omit<ServiceChainConfig, 'rpcUrls'> {
  readonly rpcUrls: readonly {
    readonly url: string
    readonly requestsPerSecond: number
  }[]
  /** Its hashes are not those of its blocks. */
  readonly verify: 'basic'
}

/** A running chain with a long past. */
export interface LongChain {
  readonly chainId: number
  readonly name: string
  readonly rpcUrl: string
  readonly config: LongChainConfig
  readonly tokens: readonly (SyntheticToken & { readonly address: Address })[]
  stop(): Promise<void>
}

const chainId = 31_339
const name = 'devnet-long'
const secondsBetweenBlocks = 12
const secondsPerDay = 86_400
/** Those of a hosted node. The search for the transfers of one wallet in 60,000 blocks takes half a minute or more. */
const limits = { latencyMs: 100, requestsPerSecond: 1_000, maxRange: 250, maxResults: 10_000 }
/** What the service is configured to send, so that the node rejects none: indexing 60,000 blocks takes some minutes. */
const requestsPerSecond = 800
const factory: Address = `0x${'fac7'.padEnd(40, '0')}`
/** What a pool has of each of its tokens. */
const poolUsd = 1_000_000

const listed = [
  { symbol: 'WETH', name: 'Wrapped Ether', decimals: 18, usd: 3_186 },
  { symbol: 'SUSD', name: 'Sound Dollar', decimals: 6, usd: 1 },
  { symbol: 'FJRD', name: 'Fjord', decimals: 18, usd: 41 },
  { symbol: 'LAGN', name: 'Lagoon', decimals: 18, usd: 12.5 },
  { symbol: 'ATOL', name: 'Atoll', decimals: 8, usd: 6.25 },
  { symbol: 'DUNE', name: 'Dune', decimals: 18, usd: 2 },
  { symbol: 'CAPE', name: 'Cape', decimals: 6, usd: 0.8 },
  { symbol: 'GULF', name: 'Gulf', decimals: 18, usd: 0.5 },
  { symbol: 'ISLE', name: 'Isle', decimals: 18, usd: 0.25 },
  { symbol: 'MOOR', name: 'Moor', decimals: 6, usd: 0.1 },
  { symbol: 'REEF', name: 'Reef', decimals: 18, usd: 0.05 },
  { symbol: 'SILL', name: 'Sill', decimals: 18, usd: 0.02 },
].map((token, index) => ({ ...token, address: addressOf(0x70ce_0000, index) }))
const [wrappedNative, stablecoin] = listed as [ListedToken, ListedToken]

type ListedToken = (typeof listed)[number]

/**
 * Starts `devnet-long` (31339): a synthetic chain whose past takes a service minutes to index, because its node has limits.
 * All sample wallets have received its tokens over the whole past, except the empty one.
 *
 * Its head follows from the clock and its transfers from the seed, so that a restart continues the same chain.
 *
 * @throws {DevnetError} when the folder is damaged, or has a chain with another seed
 */
export async function startLongChain(options: StartLongChainOptions): Promise<LongChain> {
  const { dataFolder, live = true, port } = options
  const report = (step: DevnetProgress['step'], percent: number) =>
    options.onProgress?.({ chainId, name, step, percent })
  report('loading', 0)
  const { seed, until } = options
  const parameters = { seed, until, days: (options.blocks * secondsBetweenBlocks) / secondsPerDay }
  const record =
    dataFolder === undefined
      ? createRecord(parameters)
      : await (await ChainFolder.open(join(dataFolder, chainId.toString()))).keepRecord(parameters)
  const blocks = Math.round((record.days * secondsPerDay) / secondsBetweenBlocks)
  const wallets = sampleWallets()
    .filter(({ address }) => address !== emptyWallet)
    .map(({ address }) => ({ address, tokens: listed.length }))
  const chain = new SyntheticChain({
    chainId,
    seed: record.seed,
    blocks,
    secondsBetweenBlocks,
    tokens: listed,
    wallets,
    pairs: listed.flatMap((token, index) => createPair(token, index)),
    transfersPerBlock: 4,
    holders: 1_000,
    genesisTime: record.until - blocks * secondsBetweenBlocks,
  })
  const mineDueBlocks = () => {
    const due = Math.floor((Date.now() / 1_000 - chain.genesisTime) / secondsBetweenBlocks)
    while (chain.head < due) {
      // In each block, a wallet receives a token.
      const wallet = chain.head % wallets.length
      const token = chain.head % listed.length
      chain.mine([{ token, from: 0, to: 1 + wallet, amount: 1_000_000 }])
    }
  }
  if (live) {
    mineDueBlocks()
  }
  const node = await startSyntheticNode(chain, limits, port)
  const timer = live ? setInterval(mineDueBlocks, 500) : undefined
  report('running', 100)
  return {
    chainId,
    name,
    rpcUrl: node.url,
    tokens: listed,
    config: createConfig(node.url),
    async stop() {
      clearInterval(timer)
      await node.stop()
    },
  }
}

function createConfig(url: string): LongChainConfig {
  return {
    id: chainId,
    name,
    tags: ['default', 'devnet'],
    rpcUrls: [{ url, requestsPerSecond }],
    nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
    wrappedNative: wrappedNative.address,
    stablecoins: [stablecoin.address],
    uniswapV2Factories: [factory],
    uniswapV3Factories: [],
    marketplaces: [],
    priceWindowMinutes: 0,
    startBlock: 0,
    finalityDepth: 64,
    pollIntervalMs: 1_000,
    verify: 'basic',
  }
}

/** The pool of a token with the stablecoin. */
function createPair(token: ListedToken, index: number): SyntheticPair[] {
  if (token === stablecoin) {
    return []
  }
  const [first, second] = [token, stablecoin].sort((a, b) => (a.address < b.address ? -1 : 1)) as [
    ListedToken,
    ListedToken,
  ]
  return [
    {
      address: addressOf(0x9001_0000, index),
      factory,
      tokens: [first.address, second.address],
      reserves: [reserveOf(first), reserveOf(second)],
    },
  ]
}

function reserveOf({ usd, decimals }: ListedToken): bigint {
  return BigInt(Math.round((poolUsd / usd) * 1_000)) * 10n ** BigInt(decimals - 3)
}

function addressOf(base: number, index: number): Address {
  return `0x${(base + index).toString(16).padStart(40, '0')}`
}
