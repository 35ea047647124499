import { expect, it, onTestFinished } from 'vitest'
import { FakeChain } from '../../test/FakeChain.ts'
import { testAddress } from '../../test/seedChain.ts'
import { startAnvil } from '../../test/startAnvil.ts'
import { FakeNodeError, startFakeNode } from '../../test/startFakeNode.ts'
import { ChainNode } from '../rpc/ChainNode.ts'
import { accountsPerCall, balanceProgram } from '../rpc/methods/aggregateBalances.ts'
import { ChainReader } from './ChainReader.ts'
import { maxAccounts, NativeBalances } from './NativeBalances.ts'
import { type ChainSource, maxSingleReads } from './readValues.ts'

const accounts = Array.from({ length: 400 }, (_, index) => testAddress(index))
const [first = '', second = ''] = accounts

/** A node with the balances of the accounts: their positions. */
async function startNode(...options: string[]) {
  const anvil = await startAnvil(...options)
  for (const [index, account] of accounts.slice(0, 5).entries()) {
    await anvil.call('anvil_setBalance', account, `0x${index.toString(16)}`)
  }
  const node = new ChainNode([anvil.url])
  const mine = async () => {
    await anvil.call('anvil_mine', '0x1')
    return await node.getHead()
  }
  const countRequests = () => node.stats().reduce((sum, { requests }) => sum + requests, 0)
  return { anvil, node, mine, countRequests }
}

/** A node, and 3,000 accounts that are in use from the next head on. */
async function startWithManyAccounts(...options: string[]) {
  const { node, mine, countRequests } = await startNode(...options)
  const natives = new NativeBalances(new Map([[1, node]]))
  const many = Array.from({ length: 3000 }, (_, index) => testAddress(index))
  const start = await mine()
  many.forEach((account) => void natives.find(1, account, start))
  /** Mines a head and reads the balances there; returns it, and the number of requests for it. */
  const readHead = async () => {
    const head = await mine()
    const before = countRequests()
    await natives.onHead(1, head)
    return { head, requests: countRequests() - before }
  }
  return { natives, many, readHead }
}

it('reads the balances of the accounts in use together at each head', async () => {
  const { anvil, node, mine, countRequests } = await startNode()
  const reader = new ChainReader(new Map([[1, node]]))
  const { natives } = reader
  const start = await mine()
  for (const account of accounts) {
    expect(natives.find(1, account, start)).toBeUndefined()
  }
  await anvil.call('anvil_setBalance', second, '0x1234')
  const head = await mine()
  const before = countRequests()
  const reading = natives.onHead(1, head)
  // What is requested meanwhile waits for it.
  const requested = reader.amounts(1, second, ['native'], head)
  await reading
  expect(await requested).toEqual(new Map([['native', 0x1234n]]))
  expect(accounts.slice(0, 5).map((account) => natives.find(1, account, head))).toEqual([
    ...[0n, 0x1234n, 2n, 3n, 4n],
  ])
  expect((await natives.read(1, accounts, head)).size).toBe(accounts.length)
  // One of them is read alone as well, and verified by a proof and a header.
  expect(countRequests() - before).toBe(4)
})

it('reads thousands of accounts in use in the fewest requests', async () => {
  const { natives, many, readHead } = await startWithManyAccounts()
  const { head, requests } = await readHead()
  expect(many.map((account) => natives.find(1, account, head))).toEqual(
    many.map((_, index) => (index < 5 ? BigInt(index) : 0n)),
  )
  // Three calls; one of the accounts is read alone as well, and verified by a proof and a header.
  expect(requests).toBe(3 + 3)
})

// Halves of which calls are accepted first depends on the order of the responses.
it.each([
  { options: ['--gas-limit', '1000000'], minSize: 125 },
  { options: ['--code-size-limit', '2000'], minSize: 63 },
])('learns how many balances a node reads by one call ($options)', async ({ options, minSize }) => {
  const { natives, many, readHead } = await startWithManyAccounts(...options)
  await readHead()
  const { head, requests } = await readHead()
  expect(requests).toBeLessThanOrEqual(Math.ceil(many.length / minSize))
  expect((await natives.read(1, many, head)).size).toBe(many.length)
})

it.each([
  ['--gas-limit', '30000'],
  ['--code-size-limit', '10'],
])('reads few balances where nodes reject calls of any size (%s %s)', async (...options) => {
  const { natives, many, readHead } = await startWithManyAccounts(...options)
  await readHead()
  const { head, requests } = await readHead()
  expect(requests).toBe(maxSingleReads)
  expect((await natives.read(1, many.slice(0, maxSingleReads), head)).size).toBe(maxSingleReads)
})

it('reads balances of any size', async () => {
  const { anvil, node, mine } = await startNode()
  const natives = new NativeBalances(new Map([[1, node]]))
  const amounts = [1n, 2n ** 127n, 2n ** 128n - 2n, 2n ** 128n - 1n, 2n ** 128n, 2n ** 256n - 1n]
  const holders = amounts.map((_, index) => testAddress(10_000 + index))
  for (const [index, amount] of amounts.entries()) {
    await anvil.call('anvil_setBalance', holders[index], `0x${amount.toString(16)}`)
  }
  const read = await natives.read(1, holders, await mine())
  expect([...read.values()]).toEqual(amounts)
})

it('reads few accounts in advance, and only those in use', async () => {
  const { node, mine } = await startNode()
  const natives = new NativeBalances(new Map([[1, node]]))
  expect(natives.find(1, first, await mine())).toBeUndefined()
  const head = await mine()
  await natives.onHead(1, head)
  expect(natives.find(1, first, head)).toBe(0n)
  expect(natives.find(1, second, head)).toBeInstanceOf(Promise)
})

it('reads accounts together that are requested at the same time', async () => {
  const { node, mine, countRequests } = await startNode()
  const natives = new NativeBalances(new Map([[1, node]]))
  const head = await mine()
  await natives.onHead(1, head)
  const before = countRequests()
  const found = [...accounts, first].map(async (account) => await natives.find(1, account, head))
  expect(await Promise.all(found)).toEqual([0n, 1n, 2n, 3n, 4n, ...Array(395).fill(0n), 0n])
  // One of them is read alone as well, and verified by a proof and a header.
  expect(countRequests() - before).toBe(4)
})

it('reads no balances in advance while too many accounts are in use', async () => {
  const { node, mine, countRequests } = await startNode()
  const natives = new NativeBalances(new Map([[1, node]]))
  const start = await mine()
  for (let index = 0; index < maxAccounts; index++) {
    void natives.find(1, testAddress(index), start)
  }
  const head = await mine()
  const before = countRequests()
  await natives.onHead(1, head)
  expect(countRequests()).toBe(before)
  expect(await natives.find(1, first, head)).toBe(0n)
  expect(countRequests()).toBeGreaterThan(before)
})

it('discards balances that differ from one that is read alone', async () => {
  const { node, mine } = await startNode()
  const source: ChainSource = {
    getNativeBalance: (...args) => node.getNativeBalance(...args),
    async aggregateNativeBalances(...args) {
      const amounts = await node.aggregateNativeBalances(...args)
      return amounts.map(() => 2n ** 256n - 1n)
    },
    multicall: (...args) => node.multicall(...args),
  }
  const natives = new NativeBalances(new Map([[1, source]]))
  const read = await natives.read(1, accounts, await mine())
  expect([...read.values()]).toEqual([0n, 1n, 2n, 3n, 4n, ...Array(maxSingleReads - 5).fill(0n)])
})

it('reads few balances where nodes do not aggregate them', async () => {
  const chain = new FakeChain()
  chain.mine([])
  const server = await startFakeNode(chain)
  onTestFinished(() => server.close())
  const requests: string[] = []
  server.transformResult = (method, _, result) => {
    requests.push(method)
    return method === 'eth_getBalance' ? '0x5' : method === 'eth_call' ? '0x' : result
  }
  const node = new ChainNode([server.url], { retryDelayMs: 0 })
  const natives = new NativeBalances(new Map([[1, node]]))
  const amounts = await natives.read(1, accounts, chain.head)
  expect([...amounts.values()]).toEqual(Array(maxSingleReads).fill(5n))
  const count = (method: string) => requests.filter((each) => each === method).length
  expect(count('eth_getBalance')).toBe(maxSingleReads)
  expect(count('eth_call')).toBe(1)
})

it('keeps the balances of other calls if one fails', async () => {
  const chain = new FakeChain()
  chain.mine([])
  const server = await startFakeNode(chain)
  onTestFinished(() => server.close())
  const many = Array.from({ length: 1500 }, (_, index) => testAddress(index))
  const amount = '7'.padStart(32, '0')
  server.transformResult = (method, [call], result) => {
    if (method !== 'eth_call') {
      return method === 'eth_getBalance' ? '0x7' : result
    }
    const { data } = call as { readonly data: string }
    if (data.includes(testAddress(700).slice(2))) {
      throw new FakeNodeError(-32000, 'internal error')
    }
    return `0x00${amount.repeat((data.length - 2 - balanceProgram.length) / 40)}`
  }
  const natives = new NativeBalances(
    new Map([[1, new ChainNode([server.url], { retryDelayMs: 0 })]]),
  )
  const amounts = await natives.read(1, many, chain.head)
  expect(amounts.size).toBe(1500 - accountsPerCall + maxSingleReads)
  expect(new Set(amounts.values())).toEqual(new Set([7n]))
})

it('keeps the balances at the latest heads, and not those of an older block that is read late', async () => {
  const source: ChainSource = {
    getNativeBalance: (_, { number }) => Promise.resolve(BigInt(number)),
    aggregateNativeBalances: () => Promise.reject(new Error('not aggregated')),
    multicall: () => Promise.resolve([]),
  }
  const natives = new NativeBalances(new Map([[1, source]]))
  const block = (number: number) => ({ number, hash: `0x${number}` })
  expect(natives.find(1, first, block(1))).toBeUndefined()
  for (const number of [1, 2, 3]) {
    await natives.onHead(1, block(number))
  }
  expect(await natives.read(1, [first], block(1))).toEqual(new Map([[first, 1n]]))
  await natives.onHead(1, block(4))
  expect(natives.find(1, first, block(3))).toBe(3n)
  expect(natives.find(1, first, block(4))).toBe(4n)
  // A reorg.
  await natives.onHead(1, { number: 2, hash: '0x2b' })
  expect(natives.find(1, first, { number: 2, hash: '0x2b' })).toBe(2n)
})
