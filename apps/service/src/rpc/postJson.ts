import { promisify } from 'node:util'
import { gunzip } from 'node:zlib'
import { Agent, type Dispatcher, request } from 'undici'
import { NodeError } from './NodeError.ts'

/** A whole batch of blocks may take a node seconds. */
const timeoutMs = 20_000
const connectionsPerNode = 32
/** Node's code for more bytes than were asked for. */
const tooLarge = 'ERR_BUFFER_TOO_LARGE'
/** Its largest answers are JSON that shrinks to a tenth; on this machine itself that would only cost time. */
const loopbackHosts = new Set(['localhost', '127.0.0.1', '[::1]'])

const agent = new Agent({ connections: connectionsPerNode })
const unzip = promisify(gunzip)

/** What a node sent back. */
export interface HttpAnswer {
  readonly status: number
  readonly text: string
  /** Milliseconds after which to ask again, by the header `Retry-After`. */
  readonly retryAfterMs: number | undefined
}

/** What is sent to a node, and how much is read of its answer. */
interface HttpQuestion {
  readonly url: URL
  /** Besides the content type. */
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
  /** Of the answer, unpacked. */
  readonly maximumBytes: number
}

/**
 * Posts JSON to a node and reads what comes, up to a size and a time.
 *
 * @throws {NodeError} that never tells the URL; or the signal's reason.
 */
export async function postJson(
  { url, headers, body, maximumBytes }: HttpQuestion,
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
      text: await readText(response, maximumBytes),
      retryAfterMs: parseRetryAfter(response.headers['retry-after']),
    }
  } catch (error) {
    signal?.throwIfAborted()
    throw toNodeError(error, timeout.aborted, maximumBytes)
  }
}

async function readText(
  { headers, body }: Dispatcher.ResponseData,
  maximumBytes: number,
): Promise<string> {
  const chunks: Buffer[] = []
  let size = 0
  // To leave the loop is to leave the node.
  for await (const chunk of body as AsyncIterable<Buffer>) {
    size += chunk.length
    if (size > maximumBytes) throw Object.assign(new Error(), { code: tooLarge })
    chunks.push(chunk)
  }
  const bytes = Buffer.concat(chunks, size)
  if (headers['content-encoding'] !== 'gzip') return bytes.toString()
  return (await unzip(bytes, { maxOutputLength: maximumBytes })).toString()
}

function parseRetryAfter(value: string | string[] | undefined): number | undefined {
  const seconds = typeof value === 'string' ? Number(value) : NaN
  return seconds >= 0 ? seconds * 1000 : undefined
}

/** By the system's code of what failed, such as ECONNREFUSED: messages may tell the URL. */
function toNodeError(error: unknown, isTimeout: boolean, maximumBytes: number): NodeError {
  const { code } = error as { code?: unknown }
  if (isTimeout)
    return new NodeError(`no answer within ${timeoutMs / 1000} seconds`, {
      kind: 'timeout',
      mayBeTooMuch: true,
    })
  if (code === tooLarge)
    return new NodeError(`more than ${maximumBytes} bytes`, {
      kind: 'too-large',
      mayBeTooMuch: true,
    })
  const shown = typeof code === 'string' ? code : 'failed'
  return new NodeError(`no connection (${shown})`, { kind: 'connection' })
}
