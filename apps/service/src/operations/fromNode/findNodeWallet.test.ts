import { expect, it } from 'vitest'
import { testAddress } from '../../../test/seedChain.ts'
import { testChainConfig } from '../../../test/testChainConfig.ts'
import type { ChainReader } from '../ChainReader.ts'
import { findNodeWallet } from './findNodeWallet.ts'
import type { NodeChain } from './NodeChain.ts'

const chain = testChainConfig(1)
const head = { number: 9, hash: '0x9', time: 0, metadataVersion: 0 }
const named = { name: 'A', symbol: 'A', decimals: 18 }

/** Finds a wallet that holds as many tokens, of some of which no node returns the metadata. */
async function findWallet(count: number, unnamed: readonly string[], others: Others = {}) {
  const { moved = [], empty = [], share = 1 } = others
  const added: string[] = []
  const tokens = Array.from({ length: count }, (_, index) => testAddress(index + 10))
  const node = {
    lastReads: new Map(),
    listTokens: () => ({ configured: [], listed: [] }),
    discovery: {
      find: async () =>
        await Promise.resolve({ tokens: new Set(tokens), knownSinceBlock: 0, share }),
      mostMoved: moved,
      addHeld: async (_wallet: string, held: readonly string[]) => {
        await Promise.resolve(added.push(...held))
      },
    },
    tokens: {
      read: async (addresses: readonly string[]) =>
        await Promise.resolve(
          new Map(
            addresses.map((token) => [token, unnamed.includes(token) ? undefined : named] as const),
          ),
        ),
    },
  } as unknown as NodeChain
  const chainReader = {
    amounts: async (_chainId: number, _wallet: string, assets: readonly string[]) =>
      await Promise.resolve(
        new Map(assets.map((asset) => [asset, empty.includes(asset) ? 0n : 1n])),
      ),
  } as unknown as ChainReader
  const context = { node, chainReader, keyId: 1 }
  return { ...(await findNodeWallet(testAddress(1), { chain, head }, context)), added }
}

interface Others {
  /** The tokens that other wallets moved. */
  readonly moved?: readonly string[]
  /** Those that the wallet does not hold. */
  readonly empty?: readonly string[]
  /** The share of the blocks that was searched. */
  readonly share?: number
}

it('does not price tokens whose decimals no node returned, and warns of them', async () => {
  const [first, second] = [10, 11].map((number) => testAddress(number)) as [string, string]
  const found = await findWallet(2, [second])
  expect(found.tokens.map(({ address }) => address)).toEqual([first, second])
  expect(found.priced.map(({ address }) => address)).toEqual([first])
  expect(found.warnings).toMatchObject([{ code: 'METADATA_NOT_READ', chain_id: 1 }])
  expect(found.isComplete).toBe(false)
})

it('prices no more than 500 tokens, and counts the others', async () => {
  const found = await findWallet(503, [])
  expect([found.tokens.length, found.priced.length]).toEqual([503, 500])
  expect(found.warnings).toMatchObject([
    { code: 'PRICES_NOT_READ', message: expect.stringContaining('of which 3 were') as string },
  ])
})

it('reads the tokens that other wallets moved until its transfers are known, and remembers those that it holds', async () => {
  const [own, held, empty] = [10, 20, 21].map(testAddress) as [string, string, string]
  const others = { moved: [held, empty, own], empty: [empty] }
  const early = await findWallet(1, [], { ...others, share: 0.5 })
  expect(early.tokens.map(({ address }) => address)).toEqual([own, held])
  expect([early.added, early.skipped, early.isComplete]).toEqual([[held], 0, true])
  const complete = await findWallet(1, [], others)
  expect([complete.tokens.length, complete.added]).toEqual([1, []])
})
