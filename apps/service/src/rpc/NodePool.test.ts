import { createServer } from 'node:http'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { gzipSync } from 'node:zlib'
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { HandmadeChain, rpcBlock } from '../testing/HandmadeChain.ts'
import { HandmadeNodeError, startHandmadeNode } from '../testing/startHandmadeNode.ts'
import { ChainNode } from './ChainNode.ts'

let chain: HandmadeChain
let first: Awaited<ReturnType<typeof startHandmadeNode>>
let second: Awaited<ReturnType<typeof startHandmadeNode>>
let node: ChainNode

beforeEach(async () => {
  chain = new HandmadeChain()
  for (let block = 0; block < 10; block++) chain.mine([])
  first = await startHandmadeNode(chain)
  second = await startHandmadeNode(chain)
  node = new ChainNode([first.url, second.url])
})
afterEach(async () => {
  vi.useRealTimers()
  await Promise.all([first.close(), second.close()])
})

describe('a node that fails', () => {
  it('is asked after the others for a while, and comes back', async () => {
    vi.useFakeTimers({ toFake: ['performance'] })
    first.status = 503
    expect(await node.getChainId()).toBe(1)
    expect(await node.getChainId()).toBe(1)
    expect(first.requests).toBe(1)
    first.status = undefined
    vi.advanceTimersByTime(60_000)
    expect(await node.getChainId()).toBe(1)
    expect([first.requests, second.requests]).toEqual([2, 2])
  })

  it('rests longer the more often it fails', async () => {
    vi.useFakeTimers({ toFake: ['performance'] })
    first.status = 503
    await node.getChainId()
    vi.advanceTimersByTime(600)
    await node.getChainId()
    vi.advanceTimersByTime(600)
    await node.getChainId()
    expect(first.requests).toBe(2)
  })

  it('is asked all the same when no other answers', async () => {
    first.status = 503
    await node.getChainId()
    ;[first.status, second.status] = [undefined, 503]
    expect(await node.getChainId()).toBe(1)
  })

  it('does not rest for an error that any node would answer', async () => {
    first.distort = () => {
      throw new HandmadeNodeError(3, 'execution reverted')
    }
    await node.getChainId()
    await node.getChainId()
    expect(first.requests).toBe(2)
  })
})

describe('a node that lags', () => {
  it('does not keep the others from telling a newer head', async () => {
    first.lag = 5
    expect(await node.getHead()).toMatchObject({ number: 10 })
    expect(node.stats().map(({ isResting }) => isResting)).toEqual([true, false])
  })

  it('is asked for blocks that it has not, and then the other', async () => {
    first.lag = 5
    const headers = await node.getHeaders(1, 10)
    expect(headers.map(({ number }) => number)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10])
  })

  it('falls behind while it is preferred, and is found out', async () => {
    vi.useFakeTimers({ toFake: ['performance'] })
    expect(await node.getHead()).toMatchObject({ number: 10 })
    for (let block = 0; block < 10; block++) chain.mine([])
    first.lag = 10
    expect(await node.getHead()).toMatchObject({ number: 10 })
    vi.advanceTimersByTime(20_000)
    expect(await node.getHead()).toMatchObject({ number: 20 })
  })
})

describe('a node that tells a head which is none', () => {
  const lie = (overrides: object) => {
    first.distort = (_, [number], answer) =>
      number === 'latest' ? { ...(answer as object), ...overrides } : answer
  }
  const far = { number: '0xf4240', hash: `0x${'f'.repeat(64)}` }
  const resting = () => node.stats().map(({ isResting }) => isResting)
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['performance', 'Date'], now: chain.head.time * 1000 })
  })

  it('is not believed, and rests in the place of the honest one', async () => {
    lie(far)
    expect(await node.getHead()).toMatchObject({ number: 10 })
    expect(resting()).toEqual([true, false])
  })

  it('is not believed when it begins to, between two comparisons', async () => {
    expect(await node.getHead()).toMatchObject({ number: 10 })
    lie(far)
    expect(await node.getHead()).toMatchObject({ number: 10 })
    expect(resting()).toEqual([true, false])
  })

  it('is not believed with a time to come, though its parent is there', async () => {
    lie({ timestamp: `0x${(chain.head.time + 100_000).toString(16)}` })
    expect(await node.getHead()).toMatchObject({ number: 10, time: chain.head.time })
  })

  it('is compared with the others when its blocks were not there', async () => {
    await node.getHead()
    lie({ ...far, number: '0x14' })
    expect(await node.getHead()).toMatchObject({ number: 20 })
    node.doubtHead()
    expect(await node.getHead()).toMatchObject({ number: 10 })
  })

  it('is found out by the blocks that the others have not', async () => {
    const [past, fake] = [9, 999_999]
    first.distort = (_, [number], answer) => answer ?? { ...rpcBlock(chain.head), number }
    expect([await node.agreeOnBlock(past), await node.agreeOnBlock(fake)]).toEqual([true, false])
    // Whether it lies cannot be told while the other has fallen behind, by the clock.
    vi.setSystemTime((chain.head.time + 3600) * 1000)
    expect(await node.agreeOnBlock(fake)).toBe(true)
  })

  it('has no other to be compared with', async () => {
    const only = new ChainNode([first.url])
    lie(far)
    expect(await only.getHead()).toMatchObject({ number: 1_000_000 })
    expect(await only.agreeOnBlock(999_936)).toBe(false)
  })
})

it('tells what became of the questions to each node, by host', async () => {
  const secret = new ChainNode([
    `${first.url}/v3/hunter2hunter2`,
    `${second.url}?key=hunter2hunter2`,
  ])
  first.status = 429
  await secret.getHeaders(1, 10)
  const stats = secret.stats()
  expect(stats).toMatchObject([
    { name: new URL(first.url).host, requests: 10, failures: 1, lastError: 'rate-limit' },
    { name: new URL(second.url).host, requests: 10, failures: 0, lastError: undefined },
  ])
  expect(stats.every(({ latencySum }) => latencySum > 0)).toBe(true)
  expect(JSON.stringify(stats)).not.toContain('hunter2')
})

it('numbers nodes of one host', () => {
  const nodes = new ChainNode(['http://a/1', 'http://a/2', 'http://b'])
  expect(nodes.stats().map(({ name }) => name)).toEqual(['a', 'a#2', 'b'])
})

it('takes secrets of the URL out of what a node says', async () => {
  first.distort = () => {
    throw new HandmadeNodeError(-32000, 'project hunter2hunter2 is over its limit')
  }
  const secret = new ChainNode([`${first.url}/v3/hunter2hunter2`])
  await expect(secret.getChainId()).rejects.toThrow('project … is over its limit')
})

/** Answers every question with 1, by a server that a test makes. */
async function serve(respond: Parameters<typeof createServer>[1]): Promise<string> {
  const server = createServer(respond)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.close()
    server.closeAllConnections()
  })
  return `127.0.0.1:${(server.address() as AddressInfo).port}`
}
const one = JSON.stringify({ jsonrpc: '2.0', id: 0, result: '0x1' })

it('sends the name and password of a URL as HTTP asks for it', async () => {
  let authorization: string | undefined
  const host = await serve((request, response) => {
    ;({ authorization } = request.headers)
    response.end(one)
  })
  expect(await new ChainNode([`http://me:hunter2@${host}`]).getChainId()).toBe(1)
  expect(authorization).toBe(`Basic ${Buffer.from('me:hunter2').toString('base64')}`)
})

it('reads answers that are compressed', async () => {
  const host = await serve((_, response) => {
    response.setHeader('content-encoding', 'gzip')
    response.end(gzipSync(one))
  })
  expect(await new ChainNode([`http://${host}`]).getChainId()).toBe(1)
})

it('follows no redirect', async () => {
  const host = await serve((_, response) => {
    response.writeHead(307, { location: first.url }).end()
  })
  await expect(new ChainNode([`http://${host}`]).getChainId()).rejects.toMatchObject({
    kind: 'http',
  })
  expect(first.requests).toBe(0)
})

it('leaves a node alone for as long as it asks', async () => {
  vi.useFakeTimers({ toFake: ['performance'] })
  let asked = 0
  const host = await serve((_, response) => {
    asked++
    response.writeHead(429, { 'retry-after': '20' }).end()
  })
  const nodes = new ChainNode([`http://${host}`, first.url])
  await nodes.getChainId()
  vi.advanceTimersByTime(19_000)
  await nodes.getChainId()
  expect(asked).toBe(1)
  vi.advanceTimersByTime(2_000)
  await nodes.getChainId()
  expect(asked).toBe(2)
})

it('ends a question when it is stopped, though the node says nothing', async () => {
  const host = await serve(() => {})
  const stopper = new AbortController()
  const asking = new ChainNode([`http://${host}`]).getChainId(stopper.signal)
  stopper.abort(new Error('stopped'))
  await expect(asking).rejects.toThrow('stopped')
})
