import { pino } from 'pino'
import { zeroAddress } from 'viem'
import { expect, it, onTestFinished } from 'vitest'
import { ChainNode } from '../rpc/ChainNode.ts'
import type { Store } from '../store/Store.ts'
import { answerBalanceOf } from '../testing/answerBalanceOf.ts'
import { describeEachStore } from '../testing/describeEachStore.ts'
import { HandmadeChain } from '../testing/HandmadeChain.ts'
import { indexTestChain } from '../testing/indexTestChain.ts'
import { testAddress } from '../testing/seedChain.ts'
import { HandmadeNodeError, startHandmadeNode } from '../testing/startHandmadeNode.ts'
import { testChainConfig } from '../testing/testChainConfig.ts'
import { Auditor } from './Auditor.ts'

const token = testAddress(0x100)
const patience = { interval: 50 }

async function start(store: Store, callsPerMinute: number) {
  const chain = new HandmadeChain()
  const mint = (amount: bigint) =>
    chain.mine([{ type: 'transfer', token, from: zeroAddress, to: testAddress(1), amount }])
  mint(5n)
  const node = await startHandmadeNode(chain)
  answerBalanceOf(node)
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
      if (method === 'eth_call') throw new HandmadeNodeError(-32005, 'busy')
      return answer
    }
    await mint(2n)
    auditor.wake()
    await expect.poll(asked, patience).toBeGreaterThan(askedBefore)
    const checkedBefore = await checked()
    await expect.poll(asked, patience).toBeGreaterThan(askedBefore + 1)
    expect(await checked()).toBe(checkedBefore)
    answerBalanceOf(node)
    await mint(2n)
    auditor.wake()
    await expect.poll(checked, patience).toBeGreaterThan(checkedBefore)
    expect(await source()).toBe('ledger')
    answerBalanceOf(node, ({ transferred }) => transferred + 1n)
    await mint(2n)
    auditor.wake()
    await expect.poll(source, patience).toBe('chain')
    await stop()
  })

  it('asks nothing when it may not', async () => {
    const { node, ended, checked } = await start(await openTestStore(), 0)
    await ended
    expect(await checked()).toBe(0)
    expect(node.questions.filter(({ method }) => method === 'eth_call')).toEqual([])
  })
})
