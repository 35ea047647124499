import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { expect, it } from 'vitest'
import { openMemoryStore } from '../../test/openMemoryStore.ts'
import { startTestService } from '../../test/startTestService.ts'

it('gives up a connection that never says what it wants, and answers the others', async () => {
  const store = await openMemoryStore()
  const { url, fetch } = await startTestService(store, [])
  const socket = connect(Number(new URL(url).port), '127.0.0.1')
  socket.write('GET /health HTTP/1.1\r\nHost: x\r\n')
  expect((await fetch('/health')).status).toBe(200)
  const answer = await text(socket)
  expect(answer).toMatch(/^HTTP\/1\.1 408 /)
  expect(answer).toContain('X-Compute-Units-Cost: 0\r\n')
  expect(JSON.parse(answer.slice(answer.indexOf('{')))).toMatchObject({ code: 'REQUEST_TIMEOUT' })
  await store.close()
})
