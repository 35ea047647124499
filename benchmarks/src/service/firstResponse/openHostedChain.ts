import { createRequire } from 'node:module'
import {
  SyntheticChain,
  type SyntheticPair,
  type SyntheticToken,
} from '../../../../apps/devnet/src/synthetic/SyntheticChain.ts'
import { chainPresets } from '../../../../apps/service/src/config/chainPresets.ts'

/** Ethereum, so that its preset and token list apply. */
export const hostedChainId = 1
/** What the emulated hosted node accepts. */
export const hostedLimits = {
  latencyMs: 30,
  requestsPerSecond: 50,
  maxRange: 2_000,
  maxResults: 10_000,
  stateBlocks: 128,
}
/** Half of them are on the token list, half are found by transfers only. */
export const walletTokens = 60
export const wallet = '0xd8da6bf26964af9d7eed9e03e53415d37aa96045'

const transfersPerBlock = 10
const holders = 8_000
const factory = chainPresets[hostedChainId]?.uniswapV2Factories?.[0] ?? ''
const wrappedNative = chainPresets[hostedChainId]?.wrappedNative ?? ''

/** Creates a chain of so many transfers with a wallet of 60 tokens, each of which has a pair with the wrapped native asset. */
export function openHostedChain(transfers: number): SyntheticChain {
  const listed = readListedTokens()
  const unlisted = Array.from({ length: walletTokens / 2 }, (_, index) => ({
    address: `0x${(0xbeef_0000 + index).toString(16).padStart(40, '0')}`,
    symbol: `TOKEN${index}`,
    name: `Token ${index}`,
    decimals: 18,
  }))
  const held = listed.slice(0, walletTokens / 2)
  const others = listed.slice(walletTokens / 2)
  const tokens = [...held, ...unlisted, ...others]
  return new SyntheticChain({
    chainId: hostedChainId,
    seed: 'hosted',
    blocks: Math.ceil(transfers / transfersPerBlock),
    transfersPerBlock,
    tokens,
    pairs: [...held, ...unlisted].flatMap((token, index) => createPair(token, index)),
    wallets: [{ address: wallet, tokens: walletTokens }],
    holders,
    secondsBetweenBlocks: 12,
  })
}

/** The listed tokens of the chain, those of its preset first. */
function readListedTokens(): SyntheticToken[] {
  const require = createRequire(import.meta.url)
  const list = require('@uniswap/default-token-list') as {
    tokens: readonly (SyntheticToken & { readonly chainId: number })[]
  }
  const { stablecoins = [], quoteTokens = [] } = chainPresets[hostedChainId] ?? {}
  const preset = new Set([wrappedNative, ...stablecoins, ...quoteTokens])
  const tokens = list.tokens
    .filter(({ chainId }) => chainId === hostedChainId)
    .map((token) => ({ ...token, address: token.address.toLowerCase() }))
  return [
    ...tokens.filter(({ address }) => preset.has(address)),
    ...tokens.filter(({ address }) => !preset.has(address)),
  ]
}

function createPair({ address, decimals }: SyntheticToken, index: number): SyntheticPair[] {
  if (address === wrappedNative) {
    return []
  }
  const sides = [
    { address, reserve: 1_000_000n * 10n ** BigInt(decimals) },
    { address: wrappedNative, reserve: 300n * 10n ** 18n },
  ].sort((a, b) => (a.address < b.address ? -1 : 1)) as [Side, Side]
  return [
    {
      address: `0x${(0xdead_0000 + index).toString(16).padStart(40, '0')}`,
      factory,
      tokens: [sides[0].address, sides[1].address],
      reserves: [sides[0].reserve, sides[1].reserve],
    },
  ]
}

interface Side {
  readonly address: string
  readonly reserve: bigint
}
