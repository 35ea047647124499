import { describe, expect, it } from 'vitest'
import { listKey, parseTokenList } from './parseTokenList.ts'

const address = `0x${'aB'.repeat(20)}`
const key = listKey(1, address.toLowerCase())
const token = { chainId: 1, address, logoURI: 'https://a.example/logo.png', symbol: 'A', name: 5 }
const parse = (...tokens: unknown[]) =>
  Object.fromEntries(parseTokenList(JSON.stringify({ tokens }), new Set([1])))

describe('parseTokenList', () => {
  it('parses logos and home pages of the given chains', () => {
    const extensions = { homepage: 'https://a.example', bridgeInfo: {} }
    expect(parse({ ...token, extensions }, { ...token, chainId: 2 })).toEqual({
      [key]: {
        logo: token.logoURI,
        homePage: 'https://a.example/',
        symbol: 'A',
        name: undefined,
      },
    })
  })

  it.each(['homepage', 'website', 'url'])('uses %s as the home page', (field) => {
    const extensions = { [field]: 'http://a.example/b' }
    expect(parse({ ...token, extensions })[key]?.homePage).toBe('http://a.example/b')
  })

  it.each(['javascript:alert(1)', 'a.example', 'data:text/html,a', 'https://user@a.example', 5])(
    'does not use %j as a home page',
    (homepage) => {
      expect(parse({ ...token, extensions: { homepage } })[key]?.homePage).toBeUndefined()
    },
  )

  it('keeps the first entry of a token', () => {
    expect(parse(token, { ...token, logoURI: 'ipfs://b' })[key]?.logo).toBe(token.logoURI)
  })

  it.each([
    null,
    'text',
    { ...token, chainId: '1' },
    { ...token, address: '0x12' },
    { ...token, address: 'So11111111111111111111111111111111111111112' },
  ])('skips the malformed entry %j', (odd) => {
    expect(parse(odd)).toEqual({})
  })

  it.each(['file:///etc/passwd', 5, `data:,${'a'.repeat(100_000)}`, undefined])(
    'lists a token with the logo %j without one',
    (logoURI) => {
      expect(parse({ ...token, logoURI })).toEqual({ [key]: { symbol: 'A' } })
    },
  )

  it.each(['', 'null', '[]', '{"tokens":{}}', '<html>'])('rejects %j', (text) => {
    expect(() => parseTokenList(text, new Set([1]))).toThrow()
  })
})
