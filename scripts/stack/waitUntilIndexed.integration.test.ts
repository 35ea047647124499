import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, it } from 'vitest'
import { waitUntilIndexed } from './waitUntilIndexed.ts'

it('waits for the chains, while others are answered by their nodes and before the service listens', async () => {
  let requests = 0
  const source = () => (++requests < 3 ? 'node' : 'index')
  const server = createServer((_, response) => {
    const chains = [
      { chain_id: 1, source: source(), stale: false },
      { chain_id: 2, source: 'node', stale: false },
    ]
    response.writeHead(requests < 2 ? 503 : 200).end(JSON.stringify({ chains }))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  await new Promise((resolve) => server.close(resolve))
  const waiting = waitUntilIndexed(`http://127.0.0.1:${port}`, [1], new AbortController().signal)
  server.listen(port, '127.0.0.1')
  await waiting
  expect(requests).toBe(3)

  const ended = new AbortController()
  const never = waitUntilIndexed(`http://127.0.0.1:${port}`, [1, 2], ended.signal)
  ended.abort()
  await never
  await new Promise((resolve) => server.close(resolve))
})
