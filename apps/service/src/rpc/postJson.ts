import { promisify } from 'node:util'
import { gunzip } from 'node:zlib'
import { Agent, type Dispatcher, request } from 'undici'
import { NodeError } from './NodeError.ts'

/** A whole batch of blocks may take a node seconds. */
const timeoutMs = 20_000
const maximumBytes = 256 * 1024 * 1024
const connectionsPerNode = 32
/** Its largest answers are JSON that shrinks to a tenth; on this machine itself that would only cost time. */
const loopbackHosts = new Set(['localhost', '127.0.0.1', '[::1]'])

const agent = new Agent({ connections: connectionsPerNode, maxResponseSize: maximumBytes })
const unzip = promisify(gunzip)

/** What a node sent back. */
export interface HttpAnswer {
  readonly status: number
  readonly text: string
  /** Milliseconds after which to ask again, by the header `Retry-After`. */
  readonly retryAfterMs: number | undefined
}

/**
 * Posts JSON to a node and reads what comes, up to a size and a time.
 *
 * @param headers besides the content type.
 * @throws {NodeError} that never tells the URL; or the signal's reason.
 */
export async function postJson(
  url: URL,
  headers: Readonly<Record<string, string>>,
  body: string,
  signal?: AbortSignal,
): Promise<HttpAnswer> {
  const timeout = AbortSignal.timeout(timeoutMs)
  const encoding = loopbackHosts.has(url.hostname) ? 'identity' : 'gzip'
  try {
    const response = await request(url, {
      dispatcher: agent,
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/json', 'accept-encoding': encoding },
      body,
      signal: signal ? AbortSignal.any([signal, timeout]) : timeout,
    })
    return {
      status: response.statusCode,
      text: await readText(response),
      retryAfterMs: parseRetryAfter(response.headers['retry-after']),
    }
  } catch (error) {
    signal?.throwIfAborted()
    throw toNodeError(error, timeout.aborted)
  }
}

async function readText({ headers, body }: Dispatcher.ResponseData): Promise<string> {
  if (headers['content-encoding'] !== 'gzip') return await body.text()
  const bytes = await unzip(await body.arrayBuffer(), { maxOutputLength: maximumBytes })
  return bytes.toString()
}

function parseRetryAfter(value: string | string[] | undefined): number | undefined {
  const seconds = typeof value === 'string' ? Number(value) : NaN
  return seconds >= 0 ? seconds * 1000 : undefined
}

/** By the system's code of what failed, such as ECONNREFUSED: messages may tell the URL. */
function toNodeError(error: unknown, isTimeout: boolean): NodeError {
  const { code } = error as { code?: unknown }
  if (isTimeout)
    return new NodeError(`no answer within ${timeoutMs / 1000} seconds`, {
      kind: 'timeout',
      mayBeTooMuch: true,
    })
  if (code === 'UND_ERR_RES_EXCEEDED_MAX_SIZE' || code === 'ERR_BUFFER_TOO_LARGE')
    return new NodeError(`more than ${maximumBytes} bytes`, {
      kind: 'too-large',
      mayBeTooMuch: true,
    })
  const shown = typeof code === 'string' ? code : 'failed'
  return new NodeError(`no connection (${shown})`, { kind: 'connection' })
}
