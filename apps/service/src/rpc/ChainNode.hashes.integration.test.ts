import { numberToHex, padHex } from 'viem/utils'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type DevnetChain, devnetOne, startChain } from '@headwater/devnet'
import { startNodeProxy } from '../../test/startNodeProxy.ts'
import { allTopics } from '../indexing/decode/topics.ts'
import { ChainNode } from './ChainNode.ts'
import type { BlockHeader } from './methods/BlockHeader.ts'
import type { VerifyLevel } from './verify/HashChecks.ts'
import { TopicFilter } from './verify/TopicFilter.ts'

type Fields = Record<string, unknown>
interface Receipt extends Fields {
  logs: Fields[]
}

const filter = new TopicFilter(allTopics)
const supported = { headers: true, receipts: true }

let chain: DevnetChain
let proxy: Awaited<ReturnType<typeof startNodeProxy>>
/** The latest block with logs. */
let block: BlockHeader

beforeAll(async () => {
  chain = await startChain({ scenario: devnetOne, days: 0.2, live: false })
  const node = new ChainNode([chain.rpcUrl])
  const head = await node.getHead()
  for (const header of (await node.getHeaders(1, head.number)).reverse()) {
    if ((await node.getReceiptLogs([header], { filter, isFinalized: true }))?.length) {
      block = header
      break
    }
  }
  return () => chain.stop()
})
beforeEach(async () => {
  proxy = await startNodeProxy(chain.rpcUrl)
  return () => proxy.close()
})

/** A client that knows which hashes it can recompute. */
async function createNode(verify: VerifyLevel = 'head', ...urls: string[]) {
  const node = new ChainNode([proxy.url, ...urls], { verify, retryDelayMs: 0 })
  expect(await node.detectHashes(block.number)).toEqual(supported)
  return node
}

const violations = (node: ChainNode) => node.stats().map((each) => [...each.violations])
const getLogs = async (node: ChainNode, isFinalized: boolean) =>
  (await node.getReceiptLogs([block], { filter, isFinalized }))?.toArray()

describe('a header with another field', () => {
  beforeEach(() => {
    proxy.transformResult = (method, [tag], result) =>
      method === 'eth_getBlockByNumber' && tag === numberToHex(block.number - 1)
        ? { ...(result as Fields), timestamp: '0x1' }
        : result
  })

  it('is not accepted, and counts against the node', async () => {
    const node = await createNode()
    await expect(node.getHeaders(block.number - 2, block.number)).rejects.toMatchObject({
      kind: 'mismatch',
      violation: { kind: 'header_hash', block: block.number - 1 },
    })
    await expect(node.getHeader(block.number - 1)).rejects.toMatchObject({ kind: 'mismatch' })
    expect(violations(node)[0]?.map(([kind]) => kind)).toEqual(['header_hash'])
  })

  it('is replaced by that of another node', async () => {
    const node = await createNode('head', chain.rpcUrl)
    const headers = await node.getHeaders(block.number - 1, block.number)
    expect(headers[0]?.time).toBeGreaterThan(1)
    expect(violations(node)).toEqual([[['header_hash', 1]], []])
  })

  it('is accepted without verification', async () => {
    const node = new ChainNode([proxy.url], { verify: 'basic' })
    await node.detectHashes(block.number)
    expect((await node.getHeader(block.number - 1))?.time).toBe(1)
  })
})

describe('receipts with another amount', () => {
  const lie = (result: unknown) => {
    const receipts = structuredClone(result) as Receipt[]
    const log = receipts.flatMap(({ logs }) => logs).find(({ data }) => data !== '0x')
    Object.assign(log ?? {}, { data: padHex('0x1') })
    return receipts
  }
  let expected: Awaited<ReturnType<typeof getLogs>>

  beforeEach(async () => {
    expected = await getLogs(new ChainNode([chain.rpcUrl]), true)
    proxy.transformResult = (method, params, result) =>
      method === 'eth_getBlockReceipts' && params[0] === block.hash ? lie(result) : result
  })

  it.each<[VerifyLevel, boolean, boolean]>([
    ['basic', true, true],
    ['basic', false, true],
    ['head', true, true],
    ['head', false, false],
    ['receipts', true, false],
    ['receipts', false, false],
  ])(
    'with verify %s, of a final block: %s, accepted: %s',
    async (verify, isFinalized, accepted) => {
      const node = new ChainNode([proxy.url], { verify, retryDelayMs: 0 })
      await node.detectHashes(block.number)
      if (accepted) {
        expect(await getLogs(node, isFinalized)).not.toEqual(expected)
      } else {
        await expect(getLogs(node, isFinalized)).rejects.toMatchObject({
          violation: { kind: 'receipts_root', block: block.number },
        })
      }
    },
  )

  it('are replaced by those of another node', async () => {
    const node = await createNode('receipts', chain.rpcUrl)
    expect(await getLogs(node, true)).toEqual(expected)
    expect(violations(node)).toEqual([[['receipts_root', 1]], []])
  })
})

describe('a chain that hashes its blocks otherwise', () => {
  beforeEach(() => {
    proxy.transformResult = (method, _, result) => {
      if (method === 'eth_getBlockByNumber') {
        return { ...(result as Fields), extraData: '0x1234', sealFields: [] }
      }
      return method === 'eth_getBlockReceipts'
        ? (result as Fields[]).map((receipt) => ({ ...receipt, cumulativeGasUsed: '0x1' }))
        : result
    }
  })

  it('is accepted', async () => {
    const node = new ChainNode([proxy.url], { verify: 'receipts' })
    expect(await node.detectHashes(block.number)).toEqual({ headers: false, receipts: false })
    expect(await node.getHeaders(block.number - 2, block.number)).toHaveLength(3)
    expect((await getLogs(node, true))?.length).toBeGreaterThan(0)
    const { length } = proxy.methods
    await node.detectHashes(block.number)
    expect(proxy.methods).toHaveLength(length)
  })

  it('is not assumed when another node matches', async () => {
    const node = new ChainNode([proxy.url, chain.rpcUrl])
    expect(await node.detectHashes(block.number)).toEqual(supported)
  })

  it('is not decided before a block is final', async () => {
    const node = new ChainNode([proxy.url])
    const undecided = { headers: undefined, receipts: undefined }
    expect(await node.detectHashes(0)).toEqual(undecided)
    expect(await node.detectHashes(-1)).toEqual(undecided)
  })
})

describe('a native balance', () => {
  const account = '0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266'

  it('is verified by its proof at times', async () => {
    const node = new ChainNode([proxy.url])
    const balance = await node.getNativeBalance(account, block)
    expect(await node.getNativeBalance(account, block)).toBe(balance)
    expect(proxy.methods.filter((method) => method === 'eth_getProof')).toHaveLength(1)
    expect(violations(node)).toEqual([[]])
  })

  it('of a wrong amount is not accepted', async () => {
    proxy.transformResult = (method, _, result) =>
      method === 'eth_getBalance' ? numberToHex(BigInt(result as string) + 1n) : result
    const node = new ChainNode([proxy.url], { retryDelayMs: 0 })
    await expect(node.getNativeBalance(account, block)).rejects.toMatchObject({
      violation: { kind: 'native_balance', block: block.number },
    })
    const both = new ChainNode([proxy.url, chain.rpcUrl])
    const right = await new ChainNode([chain.rpcUrl]).getNativeBalance(account, block)
    expect(await both.getNativeBalance(account, block)).toBe(right)
    expect(violations(both)).toEqual([[['native_balance', 1]], []])
  })

  it('is not verified by a node without proofs, or of another state', async () => {
    for (const replace of [() => null, () => ({ accountProof: ['0xc0'] })]) {
      proxy.transformResult = (method, _, result) =>
        method === 'eth_getProof' ? replace() : result
      const node = new ChainNode([proxy.url])
      expect(await node.getNativeBalance(account, block)).toBeGreaterThan(0n)
      expect(violations(node)).toEqual([[]])
    }
  })
})
