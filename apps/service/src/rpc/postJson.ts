import { NodeError } from './NodeError.ts'

/** A whole batch of blocks may take a node seconds. */
const timeoutMs = 20_000
const maximumBytes = 256 * 1024 * 1024

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
 * @throws {NodeError} that never tells the URL; or the signal's reason.
 */
export async function postJson(
  url: string,
  headers: Readonly<Record<string, string>>,
  body: string,
  signal?: AbortSignal,
): Promise<HttpAnswer> {
  const timeout = AbortSignal.timeout(timeoutMs)
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body,
      signal: signal ? AbortSignal.any([signal, timeout]) : timeout,
    })
    return {
      status: response.status,
      text: await readText(response),
      retryAfterMs: parseRetryAfter(response.headers.get('retry-after')),
    }
  } catch (error) {
    signal?.throwIfAborted()
    if (error instanceof NodeError) throw error
    if (timeout.aborted)
      throw new NodeError(`no answer within ${timeoutMs / 1000} seconds`, {
        kind: 'timeout',
        mayBeTooMuch: true,
      })
    throw new NodeError(`no connection (${codeOf(error)})`, { kind: 'connection' })
  }
}

async function readText(response: Response): Promise<string> {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of response.body ?? []) {
    size += chunk.length
    if (size > maximumBytes)
      throw new NodeError(`more than ${maximumBytes} bytes`, {
        kind: 'too-large',
        mayBeTooMuch: true,
      })
    chunks.push(chunk)
  }
  return Buffer.concat(chunks, size).toString()
}

function parseRetryAfter(value: string | null): number | undefined {
  const seconds = value === null ? NaN : Number(value)
  return seconds >= 0 ? seconds * 1000 : undefined
}

/** The system's code of what failed, such as ECONNREFUSED: messages may tell the URL. */
function codeOf(error: unknown): string {
  const { code, cause } = error as { code?: unknown; cause?: { code?: unknown } }
  const found = cause?.code ?? code
  return typeof found === 'string' ? found : 'failed'
}
