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
const asked: string[] = []
/** How many requests each tab made from a number on. */
const askedBy = (tab: string, from = 0) => asked.slice(from).filter((each) => each === tab).length

beforeAll(async () => {
  const script = await bundle()
  server = await startServer(({ url = '', headers }, response) => {
    if (url.startsWith('/v1/')) {
      const price = asked.push(String(headers['x-tab']))
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

/** Waits until a page shows a price at least as new. */
const shows = (page: Page, price: number) =>
  page.waitForFunction((least) => Number(document.title) >= least, price, { timeout: 60_000 })

it('two tabs of a browser cost the units of one, and the second goes on when the first is closed', async () => {
  const context = await browser.newContext()
  const open = async (tab: string) => {
    const page = await context.newPage()
    await page.goto(`${server.baseUrl}/?tab=${tab}`)
    await shows(page, 1)
    return page
  }
  const one = await open('one')
  const before = asked.length
  const two = await open('two')
  await shows(two, before + 6)
  await shows(one, before + 6)
  // The second shows what the first asks. A machine at its limits may keep the first silent once.
  expect(askedBy('one', before)).toBeGreaterThanOrEqual(4)
  expect(askedBy('two')).toBeLessThanOrEqual(2)

  await one.close()
  const after = asked.length
  await shows(two, after + 3)
  expect(askedBy('one', after)).toBe(0)
  expect(askedBy('two', after)).toBeGreaterThanOrEqual(3)
  await context.close()
}, 120_000)
