import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { pino } from 'pino'
import { numberToHex } from 'viem'
import { expect, it, onTestFinished } from 'vitest'
import { testChainConfig } from '../../test/testChainConfig.ts'
import { TokenListRegistry } from './TokenListRegistry.ts'
import { UntrustedFetchError } from './UntrustedFetchError.ts'

const usdc = '0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48'
const own = `0x${'1'.repeat(40)}`
const logo = (logoURI: string, address = own) =>
  JSON.stringify({ tokens: [{ chainId: 1, address, logoURI }] })

function createRegistry(tokenLists: string[], pages: Record<string, string> = {}) {
  const lines: string[] = []
  const registry = new TokenListRegistry({
    chains: [testChainConfig(1), testChainConfig(31337)],
    tokenLists,
    fetch: async (url) => {
      const page = pages[url]
      if (page === undefined) {
        throw new UntrustedFetchError('status', 'The server responded with status 404')
      }
      return Buffer.from(page)
    },
    logger: pino({ level: 'trace' }, { write: (line) => lines.push(line) }),
  })
  return { registry, log: () => lines.join('') }
}

function writeList(content: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'headwater-list-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const file = join(folder, 'list.json')
  writeFileSync(file, content)
  return file
}

it('finds the tokens of the bundled list, on their chain only', () => {
  const { registry } = createRegistry(['@uniswap/default-token-list'])
  expect(registry.find(1, usdc)?.logo).toMatch(/^https:/)
  expect(registry.find(31337, usdc)).toBeUndefined()
  expect(registry.find(1, own)).toBeUndefined()
  expect(createRegistry([]).registry.find(1, usdc)).toBeUndefined()
})

it('prefers the list that is configured first, even if it is loaded later', async () => {
  const url = 'https://a.example/list'
  const { registry } = createRegistry(
    [url, writeList(logo('ipfs://file')), '@uniswap/default-token-list'],
    { [url]: logo('ipfs://web') },
  )
  expect(registry.find(1, own)?.logo).toBe('ipfs://file')
  const stop = new AbortController()
  const running = registry.run(stop.signal)
  await expect.poll(() => registry.find(1, own)?.logo).toBe('ipfs://web')
  expect(registry.find(1, usdc)?.logo).toMatch(/^https:/)
  stop.abort()
  await running
})

it('lists tokens without a logo, and finds the logo in another list', () => {
  const { registry } = createRegistry([writeList(logo('')), writeList(logo('ipfs://b'))])
  expect(registry.addresses(1)).toContain(own)
  expect(registry.find(1, own)?.logo).toBe('ipfs://b')
})

it('finds the listed token, or the native asset, that a name looks like', async () => {
  const { registry } = createRegistry(['@uniswap/default-token-list'])
  const find = (symbol: string, name = '') => registry.findCopied(1, { symbol, name })
  expect(await find('USD\u0421')).toBe(usdc)
  expect(await find('X', 'USD Coln')).toBe(usdc)
  expect(await find('E\u200bTH')).toBe('native')
  expect(await Promise.all([find('USDCX'), find('\u{1f680}'), find('')])).toEqual([
    ...[undefined, undefined, undefined],
  ])
  expect([registry.isListed(1, usdc), registry.isListed(1, own)]).toEqual([true, false])
})

it('continues other work while it indexes the names of a large list, once', async () => {
  const tokens = Array.from({ length: 5_000 }, (_, index) => ({
    chainId: 1,
    address: numberToHex(index + 1, { size: 20 }),
    symbol: `T${index}`,
    name: `Token ${index}`,
  }))
  const { registry } = createRegistry([writeList(JSON.stringify({ tokens }))])
  const countTurns = async (search: Promise<unknown>) => {
    let turns = 0
    let isFound = false
    const found = search.then(() => (isFound = true))
    for (; !isFound; turns++) {
      await setImmediate()
    }
    await found
    return turns
  }
  const find = async () => await registry.findCopied(1, { symbol: 'T4999' })
  const first = [find(), find()]
  expect(await countTurns(Promise.all(first))).toBeGreaterThan(20)
  expect(await Promise.all(first)).toEqual(Array(2).fill(numberToHex(5_000, { size: 20 })))
  expect(await countTurns(find())).toBeLessThan(3)
})

it('logs lists that cannot be read, and uses the others', async () => {
  const missing = '/no/such/list.json'
  const { registry, log } = createRegistry([
    missing,
    writeList('{}'),
    'https://a.example/?token=hunter2',
    writeList(logo('ipfs://b')),
  ])
  const stop = new AbortController()
  const running = registry.run(stop.signal)
  await expect.poll(log).toContain('The server responded with status 404')
  stop.abort()
  await running
  expect(log()).toContain(missing)
  expect(log()).not.toContain('hunter2')
  expect(log()).toContain('The document is not a token list')
  expect(registry.find(1, own)?.logo).toBe('ipfs://b')
})
