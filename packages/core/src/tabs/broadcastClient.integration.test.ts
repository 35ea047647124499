import { fileURLToPath } from 'node:url'
import type { Browser, Page } from 'playwright-core'
import { build, type Rolldown } from 'vite'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { launchChromium } from '@headwater/chromium'
import { startServer } from '../../test/startServer.ts'

/** The app of test/tabs/page.ts as one script. */
async function bundle(): Promise<string> {
  const output = (await build({
    configFile: false,
    logLevel: 'error',
    resolve: { conditions: ['@headwater/source', 'module', 'browser', 'production'] },
    build: {
      write: false,
      minify: false,
      rolldownOptions: {
        input: fileURLToPath(new URL('../../test/tabs/page.ts', import.meta.url)),
      },
    },
  })) as Rolldown.RolldownOutput
  return output.output[0].code
}

let server: Awaited<ReturnType<typeof startServer>>
let browser: Browser
const requests: string[] = []
/** The number of requests of a tab since a request. */
const countRequests = (tab: string, from = 0) =>
  requests.slice(from).filter((each) => each === tab).length

beforeAll(async () => {
  const script = await bundle()
  server = await startServer(({ url = '', headers }, response) => {
    if (url.startsWith('/v1/')) {
      const price = requests.push(String(headers['x-tab']))
      const tokens = [{ chain_id: 31337, price_usd: price }]
      response.writeHead(200, { 'content-type': 'application/json' })
      response.end(JSON.stringify({ contract_address: 'native', tokens }))
    } else {
      response.writeHead(200, { 'content-type': 'text/html' })
      response.end(`<!doctype html><title></title><script type="module">${script}</script>`)
    }
  })
  browser = await launchChromium()
}, 120_000)
afterAll(async () => {
  await browser?.close()
  await server?.close()
})

/** Waits until a page displays this price or a later one. */
const waitForPrice = (page: Page, price: number) =>
  page.waitForFunction((least) => Number(document.title) >= least, price, { timeout: 60_000 })

it('two tabs of a browser cost the units of one, and the second polls when the first is closed', async () => {
  const context = await browser.newContext()
  const open = async (tab: string) => {
    const page = await context.newPage()
    await page.goto(`${server.baseUrl}/?tab=${tab}`)
    await waitForPrice(page, 1)
    return page
  }
  const one = await open('one')
  const before = requests.length
  const two = await open('two')
  await waitForPrice(two, before + 6)
  await waitForPrice(one, before + 6)
  // The second displays the responses of the first. On a machine under load, the first may be silent once.
  expect(countRequests('one', before)).toBeGreaterThanOrEqual(4)
  expect(countRequests('two')).toBeLessThanOrEqual(2)

  await one.close()
  const after = requests.length
  await waitForPrice(two, after + 3)
  expect(countRequests('one', after)).toBe(0)
  expect(countRequests('two', after)).toBeGreaterThanOrEqual(3)
  await context.close()
}, 120_000)
