import { type DevnetChain, devnetOne, startChain } from '@headwater/devnet'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { fetchBlocks } from '../indexing/fetchBlocks.ts'
import { ChainNode } from './ChainNode.ts'

let chain: DevnetChain
beforeAll(async () => {
  chain = await startChain({ scenario: devnetOne, days: 1, live: false })
})
afterAll(() => chain.stop())

interface RpcLog {
  readonly blockHash: string
  readonly logIndex: string
  readonly transactionHash: string
}

it('reads of a real node by receipts what it reads by logs and whole blocks, with the senders', async () => {
  const node = new ChainNode([chain.rpcUrl])
  const without = new ChainNode([{ url: chain.rpcUrl, blockReceipts: false }])
  const head = await node.getHead()
  const range = { from: 0, to: head.number, parentHash: undefined }
  const byReceipts = await fetchBlocks(node, { ...range, isFinal: true })
  expect(node.mayHaveReceipts).toBe(true)
  expect(byReceipts.logs.length).toBeGreaterThan(100)
  expect(await fetchBlocks(without, { ...range, isFinal: true })).toEqual(byReceipts)
  expect(await fetchBlocks(without, { ...range, isFinal: false })).toEqual(byReceipts)

  const told = await chain.rpc.call<RpcLog[]>('eth_getLogs', {
    fromBlock: '0x0',
    toBlock: 'latest',
  })
  const hashes = new Map(
    told.map((log) => [`${log.blockHash}/${Number(log.logIndex)}`, log.transactionHash]),
  )
  const senders = new Set(byReceipts.logs.map(({ transactionFrom }) => transactionFrom))
  expect(senders.size).toBeGreaterThan(3)
  for (const log of byReceipts.logs.slice(-100)) {
    const hash = hashes.get(`${log.blockHash}/${log.logIndex}`)
    const transaction = await chain.rpc.call<{ from: string }>('eth_getTransactionByHash', hash)
    expect(log.transactionFrom).toBe(transaction.from.toLowerCase())
  }
})

it('tells a call that reverted from one that a contract answered', async () => {
  const node = new ChainNode([chain.rpcUrl])
  const head = await node.getHead()
  const to = chain.tokens[0]?.address ?? ''
  const outcomes = await node.callMany(
    [
      { to, data: '0x313ce567' },
      // A transfer of more than the sender, nobody, has.
      { to, data: `0xa9059cbb${'1'.repeat(64)}${'f'.repeat(64)}` },
      { to: `0x${'9'.repeat(40)}`, data: '0x313ce567' },
    ],
    head,
  )
  expect(outcomes).toEqual([
    { kind: 'answered', data: `0x${'12'.padStart(64, '0')}` },
    { kind: 'reverted' },
    { kind: 'answered', data: '0x' },
  ])
})
