import type { Browser } from 'playwright-core'
import { mapValues } from '../../checkTargets.ts'
import type { BenchPage, Played } from '../pages/kit/page.ts'
import type { Files } from './buildPages.ts'

/** No server listens here: requests are intercepted and served from memory. */
const url = 'http://bench.test/'

/** The cost of a polling round, as the average of a turn. */
export type Turn = Readonly<
  Record<
    /** CPU time of the page's thread, in milliseconds: script, its garbage collection, style, layout and paint. */
    | 'cpuMs'
    /** The share of style and layout, which is the same for each contender with the same output. */
    | 'layoutMs'
    /** Number of times that a component rendered the price. */
    | 'renders'
    | 'requests',
    number
  >
>

/** A page with a thousand components of the price. */
export interface PricePage {
  /** Runs up to a number of polling rounds. */
  play(...rounds: Parameters<BenchPage['play']>): Promise<Turn>
  /** Number of components that show the newest price. */
  countRight(): Promise<number>
}

/** Opens the page of a contender in its own process. */
export async function openPage(browser: Browser, name: string, files: Files): Promise<PricePage> {
  const context = await browser.newContext()
  const page = await context.newPage()
  const failures: Error[] = []
  page.on('pageerror', (error) => failures.push(error))
  await page.route(`${url}**`, (route) => {
    const body = files.get(route.request().url().slice(url.length))
    if (body !== undefined) {
      return route.fulfill({ contentType: 'text/javascript', body })
    }
    const html = `<!doctype html><body><script type="module" src="/${name}.js"></script>`
    return route.fulfill({ contentType: 'text/html', body: html })
  })
  await page.goto(url)
  await page.waitForFunction('"benchPage" in globalThis')
  const devtools = await context.newCDPSession(page)
  // CPU time, because wall time depends on other processes.
  await devtools.send('Performance.enable', { timeDomain: 'threadTicks' })

  return {
    async play(most, changes) {
      const before = await readMetrics()
      const played = await page.evaluate<Played>(`benchPage.play(${most}, ${changes})`)
      const after = await readMetrics()
      if (failures[0]) {
        throw failures[0]
      }
      const { rounds, renders, requests } = played
      const totals = {
        cpuMs: after.cpuMs - before.cpuMs,
        layoutMs: after.layoutMs - before.layoutMs,
        renders,
        requests,
      }
      return mapValues(totals, (total) => total / rounds)
    },
    countRight: () => page.evaluate<number>('benchPage.countRight()'),
  }

  async function readMetrics() {
    const { metrics } = await devtools.send('Performance.getMetrics')
    const ms = (name: string) => {
      const seconds = metrics.find((metric) => metric.name === name)?.value
      if (seconds === undefined) {
        throw new Error(`Chromium does not report ${name}`)
      }
      return seconds * 1000
    }
    return { cpuMs: ms('TaskDuration'), layoutMs: ms('LayoutDuration') + ms('RecalcStyleDuration') }
  }
}
