import { describe, expect, it, vi } from 'vitest'
import { BaseError } from './BaseError.ts'
import { DestroyedError } from './DestroyedError.ts'
import { isHeadwaterError, toHeadwaterError } from './HeadwaterError.ts'
import { HttpError } from './HttpError.ts'
import { InvalidParameterError } from './InvalidParameterError.ts'
import { NetworkError } from './NetworkError.ts'
import { isFatal } from './retryPolicy.ts'

describe('errors', () => {
  it('are recognized across two copies of the package', async () => {
    vi.resetModules()
    const copy = await import('./TimeoutError.ts')
    const error = new copy.TimeoutError('url', 1)
    expect(error).not.toBeInstanceOf(BaseError)
    expect(isHeadwaterError(error)).toBe(true)
  })

  it('are not confused with other values', () => {
    for (const value of [undefined, null, 'text', {}, new Error('other')]) {
      expect(isHeadwaterError(value)).toBe(false)
    }
  })

  it('have a message of what happened, the details and the advice', () => {
    const error = new HttpError('No units left.', { url: 'https://x', status: 402, code: 'UNITS' })
    expect(error.message).toBe(
      "No units left.\nGET https://x: 402, UNITS\nThe API key's compute units are used up. Top up the key, then refetch.",
    )
    expect(error.toString()).toMatch(/^HttpError: No units left\./)
  })

  it('of a wrong URL name `baseUrl`, unlike those of an unknown token', () => {
    const adviceOf = (code?: string) =>
      new HttpError('Not found', { url: 'https://x', status: 404, code }).advice
    expect(adviceOf()).toMatch('Pass the URL of the service')
    expect(adviceOf('NOT_FOUND')).toMatch('`baseUrl`')
    expect(adviceOf('TOKEN_NOT_FOUND')).toBeUndefined()
  })

  it('of a proxy name its options instead of the key', () => {
    const adviceOf = (code?: string) =>
      new HttpError('Forbidden', { url: 'https://x', status: 403, code }).advice
    expect(adviceOf('ORIGIN_NOT_ALLOWED')).toMatch('`origins` of the proxy')
    expect(adviceOf('NOT_PERMITTED')).toMatch('`authorize` of the proxy')
    expect(adviceOf('API_KEY_PURPOSE')).toMatch('Use an API key')
    expect(adviceOf()).toMatch('Use an API key')
  })

  it('of an unknown parameter point to the options, which may be what it is', () => {
    const adviceOf = (rule: string) => new InvalidParameterError('refetchInterval', rule).advice
    expect(adviceOf('is unknown')).toMatch(/Options, .*, are the argument after the parameters/)
    expect(adviceOf('must be >= 1')).toBe('Correct the parameter. Nothing was sent.')
  })

  it('of a destroyed client name the usual cause', () => {
    expect(new DestroyedError().message).toMatch('The client was destroyed.\nKeep a client')
  })

  it('have no advice in production, where bundlers remove its texts', () => {
    vi.stubEnv('NODE_ENV', 'production')
    const error = new HttpError('No units left.', { url: 'https://x', status: 402 })
    vi.unstubAllEnvs()
    expect(error.advice).toBeUndefined()
    expect(error.message).toBe('No units left.\nGET https://x: 402')
  })

  it('contain any invalid value', () => {
    const circle: { self?: unknown } = {}
    circle.self = circle
    const detailsOf = (value: unknown) =>
      new InvalidParameterError('limit', 'is wrong', value).details
    expect(detailsOf('5')).toBe('Received: "5"')
    expect(detailsOf([5n, NaN, -Infinity, null])).toBe('Received: ["5n","NaN","-Infinity",null]')
    expect(detailsOf(NaN)).toBe('Received: "NaN"')
    expect(detailsOf(circle)).toMatch('Received: ')
    expect(detailsOf(() => 1)).toMatch('Received: ')
  })

  it('wrap foreign errors once', () => {
    const cause = new TypeError('bug')
    expect(toHeadwaterError(cause)).toMatchObject({ details: 'bug', cause })
    const own = new NetworkError('url', cause)
    expect(toHeadwaterError(own)).toBe(own)
  })

  it('are fatal if a retry cannot succeed', () => {
    const rejection = (status: number) => new HttpError('No', { url: 'url', status })
    expect([400, 401, 402, 403].map(rejection).map(isFatal)).toEqual([true, true, true, true])
    expect([404, 429, 500].map(rejection).map(isFatal)).toEqual([false, false, false])
    expect(isFatal(new InvalidParameterError('limit', 'is wrong'))).toBe(true)
    expect(isFatal(new Error('other'))).toBe(false)
  })
})
