import { promisify } from 'node:util'
import { gunzip } from 'node:zlib'
import { Agent, type Dispatcher, request } from 'undici'
import { certificateCodes } from '../../store/isDatabaseUnavailable.ts'
import { NodeError } from './NodeError.ts'

/** A large batch may take a node several seconds. */
const timeoutMs = 20_000
const connectionsPerNode = 32
/** The code of Node.js for output that exceeds its limit. */
const tooLargeCode = 'ERR_BUFFER_TOO_LARGE'
/** Compression shrinks large responses to a tenth, which on the same machine only costs CPU time. */
const loopbackHosts = new Set(['localhost', '127.0.0.1', '[::1]'])

const agent = new Agent({ connections: connectionsPerNode })
const decompress = promisify(gunzip)

export interface HttpResponse {
  readonly status: number
  /** Decompressed. */
  readonly body: Buffer<ArrayBuffer>
  /** Milliseconds, of the header `Retry-After`. */
  readonly retryAfterMs: number | undefined
}

interface HttpRequest {
  readonly url: URL
  /** Besides the content type. */
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
  /** The most bytes of the response that are read, decompressed. */
  readonly maxBytes: number
}

/**
 * Posts JSON to a node and reads the response, within a size limit and a timeout.
 *
 * @throws {NodeError} which never contains the URL; or the signal's reason.
 */
export async function postJson(
  { url, headers, body, maxBytes }: HttpRequest,
  signal?: AbortSignal,
): Promise<HttpResponse> {
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
      body: await readBody(response, maxBytes),
      retryAfterMs: parseRetryAfter(response.headers['retry-after']),
    }
  } catch (error) {
    signal?.throwIfAborted()
    throw toNodeError(error, timeout.aborted, maxBytes)
  }
}

async function readBody(
  { headers, body }: Dispatcher.ResponseData,
  maxBytes: number,
): Promise<Buffer<ArrayBuffer>> {
  const bytes = await collect(body as AsyncIterable<Buffer>, headers['content-length'], maxBytes)
  if (headers['content-encoding'] !== 'gzip') {
    return bytes
  }
  return await decompress(bytes, { maxOutputLength: maxBytes })
}

/**
 * Collects a body. Of a known length, each chunk is copied when it arrives, while it is in the cache of the processor; all of
 * them at the end take twice as long.
 */
async function collect(
  body: AsyncIterable<Buffer>,
  contentLength: string | string[] | undefined,
  maxBytes: number,
): Promise<Buffer<ArrayBuffer>> {
  const expected = typeof contentLength === 'string' ? Number(contentLength) : NaN
  const whole = expected <= maxBytes ? Buffer.allocUnsafeSlow(expected) : undefined
  const chunks: Buffer[] = []
  let size = 0
  // Leaving the loop early closes the connection.
  for await (const chunk of body) {
    if (size + chunk.length > maxBytes) {
      throw Object.assign(new Error(), { code: tooLargeCode })
    }
    if (whole) {
      whole.set(chunk, size)
    } else {
      chunks.push(chunk)
    }
    size += chunk.length
  }
  return whole ?? Buffer.concat(chunks, size)
}

function parseRetryAfter(value: string | string[] | undefined): number | undefined {
  const seconds = typeof value === 'string' ? Number(value) : NaN
  return seconds >= 0 ? seconds * 1000 : undefined
}

/** Keeps only the system's error code, such as ECONNREFUSED: messages may contain the URL. */
function toNodeError(error: unknown, isTimeout: boolean, maxBytes: number): NodeError {
  const { code } = error as { code?: unknown }
  if (isTimeout) {
    return new NodeError(`no response within ${timeoutMs / 1000} seconds`, {
      kind: 'timeout',
      mayExceedLimit: true,
    })
  }
  if (code === tooLargeCode) {
    return new NodeError(`response exceeds ${maxBytes} bytes`, {
      kind: 'too-large',
      mayExceedLimit: true,
    })
  }
  const reason = typeof code === 'string' ? code : 'unknown reason'
  return new NodeError(describeConnectionError(reason), { kind: 'connection' })
}

/** @param code - of Node.js or OpenSSL. */
export function describeConnectionError(code: string): string {
  const remedy = certificateCodes.test(code)
    ? ': its certificate is not trusted; name the file of its authority in NODE_EXTRA_CA_CERTS'
    : code === 'ERR_SSL_WRONG_VERSION_NUMBER'
      ? ': it does not use TLS, so that its URL begins with http://'
      : ''
  return `connection failed (${code})${remedy}`
}
