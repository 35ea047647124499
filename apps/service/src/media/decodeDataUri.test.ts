import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { decodeDataUri } from './decodeDataUri.ts'

const decode = (uri: string) => {
  const decoded = decodeDataUri(uri)
  return decoded && Buffer.from(decoded).toString()
}

describe('decodeDataUri', () => {
  it.each([
    ['data:application/json;base64,eyJhIjoxfQ==', '{"a":1}'],
    ['data:application/json;base64,eyJhIjoxfQ', '{"a":1}'],
    ['DATA:Application/JSON;charset=utf-8;BASE64,eyJhIjoxfQ==', '{"a":1}'],
    ['data:application/json;utf8,{"a":"1, 2"}', '{"a":"1, 2"}'],
    ['data:application/json,%7B%22a%22%3A%22%E2%82%AC%22%7D', '{"a":"€"}'],
    ['data:text/plain,100% of €', '100% of €'],
    ['data:text/plain,%', '%'],
    ['data:,', ''],
    ['data:image/png;base64,_-8', Buffer.from('_-8', 'base64').toString()],
    ['data:;base64,aGVs%0AbG8%3D', 'hello'],
    ['data:image/svg+xml;utf8,<svg fill="#fff"/>', '<svg fill="#fff"/>'],
  ])('decodes %s', (uri, expected) => expect(decode(uri)).toEqual(expected))

  it.each([
    '',
    'data:',
    'data:text/plain',
    'https://example.org/,',
    'data:;base64,a b!c',
    `data:${';'.repeat(1024)},`,
  ])('rejects %j', (uri) => expect(decodeDataUri(uri)).toBeUndefined())

  it('decodes any bytes', () => {
    fc.assert(
      fc.property(fc.uint8Array(), (bytes) => {
        const buffer = Buffer.from(bytes)
        const percents = buffer.toString('hex').replaceAll(/../g, '%$&')
        for (const uri of [`data:;base64,${buffer.toString('base64')}`, `data:,${percents}`]) {
          expect(Buffer.from(decodeDataUri(uri) ?? [])).toEqual(buffer)
        }
      }),
    )
  })
})
