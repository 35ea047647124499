import {
  API_KEY_HEADER,
  type ChangesParameters,
  type OperationName,
  operations,
  type ParametersOf,
} from '@headwater/contract'
import type { MaybePromise, RateLimit } from './rateLimit/RateLimit.ts'

/**
 * Options of {@link createProxy}.
 *
 * @example
 * import { createProxy, type ProxyOptions } from '@headwater/proxy'
 * const options: ProxyOptions = {
 *   baseUrl: 'http://headwater.internal:4000',
 *   apiKey: () => process.env.HEADWATER_API_KEY,
 *   basePath: '/api/headwater',
 *   operations: ['balances', 'tokenInfo'],
 * }
 * const handler = createProxy(options)
 */
export interface ProxyOptions {
  /**
   * URL of the service, without `/v1`: absolute, `http` or `https`. A path and a trailing slash are allowed. Redirects are not
   * followed, so it must be the final URL. While it is undefined, as an environment variable may be during a build, requests are
   * rejected with 500.
   */
  readonly baseUrl: string | undefined
  /** API key, or a function that returns it for each request. While it is undefined, requests are rejected with 500. */
  readonly apiKey: string | undefined | (() => MaybePromise<string | undefined>)
  /** Header that carries the key. Default `X-Service-Api-Key`. */
  readonly apiKeyHeader?: string | undefined
  /** The operations that visitors may request. All other paths are 404. */
  readonly operations: readonly OperationName[]
  /** Path at which the proxy is mounted, such as `/api/headwater`: the `baseUrl` of clients. Default: the root. */
  readonly basePath?: string | undefined
  /**
   * URL or path of the proxy in responses, where URLs of logos and images contain the URL of the service. Default `basePath`.
   * Required if a framework removes the mount path from requests, or if pages of other origins show images. Without `basePath`,
   * its path is also that of the requests of `proxy.fetch`.
   */
  readonly publicUrl?: string | undefined
  /** Whether logos of tokens and images of NFTs are served, too. They are requested without the key. Default true. */
  readonly images?: boolean | undefined
  /**
   * Whether the stream of changes is served, which clients follow instead of polling: one connection per visitor, for as long as
   * a page is visible. Default false.
   */
  readonly changes?: boolean | undefined
  /**
   * Decides for each request of an operation whether the app permits it; false is 403. The parameters are valid, with
   * addresses in lower case. Without a function for an operation, all of its requests are permitted; so is that of changes, which
   * contain no values.
   */
  readonly authorize?:
    | ({
        readonly [Name in OperationName]?:
          ((parameters: ParametersOf<Name>, request: Request) => MaybePromise<boolean>) | undefined
      } & {
        readonly changes?:
          ((parameters: ChangesParameters, request: Request) => MaybePromise<boolean>) | undefined
      })
    | undefined
  /**
   * Other origins whose pages may send requests, such as `https://app.example.org`; `*` permits all, and also clients that
   * are not browsers. Default: only pages of the origin of the proxy.
   */
  readonly origins?: readonly string[] | '*' | undefined
  /** Limits the requests of each visitor. Default: no limit besides that of the key. */
  readonly rateLimit?: RateLimit | undefined
  /**
   * Whether identical concurrent requests share one request to the service, which is charged once. Default true, except in
   * Cloudflare Workers, where requests cannot share I/O.
   */
  readonly coalesce?: boolean | undefined
  /** Timeout of the headers of a response, and of each pause within its body, in milliseconds. Default 25,000. */
  readonly timeout?: number | undefined
  /** Replaces the global `fetch`. */
  readonly fetch?: typeof globalThis.fetch | undefined
  /**
   * Called with the reason of each response that the app or the service is to blame for, which visitors do not receive, and when
   * the body of a response ends early. Responses wait for no promise that it returns. Default: `console.error`.
   */
  readonly onError?: ((error: Error, request: Request) => unknown) | undefined
}

/** Options with defaults, as the parts of a proxy use them. */
export type Settings = ReturnType<typeof resolveOptions>

/** Shorter than the default timeout of clients, so that they receive the 504. */
const defaultTimeoutMs = 25_000
/** A timer with a longer delay fires at once. */
const maxTimerDelayMs = 2 ** 31 - 1

/**
 * Applies defaults.
 *
 * @throws {TypeError} when an option is invalid. Missing ones are reported by requests, as builds may run without them.
 */
export function resolveOptions(options: ProxyOptions) {
  const {
    apiKeyHeader = API_KEY_HEADER,
    basePath = '',
    origins = [],
    timeout = defaultTimeoutMs,
    rateLimit,
  } = options
  // It may be missing in plain JavaScript.
  check(Array.isArray(options.operations), 'operations must be a list')
  for (const name of options.operations) {
    check(Object.hasOwn(operations, name), `unknown operation ${name}`)
  }
  check(timeout > 0, 'timeout must be > 0')
  // Comparisons with NaN would let all requests pass, or none.
  check(
    !rateLimit ||
      (rateLimit.requests >= 0 && rateLimit.seconds > 0 && (rateLimit.visitor as unknown)),
    'rateLimit must have requests >= 0, seconds > 0 and visitor',
  )
  check(/^[\w!#$%&'*+.^`|~-]+$/.test(apiKeyHeader), 'apiKeyHeader must be the name of a header')
  check(/^(\/|$)/.test(basePath), 'basePath must begin with /')
  const prefix = withoutTrailingSlashes(basePath)
  const { publicUrl = prefix } = options
  check(/^(\/|https?:\/\/|$)/.test(publicUrl), 'publicUrl must be a URL, or begin with /')
  return {
    baseUrl: options.baseUrl === undefined ? undefined : parseBaseUrl(options.baseUrl),
    apiKey: options.apiKey,
    apiKeyHeader,
    operations: new Set<OperationName>(options.operations),
    basePath: prefix,
    publicUrl: withoutTrailingSlashes(publicUrl),
    images: options.images ?? true,
    changes: options.changes ?? false,
    authorize: options.authorize ?? {},
    origins: origins === '*' ? origins : new Set(origins.map(parseOrigin)),
    rateLimit,
    coalesce: options.coalesce ?? !isWorkers(),
    timeout: Math.min(timeout, maxTimerDelayMs),
    fetch: options.fetch,
    onError: options.onError ?? ((error: Error) => console.error(error)),
  }
}

/** @throws {TypeError} when an option is invalid. */
function check(isValid: unknown, reason: string): asserts isValid {
  if (!isValid) {
    throw new TypeError(`createProxy: ${reason}`)
  }
}

function parseBaseUrl(text: string): string {
  const url = parseUrl(text)
  check(
    url && /^https?:$/.test(url.protocol) && !url.search && !url.hash && !url.username,
    'baseUrl must be an absolute http or https URL without a query',
  )
  return withoutTrailingSlashes(url.href)
}

function parseOrigin(text: string): string {
  const origin = parseUrl(text)?.origin
  check(origin !== undefined && origin !== 'null', `${text} is not an origin`)
  return origin
}

/** `URL.canParse` is missing in runtimes that apps still support. */
export function parseUrl(text: string): URL | undefined {
  try {
    return new URL(text)
  } catch {
    return undefined
  }
}

export function withoutTrailingSlashes(text: string): string {
  return text.replace(/\/+$/, '')
}

/** Whether the runtime is Cloudflare Workers. */
function isWorkers(): boolean {
  return globalThis.navigator?.userAgent === 'Cloudflare-Workers'
}
