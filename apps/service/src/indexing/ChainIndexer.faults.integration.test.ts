import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import type { Store } from '../store/Store.ts'
import { HandmadeChain, type HandmadeEvent, rpcBlock } from '../testing/HandmadeChain.ts'
import { openMemoryStore } from '../testing/openMemoryStore.ts'
import { HandmadeNodeError, startHandmadeNode } from '../testing/startHandmadeNode.ts'
import {
  mint,
  type MintedChain,
  mintedFinalityDepth,
  mintedToken,
  startMintedChain,
} from '../testing/startMintedChain.ts'
import { readCursor } from './readCursor.ts'

/** The machine may be busy. */
const patiently = { timeout: 60_000 }

let store: Store
let { chainId, chain, node, start, minted } = {} as MintedChain

beforeAll(async () => {
  store = await openMemoryStore()
})
afterAll(() => store.close())
beforeEach(async () => {
  ;({ chainId, chain, node, start, minted } = await startMintedChain(store))
})

/** Waits until the node was asked so many times for its head. */
async function polls(count: number): Promise<void> {
  const heads = () => node.questions.filter(({ params }) => params[0] === 'latest').length
  const enough = heads() + count
  await expect.poll(heads, { interval: 5 }).toBeGreaterThanOrEqual(enough)
}

describe('a node that cannot be trusted', () => {
  it('lags behind: the indexed blocks stay, and go on when it has caught up', async () => {
    const indexer = start()
    await indexer.reaches(chain.head.hash)
    node.lag = 3
    await polls(5)
    const cursor = await readCursor(store.db, chainId)
    expect(cursor?.block).toEqual({ number: 10, hash: chain.head.hash })
    node.lag = 0
    chain.mine([mint])
    await indexer.reaches(chain.head.hash)
    expect(await minted()).toBe(11)
  })

  it.each([100, 1_000_000])(
    'tells a head that is %i blocks too high: no block is final of it, and the chain goes on',
    async (tooHigh) => {
      const indexer = start()
      await indexer.reaches(chain.head.hash)
      const { finalBlock } = (await readCursor(store.db, chainId)) ?? {}
      node.distort = (_, [number], answer) =>
        number === 'latest'
          ? { ...(answer as object), number: `0x${(chain.head.number + tooHigh).toString(16)}` }
          : answer
      // More than are asked at once, so that some are indexed before others turn out not to be there.
      for (let block = 0; block < 100; block++) chain.mine([mint])
      await polls(3)
      const cursor = await readCursor(store.db, chainId)
      expect(cursor?.finalBlock).toBe(finalBlock)
      expect(cursor?.block?.number).toBeGreaterThan(10)
      // Nothing is lost: what was replaced meanwhile can still be undone.
      chain.reorg(mintedFinalityDepth, [[mint], [mint], [mint], [], [mint], [mint]])
      node.distort = (_method, _params, answer) => answer
      await indexer.reaches(chain.head.hash)
      expect(await minted()).toBe(111)
      expect((await readCursor(store.db, chainId))?.finalBlock).toBe(112 - mintedFinalityDepth)
    },
  )

  it.each([0, 3, 8])(
    'synchronises again from nothing (first block indexed: %i)',
    async (startBlock) => {
      const indexer = start({ startBlock })
      await indexer.reaches(chain.head.hash)
      node.lag = 10
      await polls(5)
      node.lag = 0
      chain.mine([mint])
      await indexer.reaches(chain.head.hash)
      expect(await minted()).toBe(startBlock ? 12 - startBlock : 11)
    },
  )

  it('answers long ranges with a refusal', async () => {
    node.hasReceipts = false
    node.distort = (method, [filter], answer) => {
      const { fromBlock, toBlock } = (filter ?? {}) as Record<string, string>
      if (method === 'eth_getLogs' && Number(toBlock) - Number(fromBlock) >= 2)
        throw new HandmadeNodeError(-32005, 'query returned more than 2 results')
      return answer
    }
    await start().reaches(chain.head.hash)
    expect(await minted()).toBe(10)
  })

  it('refuses to tell more than a few new blocks at once', async () => {
    node.hasReceipts = false
    for (let block = 0; block < 50; block++) chain.mine([mint])
    let [request, asked] = [0, 0]
    node.distort = (method, _, answer) => {
      if (node.requests !== request) [request, asked] = [node.requests, 0]
      if (method !== 'eth_getLogs' || ++asked <= 5) return answer
      throw new HandmadeNodeError(-32005, 'too much at once')
    }
    const indexer = start({ finalityDepth: 100 })
    await indexer.reaches(chain.head.hash)
    expect(await minted()).toBe(60)
    chain.reorg(30, Array<HandmadeEvent[]>(40).fill([mint]))
    await indexer.reaches(chain.head.hash)
    expect(await minted()).toBe(70)
  })

  it('is away for a moment, and is asked as much as before', async () => {
    node.hasReceipts = false
    for (let block = 0; block < 1000; block++) chain.mine([mint])
    const ranges = () =>
      node.questions.filter(
        ({ method, params: [filter] }) =>
          method === 'eth_getLogs' && 'fromBlock' in (filter as object),
      )
    node.distort = (method, _, answer) => {
      if (method === 'eth_getLogs' && ranges().length === 3) node.status = 503
      return answer
    }
    const indexer = start()
    await vi.waitUntil(() => node.status === 503, patiently)
    await new Promise((resolve) => setTimeout(resolve, 400))
    node.status = undefined
    await indexer.reaches(chain.head.hash)
    expect(await minted()).toBe(1010)
    const lengths = ranges().map(({ params: [filter] }) => {
      const { fromBlock, toBlock } = filter as Record<string, string>
      return Number(toBlock) - Number(fromBlock) + 1
    })
    // Had the outage been taken for a limit, it would ask less from then on.
    expect(Math.max(...lengths)).toBeGreaterThan(128)
  })

  it('keeps silent about logs of new blocks when asked by range', async () => {
    node.hasReceipts = false
    node.distort = (method, [filter], answer) => {
      const { toBlock } = (filter ?? {}) as Record<string, string>
      return method === 'eth_getLogs' && Number(toBlock) > 10 - mintedFinalityDepth ? [] : answer
    }
    await start().reaches(chain.head.hash)
    expect(await minted()).toBe(10)
  })

  const once = (distortion: (answer: unknown[]) => unknown) => {
    let times = 2
    node.hasReceipts = false
    node.distort = (method, _, answer) =>
      method === 'eth_getLogs' && (answer as unknown[]).length > 0 && times-- > 0
        ? distortion(answer as unknown[])
        : answer
  }

  it.each<[string, (answer: unknown[]) => unknown]>([
    [
      'a log of another fork',
      ([log]) => [{ ...(log as object), blockHash: `0x${'9'.repeat(64)}` }],
    ],
    ['a log twice', (logs) => [...logs, ...logs]],
    ['a log that was removed', ([log]) => [{ ...(log as object), removed: true }]],
    ['a log of a block not asked for', ([log]) => [{ ...(log as object), blockNumber: '0xff' }]],
    ['null', () => null],
    ['entries that are no logs', () => [null, 1, {}]],
    ['hex that is none', ([log]) => [{ ...(log as object), data: '0xzz' }]],
  ])('answers %s, and is asked again', async (_, distortion) => {
    once(distortion)
    await start().reaches(chain.head.hash)
    expect(await minted()).toBe(10)
  })

  it('changes its chain between headers and logs', async () => {
    node.hasReceipts = false
    let reorged = false
    node.distort = (method, _, answer) => {
      if (method === 'eth_getLogs' && !reorged) {
        reorged = true
        chain.reorg(2, [[], [], []])
      }
      return answer
    }
    const indexer = start()
    await expect.poll(() => reorged, { interval: 5 }).toBe(true)
    await indexer.reaches(chain.head.hash)
    expect(await minted()).toBe(8)
  })

  it('is away for a while', async () => {
    node.status = 503
    const indexer = start()
    await new Promise((resolve) => setTimeout(resolve, 100))
    node.status = undefined
    await indexer.reaches(chain.head.hash)
    node.status = 500
    chain.mine([mint])
    await new Promise((resolve) => setTimeout(resolve, 100))
    node.status = undefined
    await indexer.reaches(chain.head.hash)
    expect(await minted()).toBe(11)
  })

  it('is replaced by one that lags, which answers ranges that it does not have with silence', async () => {
    node.hasReceipts = false
    const lagging = await startHandmadeNode(chain, chainId)
    lagging.hasReceipts = false
    lagging.lag = 9
    for (let block = 0; block < 100; block++) chain.mine([mint])
    lagging.lag += 100
    // Of the preferred node only the log queries fail.
    let away = true
    node.distort = (method, _, answer) => {
      if (method === 'eth_getLogs' && away) throw new HandmadeNodeError(-32603, 'away')
      return answer
    }
    const indexer = start({ rpcUrls: [node.url, lagging.url] })
    await vi.waitUntil(
      () => lagging.questions.some(({ method }) => method === 'eth_getLogs'),
      patiently,
    )
    away = false
    await indexer.reaches(chain.head.hash)
    await indexer.stop()
    await lagging.close()
    expect(await minted()).toBe(110)
  })

  it('tells no bloom of its blocks, and is asked block by block', async () => {
    node.hasReceipts = false
    for (let block = 0; block < 100; block++) chain.mine(block % 2 ? [mint] : [])
    node.distort = (method, [filter], answer) => {
      if (method === 'eth_getBlockByNumber')
        return answer && { ...(answer as object), logsBloom: undefined }
      const isRange = method === 'eth_getLogs' && 'fromBlock' in (filter as object)
      return isRange ? [] : answer
    }
    await start().reaches(chain.head.hash)
    expect(await minted()).toBe(60)
  })

  it.each<[string, (answer: unknown) => unknown]>([
    ['null for receipts', () => null],
    ['no receipts', () => []],
    ['receipts without logs', (all) => (all as object[]).map((one) => ({ ...one, logs: [] }))],
  ])('answers %s, and the next one is asked', async (_, lie) => {
    const liar = await startHandmadeNode(chain, chainId)
    liar.distort = (method, _params, answer) =>
      method === 'eth_getBlockReceipts' ? lie(answer) : answer
    await start({ rpcUrls: [liar.url, node.url] }).reaches(chain.head.hash)
    await liar.close()
    expect(await minted()).toBe(10)
  })

  it('answers empty logs, and the next one is asked', async () => {
    const liar = await startHandmadeNode(chain, chainId)
    liar.hasReceipts = false
    liar.distort = (method, _, answer) => (method === 'eth_getLogs' ? [] : answer)
    await start({ rpcUrls: [liar.url, node.url] }).reaches(chain.head.hash)
    expect(liar.questions.some(({ method }) => method === 'eth_getLogs')).toBe(true)
    await liar.close()
    expect(await minted()).toBe(10)
  })

  it('is replaced by the next one that is configured', async () => {
    const broken = await startHandmadeNode(chain, chainId)
    broken.status = 500
    await start({ rpcUrls: [broken.url, node.url] }).reaches(chain.head.hash)
    await broken.close()
    expect(await minted()).toBe(10)
  })
})

describe('a restart', () => {
  it('goes on where the store stands', async () => {
    const first = start()
    await first.reaches(chain.head.hash)
    await first.stop()
    chain.mine([mint])
    node.questions.length = 0
    await start().reaches(chain.head.hash)
    expect(await minted()).toBe(11)
    const read = node.questions.filter(({ method }) => method === 'eth_getBlockReceipts')
    expect(read.map(({ params }) => params[0])).toEqual([chain.head.hash])
  })

  it('undoes what was replaced meanwhile', async () => {
    const first = start()
    await first.reaches(chain.head.hash)
    await first.stop()
    chain.reorg(mintedFinalityDepth, [[], [mint]])
    chain.mine([])
    await start().reaches(chain.head.hash)
    expect(await minted()).toBe(7)
  })

  it('does not take a reorg below what was final before it, though the chain is shorter now', async () => {
    const first = start()
    await first.reaches(chain.head.hash)
    await first.stop()
    chain.reorg(mintedFinalityDepth + 1, [[]])
    await expect(start().ended).rejects.toThrow(/replaced block 6, which counted as final/)
  })

  it('does not take a reorg below finality that it sees from a node far behind', async () => {
    const first = start()
    await first.reaches(chain.head.hash)
    await first.stop()
    chain.reorg(9, [[], [], [], [], [], [], [], []])
    // The node tells an old head, yet has the block that replaced a final one.
    node.distort = (_, [block], answer) =>
      block === 'latest' ? chain.blocks[2] && rpcBlock(chain.blocks[2]) : answer
    await expect(start().ended).rejects.toThrow(/replaced block 6, which counted as final/)
  })
})

describe('a chain indexed from a later block', () => {
  it('takes even its first block back', async () => {
    const indexer = start({ startBlock: 8 })
    await indexer.reaches(chain.head.hash)
    expect(await minted()).toBe(3)
    // Blocks 7 to 10: the first indexed one, 8, is among them.
    chain.reorg(4, [[mint], [mint], [], [mint], [mint]])
    await indexer.reaches(chain.head.hash)
    expect(await minted()).toBe(3)
    const { first } = await store.db
      .selectFrom('blocks')
      .select(({ fn }) => fn.min('number').as('first'))
      .where('chain_id', '=', chainId)
      .executeTakeFirstOrThrow()
    expect(first).toBe(8)
  })
})

describe('two indexers on one store', () => {
  it('count nothing twice', async () => {
    const both = [start(), start()]
    for (let block = 0; block < 10; block++) {
      await Promise.race(both.map((indexer) => indexer.reaches(chain.head.hash)))
      chain.mine([mint])
    }
    await Promise.race(both.map((indexer) => indexer.reaches(chain.head.hash)))
    expect(await minted()).toBe(20)
  })
})

describe('what only a person can mend', () => {
  it('is a reorg below finality', async () => {
    const indexer = start()
    await indexer.reaches(chain.head.hash)
    chain.reorg(mintedFinalityDepth + 1, [[], [], [], [], [], []])
    await expect(indexer.ended).rejects.toThrow(/finalityDepth 4.*--data.*larger finalityDepth/)
    expect(await minted()).toBe(10)
  })

  it('is a node of another chain', async () => {
    node.chainId = 5
    await expect(start().ended).rejects.toThrow(
      `configured for chain ${chainId} (chain ${chainId}) serves chain 5: correct its rpcUrls`,
    )
  })

  it('is another chain under the same id, at the start and while following', async () => {
    const first = start()
    await first.reaches(chain.head.hash)
    node.chain = new HandmadeChain('other')
    for (let block = 0; block < 20; block++) node.chain.mine([])
    const message =
      /was replaced by another: .* Delete the data folder or database, or choose another with --data/
    await expect(first.ended).rejects.toThrow(message)
    await expect(start().ended).rejects.toThrow(message)
    expect(await minted()).toBe(10)
  })

  it('is a configuration that asks for rows which the store has not', async () => {
    const first = start()
    await first.reaches(chain.head.hash)
    await first.stop()
    await expect(start({ wrappedNative: mintedToken }).ended).rejects.toThrow(/other settings/)
  })
})
