import { expect, it, vi } from 'vitest'
import { FakeChain, rpcReceipts } from '../../../test/FakeChain.ts'
import { testAddress } from '../../../test/seedChain.ts'
import { startFakeNode } from '../../../test/startFakeNode.ts'
import { topics } from '../../indexing/decode/topics.ts'
import { ChainNode } from '../ChainNode.ts'
import { splitBlocks } from './packLogs.ts'
import type { ReceiptsRequest } from './receiptMessages.ts'
import { ReceiptThreads } from './ReceiptThreads.ts'

async function createRequest(change = (text: string) => text): Promise<ReceiptsRequest> {
  const chain = new FakeChain()
  const token = testAddress(0x100)
  const alice = testAddress(1)
  const bob = testAddress(2)
  const transfer = { type: 'transfer', token, from: alice, to: bob, amount: 7n } as const
  chain.mine([transfer, transfer])
  chain.mine([])
  chain.mine([transfer])
  const server = await startFakeNode(chain)
  const blocks = await new ChainNode([server.url]).getHeaders(1, 3)
  await server.close()
  const firstId = 1_000_000
  const responses = blocks.map(({ number }, index) => ({
    id: firstId + index,
    result: rpcReceipts(chain.blocks[number] as FakeChain['blocks'][number]),
  }))
  const body = new TextEncoder().encode(change(JSON.stringify(responses)))
  return { body, firstId, blocks, topics: [topics.transfer], verifiesRoots: false }
}

it('parses many responses at once in a limited number of threads, which exit when they are not used', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  try {
    const threads = new ReceiptThreads(2)
    const requests = await Promise.all(Array.from({ length: 8 }, () => createRequest()))
    const responses = await Promise.all(requests.map((request) => threads.parse(request)))
    for (const [index, response] of responses.entries()) {
      const { blocks } = requests[index] as ReceiptsRequest
      const packed = 'logs' in response ? splitBlocks(response.logs, blocks) : []
      const logs = packed.map((block) => block.unpack())
      expect(logs.map((each) => each.map(({ logIndex }) => logIndex))).toEqual([[0, 1], [], [0]])
    }
    expect(threads.count).toBe(2)
    vi.runAllTimers()
    expect(threads.count).toBe(0)
    expect(await threads.parse(await createRequest())).toHaveProperty('logs')
    vi.runAllTimers()
  } finally {
    vi.useRealTimers()
  }
})

it('returns a response that is not valid unchanged', async () => {
  const threads = new ReceiptThreads(1)
  const corrupt = (text: string) => text.replace('"logIndex":"0x1"', '"logIndex":"0x7"')
  const request = await createRequest(corrupt)
  const { body } = await createRequest(corrupt)
  const response = await threads.parse(request)
  expect('body' in response && Buffer.from(response.body).equals(body)).toBe(true)
})

it('fails with an error of the node when a thread exits, and starts another one', async () => {
  const threads = new ReceiptThreads(1)
  const { body: _, ...rest } = await createRequest()
  // The thread throws outside of the parsing, as it does when a response exceeds its memory.
  const request = { ...rest, body: new Uint8Array(8), blocks: undefined as never }
  await expect(threads.parse(request)).rejects.toMatchObject({
    name: 'NodeError',
    retryable: true,
    mayExceedLimit: true,
  })
  expect(threads.count).toBe(0)
  expect(await threads.parse(await createRequest())).toHaveProperty('logs')
})
