import { expect, it, onTestFinished } from 'vitest'
import { FakeChain } from '../../test/FakeChain.ts'
import { testAddress } from '../../test/seedChain.ts'
import { startFakeNode } from '../../test/startFakeNode.ts'
import { ChainNode } from '../rpc/ChainNode.ts'
import { ChainReader } from './ChainReader.ts'
import { maxSingleReads } from './readValues.ts'

it('reads few native balances where nodes do not aggregate them', async () => {
  const chain = new FakeChain()
  chain.mine([])
  const server = await startFakeNode(chain)
  onTestFinished(() => server.close())
  const requests: string[] = []
  server.transformResult = (method, _, result) => {
    requests.push(method)
    return method === 'eth_getBalance' ? '0x5' : method === 'eth_call' ? '0x' : result
  }
  const reader = new ChainReader(new Map([[1, new ChainNode([server.url], { retryDelayMs: 0 })]]))
  const accounts = Array.from({ length: 400 }, (_, index) => testAddress(index))
  const amounts = await reader.nativeAmounts(1, accounts, chain.head)
  expect([...amounts.values()]).toEqual(Array(maxSingleReads).fill(5n))
  const count = (method: string) => requests.filter((each) => each === method).length
  expect(count('eth_getBalance')).toBe(maxSingleReads)
  expect(count('eth_call')).toBe(1)
})
