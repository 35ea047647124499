import type { BrowserContext, Locator, Page, Request, Route } from 'playwright-core'
import { expect } from 'vitest'
import type { OperationName, operations } from '@headwater/contract'

/** The parameters of a link to a screen: the query of its URL. */
export type LinkParameters = Readonly<Record<string, string | number>>

/** Path segments of the operations, such as `token-holders`. */
export type OperationPath = (typeof operations)[OperationName]['path'] extends infer Path
  ? Path extends `/v1/evm/${infer Name}/${string}`
    ? Name
    : never
  : never

declare global {
  interface Window {
    /** Cumulative layout shift without user input. */
    layoutShift: number
    /** Descriptions of the layout shifts, for messages. */
    layoutShifts: string[]
  }
}

/** A page of a demo in its own browser context, with its errors. */
export class Demo {
  readonly page: Page
  readonly url: string
  /** Unexpected errors of the page. */
  readonly pageErrors: string[] = []
  /** Requests without a complete response, for messages. */
  readonly pendingRequests = new Set<Request>()
  /** Whether failed requests are expected. The browser logs them as errors. */
  allowsFailedRequests = false

  private constructor(page: Page, url: string) {
    this.page = page
    this.url = url
    page.setDefaultTimeout(60_000)
    page.on('request', (request) => this.pendingRequests.add(request))
    page.on('requestfinished', (request) => this.pendingRequests.delete(request))
    page.on('requestfailed', (request) => this.pendingRequests.delete(request))
    page.on('pageerror', (error) => this.pageErrors.push(error.message))
    page.on('console', (message) => {
      if (message.type() !== 'error') {
        return
      }
      const isRequest = message.text().startsWith('Failed to load resource')
      // Images of third-party contracts may be missing.
      const isImage = message.location().url.includes('/image/')
      if (isRequest && (this.allowsFailedRequests || isImage)) {
        return
      }
      this.pageErrors.push(`${message.text()} (${message.location().url})`)
    })
  }

  static async open(context: BrowserContext, url: string): Promise<Demo> {
    await context.addInitScript(observeLayoutShifts)
    // Tests advance clocks and count polls, so that pages poll unless a test allows the stream of changes.
    await context.route(changesPattern, (route) =>
      route.fulfill({ body: '', headers: { 'access-control-allow-origin': '*' } }),
    )
    return new Demo(await context.newPage(), url)
  }

  /** Loads the page by a link. */
  async goto(link: LinkParameters = {}): Promise<void> {
    const query = new URLSearchParams(
      Object.entries(link).map(([name, value]) => [name, String(value)]),
    )
    await this.page.goto(`${this.url}/?${query}`)
  }

  /** A query parameter of the current URL. */
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

  /** Waits for a problem notice and returns its kind. */
  async problem(): Promise<string | null> {
    const notice = this.byId('state-error')
    await notice.waitFor()
    return notice.getAttribute('data-kind')
  }

  /** Advances the clock of the page until an element appears, instead of waiting for backoff. The clock must be installed. */
  async fastForwardUntil(testId: string): Promise<void> {
    const advance = async () => {
      await this.page.clock.fastForward(1_000)
      return this.byId(testId).count()
    }
    await expect.poll(advance).toBeGreaterThan(0)
  }

  /** Intercepts the requests of an operation. */
  async intercept(
    operation: OperationPath | '*',
    handle: (route: Route) => unknown,
  ): Promise<void> {
    await this.page.route(interceptPattern(operation), (route) => void handle(route))
  }

  /** Removes the interceptor of an operation. */
  async stopIntercepting(operation: OperationPath | '*'): Promise<void> {
    await this.page.unroute(interceptPattern(operation))
  }

  /** Lets the service push changes to the page. Call it before `goto`. */
  async allowPush(): Promise<void> {
    await this.page.context().unroute(changesPattern)
  }

  /** Counts the requests of an operation, or of the stream of changes, from now on. */
  countRequests(operation: OperationPath | 'changes'): { count: number } {
    const counter = { count: 0 }
    this.page.on('request', (request) => {
      if (new RegExp(`/v1/evm/${operation}[/?]`).test(request.url())) {
        counter.count++
      }
    })
    return counter
  }

  /** Marks the document, so that `expectNoReload` detects a reload. */
  async mark(): Promise<void> {
    await this.page.evaluate(() => Object.assign(window, { isSameDocument: true }))
  }

  async expectNoReload(): Promise<void> {
    const isSame = await this.page.evaluate(() => 'isSameDocument' in window)
    expect(isSame, 'the page was reloaded').toBe(true)
  }

  /** Expects no errors and no layout shifts. */
  async expectNoErrorsOrShifts(): Promise<void> {
    expect(this.pageErrors).toEqual([])
    const [sum, shifts] = await this.page.evaluate(() => [
      window.layoutShift,
      window.layoutShifts.join('; '),
    ])
    expect(sum, `layout shifts: ${shifts}`).toBeLessThanOrEqual(0.05)
  }
}

const changesPattern = '**/v1/evm/changes?*'

function interceptPattern(operation: OperationPath | '*'): string {
  return `**/v1/evm/${operation === '*' ? '' : `${operation}/`}**`
}

/**
 * Runs in the page before its scripts. A row or card that moves because its rank changed does not count: holders, balances and
 * collectibles change while the page shows them. Neither does what moves because a test changed the size of texts or of the
 * viewport.
 */
function observeLayoutShifts(): void {
  window.layoutShift = 0
  window.layoutShifts = []
  // The times of shifts are of this clock, which a fake one replaces.
  const clock = performance
  const movedAt = new WeakMap<Node, number>()
  const observed = { attributeFilter: ['aria-rowindex'], childList: true, subtree: true }
  new MutationObserver((mutations) => {
    for (const { type, target, nextSibling } of mutations) {
      if (type === 'attributes') {
        movedAt.set(target, clock.now())
      } else if ((target as HTMLElement).dataset?.testid === 'gallery') {
        // What is inserted or removed moves the cards after it.
        for (let card = nextSibling; card; card = card.nextSibling) {
          movedAt.set(card, clock.now())
        }
      }
    }
  }).observe(document, observed)
  let resizedAt = -Infinity
  const onResize = () => {
    resizedAt = clock.now()
  }
  addEventListener('resize', onResize)
  new MutationObserver((mutations) => {
    if (mutations.some(({ target }) => target === document.documentElement)) {
      onResize()
    }
  }).observe(document, { attributeFilter: ['style'], subtree: true })

  type Source = { node?: Node; previousRect: DOMRect; currentRect: DOMRect }
  const hasNewRank = ({ node }: Source, shiftedAt: number) =>
    node !== undefined && Math.abs((movedAt.get(node) ?? -Infinity) - shiftedAt) < 1_000
  const describeMove = ({ node, previousRect, currentRect }: Source) => {
    const name = node instanceof Element && node.className ? node.className : node?.nodeName
    return `${name} (top ${previousRect.top} to ${currentRect.top}, height ${previousRect.height} to ${currentRect.height})`
  }
  new PerformanceObserver((list) => {
    const shifts = list.getEntries() as (PerformanceEntry & {
      value: number
      hadRecentInput: boolean
      sources: Source[]
    })[]
    for (const { startTime, value, hadRecentInput, sources } of shifts) {
      const isExpected =
        Math.abs(resizedAt - startTime) < 1_000 ||
        sources.some((source) => hasNewRank(source, startTime))
      if (hadRecentInput || isExpected) {
        continue
      }
      window.layoutShift += value
      window.layoutShifts.push(`${value.toFixed(4)} of ${sources.map(describeMove).join(', ')}`)
    }
  }).observe({ type: 'layout-shift', buffered: true })
}
