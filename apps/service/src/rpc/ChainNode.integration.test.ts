import { encodeFunctionData, erc20Abi, keccak256, maxUint256, numberToHex } from 'viem'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type DevnetChain, devnetOne, startChain } from '@headwater/devnet'
import { fetchBlocks } from '../indexing/fetch/fetchBlocks.ts'
import { ChainNode } from './ChainNode.ts'
import { TopicFilter } from './verify/TopicFilter.ts'

interface RpcLog {
  readonly blockHash: string
  readonly logIndex: string
  readonly transactionHash: string
  readonly topics: readonly string[]
}

describe('ChainNode on a real node', () => {
  let chain: DevnetChain
  let node: ChainNode
  beforeAll(async () => {
    chain = await startChain({ scenario: devnetOne, days: 1, live: false })
    node = new ChainNode([chain.rpcUrl])
  })
  afterAll(() => chain.stop())

  it('fetches the same logs and senders with and without eth_getBlockReceipts', async () => {
    const withoutReceipts = new ChainNode([{ url: chain.rpcUrl, blockReceipts: false }])
    const head = await node.getHead()
    const range = { from: 0, to: head.number, parentHash: undefined }
    const byReceipts = await fetchBlocks(node, { ...range, isFinalized: true })
    expect(node.maySupportReceipts).toBe(true)
    expect(byReceipts.logs.length).toBeGreaterThan(100)
    expect(await fetchBlocks(withoutReceipts, { ...range, isFinalized: true })).toEqual(byReceipts)
    expect(await fetchBlocks(withoutReceipts, { ...range, isFinalized: false })).toEqual(byReceipts)

    const logs = await chain.rpc.call<RpcLog[]>('eth_getLogs', {
      fromBlock: '0x0',
      toBlock: 'latest',
    })
    const hashes = new Map(
      logs.map((log) => [`${log.blockHash}/${Number(log.logIndex)}`, log.transactionHash]),
    )
    const senders = new Set(byReceipts.logs.map(({ transactionFrom }) => transactionFrom))
    expect(senders.size).toBeGreaterThan(3)
    for (const log of byReceipts.logs.slice(-100)) {
      const hash = hashes.get(`${log.blockHash}/${log.logIndex}`)
      const transaction = await chain.rpc.call<{ from: string }>('eth_getTransactionByHash', hash)
      expect(log.transactionFrom).toBe(transaction.from.toLowerCase())
    }
  })

  it('distinguishes a revert from a result', async () => {
    const head = await node.getHead()
    const to = chain.tokens[0]?.address ?? ''
    const decimals = encodeFunctionData({ abi: erc20Abi, functionName: 'decimals' })
    const transfer = encodeFunctionData({
      abi: erc20Abi,
      functionName: 'transfer',
      args: [`0x${'1'.repeat(40)}`, maxUint256],
    })
    const results = await node.multicall(
      [
        { to, data: decimals },
        // A transfer that exceeds the balance of the sender.
        { to, data: transfer },
        { to: `0x${'9'.repeat(40)}`, data: decimals },
      ],
      head,
    )
    expect(results).toEqual([
      { status: 'success', data: `0x${'12'.padStart(64, '0')}` },
      { status: 'reverted' },
      { status: 'success', data: '0x' },
    ])
  })

  it('finds the topics of every log in the bloom filter of its block, and few others', async () => {
    const head = await node.getHead()
    const blocks = await node.getHeaders(0, head.number)
    const counts = { topics: 0, falsePositives: 0 }
    const absent = Array.from(
      { length: 200 },
      (_, at) => new TopicFilter([keccak256(numberToHex(at))]),
    )
    for (const { number, hash, logsBloom } of blocks) {
      const logs = await chain.rpc.call<RpcLog[]>('eth_getLogs', { blockHash: hash })
      for (const topic of logs.flatMap(({ topics }) => topics)) {
        counts.topics++
        expect(new TopicFilter([topic]).mayMatch(logsBloom), `block ${number}`).toBe(true)
      }
      counts.falsePositives += absent.filter((filter) => filter.mayMatch(logsBloom)).length
    }
    expect(counts.topics).toBeGreaterThan(100)
    expect(counts.falsePositives).toBeLessThan((absent.length * blocks.length) / 10)
  })

  it('reads native balances at a block by its hash', async () => {
    const [account] = chain.accounts
    if (!account) {
      throw new Error('The devnet has no accounts')
    }
    const head = await node.getHead()
    const before = await node.getNativeBalance(account.address, head)
    await chain.deposit({ from: account.address, amount: 5n })
    expect(await node.getNativeBalance(account.address, head)).toBe(before)
    const later = await node.getHead()
    expect(await node.getNativeBalance(account.address, later)).toBeLessThan(before)
  })
})
