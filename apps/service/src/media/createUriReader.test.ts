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

/** A reader over servers that each refuse so, or answer their own name. */
function open(refusals: Record<string, UntrustedFetchErrorKind>) {
  const asked: string[] = []
  const fetch: UntrustedFetch = async (url) => {
    const { hostname } = new URL(url)
    asked.push(hostname)
    const refusal = refusals[hostname]
    if (refusal) {
      throw new UntrustedFetchError(refusal, `${hostname} refuses`)
    }
    return Buffer.from(hostname)
  }
  const read = createUriReader(fetch, gateways)
  return {
    asked,
    read: async (uri: string) => Buffer.from(await read(uri, { maximumBytes: 10_000 })).toString(),
  }
}

it('asks the next gateway where one fails, and no more than it must', async () => {
  const { read, asked } = open({ 'one.example': 'timeout' })
  expect(await read(`ipfs://${cid}`)).toBe('two.example')
  expect(asked).toEqual(['one.example', 'two.example'])
})

it('says that it may be there later when one gateway says so', async () => {
  const { read, asked } = open({
    'one.example': 'status',
    'two.example': 'timeout',
    'three.example': 'status',
  })
  await expect(read(`ipfs://${cid}`)).rejects.toMatchObject({ refusal: 'timeout', retryable: true })
  expect(asked).toHaveLength(3)
})

it('reads data: without asking anybody, within the size that is allowed', async () => {
  const { read, asked } = open({})
  expect(await read('data:,hello')).toBe('hello')
  await expect(read(`data:,${'a'.repeat(10_001)}`)).rejects.toMatchObject({ refusal: 'too-large' })
  expect(asked).toEqual([])
})

it('looks at the length of data: before it decodes it', async () => {
  const { read } = open({})
  const percents = `data:,${'%41'.repeat(10_000)}`
  expect(await read(percents)).toBe('A'.repeat(10_000))
  // Decoded, it would be none.
  await expect(read(`data:;base64,${'!'.repeat(31_100)}`)).rejects.toMatchObject({
    refusal: 'too-large',
    retryable: false,
  })
})

it.each(['file:///etc/passwd', 'data:;base64,!', 'nothing', ''])('refuses %j', async (uri) => {
  await expect(open({}).read(uri)).rejects.toMatchObject({ refusal: 'url', retryable: false })
})

it('says that it was busy itself where it did not ask everybody for that', async () => {
  const { read, asked } = open({
    'one.example': 'timeout',
    'two.example': 'busy',
    'three.example': 'status',
  })
  await expect(read(`ipfs://${cid}`)).rejects.toMatchObject({ refusal: 'busy' })
  expect(asked).toHaveLength(3)
})

it('bounds the time of all gateways together', async () => {
  let asked = 0
  const server = createServer(() => asked++).listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => server.close().closeAllConnections())
  const { port } = server.address() as AddressInfo
  const silent = Array.from({ length: 9 }, (_, at) => `http://127.0.0.1:${port}/${at}/ipfs/`)
  const fetch = createUntrustedFetch({ policy: everyNetwork, totalMs: 1000 })
  const config = { ipfsGateways: silent, arweaveGateways: [] }
  await expect(
    createUriReader(fetch, config, 1500)(`ipfs://${cid}`, { maximumBytes: 1 }),
  ).rejects.toMatchObject({ refusal: 'timeout' })
  expect(asked).toBeLessThan(9)
  const stop = new AbortController()
  const reading = createUriReader(fetch, config)(`ipfs://${cid}`, {
    maximumBytes: 1,
    signal: stop.signal,
  })
  stop.abort(new Error('enough'))
  await expect(reading).rejects.toThrow('enough')
})
