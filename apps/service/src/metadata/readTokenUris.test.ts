import { encodeAbiParameters, toFunctionSelector } from 'viem'
import { beforeEach, expect, it } from 'vitest'
import type { Call } from '../rpc/methods/Call.ts'
import { readTokenUris } from './readTokenUris.ts'

const block = { number: 1, hash: `0x${'1'.repeat(64)}` } as const
const contract = `0x${'a'.repeat(40)}`
const selector = toFunctionSelector('uri(uint256)')
const id = 'f'.repeat(64)

const asked: Call[] = []

/** What is read of an ERC1155 whose contract answers so to `uri`. */
async function read(uri: string) {
  const data = encodeAbiParameters([{ type: 'string' }], [uri])
  const node = {
    multicall: (calls: readonly Call[]) => {
      asked.push(...calls)
      return Promise.resolve(
        calls.map((call) =>
          call.data.startsWith(selector)
            ? ({ kind: 'returned', data } as const)
            : ({ kind: 'reverted' } as const),
        ),
      )
    },
  }
  const source = { contract, tokenId: 2n ** 256n - 1n, standard: 1155 }
  const [told] = await readTokenUris(node, [source], block)
  return told
}

beforeEach(() => void asked.splice(0))

it('puts the token id wherever a URI of some length says {id}', async () => {
  expect(await read('https://example.org/{id}/{id}')).toBe(`https://example.org/${id}/${id}`)
  const long = '{id}'.repeat(16 * 1024)
  expect(await read(long)).toBe(id.repeat(16 * 1024))
  // A document in itself needs no place for the id.
  const document = `data:,${'a'.repeat(64 * 1024)}`
  expect(await read(document)).toBe(document)
})

it('does not let {id} make sixteen times as much of a long URI', async () => {
  expect(await read(`${'{id}'.repeat(16 * 1024)}a`)).toBeUndefined()
  expect(await read(`data:,${'a'.repeat(64 * 1024)}{id}`)).toBeUndefined()
})

it('has no more read of an answer than a document within its URI may have', async () => {
  const half = 'a'.repeat(2 ** 20)
  expect(await read(`data:,${half}`)).toBe(`data:,${half}`)
  expect(await read(`data:,${half}${half}`)).toBeUndefined()
  const bytes = asked.map(({ maxBytes = Infinity }) => maxBytes)
  expect(Math.max(...bytes)).toBeLessThanOrEqual(4 * 2 ** 20 + 1024)
  // In hex it is twice as long.
  expect(Math.min(...bytes)).toBeGreaterThan(2 * 2 ** 20)
})
