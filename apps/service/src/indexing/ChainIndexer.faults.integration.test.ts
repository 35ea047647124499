import { beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { openSharedStore } from '../../test/describeEachStore.ts'
import { FakeChain, type FakeEvent, rpcBlock } from '../../test/FakeChain.ts'
import { FakeNodeError, startFakeNode } from '../../test/startFakeNode.ts'
import {
  mint,
  type MintedChain,
  mintedFinalityDepth,
  mintedToken,
  startMintedChain,
} from '../../test/startMintedChain.ts'
import type { Store } from '../store/Store.ts'
import { loadCursor } from './follow/Cursor.ts'

let store: Store
let { chainId, chain, node, start, minted } = {} as MintedChain

beforeAll(async () => {
  store = await openSharedStore('pglite')
})
beforeEach(async () => {
  ;({ chainId, chain, node, start, minted } = await startMintedChain(store))
})

/** Waits until the indexer has polled the head this many times. */
async function waitForPolls(count: number): Promise<void> {
  const countPolls = () => node.rpcRequests.filter(({ params }) => params[0] === 'latest').length
  const expected = countPolls() + count
  await expect.poll(countPolls, { interval: 5 }).toBeGreaterThanOrEqual(expected)
}

/** Waits until the node has received another request, which it responds to with its status. */
async function waitForRequest(): Promise<void> {
  const before = node.httpRequests
  await expect.poll(() => node.httpRequests, { interval: 5 }).toBeGreaterThan(before)
}

describe('a faulty node', () => {
  it('that lags does not undo indexed blocks, which continue when it has caught up', async () => {
    const indexer = start()
    await indexer.reaches(chain.head.hash)
    node.lag = 3
    await waitForPolls(5)
    const cursor = await loadCursor(store.db, chainId)
    expect(cursor?.block).toEqual({ number: 10, hash: chain.head.hash })
    node.lag = 0
    chain.mine([mint])
    await indexer.reaches(chain.head.hash)
    expect(await minted()).toBe(11)
  })

  it.each([100, 1_000_000])(
    'that reports a head %i blocks too high finalizes no block, and the chain continues',
    async (excess) => {
      const indexer = start()
      await indexer.reaches(chain.head.hash)
      const { finalizedBlock } = (await loadCursor(store.db, chainId)) ?? {}
      node.transformResult = (_, [number], result) =>
        number === 'latest'
          ? { ...(result as object), number: `0x${(chain.head.number + excess).toString(16)}` }
          : result
      // More than one request fetches, so that some are indexed before others turn out to be missing.
      for (let block = 0; block < 100; block++) {
        chain.mine([mint])
      }
      await waitForPolls(3)
      const cursor = await loadCursor(store.db, chainId)
      expect(cursor?.finalizedBlock).toBe(finalizedBlock)
      expect(cursor?.block?.number).toBeGreaterThan(10)
      // Blocks that are replaced meanwhile can still be undone.
      chain.reorg(mintedFinalityDepth, [[mint], [mint], [mint], [], [mint], [mint]])
      node.transformResult = (_method, _params, result) => result
      await indexer.reaches(chain.head.hash)
      expect(await minted()).toBe(111)
      expect((await loadCursor(store.db, chainId))?.finalizedBlock).toBe(112 - mintedFinalityDepth)
    },
  )

  it.each([0, 3, 8])(
    'that lost all blocks but the first does not stop the indexer (startBlock: %i)',
    async (startBlock) => {
      const indexer = start({ startBlock })
      await indexer.reaches(chain.head.hash)
      node.lag = 10
      await waitForPolls(5)
      node.lag = 0
      chain.mine([mint])
      await indexer.reaches(chain.head.hash)
      expect(await minted()).toBe(startBlock ? 12 - startBlock : 11)
    },
  )

  it('that rejects long ranges receives shorter ones', async () => {
    node.hasReceipts = false
    node.transformResult = (method, [filter], result) => {
      const { fromBlock, toBlock } = (filter ?? {}) as Record<string, string>
      if (method === 'eth_getLogs' && Number(toBlock) - Number(fromBlock) >= 2) {
        throw new FakeNodeError(-32005, 'query returned more than 2 results')
      }
      return result
    }
    await start().reaches(chain.head.hash)
    expect(await minted()).toBe(10)
  })

  it('that limits requests for new blocks receives smaller batches', async () => {
    node.hasReceipts = false
    for (let block = 0; block < 50; block++) {
      chain.mine([mint])
    }
    let request = 0
    let count = 0
    node.transformResult = (method, _, result) => {
      if (node.httpRequests !== request) {
        ;[request, count] = [node.httpRequests, 0]
      }
      if (method !== 'eth_getLogs' || ++count <= 5) {
        return result
      }
      throw new FakeNodeError(-32005, 'too many requests in a batch')
    }
    const indexer = start({ finalityDepth: 100 })
    await indexer.reaches(chain.head.hash)
    expect(await minted()).toBe(60)
    chain.reorg(30, Array<FakeEvent[]>(40).fill([mint]))
    await indexer.reaches(chain.head.hash)
    expect(await minted()).toBe(70)
  })

  it('that is unreachable for a short time receives ranges as long as before', async () => {
    node.hasReceipts = false
    for (let block = 0; block < 1000; block++) {
      chain.mine([mint])
    }
    const getRanges = () =>
      node.rpcRequests.filter(
        ({ method, params: [filter] }) =>
          method === 'eth_getLogs' && 'fromBlock' in (filter as object),
      )
    node.transformResult = (method, _, result) => {
      if (method === 'eth_getLogs' && getRanges().length === 3) {
        node.status = 503
      }
      return result
    }
    const indexer = start()
    await expect.poll(() => node.status, { interval: 5 }).toBe(503)
    await waitForRequest()
    node.status = undefined
    await indexer.reaches(chain.head.hash)
    expect(await minted()).toBe(1010)
    const lengths = getRanges().map(({ params: [filter] }) => {
      const { fromBlock, toBlock } = filter as Record<string, string>
      return Number(toBlock) - Number(fromBlock) + 1
    })
    // A limit of the node would have shortened them.
    expect(Math.max(...lengths)).toBeGreaterThan(128)
  })

  it('that omits logs of new blocks in ranges is queried by hash', async () => {
    node.hasReceipts = false
    node.transformResult = (method, [filter], result) => {
      const { toBlock } = (filter ?? {}) as Record<string, string>
      return method === 'eth_getLogs' && Number(toBlock) > 10 - mintedFinalityDepth ? [] : result
    }
    await start().reaches(chain.head.hash)
    expect(await minted()).toBe(10)
  })

  /** Corrupts the first two lists of logs. */
  const corruptLogs = (corrupt: (logs: unknown[]) => unknown) => {
    let times = 2
    node.hasReceipts = false
    node.transformResult = (method, _, result) =>
      method === 'eth_getLogs' && (result as unknown[]).length > 0 && times-- > 0
        ? corrupt(result as unknown[])
        : result
  }

  it.each<[string, (logs: unknown[]) => unknown]>([
    [
      'a log of another fork',
      ([log]) => [{ ...(log as object), blockHash: `0x${'9'.repeat(64)}` }],
    ],
    ['duplicate logs', (logs) => [...logs, ...logs]],
    ['a removed log', ([log]) => [{ ...(log as object), removed: true }]],
    [
      'a log of a block that was not requested',
      ([log]) => [{ ...(log as object), blockNumber: '0xff' }],
    ],
    ['null', () => null],
    ['entries that are not logs', () => [null, 1, {}]],
    ['invalid hex', ([log]) => [{ ...(log as object), data: '0xzz' }]],
  ])('that returns %s receives the request again', async (_, corrupt) => {
    corruptLogs(corrupt)
    await start().reaches(chain.head.hash)
    expect(await minted()).toBe(10)
  })

  it('that has a reorg between headers and logs receives both requests again', async () => {
    node.hasReceipts = false
    let hasReorg = false
    node.transformResult = (method, _, result) => {
      if (method === 'eth_getLogs' && !hasReorg) {
        hasReorg = true
        chain.reorg(2, [[], [], []])
      }
      return result
    }
    const indexer = start()
    await expect.poll(() => hasReorg, { interval: 5 }).toBe(true)
    await indexer.reaches(chain.head.hash)
    expect(await minted()).toBe(8)
  })

  it('that is unreachable delays the indexer', async () => {
    node.status = 503
    const indexer = start()
    await waitForRequest()
    node.status = undefined
    await indexer.reaches(chain.head.hash)
    node.status = 500
    chain.mine([mint])
    await waitForRequest()
    node.status = undefined
    await indexer.reaches(chain.head.hash)
    expect(await minted()).toBe(11)
  })

  it('is not replaced by one that lags, which returns no logs for ranges that it lacks', async () => {
    node.hasReceipts = false
    const lagging = await startFakeNode(chain, chainId)
    lagging.hasReceipts = false
    lagging.lag = 9
    for (let block = 0; block < 100; block++) {
      chain.mine([mint])
    }
    lagging.lag += 100
    // Only the log queries to the preferred node fail.
    let isFailing = true
    node.transformResult = (method, _, result) => {
      if (method === 'eth_getLogs' && isFailing) {
        throw new FakeNodeError(-32603, 'internal error')
      }
      return result
    }
    const indexer = start({ rpcUrls: [node.url, lagging.url] })
    const getLagging = () => lagging.rpcRequests.some(({ method }) => method === 'eth_getLogs')
    await expect.poll(getLagging, { interval: 5 }).toBe(true)
    isFailing = false
    await indexer.reaches(chain.head.hash)
    await indexer.stop()
    await lagging.close()
    expect(await minted()).toBe(110)
  })

  it('that omits bloom filters is queried block by block', async () => {
    node.hasReceipts = false
    for (let block = 0; block < 100; block++) {
      chain.mine(block % 2 ? [mint] : [])
    }
    node.transformResult = (method, [filter], result) => {
      if (method === 'eth_getBlockByNumber') {
        return result && { ...(result as object), logsBloom: undefined }
      }
      const isRange = method === 'eth_getLogs' && 'fromBlock' in (filter as object)
      return isRange ? [] : result
    }
    await start().reaches(chain.head.hash)
    expect(await minted()).toBe(60)
  })

  it.each<[string, (receipts: unknown) => unknown]>([
    ['null for receipts', () => null],
    ['no receipts', () => []],
    ['receipts without logs', (all) => (all as object[]).map((one) => ({ ...one, logs: [] }))],
  ])('that returns %s is followed by the next one', async (_, corrupt) => {
    const corrupted = await startFakeNode(chain, chainId)
    corrupted.transformResult = (method, _params, result) =>
      method === 'eth_getBlockReceipts' ? corrupt(result) : result
    await start({ rpcUrls: [corrupted.url, node.url] }).reaches(chain.head.hash)
    await corrupted.close()
    expect(await minted()).toBe(10)
  })

  describe.each([1, 2])('that never has all receipts of some blocks (%i such nodes)', (count) => {
    const isIncomplete = (number: number) => [4, 5, 10].includes(number)
    /** @param omitsLogs - whether `eth_getLogs` lacks the logs of these blocks, too. */
    const startIncomplete = async (omitsLogs: boolean) => {
      const nodes = await Promise.all(
        Array.from({ length: count }, () => startFakeNode(chain, chainId)),
      )
      for (const incomplete of nodes) {
        onTestFinished(() => incomplete.close())
        incomplete.transformResult = (method, [parameter], result) => {
          const hash = (parameter as { blockHash?: string } | undefined)?.blockHash ?? parameter
          const number = chain.blocks.findIndex((block) => block.hash === hash)
          return method === 'eth_getBlockReceipts' && isIncomplete(number)
            ? (result as unknown[]).slice(1)
            : method === 'eth_getLogs' && omitsLogs && isIncomplete(number)
              ? []
              : result
        }
      }
      return start({ rpcUrls: nodes.map(({ url }) => url) })
    }

    it('is used for their logs, by eth_getLogs', async () => {
      const indexer = await startIncomplete(false)
      await indexer.reaches(chain.head.hash)
      expect(await minted()).toBe(10)
      const violations = indexer.node.stats().map((stats) => stats.violations.get('transactions'))
      expect(Math.max(...violations.map((each) => each ?? 0))).toBeGreaterThan(0)
    })

    it('stops the chain before the first block with logs that it lacks, too', async () => {
      const indexer = await startIncomplete(true)
      await expect
        .poll(() => indexer.node.stats().some(({ violations }) => violations.size > 0), {
          timeout: 10_000,
        })
        .toBe(true)
      expect((await loadCursor(store.db, chainId))?.block?.number ?? 0).toBeLessThan(4)
    })
  })

  it('that returns no logs is followed by the next one', async () => {
    const corrupted = await startFakeNode(chain, chainId)
    corrupted.hasReceipts = false
    corrupted.transformResult = (method, _, result) => (method === 'eth_getLogs' ? [] : result)
    await start({ rpcUrls: [corrupted.url, node.url] }).reaches(chain.head.hash)
    expect(corrupted.rpcRequests.some(({ method }) => method === 'eth_getLogs')).toBe(true)
    await corrupted.close()
    expect(await minted()).toBe(10)
  })

  it('that always fails is followed by the next one', async () => {
    const failing = await startFakeNode(chain, chainId)
    failing.status = 500
    await start({ rpcUrls: [failing.url, node.url] }).reaches(chain.head.hash)
    await failing.close()
    expect(await minted()).toBe(10)
  })
})

describe('a node that reports final blocks', () => {
  /** Reports a block by the tag `finalized`, as `nodes` do. */
  const reportFinal = (number: number, reporting = node) => {
    reporting.transformResult = (_method, [block], result) =>
      block === 'finalized' ? rpcBlock(chain.blocks[number]!) : result
  }
  const options = { finality: 'finalized', undoDepth: 8 } as const
  const finalBlock = async () => (await loadCursor(store.db, chainId))?.finalizedBlock

  it('decides which can be undone, down to undoDepth', async () => {
    reportFinal(3)
    const indexer = start(options)
    await indexer.reaches(chain.head.hash)
    expect([await finalBlock(), indexer.finality()]).toEqual([3, 'finalized'])
    chain.reorg(7, Array<FakeEvent[]>(8).fill([mint]))
    await indexer.reaches(chain.head.hash)
    expect([await finalBlock(), await minted()]).toEqual([3, 11])
    for (let block = 0; block < 4; block++) {
      chain.mine([mint])
    }
    await indexer.reaches(chain.head.hash)
    expect(await finalBlock()).toBe(15 - 8)
  })

  it('is trusted no further than the others', async () => {
    const other = await startFakeNode(chain, chainId)
    onTestFinished(() => other.close())
    reportFinal(9)
    reportFinal(5, other)
    const indexer = start({ ...options, rpcUrls: [node.url, other.url] })
    await indexer.reaches(chain.head.hash)
    expect(await finalBlock()).toBe(5)
  })

  it('is not needed', async () => {
    const indexer = start(options)
    await indexer.reaches(chain.head.hash)
    expect([await finalBlock(), indexer.finality()]).toEqual([10 - mintedFinalityDepth, 'depth'])
  })
})

describe('a restart', () => {
  it('continues from the stored cursor', async () => {
    const first = start()
    await first.reaches(chain.head.hash)
    await first.stop()
    chain.mine([mint])
    node.rpcRequests.length = 0
    await start().reaches(chain.head.hash)
    expect(await minted()).toBe(11)
    const requests = node.rpcRequests.filter(({ method }) => method === 'eth_getBlockReceipts')
    // By number: those of a final block, to find out whether their root can be verified.
    expect(requests.map(({ params }) => params[0])).toEqual(['0x7', chain.head.hash])
  })

  it('undoes blocks that were replaced meanwhile', async () => {
    const first = start()
    await first.reaches(chain.head.hash)
    await first.stop()
    chain.reorg(mintedFinalityDepth, [[], [mint]])
    chain.mine([])
    await start().reaches(chain.head.hash)
    expect(await minted()).toBe(7)
  })

  it('rejects a reorg of final blocks, also when the chain became shorter', async () => {
    const first = start()
    await first.reaches(chain.head.hash)
    await first.stop()
    chain.reorg(mintedFinalityDepth + 1, [[]])
    await expect(start().ended).rejects.toThrow(/replaced block 6, which counted as final/)
  })

  it('rejects a reorg of final blocks by a node that lags', async () => {
    const first = start()
    await first.reaches(chain.head.hash)
    await first.stop()
    chain.reorg(9, [[], [], [], [], [], [], [], []])
    // The node reports an old head, and has a block that replaced a final one.
    node.transformResult = (_, [block], result) =>
      block === 'latest' ? chain.blocks[2] && rpcBlock(chain.blocks[2]) : result
    await expect(start().ended).rejects.toThrow(/replaced block 6, which counted as final/)
  })
})

describe('a chain indexed from a later block', () => {
  it('undoes even its first block', async () => {
    const indexer = start({ startBlock: 8 })
    await indexer.reaches(chain.head.hash)
    expect(await minted()).toBe(3)
    // Blocks 7 to 10, which include the first indexed one.
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
  it('count every event once', async () => {
    const both = [start(), start()]
    for (let block = 0; block < 10; block++) {
      await Promise.race(both.map((indexer) => indexer.reaches(chain.head.hash)))
      chain.mine([mint])
    }
    await Promise.race(both.map((indexer) => indexer.reaches(chain.head.hash)))
    expect(await minted()).toBe(20)
  })
})

describe('an IndexingError', () => {
  it('is thrown for a reorg of final blocks', async () => {
    const indexer = start()
    await indexer.reaches(chain.head.hash)
    chain.reorg(mintedFinalityDepth + 1, [[], [], [], [], [], []])
    await expect(indexer.ended).rejects.toThrow(
      /finalityDepth 4.*chain reset --chain.*larger finalityDepth/,
    )
    expect(await minted()).toBe(10)
  })

  it('is thrown for a node of another chain, at the start and later', async () => {
    const first = start()
    await first.reaches(chain.head.hash)
    node.chainId = 5
    node.chain = new FakeChain('other')
    for (let block = 0; block < 20; block++) {
      node.chain.mine([])
    }
    const message = `Chain ${chainId} (chain ${chainId}): The node serves chain 5, not ${chainId}: correct its rpcUrls and restart the service`
    await expect(first.ended).rejects.toThrow(message)
    await expect(start().ended).rejects.toThrow(message)
    expect(await minted()).toBe(10)
  })

  it('is thrown for another chain under the same id, at the start and later', async () => {
    const first = start()
    await first.reaches(chain.head.hash)
    node.chain = new FakeChain('other')
    for (let block = 0; block < 20; block++) {
      node.chain.mine([])
    }
    const message = /was replaced by another: .* headwater chain reset --chain 1/
    await expect(first.ended).rejects.toThrow(message)
    await expect(start().ended).rejects.toThrow(message)
    expect(await minted()).toBe(10)
  })

  it('is thrown for a store that contains rows above its cursor', async () => {
    const indexer = start()
    await indexer.reaches(chain.head.hash)
    const next = { chain_id: chainId, number: 11, hash: new Uint8Array(32), time: 0 }
    await store.db.insertInto('blocks').values(next).execute()
    chain.mine([mint])
    await expect(indexer.ended).rejects.toMatchObject({
      name: 'IndexingError',
      message: expect.stringMatching(
        /duplicate key .*: run headwater chain reset --chain \d+,/,
      ) as string,
    })
  })

  it('is thrown for a configuration that requires other rows, with those to restore', async () => {
    const first = start()
    await first.reaches(chain.head.hash)
    await first.stop()
    await expect(start({ wrappedNative: mintedToken }).ended).rejects.toThrow(/other settings/)
    await expect(start({ tokens: [mintedToken] }).ended).rejects.toThrow(
      'To keep the store, add the chain to the configuration file with "tokens": []. Or index the chain again: headwater chain reset --chain',
    )
  })
})
