import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pino } from 'pino'
import { expect, it, onTestFinished } from 'vitest'
import { testChainConfig } from '../../test/testChainConfig.ts'
import { TokenListRegistry } from './TokenListRegistry.ts'
import { UntrustedFetchError } from './UntrustedFetchError.ts'

const usdc = '0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48'
const own = `0x${'1'.repeat(40)}`
const logo = (logoURI: string, address = own) =>
  JSON.stringify({ tokens: [{ chainId: 1, address, logoURI }] })

function open(tokenLists: string[], pages: Record<string, string> = {}) {
  const lines: string[] = []
  const directory = new TokenListRegistry({
    chains: [testChainConfig(1), testChainConfig(31337)],
    tokenLists,
    fetch: async (url) => {
      const page = pages[url]
      if (page === undefined) {
        throw new UntrustedFetchError('status', 'The server answers 404')
      }
      return Buffer.from(page)
    },
    logger: pino({ level: 'trace' }, { write: (line) => lines.push(line) }),
  })
  return { directory, log: () => lines.join('') }
}

function writeList(content: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'headwater-list-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const file = join(folder, 'list.json')
  writeFileSync(file, content)
  return file
}

it('knows the tokens of the list that comes along, on their chain only', () => {
  const { directory } = open(['@uniswap/default-token-list'])
  expect(directory.find(1, usdc)?.logo).toMatch(/^https:/)
  expect(directory.find(31337, usdc)).toBeUndefined()
  expect(directory.find(1, own)).toBeUndefined()
  expect(open([]).directory.find(1, usdc)).toBeUndefined()
})

it('lets the list that is named first win, be it read later', async () => {
  const url = 'https://a.example/list'
  const { directory } = open([url, writeList(logo('ipfs://file')), '@uniswap/default-token-list'], {
    [url]: logo('ipfs://web'),
  })
  expect(directory.find(1, own)?.logo).toBe('ipfs://file')
  const stop = new AbortController()
  const running = directory.run(stop.signal)
  await expect.poll(() => directory.find(1, own)?.logo).toBe('ipfs://web')
  expect(directory.find(1, usdc)?.logo).toMatch(/^https:/)
  stop.abort()
  await running
})

it('tells in the log what cannot be read, and goes on without it', async () => {
  const missing = '/no/such/list.json'
  const { directory, log } = open([
    missing,
    writeList('{}'),
    'https://a.example/',
    writeList(logo('ipfs://b')),
  ])
  const stop = new AbortController()
  const running = directory.run(stop.signal)
  await expect.poll(log).toContain('The server answers 404')
  stop.abort()
  await running
  expect(log()).toContain(missing)
  expect(log()).toContain('It is no token list')
  expect(directory.find(1, own)?.logo).toBe('ipfs://b')
})
