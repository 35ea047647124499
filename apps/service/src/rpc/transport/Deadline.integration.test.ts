import { createServer } from 'node:http'
import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { FakeChain } from '../../../test/FakeChain.ts'
import { closeServer, listen } from '../../../test/listen.ts'
import { testAddress } from '../../../test/seedChain.ts'
import { startFakeNode } from '../../../test/startFakeNode.ts'
import { ChainReader } from '../../operations/ChainReader.ts'
import { ChainNode } from '../ChainNode.ts'
import { balanceOfCall } from '../methods/Call.ts'

const block = { number: 0, hash: `0x${'ab'.repeat(32)}` }
const wallet = testAddress(1)
const token = testAddress(2)

/** Starts a node that accepts requests and never responds, for some milliseconds of a time of its own. */
async function startHangingNode(forMs = 0) {
  const node = { url: '', requests: 0, forMs }
  const server = createServer(() => {
    node.requests++
    vi.advanceTimersByTime(node.forMs)
  })
  node.url = await listen(server)
  onTestFinished(() => closeServer(server))
  return node
}

let hanging: Awaited<ReturnType<typeof startHangingNode>>
let healthy: Awaited<ReturnType<typeof startFakeNode>>
beforeEach(async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] })
  hanging = await startHangingNode()
  healthy = await startFakeNode(new FakeChain())
  healthy.transformResult = (_, __, result) => result ?? `0x${'0'.repeat(62)}2a`
  return async () => {
    vi.useRealTimers()
    await healthy.close()
  }
})

describe('a preferred node that hangs', () => {
  it('leaves time for the next node, and cools down', async () => {
    const node = new ChainNode([hanging.url, healthy.url], { attemptTimeoutMs: 50 })
    const reader = new ChainReader(new Map([[1, node]]))
    // Both requests have been sent after half of the time.
    hanging.forMs = 25
    const amounts = await reader.amounts(1, wallet, ['native', token], block)
    expect(amounts).toEqual(
      new Map([
        ['native', 42n],
        [token, 42n],
      ]),
    )
    expect(await reader.totalSupply(1, token, block)).toBe(42n)
    // One for the native balance and one for the token's; none while it cools down.
    expect(hanging.requests).toBe(2)
    expect(node.stats()).toMatchObject([
      { failures: 2, lastError: 'timeout', isCoolingDown: true },
      { failures: 0, isCoolingDown: false },
    ])
  })

  it('shares the timeout with all other nodes', async () => {
    const others = await Promise.all([startHangingNode(200), startHangingNode(200)])
    hanging.forMs = 200
    const urls = [hanging, ...others, healthy].map(({ url }) => url)
    const amount = new ChainNode(urls).getNativeBalance(wallet, block, { timeoutMs: 800 })
    expect(await amount).toBe(42n)
  })
})

describe('a single node that hangs', () => {
  it('counts as failed at the deadline', async () => {
    const node = new ChainNode([hanging.url])
    hanging.forMs = 50
    const amount = node.getNativeBalance(wallet, block, { timeoutMs: 50 })
    await expect(amount).rejects.toMatchObject({ name: 'NodeError', kind: 'timeout' })
    expect(node.stats()).toMatchObject([{ failures: 1, lastError: 'timeout', isCoolingDown: true }])
  })

  it('gets no single calls after aggregated ones that took the whole timeout', async () => {
    const node = new ChainNode([hanging.url])
    hanging.forMs = 50
    const calls = [token, wallet].map((to) => balanceOfCall(to, wallet))
    const results = await node.multicall(calls, block, { timeoutMs: 50, aggregatedBytes: 32 })
    expect(results.map(({ status }) => status)).toEqual(['failed', 'failed'])
    expect(hanging.requests).toBe(1)
  })

  it('does not count as failed when the caller aborts', async () => {
    const node = new ChainNode([hanging.url])
    const controller = new AbortController()
    const amount = node.getNativeBalance(wallet, block, {
      signal: controller.signal,
      timeoutMs: 60_000,
    })
    controller.abort(new Error('stopped'))
    await expect(amount).rejects.toThrow('stopped')
    expect(node.stats()).toMatchObject([{ failures: 0, isCoolingDown: false }])
  })
})

it('keeps the results of one node when the deadline passes before the others', async () => {
  const node = new ChainNode([healthy.url, hanging.url])
  hanging.forMs = 500
  const failing = testAddress(3)
  healthy.transformResult = (_, [call]) => ((call as { to: string }).to === failing ? null : '0x2a')
  const calls = [token, failing].map((to) => balanceOfCall(to, wallet))
  expect(await node.multicall(calls, block, { timeoutMs: 500 })).toMatchObject([
    { status: 'success', data: '0x2a' },
    { status: 'failed' },
  ])
})
