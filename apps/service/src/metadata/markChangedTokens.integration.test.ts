import { encodeAbiParameters, numberToHex, toFunctionSelector } from 'viem'
import { expect, it, onTestFinished } from 'vitest'
import { openSharedStore } from '../../test/describeEachStore.ts'
import { FakeChain } from '../../test/FakeChain.ts'
import { seedChain, testAddress } from '../../test/seedChain.ts'
import { FakeNodeError, startFakeNode } from '../../test/startFakeNode.ts'
import { ChainNode } from '../rpc/ChainNode.ts'
import { fromHex, toHex } from '../store/hex.ts'
import { secondsPerDay } from '../time.ts'
import { fillPendingTokens } from './fillPendingTokens.ts'
import { markChangedTokens } from './markChangedTokens.ts'

const [same, renamed, rescaled, silent, other] = [1, 2, 3, 4, 5].map(testAddress) as [
  ...[string, string, string, string, string],
]
const selectors = ['name()', 'symbol()', 'decimals()'].map((name) => toFunctionSelector(name))
/** The symbols and decimals that contracts return; `silent` returns nothing any more. */
const contracts: Record<string, { symbol: string; decimals: number }> = {
  [same]: { symbol: 'USD', decimals: 6 },
  [renamed]: { symbol: 'USD0', decimals: 6 },
  [rescaled]: { symbol: 'USD', decimals: 18 },
  [other]: { symbol: 'OTHER', decimals: 0 },
}

/** A contract returns its symbol as its name; others revert. */
async function startNode() {
  const chain = new FakeChain()
  chain.mine([])
  chain.mine([])
  const node = await startFakeNode(chain)
  onTestFinished(() => node.close())
  node.transformResult = (method, params, result) => {
    const { to = '', data = '' } = (params[0] ?? {}) as { to?: string; data?: string }
    const contract = contracts[to]
    const index = selectors.indexOf(data as `0x${string}`)
    if (method !== 'eth_call') {
      return result
    }
    if (!contract || index < 0) {
      throw new FakeNodeError(3, 'execution reverted')
    }
    return index === 2
      ? numberToHex(contract.decimals, { size: 32 })
      : encodeAbiParameters([{ type: 'string' }], [contract.symbol])
  }
  return new ChainNode([node.url])
}

it('reads notable tokens again whose symbol or decimals changed, or could not be read before', async () => {
  const { db } = await openSharedStore('pglite')
  const stored = { symbol: 'USD', name: 'USD', decimals: 6 }
  const tokens = [same, renamed, rescaled, silent, other].map((address) => ({ address, ...stored }))
  await seedChain(db, { chainId: 1, blocks: { 0: 0 }, tokens })
  await db
    .updateTable('tokens')
    .set({ is_notable: true })
    .where('address', '<>', fromHex(other))
    .execute()
  await db
    .updateTable('tokens')
    .set({ metadata: 'failed', symbol: null, name: null, decimals: null })
    .where('address', '=', fromHex(renamed))
    .execute()
  const nodes = await startNode()
  expect(await markChangedTokens(db, nodes, 1, { kind: 'notable', after: '' })).toEqual({
    changed: [renamed, rescaled],
    last: '',
  })
  expect(await fillPendingTokens(db, nodes, 1)).toBe(2)
  const rows = await db.selectFrom('tokens').selectAll().orderBy('address').execute()
  expect(
    rows.map(({ address, metadata, symbol, decimals }) => [
      toHex(address),
      metadata,
      symbol,
      decimals,
    ]),
  ).toEqual([
    [same, 'read', 'USD', 6],
    [renamed, 'read', 'USD0', 6],
    [rescaled, 'read', 'USD', 18],
    [silent, 'read', 'USD', 6],
    [other, 'read', 'USD', 6],
  ])
  expect(await markChangedTokens(db, nodes, 1, { kind: 'notable', after: '' })).toEqual({
    changed: [],
    last: '',
  })
})

it('reads contracts again that lacked values at their first events, for a day', async () => {
  const { db } = await openSharedStore('pglite')
  const nodes = await startNode()
  const headTime = 1_000_100_000
  const complete = { symbol: 'OLD', name: 'OLD', decimals: 1 }
  await seedChain(db, {
    chainId: 1,
    blocks: { 0: headTime - secondsPerDay - 1, 1: headTime - secondsPerDay + 1, 2: headTime },
    tokens: [
      { address: same, firstBlock: 0, decimals: 6 },
      { address: renamed, firstBlock: 1, decimals: 0 },
      { address: rescaled, firstBlock: 1, ...complete, decimals: null },
      { address: silent, firstBlock: 2, decimals: null },
      { address: other, firstBlock: 2, ...complete },
    ],
  })
  await db
    .updateTable('tokens')
    .set({ symbol: null, name: null, metadata: 'failed' })
    .where('address', 'in', [same, renamed, silent].map(fromHex))
    .execute()
  const check = () => markChangedTokens(db, nodes, 1, { kind: 'incomplete', after: '' })
  expect(await check()).toEqual({ changed: [renamed, rescaled], last: '' })
  expect(await fillPendingTokens(db, nodes, 1)).toBe(2)
  const rows = await db
    .selectFrom('tokens')
    .select(['symbol', 'decimals'])
    .orderBy('address')
    .execute()
  expect(rows.map(({ symbol, decimals }) => [symbol, decimals])).toEqual([
    [null, 6],
    ['USD0', 6],
    ['USD', 18],
    [null, null],
    ['OLD', 1],
  ])
  expect(await check()).toEqual({ changed: [], last: '' })
})
