import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, it } from 'vitest'
import { checkDemoKey } from './demoKey.ts'
import { stackFiles } from './programs.ts'

it('waits until the service can read the key, and rejects one of another store', async () => {
  const busy = [503, 'STORE_UNAVAILABLE'] as const
  const responses = [busy, [200], busy, [401, 'API_KEY_INVALID']] as const
  let requests = 0
  const server = createServer((_, response) => {
    const [status, code] = responses[requests++] ?? [500]
    response.writeHead(status).end(JSON.stringify({ code }))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const check = () => checkDemoKey(`http://127.0.0.1:${port}`, 'hw_key', stackFiles('/data'))
  await check()
  expect(requests).toBe(2)
  await expect(check()).rejects.toThrow('The service rejects the demo key')
  expect(requests).toBe(4)
  await new Promise((resolve) => server.close(resolve))
})
