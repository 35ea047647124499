/** More than any response of the service; an upstream without end must not fill the memory. */
const maxBytes = 64 * 1024 * 1024

/** The service did not send headers, or the next part of a body, in time. */
export class UpstreamTimeoutError extends Error {
  override readonly name = 'UpstreamTimeoutError'

  constructor(timeout: number) {
    super(`The service sent nothing for ${timeout} ms`)
  }
}

/**
 * Streams a body without buffering it: one chunk at a time, when the reader pulls.
 *
 * @param options.controller - Aborts the request of the body.
 * @param options.timeout - Longest pause between chunks, in milliseconds.
 * @param options.replacement - Replaces a text by another one.
 */
export function relayBody(
  body: ReadableStream<Uint8Array>,
  options: {
    readonly controller: AbortController
    readonly timeout: number
    readonly replacement?: Replacement | undefined
  },
): ReadableStream<Uint8Array> {
  const { controller: request, timeout, replacement } = options
  const reader = body.getReader()
  const replacer = replacement && createReplacer(replacement)
  let bytes = 0
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        // A pull that enqueues nothing is not repeated.
        for (let isEnqueued = false; !isEnqueued;) {
          const timer = setTimeout(() => request.abort(new UpstreamTimeoutError(timeout)), timeout)
          const { done, value } = await reader.read().finally(() => clearTimeout(timer))
          bytes += value?.byteLength ?? 0
          if (bytes > maxBytes) {
            const error = new RangeError(`The response exceeds ${maxBytes} bytes`)
            request.abort(error)
            throw error
          }
          const chunk = replacer ? replacer(value) : value
          if (chunk && chunk.byteLength > 0) {
            controller.enqueue(chunk)
            isEnqueued = true
          }
          if (done) {
            controller.close()
            return
          }
        }
      },
      cancel: (reason) => reader.cancel(reason),
    },
    { highWaterMark: 0 },
  )
}

interface Replacement {
  readonly from: string
  readonly to: string
}

/**
 * Replaces a text in a stream of UTF-8, also across chunks. Only the end of a chunk that may begin the text is held back.
 *
 * @returns Converts a chunk; undefined ends the stream.
 */
function createReplacer({ from, to }: Replacement): (chunk: Uint8Array | undefined) => Uint8Array {
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true })
  const encoder = new TextEncoder()
  let pending = ''
  return (chunk) => {
    const text = pending + decoder.decode(chunk, { stream: chunk !== undefined })
    const replaced = text.replaceAll(from, to)
    const held = chunk === undefined ? 0 : getOverlap(replaced, from)
    pending = replaced.slice(replaced.length - held)
    return encoder.encode(replaced.slice(0, replaced.length - held))
  }
}

/** Length of the longest end of a text that is a beginning of another one, and not all of it. */
function getOverlap(text: string, other: string): number {
  let length = Math.min(other.length - 1, text.length)
  while (length > 0 && !other.startsWith(text.slice(text.length - length))) {
    length--
  }
  return length
}
