import { sql } from 'kysely'
import { pino } from 'pino'
import { expect, it } from 'vitest'
import { describeEachStore } from '../../test/describeEachStore.ts'
import { testAddress } from '../../test/seedChain.ts'
import { startAnvil } from '../../test/startAnvil.ts'
import { startHostedNode } from '../../test/startHostedNode.ts'
import { topics } from '../indexing/decode/topics.ts'
import { ChainNode } from '../rpc/ChainNode.ts'
import { balanceOfCall } from '../rpc/methods/Call.ts'
import { loadNodeLimits, NodeLimitStore } from './NodeLimitStore.ts'

const logger = pino({ level: 'silent' })
const secret = 'hunter2-hunter2'

describeEachStore('limits of nodes', (openTestStore) => {
  it('are found by errors, stored without the URL, and respected after a restart', async () => {
    const anvil = await startAnvil()
    await anvil.call('anvil_mine', '0x12c')
    const hosted = await startHostedNode(anvil.url, {
      maxRange: 50,
      stateBlocks: 64,
      maxBatch: 20,
      requiresAddress: true,
    })
    const { db } = await openTestStore()
    const token = testAddress(1)
    const start = () => {
      const node = new ChainNode([`${hosted.url}/${secret}`], { retryDelayMs: 0 })
      return { chainId: 1, node, db }
    }
    const use = async ({ node }: ReturnType<typeof start>) => {
      hosted.methods.length = 0
      const head = await node.getHead()
      const past = (await node.getHeader(head.number - 200))!
      const calls = Array.from({ length: 30 }, (_, index) =>
        balanceOfCall(token, testAddress(index)),
      )
      const [result] = await node.multicall(calls, past, { depth: 200 })
      const events = { address: token, topics: [topics.transfer] }
      const { to } = await node.getContractLogs(events, { from: 1, to: head.number })
      const anyContract = node.getNewestLogs([[[topics.transfer]]], { from: 1, to: head.number })
      await expect(anyContract).rejects.toThrow('logs of given contracts only')
      await node.multicall(calls, head)
      return { status: result?.status, to, methods: [...hosted.methods].sort() }
    }
    const first = start()
    const found = await use(first)
    expect([found.status, found.to]).toEqual(['failed', 200])
    const ended = new AbortController()
    const keeping = new NodeLimitStore([first], logger).run(ended.signal)
    ended.abort()
    await keeping

    const [stored] = await loadNodeLimits(db)
    const { host } = new URL(hosted.url)
    const limits = {
      logBlocks: 50,
      logsRequireAddress: true,
      batchSize: 15,
      missingStateDepth: 200,
    }
    expect(stored).toMatchObject({ chainId: 1, name: host, limits })
    const rows = await db.selectFrom('node_limits').selectAll().execute()
    expect(JSON.stringify(rows)).not.toContain(secret)

    const second = start()
    await new NodeLimitStore([second], logger).restore()
    const repeated = await use(second)
    expect([repeated.status, repeated.to]).toEqual(['failed', 200])
    const count = (methods: readonly string[], method: string) =>
      methods.filter((each) => each === method).length
    // Four ranges at once, no search of any contract, no call of the past, and batches that the node accepts.
    expect(count(repeated.methods, 'eth_getLogs')).toBe(4)
    expect(count(repeated.methods, 'eth_call')).toBe(30)
    expect(repeated.methods.length).toBeLessThan(found.methods.length)
  })

  it('are stored as soon as the store accepts them, after one warning', async () => {
    const { db } = await openTestStore()
    const messages: string[] = []
    const warning = pino({}, { write: (line) => messages.push(line) })
    const ended = new AbortController()
    let attempts = 0
    const limits = () => {
      attempts++
      return [{ key: '01'.repeat(32), name: 'node', limits: { batchSize: 20 } }]
    }
    const node = { limits, restoreLimits: () => {} }
    await sql`alter table node_limits rename to other`.execute(db)
    const chains = [{ chainId: 1, node, db }]
    const keeping = new NodeLimitStore(chains, warning).run(ended.signal, 1)
    await expect.poll(() => attempts).toBeGreaterThan(3)
    await sql`alter table other rename to node_limits`.execute(db)
    await expect.poll(() => loadNodeLimits(db)).toMatchObject([{ limits: { batchSize: 20 } }])
    ended.abort()
    await keeping
    expect(messages).toEqual([expect.stringContaining('failed to store the limits of nodes')])
  })
})
