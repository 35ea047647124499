import { Worker } from 'node:worker_threads'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { startServer } from '../../test/startServer.ts'

/** Tabs as threads, each with its own focus, with the real locks and channels of Node.js. */
const workers: Worker[] = []
let server: Awaited<ReturnType<typeof startServer>>
/** The tab of each request. */
let requests: string[]

beforeEach(async () => {
  requests = []
  server = await startServer(({ headers }, response) => {
    const price = requests.push(String(headers['x-tab']))
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

/** Opens a tab and waits until it displays a price. */
async function open(tab: string) {
  const worker = new Worker(new URL('../../test/tabs/worker.ts', import.meta.url), {
    workerData: { baseUrl: server.baseUrl, tab },
    execArgv: ['--conditions=@headwater/source'],
  })
  workers.push(worker)
  let price = 0
  worker.on('message', (displayed: number) => (price = displayed))
  const waitForPrice = (least: number) =>
    expect.poll(() => price, pollOptions).toBeGreaterThanOrEqual(least)
  await waitForPrice(1)
  return { worker, waitForPrice }
}
const pollOptions = { timeout: 20_000, interval: 20 }
/** Waits until the tab is the leader: the latest requests are its own. */
const waitForLeader = (tab: string) =>
  expect.poll(() => new Set(requests.slice(-5)), pollOptions).toEqual(new Set([tab]))

describe('tabs', { timeout: 60_000 }, () => {
  it('display the responses of the leader', async () => {
    await open('one')
    const two = await open('two')
    const from = requests.length
    await two.waitForPrice(from + 10)
    // On a machine under load, the leader may be silent for two seconds.
    expect(requests.slice(from).filter((tab) => tab === 'two').length).toBeLessThanOrEqual(1)
  })

  it('elect another leader when the leader is hidden, which displays the responses of the new one', async () => {
    const one = await open('one')
    const two = await open('two')
    await waitForLeader('one')
    one.worker.postMessage(false)
    await waitForLeader('two')
    await one.waitForPrice(requests.length)
    one.worker.postMessage(true)
    two.worker.postMessage(false)
    await waitForLeader('one')
    await two.waitForPrice(requests.length)
  })

  // Node.js may keep the lock of a terminated thread, unlike browsers, so that no other one becomes the leader.
  it('poll when the leader is terminated', async () => {
    const one = await open('one')
    const two = await open('two')
    await waitForLeader('one')
    await one.worker.terminate()
    // One of them may have been in flight.
    await two.waitForPrice(requests.length + 2)
    expect(requests.at(-1)).toBe('two')
  })

  it('do not poll while all are hidden', async () => {
    const one = await open('one')
    const two = await open('two')
    await waitForLeader('one')
    for (const { worker } of [one, two]) {
      worker.postMessage(false)
    }
    await expect
      .poll(
        async () => {
          const before = requests.length
          await new Promise((resolve) => setTimeout(resolve, 500))
          return requests.length - before
        },
        { timeout: 20_000 },
      )
      .toBe(0)
    two.worker.postMessage(true)
    await waitForLeader('two')
  })
})
