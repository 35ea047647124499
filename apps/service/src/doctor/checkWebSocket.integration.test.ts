import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, it, onTestFinished } from 'vitest'
import { closeServer } from '../../test/listen.ts'
import { startAnvil } from '../../test/startAnvil.ts'
import { checkWebSocket } from './checkWebSocket.ts'

/** The URL of a server that does not accept WebSockets as it should. */
async function start(server: Server, timesOut = false) {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => closeServer(server))
  const url = `ws://127.0.0.1:${(server.address() as AddressInfo).port}`
  return await checkWebSocket({ id: 31_337 }, url, 'a', timesOut ? 50 : undefined)
}

it('accepts the WebSocket of a node of the chain, and no other', async () => {
  const anvil = await startAnvil()
  const url = anvil.url.replace('http', 'ws')
  expect(await checkWebSocket({ id: 31_337 }, url, 'a')).toEqual({
    level: 'ok',
    subject: 'chain 31337, WebSocket of node a',
    message: 'accepts subscriptions to new blocks',
  })
  expect(await checkWebSocket({ id: 1 }, url, 'a')).toMatchObject({
    level: 'warning',
    message: expect.stringMatching(/^serves chain 31337, not 1: correct webSocketUrl/) as string,
  })
})

it('reports a server without WebSockets, one that is silent, and one that is away', async () => {
  const cannotBeUsed = (reason: string) => ({
    level: 'warning',
    message: expect.stringMatching(
      new RegExp(`^cannot be used \\(.*${reason}.*\\): correct webSocketUrl`),
    ) as string,
  })
  const plain = createServer((_, response) => response.writeHead(404).end())
  expect(await start(plain)).toMatchObject(cannotBeUsed('non-101 status code|failed'))
  const silent = createServer().on('upgrade', (_, socket) => {
    onTestFinished(() => void socket.destroy())
  })
  expect(await start(silent, true)).toMatchObject(cannotBeUsed('no response within 0.05 s'))
  expect(await checkWebSocket({ id: 1 }, 'ws://127.0.0.1:1', 'a')).toMatchObject(cannotBeUsed(''))
})
