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
 * @param options.maxBytes - Length at which the body ends early.
 * @param options.onError - Called with the reason why the body ends early, unless its request was aborted elsewhere.
 * @param options.replacement - Replaces a text by another one.
 */
export function relayBody(
  body: ReadableStream<Uint8Array>,
  options: {
    readonly controller: AbortController
    readonly timeout: number
    readonly maxBytes: number
    readonly onError: (reason: unknown) => void
    readonly replacement?: Replacement | undefined
  },
): ReadableStream<Uint8Array> {
  const { controller: request, timeout, maxBytes, onError, replacement } = options
  const reader = body.getReader()
  const replacer = replacement && createReplacer(replacement)
  let bytes = 0
  const fail = (reason: unknown) => {
    if (!request.signal.aborted) {
      onError(reason)
      request.abort(reason)
    }
  }
  const read = async () => {
    const timer = setTimeout(() => fail(new UpstreamTimeoutError(timeout)), timeout)
    try {
      const part = await reader.read()
      bytes += part.value?.byteLength ?? 0
      if (bytes > maxBytes) {
        throw new RangeError(`The response exceeds ${maxBytes} bytes`)
      }
      return part
    } catch (error) {
      fail(error)
      throw error
    } finally {
      clearTimeout(timer)
    }
  }
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        // A pull that enqueues nothing is not repeated.
        for (let isEnqueued = false; !isEnqueued;) {
          const { done, value } = await read()
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
  /** Contains a slash. */
  readonly from: string
  readonly to: string
}

const slash = 0x2f

/**
 * Replaces a text in a stream of UTF-8, also across chunks. Only the end of a chunk that may begin the text is held back, and a
 * chunk without it is not copied. Searches bytes, because decoding and encoding them takes longer than all else.
 *
 * @returns Converts a chunk; undefined ends the stream.
 */
function createReplacer({ from, to }: Replacement): (chunk: Uint8Array | undefined) => Uint8Array {
  const text = new TextEncoder().encode(from)
  const replacement = new TextEncoder().encode(to)
  const slashIndex = text.indexOf(slash)
  let held: Uint8Array = new Uint8Array()

  return (chunk) => {
    const bytes = concat(chunk ? [held, chunk] : [held])
    const parts: Uint8Array[] = []
    let start = 0
    let index = find(bytes, start)
    while (index !== -1 && index + text.length <= bytes.length) {
      parts.push(bytes.subarray(start, index), replacement)
      start = index + text.length
      index = find(bytes, start)
    }
    const end = index === -1 || !chunk ? bytes.length : index
    held = bytes.slice(end)
    return concat([...parts, bytes.subarray(start, end)])
  }

  /** Index of the first occurrence, or of its beginning at the end of the bytes. */
  function find(bytes: Uint8Array, start: number): number {
    const first = start + slashIndex
    // Few bytes of a response are slashes.
    for (let at = bytes.indexOf(slash, first); at !== -1; at = bytes.indexOf(slash, at + 1)) {
      if (matches(bytes, at - slashIndex)) {
        return at - slashIndex
      }
    }
    for (let at = Math.max(start, bytes.length - slashIndex); at < bytes.length; at++) {
      if (matches(bytes, at)) {
        return at
      }
    }
    return -1
  }

  function matches(bytes: Uint8Array, index: number): boolean {
    return bytes.subarray(index, index + text.length).every((byte, at) => byte === text[at])
  }
}

/** Joins parts. A single part that is not empty is not copied. */
function concat(parts: readonly Uint8Array[]): Uint8Array {
  const filled = parts.filter(({ byteLength }) => byteLength > 0)
  if (filled.length === 1) {
    return filled[0]!
  }
  const all = new Uint8Array(filled.reduce((sum, { byteLength }) => sum + byteLength, 0))
  let offset = 0
  for (const part of filled) {
    all.set(part, offset)
    offset += part.byteLength
  }
  return all
}
