import { QueryClient } from '@tanstack/query-core'
import { describe, expect, it } from 'vitest'
import { createClient } from './createClient.ts'

describe('createClient', () => {
  it.each([
    ['http://localhost:1', 'http://localhost:1'],
    ['https://example.org/', 'https://example.org'],
    ['https://example.org/data/v2//', 'https://example.org/data/v2'],
    ['https://example.org/?', 'https://example.org'],
    ['https://example.org/data#', 'https://example.org/data'],
  ])('takes %s', (baseUrl, normalized) => {
    expect(createClient({ baseUrl }).baseUrl).toBe(normalized)
  })

  it.each([
    '',
    '/api',
    'example.org',
    'ftp://example.org',
    'https://x.org?a=1',
    'https://x.org#a',
    'https://u:p@x.org',
  ])('refuses %j as base URL', (baseUrl) => {
    expect(() => createClient({ baseUrl })).toThrow(
      expect.objectContaining({ name: 'InvalidParameterError', parameter: 'baseUrl' }),
    )
  })

  it.each([
    ['apiKey', { apiKey: 'hw_\u2026' }],
    ['apiKey', { apiKey: 'two\nlines' }],
    ['apiKeyHeader', { apiKeyHeader: 'X Key', apiKey: 'key' }],
    ['apiKeyHeader', { apiKeyHeader: '', apiKey: 'key' }],
    ['timeout', { timeout: 0 }],
    ['timeout', { timeout: -1 }],
    ['timeout', { timeout: Number.NaN }],
  ])('refuses a wrong %s, and does not show it: %j', (parameter, wrong) => {
    expect(() => createClient({ baseUrl: 'https://example.org', ...wrong })).toThrow(
      expect.objectContaining({ name: 'InvalidParameterError', parameter, details: undefined }),
    )
  })

  it.each([
    { apiKey: ' key\n' },
    { apiKey: '' },
    { apiKey: 'sch\u00f6n', apiKeyHeader: 'Authorization' },
    { timeout: Infinity },
    { timeout: 0.5 },
  ])('takes %j', (options) => {
    expect(createClient({ baseUrl: 'https://example.org', ...options })).toBeDefined()
  })

  it('takes a host without a window for a server, unless told', () => {
    expect(createClient({ baseUrl: 'https://example.org' }).ssr).toBe(true)
    expect(createClient({ baseUrl: 'https://example.org', ssr: false }).ssr).toBe(false)
  })

  it('clears its own cache when it is destroyed, and leaves that of others alone', () => {
    const own = createClient({ baseUrl: 'https://example.org' })
    own.queryClient.setQueryData(['a'], 1)
    own.destroy()
    expect(own.queryClient.getQueryData(['a'])).toBeUndefined()

    const queryClient = new QueryClient()
    const client = createClient({ baseUrl: 'https://example.org', queryClient })
    queryClient.setQueryData(['a'], 1)
    client.destroy()
    expect(queryClient.getQueryData(['a'])).toBe(1)
  })
})
