import { describe, expect, it } from 'vitest'
import { startAnvil } from '../../../test/startAnvil.ts'
import { startHostedNode } from '../../../test/startHostedNode.ts'
import { topics } from '../../indexing/decode/topics.ts'
import { ChainNode } from '../ChainNode.ts'
import type { BlockRef } from './BlockHeader.ts'
import { decodeWord, wordCall } from './Call.ts'

const echo = `0x${'c0de'.padStart(40, '0')}`
const emitter = `0x${'e417'.padStart(40, '0')}`
const filters = [[[topics.transfer]]]
const options = { timeoutMs: 5_000 }

/** A chain with a log in block 2 of 4. */
async function startChain() {
  const anvil = await startAnvil()
  // Returns the first word of its input.
  await anvil.call('anvil_setCode', echo, '0x60003560005260206000f3')
  await anvil.call('anvil_setCode', emitter, `0x7f${topics.transfer.slice(2)}60006000a100`)
  await anvil.call('anvil_mine', '0x1')
  const [from] = (await anvil.call('eth_accounts')) as string[]
  await anvil.call('eth_sendTransaction', { from, to: emitter })
  await anvil.call('anvil_mine', '0x2')
  return anvil
}

/** Reads at the head like a response to a client. */
async function read(node: ChainNode, head: BlockRef) {
  const { calls, search } = start(node, head, options)
  const [results, found] = await Promise.all([calls, search])
  return {
    words: results.map((result) => Number(decodeWord(result))),
    blocks: found.logs.map(({ blockNumber }) => blockNumber),
    from: found.from,
  }
}

function start(node: ChainNode, head: BlockRef, timeout: typeof options) {
  const calls = Array.from({ length: 20 }, (_, index) =>
    wordCall(echo, `0x${index.toString(16).padStart(64, '0')}`),
  )
  return {
    calls: node.multicall(calls, head, { ...timeout, aggregatedBytes: 32 }),
    search: node.getNewestLogs(filters, { from: 1, to: head.number, hash: head.hash }, timeout),
  }
}

const complete = { words: Array.from({ length: 20 }, (_, index) => index), blocks: [2], from: 1 }

describe('reads at a head', () => {
  it('are one call and one search where the node accepts both', async () => {
    const hosted = await startHostedNode((await startChain()).url)
    const node = new ChainNode([hosted.url])
    expect(await read(node, await node.getHead())).toEqual(complete)
    expect(hosted.methods.toSorted()).toEqual(['eth_call', 'eth_getBlockByNumber', 'eth_getLogs'])
  })

  it('are those of a node that has the block', async () => {
    const [lagging, current] = await Promise.all([startAnvil(), startChain()])
    const [first, second] = await Promise.all([
      startHostedNode(lagging.url),
      startHostedNode(current.url),
    ])
    const node = new ChainNode([first.url, second.url], { retryDelayMs: 0 })
    expect(await read(node, await new ChainNode([second.url]).getHead())).toEqual(complete)
    expect(first.methods).toContain('eth_getLogs')
  })

  it.each([
    ['a smaller range', { maxRange: 3 }, complete],
    ['block numbers only', { rejectsBlockHashes: true }, complete],
  ])('respect that a node accepts %s', async (_, limits, expected) => {
    const hosted = await startHostedNode((await startChain()).url, limits)
    const node = new ChainNode([hosted.url])
    expect(await read(node, await node.getHead())).toEqual(expected)
  })

  it.each([
    ['longer than the timeout', 60_000, 2_000, false],
    ['more than half of it', 3_000, 5_000, true],
  ])(
    'return the results of calls if a search takes %s',
    async (_, searchMs, timeoutMs, isFound) => {
      const hosted = await startHostedNode((await startChain()).url, { searchMs })
      const node = new ChainNode([hosted.url])
      const { calls, search } = start(node, await node.getHead(), { timeoutMs })
      const searched = search.then(
        ({ from }) => from === 1,
        () => false,
      )
      expect((await calls).map((result) => Number(decodeWord(result)))).toEqual(complete.words)
      expect(await searched).toBe(isFound)
      const searches = hosted.methods.filter((method) => method === 'eth_getLogs')
      expect(searches).toHaveLength(1)
    },
  )
})
