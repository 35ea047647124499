import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { expect, it } from 'vitest'
import { openMemoryStore } from '../../test/openMemoryStore.ts'
import { startTestService } from '../../test/startTestService.ts'

it('closes a connection whose request is incomplete, and serves the others', async () => {
  const store = await openMemoryStore()
  const { url, fetch } = await startTestService(store, [])
  const socket = connect(Number(new URL(url).port), '127.0.0.1')
  socket.write('GET /health HTTP/1.1\r\nHost: x\r\n')
  expect((await fetch('/health')).status).toBe(200)
  const response = await text(socket)
  expect(response).toMatch(/^HTTP\/1\.1 408 /)
  expect(response).toContain('X-Compute-Units-Cost: 0\r\n')
  expect(JSON.parse(response.slice(response.indexOf('{')))).toMatchObject({
    code: 'REQUEST_TIMEOUT',
  })
  await store.close()
})
