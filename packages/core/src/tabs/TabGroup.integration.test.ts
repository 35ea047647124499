import { Worker } from 'node:worker_threads'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { startServer } from '../../test/startServer.ts'

/** Tabs as threads, each with a focus of its own, over the real locks and channels of Node. */
const workers: Worker[] = []
let server: Awaited<ReturnType<typeof startServer>>
/** Which tab made which request. */
let asked: string[]

beforeEach(async () => {
  asked = []
  server = await startServer(({ headers }, response) => {
    const price = asked.push(String(headers['x-tab']))
    response.writeHead(200, { 'content-type': 'application/json' })
    response.end(
      JSON.stringify({
        contract_address: 'native',
        tokens: [{ chain_id: 31337, price_usd: price }],
      }),
    )
  })
})
afterEach(async () => {
  await Promise.all(workers.splice(0).map((worker) => worker.terminate()))
  await server.close()
})

/** Opens a tab and waits until it shows something. */
async function open(tab: string) {
  const worker = new Worker(new URL('../../test/tabs/worker.ts', import.meta.url), {
    workerData: { baseUrl: server.baseUrl, tab },
    execArgv: ['--conditions=@headwater/source'],
  })
  workers.push(worker)
  let price = 0
  worker.on('message', (shown: number) => (price = shown))
  const shows = (least: number) => expect.poll(() => price, patience).toBeGreaterThanOrEqual(least)
  await shows(1)
  return { worker, shows }
}
const patience = { timeout: 20_000, interval: 20 }
/** Waits until a tab leads: it makes all of the newest requests. */
const leads = (tab: string) =>
  expect.poll(() => new Set(asked.slice(-5)), patience).toEqual(new Set([tab]))

describe('tabs', { timeout: 60_000 }, () => {
  it('show what the leader asks', async () => {
    await open('one')
    const two = await open('two')
    const from = asked.length
    await two.shows(from + 10)
    // A machine at its limits may keep the leader silent for two seconds.
    expect(asked.slice(from).filter((tab) => tab === 'two').length).toBeLessThanOrEqual(1)
  })

  it('hand on the lead when the leader is hidden, which sees on what the other asks', async () => {
    const one = await open('one')
    const two = await open('two')
    await leads('one')
    one.worker.postMessage(false)
    await leads('two')
    await one.shows(asked.length)
    one.worker.postMessage(true)
    two.worker.postMessage(false)
    await leads('one')
    await two.shows(asked.length)
  })

  it('hand on the lead when the leader is killed', async () => {
    const one = await open('one')
    await open('two')
    await leads('one')
    await one.worker.terminate()
    await leads('two')
  })

  it('poll nothing when all are hidden', async () => {
    const one = await open('one')
    const two = await open('two')
    await leads('one')
    for (const { worker } of [one, two]) {
      worker.postMessage(false)
    }
    await expect
      .poll(
        async () => {
          const before = asked.length
          await new Promise((resolve) => setTimeout(resolve, 500))
          return asked.length - before
        },
        { timeout: 20_000 },
      )
      .toBe(0)
    two.worker.postMessage(true)
    await leads('two')
  })
})
