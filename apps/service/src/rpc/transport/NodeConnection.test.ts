import { createServer } from 'node:http'
import { gzipSync } from 'node:zlib'
import { describe, expect, it, onTestFinished } from 'vitest'
import { FakeChain } from '../../../test/FakeChain.ts'
import { closeServer, listen } from '../../../test/listen.ts'
import { testAddress } from '../../../test/seedChain.ts'
import { startFakeNode } from '../../../test/startFakeNode.ts'
import { ChainNode } from '../ChainNode.ts'
import { balanceOfCall } from '../methods/Call.ts'

const block = { number: 0, hash: `0x${'ab'.repeat(32)}` }
const wallet = testAddress(1)
const megabyte = 1024 * 1024

const createNode = (...urls: string[]) => new ChainNode(urls, { retryDelayMs: 0 })

/** Starts a node that sends an endless response until the client disconnects. */
async function startEndlessNode(): Promise<{ url: string; disconnected: Promise<unknown> }> {
  let onClose: () => void
  const disconnected = new Promise<void>((resolve) => (onClose = resolve))
  const server = createServer((_, response) => {
    const write = () => {
      while (response.write(' '.repeat(64 * 1024))) {
        // Fills the buffer.
      }
    }
    response.on('drain', write).on('close', () => onClose())
    write()
  })
  const url = await listen(server)
  onTestFinished(() => closeServer(server))
  return { url, disconnected }
}

/** Starts a node that responds to every request with this body, compressed. */
async function startGzipNode(body: string): Promise<string> {
  const compressed = gzipSync(body)
  const server = createServer((_, response) => {
    response.setHeader('content-encoding', 'gzip').end(compressed)
  })
  const url = await listen(server)
  onTestFinished(() => closeServer(server))
  return url
}

describe('a response of one word', () => {
  it('is limited to the size of words, and the connection closed', async () => {
    const { url, disconnected } = await startEndlessNode()
    const amount = createNode(url).getNativeBalance(wallet, block)
    await expect(amount).rejects.toMatchObject({
      kind: 'too-large',
      message: expect.stringMatching(/response exceeds 66560 bytes/) as string,
    })
    await disconnected
  })

  it('is limited after decompression', async () => {
    const url = await startGzipNode(' '.repeat(megabyte))
    const chainId = createNode(url).getChainId()
    await expect(chainId).rejects.toMatchObject({ kind: 'too-large' })
  })

  it('does not fail the other calls of a batch when a contract returns too much', async () => {
    const server = await startFakeNode(new FakeChain())
    const other = await startFakeNode(new FakeChain())
    onTestFinished(() => Promise.all([server.close(), other.close()]).then(() => {}))
    const oversized = testAddress(7)
    server.transformResult = (_, [call]) =>
      (call as { to: string }).to === oversized ? `0x${'ab'.repeat(megabyte)}` : '0x2a'
    const tokens = Array.from({ length: 20 }, (_, index) => testAddress(index))
    const calls = tokens.map((token) => balanceOfCall(token, wallet))
    const results = await createNode(server.url, other.url).multicall(calls, block)
    expect(results.map(({ status }) => status)).toEqual(
      tokens.map((token) => (token === oversized ? 'reverted' : 'success')),
    )
    expect(other.httpRequests).toBe(0)
    expect(
      server.rpcRequests.every(({ params }) => !JSON.stringify(params).includes('Bytes')),
    ).toBe(true)
  })
})

it('accepts megabytes where a contract may return a document', async () => {
  const server = await startFakeNode(new FakeChain())
  onTestFinished(() => server.close())
  const data = `0x${'ab'.repeat(2 * megabyte)}`
  server.transformResult = () => data
  const [result] = await createNode(server.url).multicall([{ to: wallet, data: '0x01' }], block)
  expect(result).toEqual({ status: 'success', data })
})
