import { pino } from 'pino'
import { zeroAddress } from 'viem'
import { describe, expect, it, onTestFinished } from 'vitest'
import { describeEachStore } from '../../test/describeEachStore.ts'
import { FakeChain } from '../../test/FakeChain.ts'
import { indexTestChain } from '../../test/indexTestChain.ts'
import { mockBalanceOf } from '../../test/mockBalanceOf.ts'
import { testAddress } from '../../test/seedChain.ts'
import { FakeNodeError, startFakeNode } from '../../test/startFakeNode.ts'
import { testChainConfig } from '../../test/testChainConfig.ts'
import { loadCursor } from '../indexing/follow/Cursor.ts'
import { ChainNode } from '../rpc/ChainNode.ts'
import { NodeError } from '../rpc/transport/NodeError.ts'
import type { Store } from '../store/Store.ts'
import { Auditor } from './Auditor.ts'
import type { AuditOptions } from './auditRound.ts'

const token = testAddress(0x100)
const polling = { interval: 20 }

async function start(store: Store, callsPerMinute: number) {
  const chain = new FakeChain()
  const mint = (amount: bigint) =>
    chain.mine([{ type: 'transfer', token, from: zeroAddress, to: testAddress(1), amount }])
  mint(5n)
  const node = await startFakeNode(chain)
  mockBalanceOf(node)
  const config = testChainConfig(1, { rpcUrls: [node.url], pollIntervalMs: 10 })
  const indexer = indexTestChain(store, config)
  await indexer.reaches(chain.head.hash)
  const audited = {
    db: store.db,
    node: new ChainNode([node.url]),
    chainId: 1,
    logger: pino({ level: 'silent' }),
  }
  const failures: unknown[] = []
  const auditor = new Auditor(audited, callsPerMinute, (error) => failures.push(error))
  const stopper = new AbortController()
  const ended = auditor.run(stopper.signal)
  const stop = async () => {
    stopper.abort()
    await ended
  }
  onTestFinished(async () => {
    await stop()
    await indexer.stop()
    await node.close()
  })
  return {
    node,
    auditor,
    ended,
    failures,
    stop,
    /** Mines a block with a mint to the holder, and waits until it is indexed. */
    async mint(amount: bigint) {
      mint(amount)
      await indexer.reaches(chain.head.hash)
    },
    checked: async () =>
      (await store.db.selectFrom('audits').select('checked').executeTakeFirst())?.checked ?? 0,
    source: async () =>
      (await store.db.selectFrom('tokens').select('amounts_from').executeTakeFirst())?.amounts_from,
  }
}

describeEachStore('Auditor', (openTestStore) => {
  it('audits new blocks, retries while the node fails, and ends when the signal aborts', async () => {
    const { node, auditor, mint, failures, checked, source, stop } = await start(
      await openTestStore(),
      60_000,
    )
    await expect.poll(checked, polling).toBeGreaterThan(0)
    const calls = () => node.rpcRequests.filter(({ method }) => method === 'eth_call').length
    const callsBefore = calls()
    node.transformResult = (method, _params, result) => {
      if (method === 'eth_call') {
        throw new FakeNodeError(-32005, 'busy')
      }
      return result
    }
    await mint(2n)
    auditor.wake()
    await expect.poll(calls, polling).toBeGreaterThan(callsBefore)
    const checkedBefore = await checked()
    await expect.poll(calls, polling).toBeGreaterThan(callsBefore + 1)
    expect(await checked()).toBe(checkedBefore)
    await expect.poll(() => failures.at(-1), polling).toBeInstanceOf(NodeError)
    mockBalanceOf(node)
    await mint(2n)
    auditor.wake()
    await expect.poll(checked, polling).toBeGreaterThan(checkedBefore)
    await expect.poll(() => failures.at(-1), polling).toBeUndefined()
    expect(await source()).toBe('ledger')
    mockBalanceOf(node, ({ transferred }) => transferred + 1n)
    await mint(2n)
    auditor.wake()
    await expect.poll(source, polling).toBe('chain')
    await stop()
  })

  describe('after the first indexing', () => {
    /** Indexes a chain whose contract returns more than was transferred, and reads the state of the token once synced. */
    async function indexMismatch(
      { db }: Store,
      beforeSynced: (audited: AuditOptions, signal: AbortSignal) => Promise<void>,
    ) {
      const chain = new FakeChain()
      chain.mine([{ type: 'transfer', token, from: zeroAddress, to: testAddress(1), amount: 5n }])
      const node = await startFakeNode(chain)
      mockBalanceOf(node, ({ transferred }) => transferred + 1n)
      const config = testChainConfig(1, { rpcUrls: [node.url], pollIntervalMs: 10 })
      const logger = pino({ level: 'silent' })
      const audited = { db, node: new ChainNode([node.url]), chainId: 1, logger }
      const onSynced = Promise.withResolvers<void>()
      const indexer = indexTestChain({ db } as Store, config, {
        beforeSynced: (signal) => beforeSynced(audited, signal),
        onSynced: onSynced.resolve,
      })
      await onSynced.promise
      expect(await loadCursor(db, 1)).toMatchObject({ isSynced: true })
      const row = await db.selectFrom('tokens').select('amounts_from').executeTakeFirst()
      await indexer.stop()
      await node.close()
      return {
        source: row?.amounts_from,
        calls: node.rpcRequests.filter(({ method }) => method === 'eth_call').length,
      }
    }

    it('finds a mismatch before the chain is marked as synced', async () => {
      const { source, calls } = await indexMismatch(await openTestStore(), (audited, signal) =>
        new Auditor(audited, 60).auditFirst(signal),
      )
      expect(source).toBe('chain')
      expect(calls).toBeLessThanOrEqual(60)
    })

    it('delays the chain no longer than the timeout while nodes do not respond', async () => {
      const multicall: AuditOptions['node']['multicall'] = (_calls, _block, options) =>
        new Promise((_, reject) => {
          const stop = () => reject(new Error('stopped'))
          options?.signal?.addEventListener('abort', stop)
          // On a busy machine, the timeout may end before the first call.
          if (options?.signal?.aborted) {
            stop()
          }
        })
      const { source } = await indexMismatch(await openTestStore(), (audited, signal) =>
        new Auditor({ ...audited, node: { multicall } }, 6000).auditFirst(signal, 200),
      )
      expect(source).toBe('ledger')
    })

    it('marks the chain as synced without calls when the audit is disabled', async () => {
      const { source, calls } = await indexMismatch(await openTestStore(), (audited, signal) =>
        new Auditor(audited, 0).auditFirst(signal),
      )
      expect([source, calls]).toEqual(['ledger', 0])
    })
  })
})

it('does not run when it is disabled', async () => {
  const unused = {} as AuditOptions
  await new Auditor(unused, 0).run(new AbortController().signal)
})
