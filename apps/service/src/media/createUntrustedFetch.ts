import type { LookupFunction } from 'node:net'
import { Agent, type Dispatcher } from 'undici'
import { createConnector } from './createConnector.ts'
import { HostQueue } from './HostQueue.ts'
import { everyNetwork, type NetworkPolicy, publicInternet } from './NetworkPolicy.ts'
import { parseUntrustedUrl } from './parseUntrustedUrl.ts'
import { acceptedEncodings, readBody } from './readBody.ts'
import { TimeBudget } from './TimeBudget.ts'
import { UntrustedFetchError } from './UntrustedFetchError.ts'

/** Reads what a URL that a stranger wrote leads to. Rejects with a {@link UntrustedFetchError}, or the signal's reason. */
export type UntrustedFetch = (
  url: string,
  options: {
    /** Of the body as sent, and as decompressed. */
    readonly maximumBytes: number
    /** On whose behalf, such as a contract that named the URL; each has a share of what is asked at once. */
    readonly asker?: string | undefined
    /** Of which this is a part, where others are asked for the same. */
    readonly time?: TimeBudget
    readonly signal?: AbortSignal | undefined
  },
) => Promise<Uint8Array>

interface UntrustedFetchOptions {
  /** Where URLs may lead; the public internet unless told otherwise. */
  readonly policy?: NetworkPolicy
  /** What the operator named: URLs that begin with one of these may lead anywhere. Redirects from them may not. */
  readonly trusted?: readonly string[]
  /** Resolves names, as `dns.lookup` does. */
  readonly lookup?: LookupFunction
  /** For everything but waiting for a turn: every redirect and the whole body. */
  readonly totalMs?: number
  /** For waiting for a turn, which is the fault of nobody who is asked. */
  readonly waitMs?: number
  /** For the head of one answer, and for each connection. */
  readonly answerMs?: number
}

const maximumRedirects = 5
const redirects: ReadonlySet<number> = new Set([301, 302, 303, 307, 308])
/** Statuses that say "not now". */
const passingStatuses: ReadonlySet<number> = new Set([408, 425, 429])
const limits = { overall: 24, perHost: 6, perAsker: 6, waiting: 256 }
/** Of a host that the operator named, which many contracts share. */
const perTrustedHost = 16
const headers = { 'user-agent': 'headwater', accept: '*/*', 'accept-encoding': acceptedEncodings }

/**
 * Makes the only door to URLs that strangers wrote: contracts, their documents, token lists. It asks over HTTP and
 * without cookies, keys or proxies; looks at every address where it is connected to, redirects included; and bounds
 * bytes, time and how many are asked at once.
 */
export function createUntrustedFetch(options: UntrustedFetchOptions = {}): UntrustedFetch {
  const { policy = publicInternet, trusted = [], lookup } = options
  const { totalMs = 20_000, waitMs = 60_000, answerMs = 10_000 } = options
  const turns = new HostQueue(limits)
  const wayOf = (policy: NetworkPolicy) => ({
    policy,
    agent: new Agent({
      connect: createConnector(policy, answerMs, lookup),
      headersTimeout: answerMs,
      bodyTimeout: answerMs,
      maxHeaderSize: 16 * 1024,
      keepAliveMaxTimeout: 10_000,
    }),
  })
  const strangersWay = wayOf(policy)
  const operatorsWay = wayOf(everyNetwork)
  const trustedUrls = trusted.map((url) => new URL(url).href)

  /** Where a URL may lead, and the URL if it does not lead elsewhere. */
  const judge = (text: string, base?: URL) => {
    const href = URL.parse(text, base?.href)?.href
    const isTrusted = trustedUrls.some((trusted) => href?.startsWith(trusted))
    const { policy, agent } = isTrusted ? operatorsWay : strangersWay
    const url = parseUntrustedUrl(text, policy, base)
    return { url, agent, most: isTrusted ? perTrustedHost : limits.perHost }
  }

  const takeTurn = async (
    turn: Parameters<HostQueue['take']>[0],
    wait: TimeBudget,
    stop: AbortSignal | undefined,
  ) =>
    await wait.spend(async (end) => {
      try {
        return await turns.take(turn, anyOf(stop, end))
      } catch (error) {
        if (!end.aborted) {
          throw error
        }
        throw new UntrustedFetchError('busy', 'Its turn did not come in time', { cause: error })
      }
    })

  /** Asks once. A redirect is told rather than followed. */
  const ask = async (
    { url, agent }: Pick<ReturnType<typeof judge>, 'url' | 'agent'>,
    maximumBytes: number,
    signal: AbortSignal,
  ) => {
    const path = url.pathname + url.search
    const request = { origin: url.origin, path, method: 'GET', headers, signal } as const
    const answer = await agent.request(request)
    // Whoever destroys a body that is still coming makes it fail, and nobody may be listening by then.
    answer.body.on('error', () => {})
    try {
      return await readAnswer(answer, maximumBytes)
    } finally {
      answer.body.destroy()
    }
  }

  return async (text, { maximumBytes, asker, time: whole, signal: stop }) => {
    const time = new TimeBudget(totalMs, whole)
    const wait = new TimeBudget(waitMs)
    let target = judge(text)
    for (let hop = 0; hop <= maximumRedirects; hop++) {
      try {
        const endTurn = await takeTurn(
          { host: target.url.hostname, most: target.most, asker },
          wait,
          stop,
        )
        const asking = time.spend(async (end) => {
          try {
            return await ask(target, maximumBytes, anyOf(stop, end))
          } catch (error) {
            throw toRefusal(error, end)
          }
        })
        const answer = await asking.finally(endTurn)
        if (answer.bytes) {
          return answer.bytes
        }
        target = judge(answer.location, target.url)
      } catch (error) {
        stop?.throwIfAborted()
        throw error
      }
    }
    throw new UntrustedFetchError('too-many-redirects', 'The server redirects on and on')
  }
}

function anyOf(stop: AbortSignal | undefined, end: AbortSignal): AbortSignal {
  return stop ? AbortSignal.any([stop, end]) : end
}

async function readAnswer(
  { statusCode, headers, body }: Dispatcher.ResponseData,
  maximumBytes: number,
): Promise<{ bytes: Uint8Array } | { bytes?: never; location: string }> {
  const header = (name: string) => [headers[name] ?? []].flat().join(', ') || undefined
  const location = redirects.has(statusCode) ? header('location') : undefined
  if (location !== undefined) {
    return { location }
  }
  if (statusCode !== 200) {
    throw new UntrustedFetchError('status', `The server answers ${statusCode}`, {
      retryable: statusCode >= 500 || passingStatuses.has(statusCode),
    })
  }
  if (Number(header('content-length')) > maximumBytes) {
    throw new UntrustedFetchError('too-large', `It says it has more than ${maximumBytes} bytes`)
  }
  return { bytes: await readBody(body, header('content-encoding'), maximumBytes) }
}

function toRefusal(error: unknown, deadline: AbortSignal): UntrustedFetchError {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    if (cause instanceof UntrustedFetchError) {
      return cause
    }
  }
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  const options = { cause: error }
  if (deadline.aborted || /TIMEOUT|TIMEDOUT/.test(code)) {
    return new UntrustedFetchError('timeout', 'The server takes too long', options)
  }
  if (code === 'UND_ERR_HEADERS_OVERFLOW') {
    return new UntrustedFetchError('too-large', 'The head of the answer is too large', options)
  }
  return new UntrustedFetchError(
    'unreachable',
    `The server cannot be read: ${String(error)}`,
    options,
  )
}
