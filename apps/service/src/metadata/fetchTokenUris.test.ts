import { encodeAbiParameters, toFunctionSelector } from 'viem'
import { beforeEach, expect, it } from 'vitest'
import type { Call } from '../rpc/methods/Call.ts'
import { fetchTokenUris } from './fetchTokenUris.ts'

const block = { number: 1, hash: `0x${'1'.repeat(64)}` } as const
const contract = `0x${'a'.repeat(40)}`
const selector = toFunctionSelector('uri(uint256)')
const id = 'f'.repeat(64)

const sentCalls: Call[] = []

/** Reads the URI of an ERC1155 whose contract returns this from `uri`. */
async function read(uri: string) {
  const data = encodeAbiParameters([{ type: 'string' }], [uri])
  const node = {
    multicall: (calls: readonly Call[]) => {
      sentCalls.push(...calls)
      return Promise.resolve(
        calls.map((call) =>
          call.data.startsWith(selector)
            ? ({ status: 'success', data } as const)
            : ({ status: 'reverted' } as const),
        ),
      )
    },
  }
  const source = { contract, tokenId: 2n ** 256n - 1n, standard: 1155 }
  const [tokenUri] = await fetchTokenUris(node, [source], block)
  return tokenUri
}

beforeEach(() => void sentCalls.splice(0))

it('replaces every {id} of a URI by the token id', async () => {
  expect(await read('https://example.org/{id}/{id}')).toBe(`https://example.org/${id}/${id}`)
  const long = '{id}'.repeat(16 * 1024)
  expect(await read(long)).toBe(id.repeat(16 * 1024))
  // The length limit applies to URIs with {id} only.
  const document = `data:,${'a'.repeat(64 * 1024)}`
  expect(await read(document)).toBe(document)
})

it('rejects long URIs with {id}, which the replacement would make sixteen times as long', async () => {
  expect(await read(`${'{id}'.repeat(16 * 1024)}a`)).toBeUndefined()
  expect(await read(`data:,${'a'.repeat(64 * 1024)}{id}`)).toBeUndefined()
})

it('limits the bytes of a response to those of the longest URI', async () => {
  const half = 'a'.repeat(2 ** 20)
  expect(await read(`data:,${half}`)).toBe(`data:,${half}`)
  expect(await read(`data:,${half}${half}`)).toBeUndefined()
  const bytes = sentCalls.map(({ maxBytes = Infinity }) => maxBytes)
  expect(Math.max(...bytes)).toBeLessThanOrEqual(4 * 2 ** 20 + 1024)
  // The URI is twice as long in hex.
  expect(Math.min(...bytes)).toBeGreaterThan(2 * 2 ** 20)
})
