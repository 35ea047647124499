import { once } from 'node:events'
import { type IncomingMessage, request } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { expect, it } from 'vitest'
import { API_KEY_HEADER } from '@headwater/contract'
import { openSharedStore } from '../../../test/describeEachStore.ts'
import { seedChain, testAddress } from '../../../test/seedChain.ts'
import { startTestService } from '../../../test/startTestService.ts'
import { testChainConfig } from '../../../test/testChainConfig.ts'

const wallet = testAddress(0xab)
const path = `/v1/evm/balances/${wallet}?filters=erc20`
const tokens = Array.from({ length: 90 }, (_, index) => testAddress(0x1000 + index))

/** A service with a wallet whose response is longer than a packet, and a function that requests without decoding. */
async function startService() {
  const store = await openSharedStore('pglite')
  await seedChain(store.db, {
    chainId: 7,
    blocks: { 0: 1_700_000_000, 5: 1_700_000_005 },
    tokens: tokens.map((address) => ({ address, decimals: 6 })),
    balances: tokens.map((token, index) => ({ holder: wallet, token, amount: BigInt(index + 1) })),
  })
  const { url, secret, fetch } = await startTestService(store, [testChainConfig(7)])
  // Reads the state of the chain.
  await fetch(path)
  return async (target: string, headers: Record<string, string>, method = 'GET') => {
    const sent = request(url + target, {
      method,
      headers: { [API_KEY_HEADER]: secret, ...headers },
    })
    sent.end()
    const [response] = (await once(sent, 'response')) as [IncomingMessage]
    return { status: response.statusCode, headers: response.headers, body: await buffer(response) }
  }
}

/** A body without its times. */
function parseBody(text: Buffer): object {
  const { request_time, response_time, ...rest } = JSON.parse(text.toString()) as Record<
    string,
    unknown
  >
  expect([request_time, response_time].map(String).join()).toMatch(/^\d{4}-.*Z,\d{4}-.*Z$/)
  return rest
}

it('encodes a long response as the client accepts it, with the same entity tag', async () => {
  const send = await startService()
  const plain = await send(path, {})
  expect(plain.headers['content-encoding']).toBeUndefined()
  expect(plain.headers.vary).toBe('Accept-Encoding')
  expect(plain.headers['content-length']).toBe(String(plain.body.length))
  expect(plain.body.length).toBeGreaterThan(8192)
  for (const [accepted, coding, decode] of [
    ['gzip', 'gzip', gunzipSync],
    ['gzip, deflate, br', 'br', brotliDecompressSync],
  ] as const) {
    const sent = { 'Accept-Encoding': accepted }
    for (let again = 0; again < 2; again++) {
      const encoded = await send(path, sent)
      expect(encoded.headers).toMatchObject({
        'content-encoding': coding,
        'content-length': String(encoded.body.length),
        etag: plain.headers.etag,
        vary: 'Accept-Encoding',
        'x-compute-units-cost': '1',
      })
      expect(encoded.body.length).toBeLessThan(plain.body.length / 3)
      expect(parseBody(decode(encoded.body))).toEqual(parseBody(plain.body))
    }
    const known = await send(path, { ...sent, 'If-None-Match': String(plain.headers.etag) })
    expect(known).toMatchObject({ status: 304, headers: { vary: 'Accept-Encoding' } })
    expect(known.headers['content-encoding']).toBeUndefined()
    const head = await send(path, sent, 'HEAD')
    expect(head).toMatchObject({ status: 200, headers: { 'content-encoding': coding } })
    expect(head.body.length).toBe(0)
    const document = await send('/openapi.json', sent)
    expect(JSON.parse(decode(document.body).toString())).toHaveProperty('openapi')
  }
})

it('does not encode short responses, errors and streams', async () => {
  const send = await startService()
  const sent = { 'Accept-Encoding': 'gzip, br' }
  for (const target of [
    '/health',
    `${path}&limit=0`,
    `/v1/evm/balances/${testAddress(1)}?filters=erc20`,
  ]) {
    expect((await send(target, sent)).headers['content-encoding']).toBeUndefined()
  }
  const polled = await send(`/v1/evm/changes?wallets=7:${wallet}`, { ...sent, Prefer: 'wait=0' })
  expect(polled.status).toBe(200)
  expect(polled.headers['content-encoding']).toBeUndefined()
})
