import { describe, expect, it } from 'vitest'
import { everyNetwork, publicInternet } from './NetworkPolicy.ts'
import { parseUntrustedUrl } from './parseUntrustedUrl.ts'

describe('parseUntrustedUrl', () => {
  it.each([
    ['https://example.org/a?b=c#d', 'https://example.org/a?b=c'],
    ['HTTP://EXAMPLE.org', 'http://example.org/'],
    ['http://93.184.216.34:8080/', 'http://93.184.216.34:8080/'],
    ['https://[2606:4700::1111]:8443/', 'https://[2606:4700::1111]:8443/'],
    ['https://example.org/@someone', 'https://example.org/@someone'],
  ])('parses %s', (text, href) => {
    expect(parseUntrustedUrl(text, publicInternet).href).toBe(href)
  })

  it('resolves redirects against the base', () => {
    const base = new URL('http://93.184.216.34/a/b')
    expect(parseUntrustedUrl('../c', publicInternet, base).href).toBe('http://93.184.216.34/c')
    expect(parseUntrustedUrl('//example.org/c', publicInternet, base).href).toBe(
      'http://example.org/c',
    )
  })

  it.each([
    ['a URL without a scheme', 'example.org/a'],
    ['a file', 'file:///etc/passwd'],
    ['FTP', 'ftp://example.org/'],
    ['gopher', 'gopher://example.org/'],
    ['a script', 'javascript:alert(1)'],
    ['a user', 'http://user@example.org/'],
    ['a user and password', 'http://user:password@example.org/'],
    ['an empty user', 'http://@example.org/'],
    ['a trailing dot', 'http://localhost./'],
    ['a decimal address', 'http://2130706433/'],
    ['an octal address', 'http://0177.0.0.1/'],
    ['a hex address', 'http://0x7f.0.0.1/'],
    ['a short address', 'http://127.1/'],
    ['a decimal address before a dotted one', 'http://2130706433/127.0.0.1'],
    ['full-width digits', 'http://１２７.0.0.1/'],
    ['a backslash', 'http://example.org\\@127.0.0.1/'],
    ['a line break', 'http://exam\nple.org/'],
    ['a URL that is too long', `http://example.org/${'a'.repeat(9000)}`],
  ])('rejects %s', (_, text) => {
    expect(() => parseUntrustedUrl(text, everyNetwork)).toThrow(
      expect.objectContaining({ kind: 'url', retryable: false }),
    )
  })

  it.each(['http:/user@127.0.0.1/', 'http:user@example.org/', 'https:///2130706433/', 'HTTP:/a'])(
    'rejects the malformed %s, from a redirect too',
    (text) => {
      for (const base of [undefined, 'http://example.org/', 'https://example.org/']) {
        expect(() =>
          parseUntrustedUrl(text, everyNetwork, base ? new URL(base) : undefined),
        ).toThrow(expect.objectContaining({ kind: 'url' }))
      }
    },
  )

  it.each([22, 25, 5432, 6379, 8545, 9200])('rejects port %i', (port) => {
    expect(() => parseUntrustedUrl(`http://example.org:${port}/`, publicInternet)).toThrow(
      expect.objectContaining({ kind: 'port' }),
    )
  })
})
