import { pino } from 'pino'
import { zeroAddress } from 'viem'
import { describe, expect, it, onTestFinished } from 'vitest'
import { mockBalanceOf } from '../../test/mockBalanceOf.ts'
import { describeEachStore } from '../../test/describeEachStore.ts'
import { HandmadeChain } from '../../test/HandmadeChain.ts'
import { indexTestChain } from '../../test/indexTestChain.ts'
import { testAddress } from '../../test/seedChain.ts'
import { HandmadeNodeError, startHandmadeNode } from '../../test/startHandmadeNode.ts'
import { testChainConfig } from '../../test/testChainConfig.ts'
import { loadCursor } from '../indexing/follow/Cursor.ts'
import { ChainNode } from '../rpc/ChainNode.ts'
import type { Store } from '../store/Store.ts'
import { Auditor } from './Auditor.ts'
import type { AuditOptions } from './auditRound.ts'

const token = testAddress(0x100)
const patience = { interval: 50 }

async function start(store: Store, callsPerMinute: number) {
  const chain = new HandmadeChain()
  const mint = (amount: bigint) =>
    chain.mine([{ type: 'transfer', token, from: zeroAddress, to: testAddress(1), amount }])
  mint(5n)
  const node = await startHandmadeNode(chain)
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
  const auditor = new Auditor(audited, callsPerMinute)
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
    stop,
    /** Mines a block in which the holder gets some, and waits until it is indexed. */
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
  it('follows the chain, waits out a node that is away, and ends when told to', async () => {
    const { node, auditor, mint, checked, source, stop } = await start(
      await openTestStore(),
      60_000,
    )
    await expect.poll(checked, patience).toBeGreaterThan(0)
    const asked = () => node.questions.filter(({ method }) => method === 'eth_call').length
    const askedBefore = asked()
    node.distort = (method, _params, answer) => {
      if (method === 'eth_call') {
        throw new HandmadeNodeError(-32005, 'busy')
      }
      return answer
    }
    await mint(2n)
    auditor.wake()
    await expect.poll(asked, patience).toBeGreaterThan(askedBefore)
    const checkedBefore = await checked()
    await expect.poll(asked, patience).toBeGreaterThan(askedBefore + 1)
    expect(await checked()).toBe(checkedBefore)
    mockBalanceOf(node)
    await mint(2n)
    auditor.wake()
    await expect.poll(checked, patience).toBeGreaterThan(checkedBefore)
    expect(await source()).toBe('ledger')
    mockBalanceOf(node, ({ transferred }) => transferred + 1n)
    await mint(2n)
    auditor.wake()
    await expect.poll(source, patience).toBe('chain')
    await stop()
  })

  describe('of a chain that was just indexed', () => {
    /** Indexes a chain whose contract says more than was transferred, and says how its token stands when it is synced. */
    async function sourceWhenSynced(
      { db }: Store,
      beforeSynced: (audited: AuditOptions, signal: AbortSignal) => Promise<void>,
    ) {
      const chain = new HandmadeChain()
      chain.mine([{ type: 'transfer', token, from: zeroAddress, to: testAddress(1), amount: 5n }])
      const node = await startHandmadeNode(chain)
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
        asked: node.questions.filter(({ method }) => method === 'eth_call').length,
      }
    }

    it('finds what is wrong before the chain is called synced', async () => {
      const { source, asked } = await sourceWhenSynced(await openTestStore(), (audited, signal) =>
        new Auditor(audited, 60).auditFirst(signal),
      )
      expect(source).toBe('chain')
      expect(asked).toBeLessThanOrEqual(60)
    })

    it('keeps it waiting no longer than it may for nodes that do not answer', async () => {
      const multicall: AuditOptions['node']['multicall'] = (_calls, _block, patience) =>
        new Promise((_, reject) => {
          patience?.signal?.addEventListener('abort', () => reject(new Error('stopped')))
        })
      const { source } = await sourceWhenSynced(await openTestStore(), (audited, signal) =>
        new Auditor({ ...audited, node: { multicall } }, 6000).auditFirst(signal, 200),
      )
      expect(source).toBe('ledger')
    })

    it('asks nothing when it may not', async () => {
      const { source, asked } = await sourceWhenSynced(await openTestStore(), (audited, signal) =>
        new Auditor(audited, 0).auditFirst(signal),
      )
      expect([source, asked]).toEqual(['ledger', 0])
    })
  })

  it('asks nothing when it may not', async () => {
    const { node, ended, checked } = await start(await openTestStore(), 0)
    await ended
    expect(await checked()).toBe(0)
    expect(node.questions.filter(({ method }) => method === 'eth_call')).toEqual([])
  })
})
