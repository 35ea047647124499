import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { describe, expect, it } from 'vitest'
import { chainPresets } from './chainPresets.ts'
import { parseConfig } from './parseConfig.ts'

const rpcUrls = ['http://127.0.0.1:8545']
const parse = (chain: object) =>
  parseConfig(JSON.stringify({ chains: [chain] }), 'c.json').chains[0]

describe('a chain of the configuration', () => {
  it('needs only an id and a node if it is well known', () => {
    expect(parse({ id: 1, rpcUrls })).toMatchObject({
      name: 'Ethereum',
      tags: ['default', 'mainnet'],
      nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
      wrappedNative: '0xc02aaa39b223fe8d0a0e5c4f27ead9083c756cc2',
      finalityDepth: 64,
    })
    expect(parse({ id: 11_155_111, rpcUrls })).toMatchObject({ tags: ['default', 'testnet'] })
  })

  it('keeps configured fields', () => {
    const written = { name: 'mine', tags: [], stablecoins: [], finalityDepth: 7 }
    expect(parse({ id: 1, rpcUrls, ...written })).toMatchObject(written)
  })

  it('must be described if it is not known', () => {
    expect(() => parse({ id: 987_654_321, rpcUrls })).toThrow('chains.0.name is missing')
  })

  it('is rejected with a ConfigError if it is not an object', () => {
    for (const chain of [null, 1, [], { id: 'one' }, { id: null }]) {
      expect(() => parse(chain as object)).toThrow('c.json: chains.0')
    }
  })
})

describe('legacy collections', () => {
  const address = `0x${'Ab'.repeat(20)}`
  const events = ['event Given(address indexed to, uint256 tokenId)']
  const ownerOf = 'function keeperOf(uint256 id) view returns (address)'
  const parseLegacy = (fields: object) =>
    parse({ id: 1, rpcUrls, legacyCollections: [{ address, events, ownerOf, ...fields }] })

  it('are part of the preset of Ethereum, and have lower-case addresses', () => {
    expect(parse({ id: 1, rpcUrls })?.legacyCollections).toHaveLength(2)
    expect(parseLegacy({})?.legacyCollections).toMatchObject([
      { address: address.toLowerCase(), events, ownerOf },
    ])
  })

  it.each([
    [{ events: ['event Given('] }, '"event Given(" is not the signature of an event'],
    [{ events: [ownerOf] }, 'is not the signature of an event'],
    [
      { events: ['event Given(address to)'] },
      'needs the parameters "address to" and "uint256 tokenId"',
    ],
    [{ events: ['event Given(address to, uint256 tokenId, string note)'] }, 'of type string'],
    [{ ownerOf: 'function keeperOf(address) view returns (address)' }, 'from uint256 to address'],
    [{ recipientEvent: 'event Moved(uint256 tokenId)' }, 'needs the parameter "address to"'],
  ])('are rejected with a signature that is not theirs: %j', (fields, message) => {
    expect(() => parseLegacy(fields)).toThrow(`c.json: legacyCollections of chain 1: `)
    expect(() => parseLegacy(fields)).toThrow(message)
  })
})

describe('chain presets', () => {
  const list = JSON.parse(
    readFileSync(createRequire(import.meta.url).resolve('@uniswap/default-token-list'), 'utf8'),
  ) as { tokens: { chainId: number; address: string; symbol: string }[] }

  // The list has no tokens of Gnosis.
  it.each(Object.entries(chainPresets).filter(([id]) => id !== '100'))(
    'of chain %s have the expected symbols in a token list',
    (id, { stablecoins = [], quoteTokens = [], wrappedNative, nativeAliases = [] }) => {
      const symbolOf = (address: string) =>
        list.tokens.find(
          (token) => token.chainId === Number(id) && token.address.toLowerCase() === address,
        )?.symbol
      for (const stablecoin of stablecoins) {
        expect(symbolOf(stablecoin)).toMatch(/^(USD|DAI)/)
      }
      for (const token of quoteTokens) {
        expect(symbolOf(token)).toMatch(/^W(BTC|ETH)$/)
      }
      if (wrappedNative !== undefined && !nativeAliases.includes(wrappedNative)) {
        expect(symbolOf(wrappedNative)).toMatch(/^W/)
      }
    },
  )

  it('are unique and in lower case', () => {
    for (const { nativeAliases = [], ...known } of Object.values(chainPresets)) {
      expect(nativeAliases).toEqual(nativeAliases.map((address) => address.toLowerCase()))
      const all = Object.values(known)
        .flat()
        .map((value: unknown) =>
          typeof value === 'object' ? (value as { address: string }).address : value,
        )
        .filter((value) => typeof value === 'string')
      expect(all).toEqual(all.map((address) => address.toLowerCase()))
      expect(new Set(all).size).toBe(all.length)
    }
  })
})
