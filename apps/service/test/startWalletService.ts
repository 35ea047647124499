import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'vitest'
import { type BalancesResponse, isBalance, isBalancesResponse } from '@headwater/contract'
import type { Store } from '../src/store/Store.ts'
import { createTestMedia } from './createTestMedia.ts'
import { seedChain, type SeededChain, testAddress, testBlockHash, toSameKey } from './seedChain.ts'
import { onFixtureFinished } from './shareFixture.ts'
import { startBalanceNode, totalSupplyIs } from './startBalanceNode.ts'
import { startTestService, type TestService } from './startTestService.ts'
import { testChainConfig, testTokens } from './testChainConfig.ts'

const { usd, weth } = testTokens
const e18 = 10n ** 18n
const e6 = 10n ** 6n
const hour = 3600
const start = 1_700_000_000

/** A wallet that holds every kind of token. */
export const wallet = '0x00000000000000000000000000000000000000ab'
/** Tokens of chain 7: in a deep, a shallow and a spam pool, without a pool, and without metadata. */
export const held = {
  deep: testAddress(0x30),
  shallow: testAddress(0x40),
  dust: testAddress(0x50),
  unpriced: testAddress(0x60),
  blank: testAddress(0x70),
}
/** NFT contracts on chain 7. */
export const notErc20 = { erc721: testAddress(0x721), erc1155: testAddress(0x1155) }

/** Block 3 is the head. WETH was at 1000 USD and is at 2000. */
export const chainSeven: SeededChain = {
  chainId: 7,
  blocks: { 0: start, 1: start + hour, 2: start + 2 * hour, 3: start + 3 * hour },
  tokens: [
    { address: usd, symbol: 'USD', name: 'Dollar', decimals: 6 },
    { address: weth, symbol: 'WETH', name: 'Wrapped Ether' },
    { address: held.deep, symbol: 'DEEP', name: 'Deep', decimals: 8 },
    { address: held.shallow, symbol: 'SHL', name: 'Shallow' },
    { address: held.dust, symbol: 'DUST', name: 'Dust', decimals: 2 },
    { address: held.unpriced, symbol: 'NONE', name: 'Unpriced' },
    { address: held.blank, decimals: null },
    { address: notErc20.erc721, symbol: 'ART', standard: 721, decimals: null },
    { address: notErc20.erc1155, standard: 1155, decimals: null },
  ],
  balances: [
    { holder: wallet, token: usd, amount: 1500n * e6 },
    { holder: wallet, token: weth, amount: e18 / 2n },
    { holder: wallet, token: held.deep, amount: 1n },
    { holder: wallet, token: held.shallow, amount: 3n * e18 },
    { holder: wallet, token: held.dust, amount: 200n },
    { holder: wallet, token: held.unpriced, amount: 2n ** 256n - 1n },
    { holder: wallet, token: held.blank, amount: 5n },
    { holder: testAddress(0xbb), token: held.deep, amount: e18 },
    ...[usd, weth, held.unpriced].map((token) => ({
      holder: toSameKey(wallet),
      token,
      amount: 7n,
    })),
    { holder: wallet, token: notErc20.erc721, amount: 1n, standard: 721 },
    // This contract also emitted transfers of ERC20.
    { holder: wallet, token: notErc20.erc721, amount: 9n },
  ],
  pools: [
    {
      address: testAddress(0x900),
      token0: usd,
      token1: weth,
      states: { 1: [50_000n * e6, 50n * e18], 3: [100_000n * e6, 50n * e18] },
    },
    {
      address: testAddress(0x901),
      token0: weth,
      token1: held.deep,
      states: { 2: [10n * e18, 20_000n * 10n ** 8n] },
    },
    {
      address: testAddress(0x902),
      token0: usd,
      token1: held.shallow,
      states: { 1: [9_999n * e6, 9_999n * e18] },
    },
    {
      address: testAddress(0x903),
      token0: usd,
      token1: held.dust,
      states: { 1: [99n * e6, 900n] },
    },
    // The contract returns no decimals, so its amounts have a value, but the token has no price.
    { address: testAddress(0x904), token0: usd, token1: held.blank, states: { 1: [e6 * e6, e6] } },
  ],
}

/** Block 9 is the head. The only priced token is a stablecoin without a pool. */
export const chainEight: SeededChain = {
  chainId: 8,
  blocks: { 0: start, 9: start + 9 },
  tokens: [{ address: usd, symbol: 'USD', name: 'Dollar', decimals: 6 }],
  balances: [
    { holder: wallet, token: usd, amount: 1500n * e6 },
    { holder: wallet, token: weth, amount: 0n },
  ],
}

/** The `publicUrl` of the service. */
export const publicUrl = 'https://api.test'
/** The home page of `held.deep` in the only token list. */
export const homePage = 'https://deep.test/'

/**
 * Seeds chains 7 and 8 into a store and serves them, with a node that has both heads and a token list with one
 * token. Everything stops with the test or the shared fixture.
 */
export async function startWalletService(store: Store) {
  const node = await startBalanceNode({
    [testBlockHash(7, 3)]: {
      [wallet]: e18 / 4n,
      [held.deep]: totalSupplyIs(30_000n * 10n ** 8n),
      [held.blank]: totalSupplyIs(2n ** 256n - 1n),
    },
    [testBlockHash(8, 9)]: { [usd]: totalSupplyIs(0n) },
  })
  // The order of chains in responses is not the order of rows.
  await seedChain(store.db, chainEight)
  await seedChain(store.db, chainSeven)
  const chains = [
    testChainConfig(7, { rpcUrls: [node.url], tags: ['default', 'odd'] }),
    testChainConfig(8, { rpcUrls: [node.urlOf(8)], tags: ['even'] }),
  ]
  const media = createTestMedia(chains, { publicUrl, tokenLists: [writeTokenList()] })
  const service = await startTestService(store, chains, { media })
  return { ...service, store, chains, node, media }
}

function writeTokenList(): string {
  const folder = mkdtempSync(join(tmpdir(), 'headwater-test-'))
  onFixtureFinished(() => {
    rmSync(folder, { recursive: true })
  })
  const path = join(folder, 'tokens.json')
  const logoURI = 'https://logos.test/deep.png'
  const token = { chainId: 7, address: held.deep, logoURI, extensions: { website: homePage } }
  writeFileSync(path, JSON.stringify({ tokens: [token] }))
  return path
}

/** Requests balances and validates the response with its schema. */
export async function requestBalances(
  { fetch }: Pick<TestService, 'fetch'>,
  query = '',
  of: string = wallet,
) {
  const response = await fetch(`/v1/evm/balances/${of}?${query}`)
  expect(response.status).toBe(200)
  const body = (await response.json()) as BalancesResponse
  expect(isBalancesResponse(body)).toBe(true)
  for (const balance of body.balances) {
    expect(isBalance(balance)).toBe(true)
  }
  return { ...body, headers: response.headers }
}

/** The tokens of a response in order, by their symbol if they have one. */
export function symbolsOf({ balances }: BalancesResponse): string[] {
  return balances.map(({ symbol, address }) => symbol ?? address)
}
