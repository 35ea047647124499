// @vitest-environment node
import { PassThrough } from 'node:stream'
import { text } from 'node:stream/consumers'
import { Suspense } from 'react'
import { renderToPipeableStream } from 'react-dom/server'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createStage } from '../test/createStage.tsx'
import { createSuspenseHooks } from '../test/createSuspenseHooks.ts'

const stage = createStage()
const { hooks } = createSuspenseHooks(stage.service)

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  stage.client = stage.createClient({ ssr: true })
})
afterEach(() => void vi.useRealTimers())

test.each(hooks)(
  '%s streams its data, and leaves nothing on the server',
  async (_name, useIt, parameters) => {
    function Probe() {
      const { status, data } = useIt(parameters)
      return <p>{`${status} ${data !== undefined}`}</p>
    }
    const Provided = stage.provided
    const { pipe } = renderToPipeableStream(
      <Provided>
        <Suspense fallback="loading">
          <Probe />
        </Suspense>
      </Provided>,
    )
    const html = text(pipe(new PassThrough()))
    await vi.waitFor(async () => {
      await vi.advanceTimersByTimeAsync(100)
      expect(stage.service.requests).toHaveLength(1)
    })
    expect(await html).toContain('success true')
    await vi.advanceTimersByTimeAsync(1000)
    expect(stage.service.requests).toHaveLength(1)
    expect(stage.client.streams.getActiveQueries().length).toBe(0)
    expect(vi.getTimerCount()).toBe(0)
  },
)
