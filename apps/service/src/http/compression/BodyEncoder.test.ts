import { randomBytes } from 'node:crypto'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { BodyEncoder, type Coding } from './BodyEncoder.ts'

const decode = { br: brotliDecompressSync, gzip: gunzipSync }
const codings = Object.keys(decode) as Coding[]

it('encodes to what decodes to the content with another end, also from its cache', async () => {
  const encoder = new BodyEncoder()
  const texts = fc.tuple(fc.string({ minLength: 1, unit: 'binary' }), fc.nat(5000))
  const tails = fc.array(fc.string({ minLength: 1, maxLength: 200 }), {
    minLength: 1,
    maxLength: 3,
  })
  let tag = 0
  await fc.assert(
    fc.asyncProperty(
      texts,
      tails,
      fc.constantFrom(...codings),
      async ([part, times], ends, coding) => {
        const text = part.repeat(times)
        const body = { content: tag % 2 ? Buffer.from(`${text}}`) : `${text}}`, tag: String(++tag) }
        for (const end of ends) {
          const encoded = Buffer.concat(await encoder.encode(body, end, coding))
          expect(decode[coding](encoded).toString()).toBe(Buffer.from(text + end).toString())
        }
      },
    ),
    { numRuns: 60 },
  )
})

it('compresses a body once, however often and at once it is sent', async () => {
  const encoder = new BodyEncoder()
  const body = {
    content: JSON.stringify({ rows: Array.from({ length: 500 }, (_, row) => ({ row })) }),
    tag: 'a',
  }
  const first = await Promise.all(
    ['1}', '2}'].map(async (end) => Buffer.concat(await encoder.encode(body, end, 'gzip'))),
  )
  expect(first.map((encoded) => gunzipSync(encoded).at(-2))).toEqual([49, 50])
  const cached = encoder.encode(body, '3}', 'gzip')
  expect(cached).not.toBeInstanceOf(Promise)
  expect(Buffer.concat(await cached).length).toBeLessThan(body.content.length / 4)
})

it('encodes bodies that are compressed at the same time and exceed the cache together', async () => {
  const encoder = new BodyEncoder(5000)
  const content = randomBytes(1500).toString('base64')
  const encode = async (tag: string) => await encoder.encode({ content, tag }, '}', 'gzip')
  const encoded = await Promise.all(['a', 'b', 'c', 'd', 'e'].map(encode))
  expect(encoded.map((parts) => parts.length)).toEqual([3, 3, 3, 3, 3])
})
