import type { LookupFunction } from 'node:net'
import { LRUCache } from 'lru-cache'
import { type Dispatcher, Pool } from 'undici'
import { createConnector } from './createConnector.ts'
import { HostQueue } from './HostQueue.ts'
import { everyNetwork, type NetworkPolicy, publicInternet } from './NetworkPolicy.ts'
import { parseUntrustedUrl } from './parseUntrustedUrl.ts'
import { acceptEncoding, readBody } from './readBody.ts'
import { TimeBudget } from './TimeBudget.ts'
import { UntrustedFetchError } from './UntrustedFetchError.ts'

/** Fetches an untrusted URL. Rejects with an {@link UntrustedFetchError}, or the signal's reason. */
export type UntrustedFetch = (
  url: string,
  options: {
    /** Limit of the body as sent, and of the decompressed body. */
    readonly maxBytes: number
    /** The contract that named the URL. Concurrent requests are limited per owner. */
    readonly owner?: string | undefined
    /** A budget that is charged as well, when several URLs are tried for the same content. */
    readonly timeBudget?: TimeBudget
    readonly signal?: AbortSignal | undefined
  },
) => Promise<Uint8Array>

interface UntrustedFetchOptions {
  /** The allowed addresses and ports; the public internet by default. */
  readonly policy?: NetworkPolicy
  /** URL prefixes that the operator configured. They may resolve to any address; redirects from them may not. */
  readonly trusted?: readonly string[]
  /** Resolves host names, like `dns.lookup`. */
  readonly lookup?: LookupFunction
  /** Timeout of a fetch with all redirects and the whole body, without the time in the queue. */
  readonly totalTimeoutMs?: number
  /** Timeout of the time in the queue. */
  readonly queueTimeoutMs?: number
  /** Timeout of each connection, of the response headers and between two chunks of a body. */
  readonly responseTimeoutMs?: number
}

const maxRedirects = 5
const redirectStatuses: ReadonlySet<number> = new Set([301, 302, 303, 307, 308])
/** Client error statuses for which a retry may succeed. */
const retryableStatuses: ReadonlySet<number> = new Set([408, 425, 429])
const queueLimits = { maxConcurrent: 24, maxPerHost: 6, maxPerOwner: 6, maxQueued: 256 }
/** Limit of a host that the operator configured, which many contracts share. */
const maxPerTrustedHost = 16
/** Hosts with open connections, or with recent ones. More than are requested at once. */
const maxPools = 100
const requestHeaders = {
  'user-agent': 'headwater',
  accept: '*/*',
  'accept-encoding': acceptEncoding,
}

/**
 * Creates the only function that fetches untrusted URLs: those of contracts, their documents and token lists. It sends
 * neither cookies nor credentials and uses no proxy, validates each address it connects to, redirects included, and
 * limits bytes, time and concurrency.
 */
export function createUntrustedFetch(options: UntrustedFetchOptions = {}): UntrustedFetch {
  const { policy = publicInternet, trusted = [], lookup } = options
  const { totalTimeoutMs = 20_000, queueTimeoutMs = 60_000, responseTimeoutMs = 10_000 } = options
  const queue = new HostQueue(queueLimits)
  const createNetwork = (policy: NetworkPolicy) => ({
    policy,
    // Not an `Agent`, which keeps the pool of each host of which a response was not read to its end.
    pools: new LRUCache<string, Pool, undefined>({
      max: maxPools,
      memoMethod: (origin) =>
        new Pool(origin, {
          connect: createConnector(policy, responseTimeoutMs, lookup),
          headersTimeout: responseTimeoutMs,
          bodyTimeout: responseTimeoutMs,
          maxHeaderSize: 16 * 1024,
          keepAliveMaxTimeout: 10_000,
        }),
      // After the requests that it has.
      dispose: (pool) => void pool.close().catch(() => {}),
    }),
  })
  const untrustedNetwork = createNetwork(policy)
  const trustedNetwork = createNetwork(everyNetwork)
  const trustedUrls = trusted.map((url) => new URL(url).href)

  const resolveTarget = (text: string, base?: URL) => {
    const href = URL.parse(text, base?.href)?.href
    const isTrusted = trustedUrls.some((trusted) => href?.startsWith(trusted))
    const { policy, pools } = isTrusted ? trustedNetwork : untrustedNetwork
    const url = parseUntrustedUrl(text, policy, base)
    return { url, pools, maxPerHost: isTrusted ? maxPerTrustedHost : queueLimits.maxPerHost }
  }

  const acquire = async (
    task: Parameters<HostQueue['acquire']>[0],
    queueBudget: TimeBudget,
    signal: AbortSignal | undefined,
  ) =>
    await queueBudget.run(async (timeout) => {
      try {
        return await queue.acquire(task, anySignal(signal, timeout))
      } catch (error) {
        if (!timeout.aborted) {
          throw error
        }
        throw new UntrustedFetchError('busy', 'The request was queued for too long', {
          cause: error,
        })
      }
    })

  /** Sends a request without following a redirect. */
  const send = async (
    { url, pools }: Pick<ReturnType<typeof resolveTarget>, 'url' | 'pools'>,
    maxBytes: number,
    signal: AbortSignal,
  ) => {
    const response = await pools.memo(url.origin).request({
      path: url.pathname + url.search,
      method: 'GET',
      headers: requestHeaders,
      signal,
    })
    // To destroy an unfinished body emits an error, which without a listener would end the process.
    response.body.on('error', () => {})
    try {
      return await readResponse(response, maxBytes)
    } finally {
      response.body.destroy()
    }
  }

  return async (text, { maxBytes, owner, timeBudget: parentBudget, signal }) => {
    const timeBudget = new TimeBudget(totalTimeoutMs, parentBudget)
    const queueBudget = new TimeBudget(queueTimeoutMs)
    let target = resolveTarget(text)
    for (let redirects = 0; redirects <= maxRedirects; redirects++) {
      try {
        const { url, maxPerHost } = target
        const release = await acquire(
          { host: url.hostname, maxPerHost, owner },
          queueBudget,
          signal,
        )
        const response = await timeBudget
          .run(async (timeout) => {
            try {
              return await send(target, maxBytes, anySignal(signal, timeout))
            } catch (error) {
              throw toUntrustedFetchError(error, timeout)
            }
          })
          .finally(release)
        if (response.bytes) {
          return response.bytes
        }
        target = resolveTarget(response.location, target.url)
      } catch (error) {
        signal?.throwIfAborted()
        throw error
      }
    }
    throw new UntrustedFetchError('too-many-redirects', 'Too many redirects')
  }
}

function anySignal(signal: AbortSignal | undefined, timeout: AbortSignal): AbortSignal {
  return signal ? AbortSignal.any([signal, timeout]) : timeout
}

async function readResponse(
  { statusCode, headers, body }: Dispatcher.ResponseData,
  maxBytes: number,
): Promise<{ bytes: Uint8Array } | { bytes?: never; location: string }> {
  const header = (name: string) => [headers[name] ?? []].flat().join(', ') || undefined
  const location = redirectStatuses.has(statusCode) ? header('location') : undefined
  if (location !== undefined) {
    return { location }
  }
  if (statusCode !== 200) {
    throw new UntrustedFetchError('status', `The server responded with status ${statusCode}`, {
      retryable: statusCode >= 500 || retryableStatuses.has(statusCode),
    })
  }
  if (Number(header('content-length')) > maxBytes) {
    throw new UntrustedFetchError('too-large', `Content-Length exceeds ${maxBytes} bytes`)
  }
  return { bytes: await readBody(body, header('content-encoding'), maxBytes) }
}

function toUntrustedFetchError(error: unknown, timeout: AbortSignal): UntrustedFetchError {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    if (cause instanceof UntrustedFetchError) {
      return cause
    }
  }
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  const options = { cause: error }
  if (timeout.aborted || /TIMEOUT|TIMEDOUT/.test(code)) {
    return new UntrustedFetchError('timeout', 'The server did not respond in time', options)
  }
  if (code === 'UND_ERR_HEADERS_OVERFLOW') {
    return new UntrustedFetchError('too-large', 'The response headers are too large', options)
  }
  return new UntrustedFetchError('unreachable', `The request failed: ${String(error)}`, options)
}
