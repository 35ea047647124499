import { createServer } from 'node:http'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { gzipSync } from 'node:zlib'
import { describe, expect, it, onTestFinished } from 'vitest'
import { HandmadeChain } from '../testing/HandmadeChain.ts'
import { testAddress } from '../testing/seedChain.ts'
import { startHandmadeNode } from '../testing/startHandmadeNode.ts'
import { balanceOfCall } from './balanceOfCall.ts'
import { ChainNode } from './ChainNode.ts'

const block = { number: 0, hash: `0x${'ab'.repeat(32)}` }
const wallet = testAddress(1)
const megabyte = 1024 * 1024

/** A node that answers spaces without an end, until it is left. */
async function startEndlessNode(): Promise<{ url: string; left: Promise<unknown> }> {
  let leave: () => void
  const left = new Promise<void>((resolve) => (leave = resolve))
  const server = createServer((_, response) => {
    const write = () => {
      while (response.write(' '.repeat(64 * 1024)));
    }
    response.on('drain', write).on('close', () => leave())
    write()
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.close()
    server.closeAllConnections()
  })
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, left }
}

/** A node that answers each request with this body, compressed. */
async function startZippedNode(body: string): Promise<string> {
  const zipped = gzipSync(body)
  const server = createServer((_, response) => {
    response.setHeader('content-encoding', 'gzip').end(zipped)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.close()
    server.closeAllConnections()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

describe('the answer of one word', () => {
  it('is read no further than words go, and the node is left', async () => {
    const { url, left } = await startEndlessNode()
    const asking = new ChainNode([url]).getNativeBalance(wallet, block)
    await expect(asking).rejects.toMatchObject({
      kind: 'too-large',
      message: expect.stringMatching(/more than 66560 bytes/) as string,
    })
    await left
  })

  it('is unpacked no further', async () => {
    const url = await startZippedNode(' '.repeat(megabyte))
    const asking = new ChainNode([url]).getChainId()
    await expect(asking).rejects.toMatchObject({ kind: 'too-large' })
  })

  it('spoils no other when a contract says too much', async () => {
    const server = await startHandmadeNode(new HandmadeChain())
    const other = await startHandmadeNode(new HandmadeChain())
    onTestFinished(() => Promise.all([server.close(), other.close()]).then(() => {}))
    const loud = testAddress(7)
    server.distort = (_, [call]) =>
      (call as { to: string }).to === loud ? `0x${'ab'.repeat(megabyte)}` : '0x2a'
    const tokens = Array.from({ length: 20 }, (_, index) => testAddress(index))
    const calls = tokens.map((token) => balanceOfCall(token, wallet))
    const node = new ChainNode([server.url, other.url])
    const outcomes = await node.callMany(calls, block)
    expect(outcomes.map(({ kind }) => kind)).toEqual(
      tokens.map((token) => (token === loud ? 'reverted' : 'answered')),
    )
    expect(other.requests).toBe(0)
    expect(server.questions.every(({ params }) => !JSON.stringify(params).includes('Bytes'))).toBe(
      true,
    )
  })
})

it('is read for megabytes where a contract may tell a document', async () => {
  const server = await startHandmadeNode(new HandmadeChain())
  onTestFinished(() => server.close())
  const answer = `0x${'ab'.repeat(2 * megabyte)}`
  server.distort = () => answer
  const [outcome] = await new ChainNode([server.url]).callMany([{ to: wallet, data: '0x' }], block)
  expect(outcome).toEqual({ kind: 'answered', data: answer })
})
