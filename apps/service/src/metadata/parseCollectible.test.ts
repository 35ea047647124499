import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parseCollectible } from './parseCollectible.ts'

const parse = (document: unknown) =>
  parseCollectible(Buffer.from(JSON.stringify(document)), 'ipfs://a')
const nothing = { name: null, description: null, image: null, attributes: [] }

describe('parseCollectible', () => {
  it('parses the fields of the standards', () => {
    const document = {
      name: 'Boat #1',
      description: 'A boat.\nIt floats.',
      image: 'ipfs://b',
      attributes: [
        { trait_type: 'Hull', value: 'wood' },
        { trait_type: 'Masts', value: 3, display_type: 'number' },
        { trait_type: 'Sunk', value: false },
        { value: 'rare' },
      ],
    }
    expect(parse(document)).toEqual({
      name: 'Boat #1',
      description: 'A boat. It floats.',
      image: 'ipfs://b',
      attributes: [
        { key: 'Hull', value: 'wood' },
        { key: 'Masts', value: '3' },
        { key: 'Sunk', value: 'false' },
        { key: '', value: 'rare' },
      ],
    })
  })

  it.each([
    [{ attributes: { Hull: 'wood', Masts: 3, Odd: { a: 1 } } }],
    [
      {
        traits: [
          { name: 'Hull', value: 'wood' },
          { key: 'Masts', value: 3 },
        ],
      },
    ],
    [
      {
        attributes: [],
        properties: { Hull: { value: 'wood' }, Masts: { name: 'masts', value: 3 } },
      },
    ],
  ])('parses the traits of %j', (document) => {
    expect(parse(document)?.attributes).toEqual([
      { key: 'Hull', value: 'wood' },
      { key: 'Masts', value: '3' },
    ])
  })

  it.each([
    [{ image: ' https://a.example/1.png ' }, 'https://a.example/1.png'],
    [{ image: '', image_url: 'ipfs://b' }, 'ipfs://b'],
    [{ image: 5, imageUrl: 'ipfs://b' }, 'ipfs://b'],
    [{ image_data: '<svg a="#"/>' }, 'data:image/svg+xml,%3Csvg%20a%3D%22%23%22%2F%3E'],
    [{ image_data: 'data:image/svg+xml,<svg/>' }, 'data:image/svg+xml,<svg/>'],
    [{ image: `data:,${'a'.repeat(300_000)}`, image_url: 'ipfs://b' }, 'ipfs://b'],
    [{ image: { url: 'ipfs://b' } }, null],
    [{}, null],
  ])('finds the image in %j', (document, image) => expect(parse(document)?.image).toBe(image))

  it('uses the URI as the image when its content is an image', () => {
    expect(parseCollectible(Buffer.from('<svg/>'), 'ipfs://a')).toEqual({
      ...nothing,
      image: 'ipfs://a',
    })
  })

  it('sanitizes texts, and truncates names and traits at 256, descriptions at 4096 characters', () => {
    const long = '\u0000\u202e' + '🌊'.repeat(5000)
    const metadata = parse({
      name: long,
      description: long,
      attributes: [{ trait_type: long, value: long }],
    })
    const short = '🌊'.repeat(256)
    expect(metadata).toEqual({
      ...nothing,
      name: short,
      description: '🌊'.repeat(4096),
      attributes: [{ key: short, value: short }],
    })
  })

  it('parses at most 100 traits', () => {
    const many = Array.from({ length: 1000 }, (_, index) => ({ trait_type: `${index}`, value: 1 }))
    expect(parse({ attributes: many })?.attributes).toHaveLength(100)
    const byName = Object.fromEntries(many.map(({ trait_type }) => [`t${trait_type}`, 1]))
    expect(parse({ attributes: byName })?.attributes).toHaveLength(100)
  })

  it.each(['', 'not JSON', '[]', '"text"', 'null', '<html></html>', '['.repeat(100_000)])(
    'returns undefined for %j',
    (text) => expect(parseCollectible(Buffer.from(text), 'ipfs://a')).toBeUndefined(),
  )

  it('parses any JSON to texts that a database can store', () => {
    const texts = fc.string({
      unit: fc.integer({ min: 0, max: 0xffff }).map((code) => String.fromCharCode(code)),
    })
    const trait = fc.record({
      trait_type: fc.oneof(texts, fc.jsonValue()),
      value: fc.oneof(texts, fc.jsonValue()),
    })
    const documents = fc.record(
      {
        name: fc.oneof(texts, fc.jsonValue()),
        description: texts,
        image: texts,
        attributes: fc.oneof(fc.array(trait), fc.jsonValue()),
      },
      { requiredKeys: [] },
    )
    fc.assert(
      fc.property(documents, (document) => {
        const metadata = parse(document)
        const all = [
          metadata?.name,
          metadata?.description,
          metadata?.image,
          ...(metadata?.attributes ?? []).flatMap(({ key, value }) => [key, value]),
        ]
        for (const text of all) {
          if (text === null || text === undefined) {
            continue
          }
          expect(text.isWellFormed()).toBe(true)
          expect(text).not.toContain('\0')
        }
      }),
    )
  })
})
