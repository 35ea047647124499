import { createServer } from 'node:http'
import { json } from 'node:stream/consumers'
import { expect, it, onTestFinished } from 'vitest'
import { FakeChain, rpcBlock } from '../../test/FakeChain.ts'
import { closeServer, listen } from '../../test/listen.ts'
import { ChainNode } from './ChainNode.ts'

/** A node that returns its latest block, and never responds to other requests. */
async function startNode(salt: string, blocks: number): Promise<string> {
  const chain = new FakeChain(salt)
  for (let block = 0; block < blocks; block++) {
    chain.mine([])
  }
  const server = createServer((request, response) => {
    void json(request).then((body) => {
      const { id, params = [] } = body as { id?: number; params?: unknown[] }
      if (params[0] === 'latest') {
        const result = rpcBlock(chain.head, false)
        response.setHeader('content-type', 'application/json')
        response.end(JSON.stringify({ jsonrpc: '2.0', id, result }))
      }
    })
  })
  onTestFinished(() => closeServer(server))
  return await listen(server)
}

// Without a limit, each pair of heads would be compared for three seconds.
it('returns the head of the first node when the nodes cannot be compared in time', async () => {
  const urls = await Promise.all([2, 3, 4, 5, 6].map((blocks) => startNode(String(blocks), blocks)))
  expect(await new ChainNode(urls).getHead(undefined, 800)).toMatchObject({ number: 2 })
}, 10_000)
