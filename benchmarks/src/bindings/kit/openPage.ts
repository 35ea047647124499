import type { Browser } from 'playwright-core'
import { mapValues } from '../../judge.ts'
import type { BenchPage, Played } from '../pages/kit/page.ts'
import type { Files } from './buildPages.ts'

/** Nobody answers here: what it serves comes out of memory. */
const url = 'http://bench.test/'

/** What a round of polling took, on average of those of a turn. */
export type Turn = Readonly<
  Record<
    /** CPU time of the page's thread, in milliseconds: script, its garbage collection, style, layout and paint. */
    | 'cpuMs'
    /** What of it style and layout took, which nobody can save who shows the same. */
    | 'layoutMs'
    /** How often a component looked at the price, to show it. */
    | 'renders'
    | 'requests',
    number
  >
>

/** A page that shows the price a thousand times. */
export interface PricePage {
  /** Lets rounds of polling go by, up to a number of them. */
  play(...rounds: Parameters<BenchPage['play']>): Promise<Turn>
  /** How many components show the newest price. */
  countRight(): Promise<number>
}

/** Opens the page of a contender in a process of its own. */
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
  // Not wall time: others work on the machine too.
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
        throw new Error(`Chromium does not tell its ${name}`)
      }
      return seconds * 1000
    }
    return { cpuMs: ms('TaskDuration'), layoutMs: ms('LayoutDuration') + ms('RecalcStyleDuration') }
  }
}
