import { expect, test } from 'vitest'
import { openConnection } from './openConnection.ts'

test('makes a client', () => {
  const { client, problem } = openConnection('http://127.0.0.1:4000', 'hw_key')
  expect(client?.baseUrl).toBe('http://127.0.0.1:4000')
  expect(problem).toBeNull()
  client?.destroy()
})

test.each(['ftp://127.0.0.1', 'http://h/?x', 'nowhere'])('says what is wrong with %s', (apiUrl) => {
  const { client, problem } = openConnection(apiUrl, 'hw_key')
  expect(client).toBeNull()
  expect(problem).toMatchObject({
    kind: 'other',
    title: expect.stringContaining('baseUrl'),
    advice: expect.stringContaining('Connection'),
  })
})

test('says what is wrong with a key that no header can carry', () => {
  const { client, problem } = openConnection('http://127.0.0.1:4000', 'hw_…')
  expect(client).toBeNull()
  expect(problem).toMatchObject({ kind: 'other', title: expect.stringContaining('apiKey') })
})
