import { createServer } from 'node:http'
import { expect, it, onTestFinished } from 'vitest'
import { closeServer, listen } from '../../../test/listen.ts'
import { describeConnectionError, postJson } from './postJson.ts'

it('names the remedy of an URL with the wrong scheme', async () => {
  const server = createServer((_, response) => response.end())
  const url = new URL(await listen(server))
  onTestFinished(() => closeServer(server))
  url.protocol = 'https:'
  await expect(postJson({ url, headers: {}, body: '', maxBytes: 1 })).rejects.toThrow(
    'connection failed (ERR_SSL_WRONG_VERSION_NUMBER): it does not use TLS, so that its URL begins with http://',
  )
})

it('names the remedy of a certificate that is not trusted', () => {
  expect(describeConnectionError('DEPTH_ZERO_SELF_SIGNED_CERT')).toBe(
    'connection failed (DEPTH_ZERO_SELF_SIGNED_CERT): its certificate is not trusted; name the file of its authority in NODE_EXTRA_CA_CERTS',
  )
  expect(describeConnectionError('ECONNREFUSED')).toBe('connection failed (ECONNREFUSED)')
})
