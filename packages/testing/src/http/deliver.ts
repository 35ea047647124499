import type { Reply } from './Reply.ts'

/** Delivers a reply like `fetch`, after its delay. Uses no timer without a delay. */
export async function deliver(reply: Reply, signal: AbortSignal | undefined): Promise<Response> {
  const { status, headers, body = null, failure, delay, held } = reply
  await Promise.resolve()
  if (held) {
    await unlessAborted(held, signal)
  }
  if (delay !== undefined) {
    let timer: ReturnType<typeof setTimeout> | undefined
    const late = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, delay)
    })
    await unlessAborted(late, signal).finally(() => clearTimeout(timer))
  }
  if (signal?.aborted) {
    throw signal.reason as Error
  }
  if (failure === 'network') {
    throw new NetworkFailure('Failed to fetch')
  }
  if (body instanceof Object) {
    const sent = signal ? body.pipeThrough(new TransformStream(), { signal }) : body
    return new Response(sent, { status, headers })
  }
  const sent = failure === 'cut' && body !== null ? cutStream(body) : body
  return new Response(sent, { status, headers })
}

/** The error of `fetch` without a network. A class, to distinguish it from a bug. */
export class NetworkFailure extends TypeError {}

async function unlessAborted(promise: Promise<void>, signal: AbortSignal | undefined) {
  if (!signal) {
    return promise
  }
  let abort: () => void = () => undefined
  const aborted = new Promise<never>((_, reject) => {
    abort = () => reject(signal.reason as Error)
    if (signal.aborted) {
      abort()
    }
    signal.addEventListener('abort', abort)
  })
  return Promise.race([promise, aborted]).finally(() => signal.removeEventListener('abort', abort))
}

function cutStream(body: string): ReadableStream<Uint8Array> {
  const bytes = new TextEncoder().encode(body)
  let isStarted = false
  return new ReadableStream({
    pull(controller) {
      if (isStarted) {
        return controller.error(new TypeError('terminated'))
      }
      isStarted = true
      controller.enqueue(bytes.slice(0, Math.ceil(bytes.length / 2)))
    },
  })
}
