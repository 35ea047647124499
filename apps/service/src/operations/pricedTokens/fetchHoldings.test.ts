import { expect, it } from 'vitest'
import { testAddress, testBlockHash } from '../../../test/seedChain.ts'
import { balanceOfIs, startBalanceNode } from '../../../test/startBalanceNode.ts'
import { testChainConfig } from '../../../test/testChainConfig.ts'
import { ChainNode } from '../../rpc/ChainNode.ts'
import { ChainReader } from '../ChainReader.ts'
import { nativeToken } from './ChainToken.ts'
import { fetchHoldings } from './fetchHoldings.ts'

const wallet = testAddress(0xab)
const rebasing = testAddress(1)
const broken = testAddress(2)
const absent = testAddress(3)
const seven = testChainConfig(7)
const eight = testChainConfig(8)
const headOf = (chainId: number, number: number) => ({
  number,
  hash: testBlockHash(chainId, number),
  time: 0,
  metadataVersion: 0,
})

const tokenOf = (address: string) => ({
  token: { chain: seven, address, name: undefined, symbol: undefined, decimals: 18 },
})
const tokens = [
  { token: nativeToken(seven) },
  tokenOf(rebasing),
  tokenOf(broken),
  tokenOf(absent),
  { token: nativeToken(eight) },
]

async function start() {
  const node = await startBalanceNode({
    [testBlockHash(7, 3)]: {
      [wallet]: 5n,
      [rebasing]: balanceOfIs(wallet, 2n ** 256n - 1n),
      // An account without code returns no data.
      [absent]: Object.fromEntries(
        Object.keys(balanceOfIs(wallet, 0n)).map((call) => [call, '0x' as const]),
      ),
    },
  })
  const nodes = new Map([7, 8].map((id) => [id, new ChainNode([node.url])]))
  return { node, chainReader: new ChainReader(nodes) }
}

it('reads native and token balances at the heads, with an error for each one that could not be read', async () => {
  const { chainReader } = await start()
  const heads = new Map([
    [7, headOf(7, 3)],
    [8, headOf(8, 9)],
  ])
  const { holdings, errors } = await fetchHoldings(chainReader, wallet, tokens, heads)
  expect(holdings.map(({ token, amount }) => [token.address, amount])).toEqual([
    ['native', 5n],
    [rebasing, 2n ** 256n - 1n],
  ])
  expect(errors.map(({ chain_id, address }) => [chain_id, address])).toEqual([
    [7, broken],
    [7, absent],
    [8, 'native'],
  ])
  expect(JSON.stringify(errors)).not.toMatch(/127|header not found|revert/)
})

it('requests a balance at a block once, and again only if no node returned it', async () => {
  const { node, chainReader } = await start()
  const readable = tokens.slice(0, 2)
  const head = new Map([[7, headOf(7, 3)]])
  const read = (of: typeof tokens) => fetchHoldings(chainReader, wallet, of, head)
  await Promise.all([read(readable), read(readable)])
  await read(readable)
  expect(node.requestCount()).toBe(2)
  // A revert at a block is final; a node that lacks the block may have it later.
  expect(await read(tokens.slice(0, 4))).toMatchObject({ isComplete: true, errors: [{}, {}] })
  await read(tokens.slice(1, 4))
  expect(node.requestCount()).toBe(4)
  const missing = new Map([[8, headOf(8, 9)]])
  const readMissing = async () => await fetchHoldings(chainReader, wallet, tokens.slice(4), missing)
  expect(await readMissing()).toMatchObject({ isComplete: false, errors: [{ chain_id: 8 }] })
  expect(await readMissing()).toMatchObject({ isComplete: false, errors: [{ chain_id: 8 }] })
  expect(node.requestCount()).toBeGreaterThanOrEqual(5)
})
