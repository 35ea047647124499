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
async function findWallet(count: number, unnamed: readonly string[]) {
  const tokens = Array.from({ length: count }, (_, index) => testAddress(index + 10))
  const node = {
    listTokens: () => ({ configured: [], listed: [] }),
    discover: async () =>
      await Promise.resolve({ tokens: new Set(tokens), knownSinceBlock: 0, share: 1 }),
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
      await Promise.resolve(new Map(assets.map((asset) => [asset, 1n]))),
  } as unknown as ChainReader
  return await findNodeWallet(testAddress(1), { chain, head }, { node, chainReader, keyId: 1 })
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
