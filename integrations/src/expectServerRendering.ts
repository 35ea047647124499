import path from 'node:path'
import type { Browser } from 'playwright-core'
import { expect, type TestContext, vi } from 'vitest'
import { expectNoSecrets, openPage } from './appPage.ts'
import { expectProxy } from './expectProxy.ts'
import { start } from './run.ts'
import { startWalletService, variablesOf, wallets, type WalletService } from './walletService.ts'

const first = wallets['vitalik.eth']
const second = wallets['nick.eth']
/** Where Node.js and Chromium have grouped digits differently. */
export const locale = 'de-CH' as const
/** Pages that are rendered before the memory of the server is compared. */
const pageCount = Number(process.env.INTEGRATION_PAGES ?? 80)

/** Not `expect.poll`, which fails in concurrent tests after one of them timed out. */
const waitFor = (check: () => void) => vi.waitFor(check, { timeout: 30_000 })

/** An installed and built app that renders wallets on a server. */
interface ServerRenderedApp {
  readonly folder: string
  /** Arguments of Node.js that start its server. */
  readonly server: readonly string[]
  /** The folders with the files that browsers load. */
  readonly publicFolders: readonly string[]
  /** Environment variables of the server. */
  readonly variables?: NodeJS.ProcessEnv
  /** Paths that show a wallet: its address follows. */
  readonly paths: readonly string[]
  /** Those whose HTML has no rows yet, because the response is streamed as data. */
  readonly pendingPaths?: readonly string[]
  /** Requests to the service when the browser first navigates to another wallet. */
  readonly requestsToNavigate: number
  /** Whether a page that is rendered aborts its requests when the visitor leaves. */
  readonly isRenderingAborted?: boolean
  /** Path of a page that prefetches the wallets that it links to. */
  readonly prefetchingPath?: string
  /** Path of a page that is cached for a second and then rendered again in the background: a wallet follows. */
  readonly cachedPath?: string
  /** Path of a page that is only rendered in the browser: a wallet follows. */
  readonly browserPath?: string
}

/** Expects of an app what users expect of server rendering: rows in the page, no second request, and no secrets. */
export async function expectServerRendering(
  browser: Browser,
  app: ServerRenderedApp,
  { onTestFinished }: TestContext,
): Promise<void> {
  const service = await startWalletService()
  onTestFinished(() => service.close())
  const variables = { ...app.variables, ...variablesOf(service) }
  const ready = /diagnostics at (\S+)[^]+?(http:\/\/[\d.]+:\d+)/
  const args = ['--import', './diagnostics.js', ...app.server]
  const server = await start('node', args, app.folder, ready, variables)
  onTestFinished(() => server.stop())
  const [, diagnosticsUrl = '', origin = ''] = ready.exec(server.readyText) ?? []

  const folders = app.publicFolders.map((each) => path.join(app.folder, each))
  await expectNoSecrets(folders, service.secrets)
  for (const walletPath of app.paths) {
    const base = `${origin}${walletPath}`
    const isPending = app.pendingPaths?.includes(walletPath) ?? false
    await expectSeparatePages(base, service.secrets, isPending)
    await expectHydration(browser, base, service, app.requestsToNavigate, isPending)
  }
  await expectMedia(browser, `${origin}/media?address=${service.collector}`, service.secrets)
  if (app.prefetchingPath !== undefined) {
    await expectPrefetchedNavigation(browser, origin + app.prefetchingPath)
  }
  if (app.isRenderingAborted) {
    await expectAbortedRendering(`${origin}${app.paths[0]}${service.collector}`, service)
  }
  if (app.cachedPath !== undefined) {
    await expectCompleteCache(`${origin}${app.cachedPath}${first.address}`, service)
  }
  if (app.browserPath !== undefined) {
    await expectRowsInBrowser(browser, `${origin}${app.browserPath}${first.address}`)
  }
  // Such as of rendering that a framework recovers from.
  expect(server.output()).not.toMatch(/error/i)
  await expectProxy(origin, service, diagnosticsUrl)
  // A visitor whose request fails does not receive what an earlier visitor received.
  const heal = service.fail({ status: 503 })
  const html = await (await fetch(`${origin}${app.paths[0]}${first.address}`)).text()
  expect(html).not.toContain(first.text[locale])
  expect(html).not.toContain(`${first.amount}`)
  heal()
  await expectFlatMemory(
    app.paths.map((walletPath) => `${origin}${walletPath}`),
    diagnosticsUrl,
  )
  expect(server.output()).not.toContain(service.key)
}

/** Simultaneous visitors receive the rows of their wallet, and no others. */
async function expectSeparatePages(
  base: string,
  secrets: readonly string[],
  isPending: boolean,
): Promise<void> {
  const visits = Array.from({ length: 5 }, () => [
    { own: first, other: second },
    { own: second, other: first },
  ]).flat()
  await Promise.all(
    visits.map(async ({ own, other }) => {
      const html = await (await fetch(`${base}${own.address}`)).text()
      expect(html.includes(own.text[locale])).toBe(!isPending)
      expect(html).toContain(`${own.amount}`)
      expect(html).not.toContain(other.text[locale])
      expect(html).not.toContain(`${other.amount}`)
      expect(secrets.filter((secret) => html.includes(secret))).toEqual([])
    }),
  )
}

/**
 * The browser displays what the server rendered and sends no request, also when it navigates and returns. Then it refetches
 * through the server, which aborts the request when the visitor leaves.
 */
async function expectHydration(
  browser: Browser,
  base: string,
  service: WalletService,
  requestsToNavigate: number,
  isPending: boolean,
): Promise<void> {
  const { page, requests, messages } = await openPage(browser)
  const row = (text: string) =>
    page.getByRole('listitem').getByText(`${text} ETH on Ethereum`, { exact: true })
  const refresh = page.getByRole('button', { name: 'Refresh' })
  try {
    await page.goto(`${base}${first.address}`, { waitUntil: 'networkidle' })
    expect(await page.locator('li').allInnerTexts()).toEqual([
      `${first.text[locale]} ETH on Ethereum`,
    ])
    expect(requests).toEqual([])

    await page.getByRole('link', { name: 'nick.eth' }).click()
    await row(second.text[locale]).waitFor()
    await page.goBack()
    await row(first.text[locale]).waitFor()
    expect(requests).toHaveLength(requestsToNavigate)
    expect(await page.evaluate('wasPending')).toBe(isPending)

    service.setAmount(first, 2n * first.amount)
    await refresh.click()
    await row('2’469’135').waitFor()
    expect(requests).toHaveLength(requestsToNavigate + 1)
    service.setAmount(first, first.amount)

    const release = service.fail({ kind: 'hold' })
    const abortedBefore = service.abortedCount()
    await refresh.click()
    await waitFor(() => expect(requests).toHaveLength(requestsToNavigate + 2))
    await page.getByRole('link', { name: 'Home' }).click()
    await page.getByText('Select a wallet.').waitFor()
    await waitFor(() => expect(service.abortedCount()).toBe(abortedBefore + 1))
    release()
    expect(messages).toEqual([])
  } finally {
    await page.context().close()
  }
}

/** When a visitor leaves while the server renders, it aborts its request to the service. */
async function expectAbortedRendering(url: string, service: WalletService): Promise<void> {
  const sent = service.requests.length
  const aborted = service.abortedCount()
  const release = service.fail({ kind: 'hold' })
  const controller = new AbortController()
  const page = fetch(url, { signal: controller.signal })
  await waitFor(() => expect(service.requests.length).toBe(sent + 1))
  controller.abort()
  await expect(page).rejects.toThrow()
  await waitFor(() => expect(service.abortedCount()).toBe(aborted + 1))
  release()
}

/** A page that is rendered after its visitor received the cached one has data, too. */
async function expectCompleteCache(url: string, service: WalletService): Promise<void> {
  const get = async () => (await fetch(url)).text()
  const cached = await get()
  expect(cached).toContain(first.text[locale])
  service.setAmount(first, 2n * first.amount)
  const release = service.fail({ kind: 'hold' })
  const sent = service.requests.length
  await vi.waitFor(async () => {
    expect(await get()).toBe(cached)
    expect(service.requests.length).toBe(sent + 1)
  }, 30_000)
  release()
  const rendered = await vi.waitUntil(
    async () => {
      const html = await get()
      return html !== cached && html
    },
    { timeout: 30_000 },
  )
  expect(rendered).toContain('2’469’135')
  service.setAmount(first, first.amount)
}

/** A page that no server renders requests its data in the browser. */
async function expectRowsInBrowser(browser: Browser, url: string): Promise<void> {
  const { page, messages } = await openPage(browser)
  try {
    await page.goto(url)
    await page.getByText(`${first.text[locale]} ETH on Ethereum`, { exact: true }).waitFor()
    expect(messages).toEqual([])
  } finally {
    await page.context().close()
  }
}

/** Logos and images of NFTs have URLs of the proxy, which serves them, also in the HTML. */
async function expectMedia(browser: Browser, url: string, secrets: readonly string[]) {
  const html = await (await fetch(url)).text()
  expect(html).toMatch(/<img src="\/api\/headwater\/beta\/token\/logo\/1"/)
  expect(html).toMatch(/<img src="\/api\/headwater\/v1\/evm\/collectible\/image\/1\//)
  expect(secrets.filter((secret) => html.includes(secret))).toEqual([])
  const { page, requests, messages } = await openPage(browser)
  try {
    await page.goto(url, { waitUntil: 'networkidle' })
    const sizes = await page
      .locator('img')
      .evaluateAll((images) => images.map((image) => (image as HTMLImageElement).naturalWidth))
    expect(Math.min(...sizes)).toBeGreaterThan(0)
    expect(requests.filter((each) => !/\/(logo|image)\//.test(each))).toEqual([])
    expect(messages).toEqual([])
  } finally {
    await page.context().close()
  }
}

/** The browser navigates to wallets that the server prefetched without a request, also from one to the other. */
async function expectPrefetchedNavigation(browser: Browser, url: string): Promise<void> {
  const { page, requests, messages } = await openPage(browser)
  try {
    await page.goto(url, { waitUntil: 'networkidle' })
    for (const [name, { text }] of Object.entries(wallets)) {
      await page.getByRole('link', { name }).click()
      await page.getByText(`${text[locale]} ETH on Ethereum`, { exact: true }).waitFor()
    }
    expect(await page.evaluate('wasPending')).toBe(false)
    expect(requests).toEqual([])
    expect(messages).toEqual([])
  } finally {
    await page.context().close()
  }
}

/** Pages leave no clients, caches or connections on the server. */
async function expectFlatMemory(bases: readonly string[], diagnosticsUrl: string): Promise<void> {
  const measure = async () =>
    (await (await fetch(diagnosticsUrl)).json()) as { heap: number; sockets: number }
  const render = async (index: number) => {
    const address = `0x${`${index}`.padStart(40, '0')}`
    await (await fetch(`${bases[index % bases.length]}${address}`)).text()
  }
  const renderMany = async (count: number) => {
    for (let done = 0; done < count; done += 4) {
      await Promise.all([0, 1, 2, 3].map((offset) => render(done + offset)))
    }
  }
  await renderMany(40)
  const before = await measure()
  await renderMany(pageCount)
  const after = await measure()
  // A client with a response takes 100 kB.
  expect(after.heap - before.heap).toBeLessThan(2 ** 20 + pageCount * 50_000)
  expect(after.sockets).toBeLessThan(30)
}
