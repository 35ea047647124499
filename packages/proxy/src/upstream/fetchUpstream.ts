import { CHANGES_HEADER } from '@headwater/contract'
import { notConfigured, ProxyError } from '../ProxyError.ts'
import { parseUrl, type Settings, withoutTrailingSlashes } from '../ProxyOptions.ts'
import { parseErrorResponse } from './parseErrorResponse.ts'
import { relayBody, UpstreamTimeoutError } from './relayBody.ts'

/** A request to the service, of validated parts only. */
export interface UpstreamRequest {
  readonly kind: 'operation' | 'image' | 'changes'
  readonly method: 'GET' | 'HEAD'
  /** Relative to the base URL. */
  readonly pathAndQuery: string
  readonly ifNoneMatch: string | null
  /** The position of a client that was connected to the stream of changes before. */
  readonly lastEventId: string | null
  readonly requestId: string
}

/** The part of a response of the service that visitors receive. */
export interface UpstreamResponse {
  readonly status: 200 | 304
  readonly headers: Readonly<Record<string, string>>
  readonly body: ReadableStream<Uint8Array> | null
  /** Whether the service had encoded the body. */
  readonly isEncoded: boolean
}

/** Headers of the service that visitors receive, besides those that a rate limit of visitors replaces. */
const forwardedHeaders = [
  'X-Request-Id',
  'X-Compute-Units-Cost',
  'X-Compute-Units-Remaining',
  'X-RateLimit-Limit',
  'X-RateLimit-Remaining',
  'X-RateLimit-Reset',
  'X-Block-Numbers',
  'ETag',
  'Last-Modified',
  'Cache-Control',
  'Content-Type',
]

/** Anyone can deploy a contract whose image is an SVG with scripts, and the origin here is that of the app. */
const imageHeaders = {
  'Content-Security-Policy':
    "default-src 'none'; style-src 'unsafe-inline'; img-src data:; font-src data:; sandbox",
  'Cross-Origin-Resource-Policy': 'cross-origin',
}

/** Otherwise nginx collects events before it forwards them. */
const streamHeaders = { 'X-Accel-Buffering': 'no' }
/** The service sends an event at least every 15 seconds. */
const minSilenceMs = 45_000
/** More than any response of the service; one without end must not fill the memory where a visitor reads it slowly. */
const maxResponseBytes = 64 * 1024 * 1024

/**
 * Sends a request to the service.
 *
 * @param controller - Aborts the request, also while its body is read.
 * @param onBodyError - Called when the body ends early.
 * @throws {ProxyError} when the service responds with an error or not at all.
 */
export async function fetchUpstream(
  settings: Settings,
  request: UpstreamRequest,
  controller: AbortController,
  onBodyError: (error: ProxyError) => void,
): Promise<UpstreamResponse> {
  const { method, kind } = request
  const { baseUrl, timeout } = settings
  if (baseUrl === undefined) {
    throw missingOption('baseUrl')
  }
  const apiKey = await readApiKey(settings)
  const timer = setTimeout(() => controller.abort(new UpstreamTimeoutError(timeout)), timeout)
  try {
    const response = await send(settings, request, baseUrl, apiKey, controller.signal)
    const type = response.headers.get('content-type') ?? ''
    if (response.status === 304 || (response.status === 200 && types[kind].test(type))) {
      const isEmpty = response.status === 304 || method === 'HEAD' || !response.body
      const limits =
        kind === 'changes'
          ? { timeout: Math.max(timeout, minSilenceMs), maxBytes: Infinity }
          : { timeout, maxBytes: maxResponseBytes }
      return {
        status: response.status,
        headers: pickHeaders(response.headers, kind, settings.changes),
        // An encoder would hold back events.
        isEncoded: kind !== 'changes' && response.headers.has('content-encoding'),
        body: isEmpty
          ? null
          : relayBody(response.body, {
              ...limits,
              controller,
              onError: (cause) => {
                const message = 'The body of the response ended early'
                onBodyError(new ProxyError(502, 'UPSTREAM_ERROR', message, { cause }))
              },
              replacement: kind === 'operation' ? toReplacement(response, settings) : undefined,
            }),
      }
    }
    throw await parseErrorResponse(response, method, [apiKey, new URL(baseUrl).host])
  } catch (error) {
    if (error instanceof ProxyError) {
      throw error
    }
    const { aborted, reason } = controller.signal as { aborted: boolean; reason: unknown }
    if (reason instanceof UpstreamTimeoutError) {
      const message = 'The service did not respond in time'
      throw new ProxyError(504, 'UPSTREAM_TIMEOUT', message, { cause: reason })
    }
    if (aborted) {
      throw reason
    }
    const message = 'The service cannot be reached'
    throw new ProxyError(502, 'UPSTREAM_UNREACHABLE', message, { cause: error })
  } finally {
    clearTimeout(timer)
  }
}

/**
 * Replaces the URL that the URLs of images in a body begin with: the one that the service declares, or that of the proxy's
 * requests. Only values that begin with it are replaced, not text that contains it, nor a longer host.
 */
function toReplacement({ headers }: Response, { baseUrl, publicUrl }: Settings) {
  const declared = withoutTrailingSlashes(headers.get('x-public-url') ?? '')
  const from = parseUrl(declared)?.protocol.startsWith('http') ? declared : baseUrl
  return { from: `"${from}/`, to: `"${publicUrl}/` }
}

const types = {
  operation: /^application\/json\b/i,
  image: /^(image|video)\//i,
  changes: /^text\/event-stream\b/i,
}

async function send(
  { fetch = globalThis.fetch, apiKeyHeader }: Settings,
  { kind, method, pathAndQuery, ifNoneMatch, lastEventId, requestId }: UpstreamRequest,
  baseUrl: string,
  apiKey: string,
  signal: AbortSignal,
): Promise<Response> {
  const headers: Record<string, string> = { 'X-Request-Id': requestId }
  if (kind !== 'image') {
    headers.Accept = kind === 'operation' ? 'application/json' : 'text/event-stream'
    headers[apiKeyHeader] = apiKey
  }
  if (kind === 'changes' && lastEventId !== null) {
    headers['Last-Event-ID'] = lastEventId
  }
  if (ifNoneMatch !== null) {
    headers['If-None-Match'] = ifNoneMatch
  }
  // A redirect would receive the key.
  return fetch(baseUrl + pathAndQuery, { method, headers, redirect: 'manual', signal })
}

async function readApiKey({ apiKey }: Settings): Promise<string> {
  const key = (typeof apiKey === 'function' ? await apiKey() : apiKey)?.trim()
  if (!key) {
    throw missingOption('apiKey')
  }
  // The error of `fetch` would contain it.
  if (!/^[!-~]+$/.test(key)) {
    throw notConfigured('apiKey has characters that a header cannot contain')
  }
  return key
}

function missingOption(option: string): ProxyError {
  return notConfigured(`${option} is undefined: set its environment variable`)
}

function pickHeaders(
  headers: Headers,
  kind: UpstreamRequest['kind'],
  hasChanges: boolean,
): Readonly<Record<string, string>> {
  const picked: Record<string, string> = {
    'Cache-Control': 'no-store',
    'X-Content-Type-Options': 'nosniff',
    ...(kind === 'image' && imageHeaders),
    ...(kind === 'changes' && streamHeaders),
  }
  // A proxy that does not serve the path must not announce it.
  for (const name of hasChanges ? [...forwardedHeaders, CHANGES_HEADER] : forwardedHeaders) {
    const value = headers.get(name)
    if (value !== null) {
      picked[name] = value
    }
  }
  return picked
}
