import { createServer } from 'node:http'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { createChainReader } from '../operations/createChainReader.ts'
import { HandmadeChain } from '../testing/HandmadeChain.ts'
import { testAddress } from '../testing/seedChain.ts'
import { startHandmadeNode } from '../testing/startHandmadeNode.ts'
import { balanceOfCall } from './balanceOfCall.ts'
import { ChainNode } from './ChainNode.ts'

const block = { number: 0, hash: `0x${'ab'.repeat(32)}` }
const wallet = testAddress(1)
const token = testAddress(2)

/** A node that takes questions and never answers. */
async function startSilentNode() {
  const node = { url: '', requests: 0 }
  const server = createServer(() => node.requests++)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.close()
    server.closeAllConnections()
  })
  node.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return node
}

let silent: Awaited<ReturnType<typeof startSilentNode>>
let honest: Awaited<ReturnType<typeof startHandmadeNode>>
beforeEach(async () => {
  silent = await startSilentNode()
  honest = await startHandmadeNode(new HandmadeChain())
  honest.distort = (_, __, answer) => answer ?? `0x${'0'.repeat(62)}2a`
  return () => honest.close()
})

describe('a first node that says nothing', () => {
  it('does not use up the patience of an answer, and rests', async () => {
    const node = new ChainNode([silent.url, honest.url])
    const reader = createChainReader(new Map([[1, node]]))
    const amounts = await reader.amounts(1, wallet, ['native', token], block)
    expect(amounts).toEqual(
      new Map([
        ['native', 42n],
        [token, 42n],
      ]),
    )
    expect(await reader.totalSupply(1, token, block)).toBe(42n)
    // One for the native amount and one for the token's; none since it rests.
    expect(silent.requests).toBe(2)
    expect(node.stats()).toMatchObject([
      { failures: 2, lastError: 'timeout', isResting: true },
      { failures: 0, isResting: false },
    ])
  })

  it('leaves time for each of the others, however many', async () => {
    const others = await Promise.all([startSilentNode(), startSilentNode()])
    const urls = [silent, ...others, honest].map(({ url }) => url)
    const amount = new ChainNode(urls).getNativeBalance(wallet, block, { totalMs: 6000 })
    expect(await amount).toBe(42n)
  })
})

describe('an only node that says nothing', () => {
  it('is counted as one that failed when patience ends', async () => {
    const node = new ChainNode([silent.url])
    const asking = node.getNativeBalance(wallet, block, { totalMs: 50 })
    await expect(asking).rejects.toMatchObject({ name: 'NodeError', kind: 'timeout' })
    expect(node.stats()).toMatchObject([{ failures: 1, lastError: 'timeout', isResting: true }])
  })

  it('is not counted when the asker is stopped', async () => {
    const node = new ChainNode([silent.url])
    const stopper = new AbortController()
    const asking = node.getNativeBalance(wallet, block, { signal: stopper.signal, totalMs: 60_000 })
    stopper.abort(new Error('stopped'))
    await expect(asking).rejects.toThrow('stopped')
    expect(node.stats()).toMatchObject([{ failures: 0, isResting: false }])
  })
})

it('keeps what one node told of many calls though patience ends before the rest', async () => {
  const node = new ChainNode([honest.url, silent.url])
  const refused = testAddress(3)
  honest.distort = (_, [call]) => ((call as { to: string }).to === refused ? null : '0x2a')
  const calls = [token, refused].map((to) => balanceOfCall(to, wallet))
  expect(await node.callMany(calls, block, { totalMs: 3000 })).toMatchObject([
    { kind: 'answered', data: '0x2a' },
    { kind: 'failed' },
  ])
})
