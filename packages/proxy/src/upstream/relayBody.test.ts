import fc from 'fast-check'
import { expect, it, vi } from 'vitest'
import { relayBody } from './relayBody.ts'

const from = 'http://headwater.internal:4000'
const to = '/api'
const maxBytes = 10_000

function relay(chunks: readonly Uint8Array[]) {
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      chunks.forEach((chunk) => controller.enqueue(chunk))
      controller.close()
    },
  })
  const options = {
    controller: new AbortController(),
    timeout: 1000,
    maxBytes,
    onError: () => undefined,
    replacement: { from, to },
  }
  return new Response(relayBody(body, options)).text()
}

it('replaces a text wherever the chunks are split', async () => {
  const part = fc.oneof(
    fc.constantFrom(from, from.slice(0, 9), from.slice(-5), 'http://http://', `"${from}/beta"`),
    fc.string({ unit: 'grapheme' }),
  )
  await fc.assert(
    fc.asyncProperty(fc.array(part), fc.array(fc.nat({ max: 40 })), async (parts, sizes) => {
      const text = parts.join('')
      let rest = new TextEncoder().encode(text)
      const chunks = sizes.map((size) => {
        const chunk = rest.slice(0, size)
        rest = rest.slice(size)
        return chunk
      })
      expect(await relay([...chunks, rest])).toBe(text.replaceAll(from, to))
    }),
    { numRuns: 200 },
  )
})

it('reads the body only as it is read', async () => {
  let pulls = 0
  const body = new ReadableStream<Uint8Array>(
    {
      pull(controller) {
        pulls++
        controller.enqueue(new Uint8Array(10))
      },
    },
    { highWaterMark: 0 },
  )
  const options = {
    controller: new AbortController(),
    timeout: 1000,
    maxBytes,
    onError: () => undefined,
  }
  const reader = relayBody(body, options).getReader()
  await reader.read()
  await reader.read()
  expect(pulls).toBe(2)
  await reader.cancel()
})

it('aborts a body that pauses for longer than the timeout, and not one whose reader does', async () => {
  vi.useFakeTimers()
  try {
    const controller = new AbortController()
    let isPaused = false
    const body = new ReadableStream<Uint8Array>(
      {
        pull: (stream) =>
          isPaused ? new Promise(() => undefined) : stream.enqueue(new Uint8Array(1)),
      },
      { highWaterMark: 0 },
    )
    const onError = vi.fn()
    const reader = relayBody(body, { controller, timeout: 1000, maxBytes, onError }).getReader()
    await reader.read()
    await vi.advanceTimersByTimeAsync(60_000)
    expect(controller.signal.aborted).toBe(false)
    isPaused = true
    void reader.read().catch(() => undefined)
    await vi.advanceTimersByTimeAsync(1000)
    expect(controller.signal.reason).toMatchObject({ name: 'UpstreamTimeoutError' })
    expect(onError.mock.calls).toEqual([[controller.signal.reason]])
  } finally {
    vi.useRealTimers()
  }
})

it('breaks off a body without end', async () => {
  const controller = new AbortController()
  const body = new ReadableStream<Uint8Array>({
    pull: (stream) => stream.enqueue(new Uint8Array(1024)),
  })
  const onError = vi.fn()
  const reader = relayBody(body, { controller, timeout: 1000, maxBytes, onError }).getReader()
  const readAll = async () => {
    let isDone = false
    while (!isDone) {
      isDone = (await reader.read()).done
    }
  }
  await expect(readAll()).rejects.toThrow(RangeError)
  expect(controller.signal.aborted).toBe(true)
  expect(onError.mock.calls).toEqual([[controller.signal.reason]])
})
