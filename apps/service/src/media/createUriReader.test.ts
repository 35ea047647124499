import { expect, it } from 'vitest'
import type { UntrustedFetch } from './createUntrustedFetch.ts'
import { createUriReader } from './createUriReader.ts'
import { RefusedFetchError, type FetchRefusal } from './RefusedFetchError.ts'

const cid = 'QmYwAPJzv5CZsnA625s3Xf2nemtYgPpHdWEz79ojWnPbdG'
const gateways = {
  ipfsGateways: ['https://one.example/', 'https://two.example/', 'https://three.example/'],
  arweaveGateways: [],
}

/** A reader over servers that each refuse so, or answer their own name. */
function open(refusals: Record<string, FetchRefusal>) {
  const asked: string[] = []
  const fetch: UntrustedFetch = async (url) => {
    const { hostname } = new URL(url)
    asked.push(hostname)
    const refusal = refusals[hostname]
    if (refusal) throw new RefusedFetchError(refusal, `${hostname} refuses`)
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

it('bounds the time of all gateways together', async () => {
  const fetch: UntrustedFetch = (_, { signal }) =>
    new Promise((_, reject) =>
      signal?.addEventListener('abort', () => reject(signal.reason as Error)),
    )
  const read = createUriReader(fetch, gateways, 50)
  await expect(read(`ipfs://${cid}`, { maximumBytes: 1 })).rejects.toMatchObject({
    refusal: 'timeout',
  })
  const stop = new AbortController()
  const reading = createUriReader(fetch, gateways)(`ipfs://${cid}`, {
    maximumBytes: 1,
    signal: stop.signal,
  })
  stop.abort(new Error('enough'))
  await expect(reading).rejects.toThrow('enough')
})
