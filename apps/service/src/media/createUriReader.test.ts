import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, it, onTestFinished } from 'vitest'
import { createUntrustedFetch, type UntrustedFetch } from './createUntrustedFetch.ts'
import { createUriReader } from './createUriReader.ts'
import { everyNetwork } from './NetworkPolicy.ts'
import { UntrustedFetchError, type UntrustedFetchErrorKind } from './UntrustedFetchError.ts'

const cid = 'QmYwAPJzv5CZsnA625s3Xf2nemtYgPpHdWEz79ojWnPbdG'
const gateways = {
  ipfsGateways: ['https://one.example/', 'https://two.example/', 'https://three.example/'],
  arweaveGateways: [],
}

/** Creates a reader of gateways that fail with these errors, or respond with their host names. */
function createReader(errors: Record<string, UntrustedFetchErrorKind>) {
  const requested: string[] = []
  const fetch: UntrustedFetch = async (url) => {
    const { hostname } = new URL(url)
    requested.push(hostname)
    const kind = errors[hostname]
    if (kind) {
      throw new UntrustedFetchError(kind, `${hostname} failed`)
    }
    return Buffer.from(hostname)
  }
  const read = createUriReader(fetch, gateways)
  return {
    requested,
    read: async (uri: string) => Buffer.from(await read(uri, { maxBytes: 10_000 })).toString(),
  }
}

it('tries the next gateway when one fails, and no gateway after a success', async () => {
  const { read, requested } = createReader({ 'one.example': 'timeout' })
  expect(await read(`ipfs://${cid}`)).toBe('two.example')
  expect(requested).toEqual(['one.example', 'two.example'])
})

it('rejects with a retryable error when one gateway failed with one', async () => {
  const { read, requested } = createReader({
    'one.example': 'status',
    'two.example': 'timeout',
    'three.example': 'status',
  })
  await expect(read(`ipfs://${cid}`)).rejects.toMatchObject({ kind: 'timeout', retryable: true })
  expect(requested).toHaveLength(3)
})

it('reads data: up to the size limit without a request', async () => {
  const { read, requested } = createReader({})
  expect(await read('data:,hello')).toBe('hello')
  await expect(read(`data:,${'a'.repeat(10_001)}`)).rejects.toMatchObject({ kind: 'too-large' })
  expect(requested).toEqual([])
})

it('checks the length of data: before it decodes it', async () => {
  const { read } = createReader({})
  const percents = `data:,${'%41'.repeat(10_000)}`
  expect(await read(percents)).toBe('A'.repeat(10_000))
  // To decode it would fail with the kind `url`.
  await expect(read(`data:;base64,${'!'.repeat(31_100)}`)).rejects.toMatchObject({
    kind: 'too-large',
    retryable: false,
  })
})

it.each(['file:///etc/passwd', 'data:;base64,!', 'nothing', ''])('rejects %j', async (uri) => {
  await expect(createReader({}).read(uri)).rejects.toMatchObject({ kind: 'url', retryable: false })
})

it('rejects with `busy` when a gateway was not tried because of that', async () => {
  const { read, requested } = createReader({
    'one.example': 'timeout',
    'two.example': 'busy',
    'three.example': 'status',
  })
  await expect(read(`ipfs://${cid}`)).rejects.toMatchObject({ kind: 'busy' })
  expect(requested).toHaveLength(3)
})

it('limits the time of all gateways together', async () => {
  let requests = 0
  const server = createServer(() => requests++).listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => server.close().closeAllConnections())
  const { port } = server.address() as AddressInfo
  const silent = Array.from({ length: 9 }, (_, at) => `http://127.0.0.1:${port}/${at}/ipfs/`)
  const fetch = createUntrustedFetch({ policy: everyNetwork, totalTimeoutMs: 60 })
  const config = { ipfsGateways: silent, arweaveGateways: [] }
  await expect(
    createUriReader(fetch, config, 90)(`ipfs://${cid}`, { maxBytes: 1 }),
  ).rejects.toMatchObject({ kind: 'timeout' })
  expect(requests).toBeLessThan(9)
  const stop = new AbortController()
  const reading = createUriReader(fetch, config)(`ipfs://${cid}`, {
    maxBytes: 1,
    signal: stop.signal,
  })
  stop.abort(new Error('enough'))
  await expect(reading).rejects.toThrow('enough')
})
