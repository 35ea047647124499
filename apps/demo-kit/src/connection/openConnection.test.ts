import { expect, test } from 'vitest'
import { openConnection } from './openConnection.ts'

test('creates a client', () => {
  const { client, problem } = openConnection('http://127.0.0.1:4000')
  expect(client?.baseUrl).toBe('http://127.0.0.1:4000')
  expect(problem).toBeNull()
  client?.destroy()
})

test.each(['ftp://127.0.0.1', 'http://h/?x', 'nowhere'])('reports the invalid URL %s', (apiUrl) => {
  const { client, problem } = openConnection(apiUrl)
  expect(client).toBeNull()
  expect(problem).toMatchObject({
    kind: 'other',
    title: expect.stringContaining('baseUrl'),
    advice: expect.stringContaining('Connection'),
  })
})
