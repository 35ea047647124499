import { pino } from 'pino'
import { expect, it } from 'vitest'
import { createTestMedia } from '../../test/createTestMedia.ts'
import { describeEachStore } from '../../test/describeEachStore.ts'
import { FakeChain } from '../../test/FakeChain.ts'
import { indexTestChain } from '../../test/indexTestChain.ts'
import { testAddress } from '../../test/seedChain.ts'
import { FakeNodeError, startFakeNode } from '../../test/startFakeNode.ts'
import { mint } from '../../test/startMintedChain.ts'
import { startTestService } from '../../test/startTestService.ts'
import { testChainConfig, testTokens } from '../../test/testChainConfig.ts'
import type { ChainConfig } from '../config/Config.ts'
import { ChainNode } from '../rpc/ChainNode.ts'
import type { Store } from '../store/Store.ts'
import { StoreError } from '../store/StoreError.ts'
import { runChain } from './runChain.ts'

/** Runs a chain. Returns a function that stops it. */
function run(
  store: Store,
  chain: ChainConfig,
  options: Partial<Parameters<typeof runChain>[0]> = {},
): () => Promise<unknown> {
  const stop = new AbortController()
  const running = runChain(
    {
      chain,
      store,
      logger: pino({ level: 'silent' }),
      node: new ChainNode(chain.rpcUrls),
      media: createTestMedia([chain]),
      onSynced: () => {},
      onFailure: () => {},
      onProgress: () => {},
      ...options,
    },
    stop.signal,
  )
  return () => {
    stop.abort()
    return running
  }
}

describeEachStore('runChain', (openTestStore) => {
  it('downsamples the price history of finalized blocks', async () => {
    const store = await openTestStore()
    const chain = new FakeChain()
    const factory = testAddress(0xfac)
    const pool = testAddress(0x101)
    const { usd: token0, weth: token1 } = testTokens
    chain.mine([{ type: 'pair', factory, token0, token1, pool }])
    // One block every 12 seconds: about 25 states per bucket.
    for (let reserve = 1n; reserve <= 100n; reserve++) {
      chain.mine([{ type: 'sync', pool, reserve0: reserve, reserve1: reserve }])
    }
    const node = await startFakeNode(chain)
    const config = testChainConfig(1, {
      rpcUrls: [node.url],
      uniswapV2Factories: [factory],
      priceHistory: { exactDays: 0, bucketMinutes: 5 },
      finalityDepth: 8,
    })
    // The states become older than the exact history after they were written.
    const exact = { ...config, priceHistory: { exactDays: 1, bucketMinutes: 5 } }
    const indexing = indexTestChain(store, exact)
    await indexing.reaches(chain.head.hash)
    await indexing.stop()
    const countStates = async () =>
      (await store.db.selectFrom('pool_states').select('block_number').execute()).length
    expect(await countStates()).toBe(100)

    const stop = run(store, config)
    try {
      await expect.poll(countStates).toBeLessThan(50)
    } finally {
      await stop()
      await node.close()
    }
  })

  it('states in /ready why a node cannot serve the newest blocks, until it can', async () => {
    const store = await openTestStore()
    const chain = new FakeChain()
    for (let block = 1; block <= 20; block++) {
      chain.mine([mint])
    }
    const node = await startFakeNode(chain)
    node.hasReceipts = false
    const rejectHash: typeof node.transformResult = (method, [filter], result) => {
      if (method === 'eth_getLogs' && 'blockHash' in (filter as object)) {
        throw new FakeNodeError(-32602, 'invalid argument 0: unknown field blockHash')
      }
      return result
    }
    node.transformResult = rejectHash
    const config = testChainConfig(1, {
      rpcUrls: [node.url],
      finalityDepth: 8,
      pollIntervalMs: 10,
    })
    const service = await startTestService(store, [config])
    const read = async () => {
      const response = await fetch(`${service.url}/ready`)
      return { status: response.status, ...((await response.json()) as object) }
    }
    const stop = run(store, config)
    try {
      const failure = expect.stringMatching(
        /neither eth_getBlockReceipts nor eth_getLogs by blockHash.*127\.0\.0\.1:\d+: rejected/,
      ) as string
      // The final blocks are requested by number.
      await expect
        .poll(read)
        .toMatchObject({ status: 503, chains: [{ indexed_block: 12, failure }] })
      node.transformResult = (_method, _params, result) => result
      await expect
        .poll(read)
        .toMatchObject({ status: 200, chains: [{ indexed_block: 20, failure: null }] })
    } finally {
      await stop()
      await node.close()
    }
  })

  it('reports why it cannot lock the chain, until it can', async () => {
    const store = await openTestStore()
    const chain = new FakeChain()
    chain.mine([mint])
    const node = await startFakeNode(chain)
    const config = testChainConfig(1, { rpcUrls: [node.url], pollIntervalMs: 10 })
    const failures: (string | undefined)[] = []
    const logged: string[] = []
    const lockChain: Store['lockChain'] = async (...parameters) => {
      if (failures.length < 3) {
        throw new StoreError('a pooler does not keep the lock')
      }
      return await store.lockChain(...parameters)
    }
    const stop = run({ ...store, lockChain }, config, {
      logger: pino({ level: 'error' }, { write: (line) => logged.push(line) }),
      onFailure: (reason) => failures.push(reason),
    })
    try {
      await expect.poll(() => failures.at(-1) ?? failures.length).toBe(4)
    } finally {
      await stop()
      await node.close()
    }
    const reason = 'a pooler does not keep the lock'
    expect(failures).toEqual([reason, reason, reason, undefined])
    expect(logged).toEqual([expect.stringContaining(reason)])
  })

  it('states in /ready that no node has the first block to index, until one has', async () => {
    const store = await openTestStore()
    const chain = new FakeChain()
    chain.mine([mint])
    const node = await startFakeNode(chain)
    const config = testChainConfig(1, { rpcUrls: [node.url], startBlock: 3, pollIntervalMs: 10 })
    const service = await startTestService(store, [config])
    const read = async () => (await fetch(`${service.url}/ready`)).json()
    const stop = run(store, config)
    try {
      await expect.poll(read).toMatchObject({
        chains: [
          {
            failure:
              'The nodes are at block 1, below startBlock 3: wait until they reach it, or correct startBlock',
          },
        ],
      })
      chain.mine([mint])
      chain.mine([mint])
      await expect.poll(read).toMatchObject({ chains: [{ indexed_block: 3, failure: null }] })
    } finally {
      await stop()
      await node.close()
    }
  })
})
