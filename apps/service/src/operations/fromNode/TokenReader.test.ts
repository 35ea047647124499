import { encodeAbiParameters, type Hex, numberToHex, parseAbiParameters } from 'viem'
import { toFunctionSelector } from 'viem/utils'
import { afterEach, expect, it, vi } from 'vitest'
import { testAddress } from '../../../test/seedChain.ts'
import type { Call } from '../../rpc/methods/Call.ts'
import { msPerMinute } from '../../time.ts'
import { TokenReader } from './TokenReader.ts'

const token = testAddress(1)
const block = { number: 1, hash: `0x${'1'.repeat(64)}` }

const text = (value: string) => encodeAbiParameters(parseAbiParameters('string'), [value])
const word = (value: number) => numberToHex(value, { size: 32 })
const is721 = toFunctionSelector('supportsInterface(bytes4)') + '80ac58cd'

/** Creates a reader of contracts that return these results by the start of the data of a call, and nothing else. */
function createReader(results: ReadonlyMap<string, Hex>) {
  return new TokenReader({
    multicall: (calls: readonly Call[]) =>
      Promise.resolve(
        calls.map(({ data }) => {
          const [, found = '0x'] = [...results].find(([start]) => data.startsWith(start)) ?? []
          return { status: 'success', data: found }
        }),
      ),
  })
}

afterEach(() => {
  vi.useRealTimers()
  vi.restoreAllMocks()
})

it('reads a contract again that returned no name, as it may be created or initialized later', async () => {
  // The cache keeps the time until a timer ends.
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  let now = 1
  vi.spyOn(performance, 'now').mockImplementation(() => now)
  const advance = (milliseconds: number) => {
    now += milliseconds
    vi.advanceTimersByTime(milliseconds)
  }
  const results = new Map<string, Hex>([[toFunctionSelector('decimals()'), word(0)]])
  const reader = createReader(results)
  const read = async () => (await reader.read([token], block)).get(token)
  expect(await read()).toMatchObject({ symbol: undefined, decimals: 0 })
  results.set(toFunctionSelector('symbol()'), text('TOK'))
  results.set(toFunctionSelector('decimals()'), word(18))
  advance(msPerMinute + 1)
  expect(await read()).toMatchObject({ symbol: 'TOK', decimals: 18 })
  results.set(toFunctionSelector('symbol()'), text('NEW'))
  advance(msPerMinute + 1)
  expect(await read()).toMatchObject({ symbol: 'TOK' })
})

it('finds the standard of a token with decimals that supports the interface of NFTs, too', async () => {
  const collection = new Map([[is721, word(1)]])
  expect(await createReader(collection).findStandard(token, block)).toBe(721)
  const both = new Map([...collection, [toFunctionSelector('decimals()'), word(18)] as const])
  expect(await createReader(both).findStandard(token, block)).toBe(20)
})
