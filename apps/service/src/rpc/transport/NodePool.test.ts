import { createServer, type IncomingMessage } from 'node:http'
import { json } from 'node:stream/consumers'
import { gzipSync } from 'node:zlib'
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { FakeChain, rpcBlock } from '../../../test/FakeChain.ts'
import { closeServer, listen } from '../../../test/listen.ts'
import { FakeNodeError, startFakeNode } from '../../../test/startFakeNode.ts'
import { ChainNode } from '../ChainNode.ts'
import { NodeError } from './NodeError.ts'
import { NodePool } from './NodePool.ts'

let chain: FakeChain
let first: Awaited<ReturnType<typeof startFakeNode>>
let second: Awaited<ReturnType<typeof startFakeNode>>
let node: ChainNode

beforeEach(async () => {
  chain = new FakeChain()
  for (let block = 0; block < 10; block++) {
    chain.mine([])
  }
  first = await startFakeNode(chain)
  second = await startFakeNode(chain)
  node = new ChainNode([first.url, second.url])
})
afterEach(async () => {
  vi.useRealTimers()
  await Promise.all([first.close(), second.close()])
})

describe('a node that fails', () => {
  it('cools down, and is preferred again afterwards', async () => {
    vi.useFakeTimers({ toFake: ['performance'] })
    first.status = 503
    expect(await node.getChainId()).toBe(1)
    expect(await node.getChainId()).toBe(1)
    expect(first.httpRequests).toBe(1)
    first.status = undefined
    vi.advanceTimersByTime(60_000)
    expect(await node.getChainId()).toBe(1)
    expect([first.httpRequests, second.httpRequests]).toEqual([2, 2])
  })

  it('cools down longer after each failure', async () => {
    vi.useFakeTimers({ toFake: ['performance'] })
    first.status = 503
    await node.getChainId()
    vi.advanceTimersByTime(600)
    await node.getChainId()
    vi.advanceTimersByTime(600)
    await node.getChainId()
    expect(first.httpRequests).toBe(2)
  })

  it('is used when all other nodes fail', async () => {
    first.status = 503
    await node.getChainId()
    ;[first.status, second.status] = [undefined, 503]
    expect(await node.getChainId()).toBe(1)
  })

  it('does not cool down after an error that any node would return', async () => {
    first.transformResult = () => {
      throw new FakeNodeError(3, 'execution reverted')
    }
    await node.getChainId()
    await node.getChainId()
    expect(first.httpRequests).toBe(2)
  })
})

describe('a task that fails on all nodes', () => {
  const unreachable = new NodeError('unreachable', { kind: 'connection' })
  const reject = (message: string) => new NodeError(message, { kind: 'rejected', retryable: false })
  const reverted = reject('execution reverted')
  const withoutState = reject('missing trie node')
  const tooLarge = new NodeError('limited to 10 blocks', { kind: 'rejected', mayExceedLimit: true })

  it.each([
    ['a rejection, as any node would return it', reverted, unreachable],
    ['that a state is missing, if the other node stays unreachable', withoutState, unreachable],
    ['a limit, as a smaller request may succeed', tooLarge, reverted],
  ])('fails with %s, in either order', async (_, expected, other) => {
    for (const errors of [
      [expected, other],
      [other, expected],
    ]) {
      const pool = new NodePool([{ url: 'http://a.example' }, { url: 'http://b.example' }], {
        retryDelayMs: 1,
      })
      const run = pool.run(async ({ statistics }) => {
        throw errors[statistics.name === 'a.example' ? 0 : 1] as NodeError
      })
      await expect(run).rejects.toBe(expected)
    }
  })

  it('runs again where one lacks a state and the other was unreachable for a short time', async () => {
    for (const [first, second] of [
      [withoutState, unreachable],
      [unreachable, withoutState],
    ] as const) {
      const pool = new NodePool([{ url: 'http://a.example' }, { url: 'http://b.example' }], {
        retryDelayMs: 1,
      })
      let count = 0
      const run = pool.run(async ({ statistics }) => {
        const error = statistics.name === 'a.example' ? first : second
        if (error === unreachable && ++count === 2) {
          return 'state'
        }
        throw error
      })
      expect(await run).toBe('state')
    }
  })
})

describe('a node that lags', () => {
  it('does not hide the newer head of other nodes', async () => {
    first.lag = 5
    expect(await node.getHead()).toMatchObject({ number: 10 })
    expect(node.stats().map(({ isCoolingDown }) => isCoolingDown)).toEqual([true, false])
  })

  it('is followed by the next node for blocks that it lacks', async () => {
    first.lag = 5
    const headers = await node.getHeaders(1, 10)
    expect(headers.map(({ number }) => number)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10])
  })

  it('is detected while it is preferred', async () => {
    vi.useFakeTimers({ toFake: ['performance'] })
    expect(await node.getHead()).toMatchObject({ number: 10 })
    for (let block = 0; block < 10; block++) {
      chain.mine([])
    }
    first.lag = 10
    expect(await node.getHead()).toMatchObject({ number: 10 })
    vi.advanceTimersByTime(20_000)
    expect(await node.getHead()).toMatchObject({ number: 20 })
  })
})

describe('a node that reports a head that does not exist', () => {
  const fakeHead = (overrides: object) => {
    first.transformResult = (_, [number], result) =>
      number === 'latest' ? { ...(result as object), ...overrides } : result
  }
  const far = { number: '0xf4240', hash: `0x${'f'.repeat(64)}` }
  const getCooldowns = () => node.stats().map(({ isCoolingDown }) => isCoolingDown)
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['performance', 'Date'], now: chain.head.time * 1000 })
  })

  it('is not trusted, and cools down instead of the correct node', async () => {
    fakeHead(far)
    expect(await node.getHead()).toMatchObject({ number: 10 })
    expect(getCooldowns()).toEqual([true, false])
  })

  it('is not trusted between two comparisons either', async () => {
    expect(await node.getHead()).toMatchObject({ number: 10 })
    fakeHead(far)
    expect(await node.getHead()).toMatchObject({ number: 10 })
    expect(getCooldowns()).toEqual([true, false])
  })

  it('is not trusted with a future timestamp, although the parent exists', async () => {
    fakeHead({ timestamp: `0x${(chain.head.time + 100_000).toString(16)}` })
    expect(await node.getHead()).toMatchObject({ number: 10, time: chain.head.time })
  })

  it('is compared with the others after the head was invalidated', async () => {
    await node.getHead()
    fakeHead({ ...far, number: '0x14' })
    expect(await node.getHead()).toMatchObject({ number: 20 })
    node.invalidateHead()
    expect(await node.getHead()).toMatchObject({ number: 10 })
  })

  it('does not have the quorum for blocks that the others lack', async () => {
    const past = 9
    const fake = 999_999
    first.transformResult = (_, [number], result) => result ?? { ...rpcBlock(chain.head), number }
    expect([await node.hasQuorum(past), await node.hasQuorum(fake)]).toEqual([true, false])
    // While the other node is out of sync, by the clock, a missing block proves nothing.
    vi.setSystemTime((chain.head.time + 3600) * 1000)
    expect(await node.hasQuorum(fake)).toBe(true)
  })

  it('is trusted when it is the only node, and has no quorum', async () => {
    const only = new ChainNode([first.url])
    fakeHead(far)
    expect(await only.getHead()).toMatchObject({ number: 1_000_000 })
    expect(await only.hasQuorum(999_936)).toBe(false)
  })
})

it('counts the requests to each node, by host', async () => {
  const urls = [`${first.url}/v3/hunter2hunter2`, `${second.url}?key=hunter2hunter2`]
  // In one batch each, as their rate limit is known.
  const secret = new ChainNode(urls.map((url) => ({ url, requestsPerSecond: 1000 })))
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

it('numbers nodes of the same host', () => {
  const nodes = new ChainNode(['http://a/1', 'http://a/2', 'http://b'])
  expect(nodes.stats().map(({ name }) => name)).toEqual(['a', 'a#2', 'b'])
})

it('redacts secrets of the URL in the messages of a node', async () => {
  first.transformResult = () => {
    throw new FakeNodeError(-32000, 'project hunter2hunter2 is over its limit')
  }
  const secret = new ChainNode([`${first.url}/v3/hunter2hunter2`])
  await expect(secret.getChainId()).rejects.toThrow('project … is over its limit')
})

/** Starts an HTTP server, and returns its host. */
async function serve(respond: Parameters<typeof createServer>[1]): Promise<string> {
  const server = createServer(respond)
  const url = await listen(server)
  onTestFinished(() => closeServer(server))
  return new URL(url).host
}

/** The response to a request of the chain id. */
async function createBody(request: IncomingMessage): Promise<string> {
  const { id } = (await json(request)) as { id: number }
  return JSON.stringify({ jsonrpc: '2.0', id, result: '0x1' })
}

it('sends the user name and password of the URL as basic authentication', async () => {
  let authorization: string | undefined
  const host = await serve((request, response) => {
    ;({ authorization } = request.headers)
    void createBody(request).then((body) => response.end(body))
  })
  expect(await new ChainNode([`http://me:hunter2@${host}`]).getChainId()).toBe(1)
  expect(authorization).toBe(`Basic ${Buffer.from('me:hunter2').toString('base64')}`)
})

it('decompresses responses', async () => {
  const host = await serve((request, response) => {
    response.setHeader('content-encoding', 'gzip')
    void createBody(request).then((body) => response.end(gzipSync(body)))
  })
  expect(await new ChainNode([`http://${host}`]).getChainId()).toBe(1)
})

it('does not accept the response to an earlier request', async () => {
  let body: Promise<string> | undefined
  const host = await serve((request, response) => {
    body ??= createBody(request)
    void body.then((text) => response.end(text))
  })
  const node = new ChainNode([`http://${host}`], { retryDelayMs: 0 })
  expect(await node.getChainId()).toBe(1)
  await expect(node.getChainId()).rejects.toMatchObject({ kind: 'malformed' })
})

it('does not follow redirects', async () => {
  const host = await serve((_, response) => {
    response.writeHead(307, { location: first.url }).end()
  })
  await expect(new ChainNode([`http://${host}`]).getChainId()).rejects.toMatchObject({
    kind: 'http',
  })
  expect(first.httpRequests).toBe(0)
})

it('honors Retry-After', async () => {
  vi.useFakeTimers({ toFake: ['performance'] })
  let requests = 0
  const host = await serve((_, response) => {
    requests++
    response.writeHead(429, { 'retry-after': '20' }).end()
  })
  const nodes = new ChainNode([`http://${host}`, first.url])
  await nodes.getChainId()
  vi.advanceTimersByTime(19_000)
  await nodes.getChainId()
  expect(requests).toBe(1)
  vi.advanceTimersByTime(2_000)
  await nodes.getChainId()
  expect(requests).toBe(2)
})

it('aborts a request to a node that hangs', async () => {
  const host = await serve(() => {})
  const controller = new AbortController()
  const chainId = new ChainNode([`http://${host}`]).getChainId(controller.signal)
  controller.abort(new Error('stopped'))
  await expect(chainId).rejects.toThrow('stopped')
})

describe('a node of another chain', () => {
  const served: [string, number][] = []
  beforeEach(() => {
    served.length = 0
    node = new ChainNode([first.url, second.url], {
      chainId: 1,
      retryDelayMs: 0,
      onOtherChain: (name, chainId) => void served.push([name, chainId]),
    })
  })

  it('is not used, neither alone nor beside others', async () => {
    first.chainId = 5
    first.chain = new FakeChain('other')
    expect((await node.getHeader(0))?.hash).toBe(chain.blocks[0]?.hash)
    expect((await node.getHead()).hash).toBe(chain.head.hash)
    expect(first.rpcRequests.map(({ method }) => method)).toEqual(['eth_chainId', 'eth_chainId'])
    expect(served).toEqual([[new URL(first.url).host, 5]])
    second.chainId = 6
    const alone = new ChainNode([second.url], { chainId: 1, retryDelayMs: 0 })
    await expect(alone.getHead()).rejects.toMatchObject({
      kind: 'other-chain',
      message: 'The node serves chain 6, not 1: correct its rpcUrls and restart the service',
    })
    expect(alone.stats()).toMatchObject([{ otherChain: 6, lastError: undefined }])
    second.chainId = 1
    expect((await alone.getHead()).hash).toBe(chain.head.hash)
    expect(alone.stats()).toMatchObject([{ otherChain: undefined }])
  })

  it('is recognized after it was unreachable', async () => {
    const { port } = new URL(second.url)
    const alone = new ChainNode([second.url], { chainId: 1, retryDelayMs: 0 })
    expect((await alone.getHead()).number).toBe(chain.head.number)
    await second.close()
    await expect(alone.getHead()).rejects.toMatchObject({ kind: 'connection' })
    second = await startFakeNode(chain, 5, Number(port))
    await expect(alone.getHead()).rejects.toMatchObject({ kind: 'other-chain' })
  })

  it('is recognized after a proxy did not reach it', async () => {
    const alone = new ChainNode([second.url], { chainId: 1, retryDelayMs: 0 })
    await alone.getHead()
    second.status = 502
    await expect(alone.getHead()).rejects.toMatchObject({ kind: 'http' })
    second.status = undefined
    second.chainId = 5
    await expect(alone.getHead()).rejects.toMatchObject({ kind: 'other-chain' })
  })

  it('is the reason of a failure only if all nodes are of another chain', async () => {
    first.chainId = 5
    second.status = 503
    await expect(node.getHeader(0)).rejects.toMatchObject({ kind: 'http' })
  })
})
