import type { BrowserContext, Locator, Page, Route } from 'playwright-core'
import { expect } from 'vitest'
import { patience } from './patience.ts'

/** Where in a demo to go: the query of its address. */
export type Place = Readonly<Record<string, string | number>>

/** Names of the requests that the pages send to the service. */
export type Operation = 'balances' | 'collectibles' | 'token-holders' | 'token-info'

declare global {
  interface Window {
    /** The sum of how far things jumped that no reader moved, by the browser's own measure. */
    layoutShift: number
    /** What jumped, for whoever has to find out why. */
    layoutShifts: string[]
  }
}

/** One of the demo wallets in a browser profile of its own, and what it complained about. */
export class Demo {
  readonly page: Page
  readonly url: string
  /** Errors of the page that no test expected. */
  readonly complaints: string[] = []
  /** Whether requests are expected to fail, which the browser itself logs. */
  mayFail = false

  private constructor(page: Page, url: string) {
    this.page = page
    this.url = url
    page.setDefaultTimeout(patience.timeout)
    page.on('pageerror', (error) => this.complaints.push(error.message))
    page.on('console', (message) => {
      if (message.type() !== 'error') {
        return
      }
      const isRequest = message.text().startsWith('Failed to load resource')
      // Pictures that strangers' contracts name may well be missing.
      const isPicture = message.location().url.includes('/image/')
      if (isRequest && (this.mayFail || isPicture)) {
        return
      }
      this.complaints.push(`${message.text()} (${message.location().url})`)
    })
  }

  static async open(context: BrowserContext, url: string): Promise<Demo> {
    await context.addInitScript(observeLayoutShifts)
    return new Demo(await context.newPage(), url)
  }

  /** Loads the page at a place, as somebody does who was sent a link. */
  async goto(place: Place = {}): Promise<void> {
    const query = new URLSearchParams(
      Object.entries(place).map(([name, value]) => [name, String(value)]),
    )
    await this.page.goto(`${this.url}/?${query}`)
  }

  /** The value of a part of the page's address. */
  query(name: string): string | null {
    return new URL(this.page.url()).searchParams.get(name)
  }

  byId(testId: string): Locator {
    return this.page.getByTestId(testId)
  }

  rows(): Locator {
    return this.byId('balance-row')
  }

  row(token: { chain_id: number; address: string }): Locator {
    const { chain_id: chainId, address } = token
    return this.page.locator(
      `[data-testid=balance-row][data-chain-id="${chainId}"][data-address="${address}"]`,
    )
  }

  card(collectible: { chain_id: number; contract_address: string; token_id: string }): Locator {
    const { chain_id: chainId, contract_address: contract, token_id: tokenId } = collectible
    return this.page.locator(
      `[data-testid=collectible-card][data-chain-id="${chainId}"]` +
        `[data-contract="${contract}"][data-token-id="${tokenId}"]`,
    )
  }

  /** Waits for the problem that the page shows, and says of which kind it is. */
  async problem(): Promise<string | null> {
    const notice = this.byId('state-error')
    await notice.waitFor()
    return notice.getAttribute('data-kind')
  }

  /** Answers the requests of an operation by hand. */
  async intercept(operation: Operation | '*', answer: (route: Route) => unknown): Promise<void> {
    await this.page.route(interceptPattern(operation), (route) => void answer(route))
  }

  /** Lets the requests of an operation pass again. */
  async passOn(operation: Operation | '*'): Promise<void> {
    await this.page.unroute(interceptPattern(operation))
  }

  /** Counts the requests of an operation from now on. */
  countRequests(operation: Operation): { count: number } {
    const counter = { count: 0 }
    this.page.on('request', (request) => {
      if (request.url().includes(`/v1/evm/${operation}/`)) {
        counter.count++
      }
    })
    return counter
  }

  /** Marks the document, so that `expectNoReload` can tell whether it is still the same. */
  async mark(): Promise<void> {
    await this.page.evaluate(() => Object.assign(window, { isSameDocument: true }))
  }

  async expectNoReload(): Promise<void> {
    const isSame = await this.page.evaluate(() => 'isSameDocument' in window)
    expect(isSame, 'the page was loaded anew').toBe(true)
  }

  /** Nothing complained, nothing jumped. */
  async expectCalm(): Promise<void> {
    expect(this.complaints).toEqual([])
    const [sum, shifts] = await this.page.evaluate(() => [
      window.layoutShift,
      window.layoutShifts.join('; '),
    ])
    expect(sum, `what jumped: ${shifts}`).toBeLessThanOrEqual(0.05)
  }
}

function interceptPattern(operation: Operation | '*'): string {
  return `**/v1/evm/${operation === '*' ? '' : `${operation}/`}**`
}

/** Runs in the page, before anything of it. */
function observeLayoutShifts(): void {
  window.layoutShift = 0
  window.layoutShifts = []
  new PerformanceObserver((list) => {
    const shifts = list.getEntries() as (PerformanceEntry & {
      value: number
      hadRecentInput: boolean
      sources: { node?: Element }[]
    })[]
    for (const { value, hadRecentInput, sources } of shifts) {
      if (hadRecentInput) {
        continue
      }
      window.layoutShift += value
      const names = sources.map(({ node }) => node?.className ?? node?.nodeName ?? '')
      window.layoutShifts.push(`${value.toFixed(4)} of ${names.join(', ')}`)
    }
  }).observe({ type: 'layout-shift', buffered: true })
}
