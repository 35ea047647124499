import { readdir, readFile } from 'node:fs/promises'
import path from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { expect, type TestContext, vi } from 'vitest'
import { createFakeService, type FakeService } from '@headwater/testing'
import { listen } from '@headwater/testing/node'
import { start } from './run.ts'

/** Not `expect.poll`, which fails in concurrent tests after one of them timed out. */
const waitFor = (check: () => void) => vi.waitFor(check, { timeout: 30_000 })

/** An installed and built app that renders wallets on a server. */
interface ServerRenderedApp {
  readonly folder: string
  /** The folders with the files that browsers load. */
  readonly publicFolders: readonly string[]
  /** Environment variables of the server. */
  readonly variables?: NodeJS.ProcessEnv
  /** Paths that show a wallet, before its address. */
  readonly paths: readonly string[]
  /** Those whose HTML has no rows yet, because the response is streamed as data. */
  readonly pendingPaths?: readonly string[]
  /** Requests to the service when the browser first navigates to another wallet. */
  readonly requestsToNavigate: number
  /** Path of a page that prefetches the wallets that it links to. */
  readonly prefetchingPath?: string
}

/** The wallets that the apps link to, and their amounts of the native asset in wei. */
const wallets = {
  A: {
    address: `0x${'a'.repeat(40)}`,
    amount: 1_234_567_500_000_000_000_000_000n,
    text: '1’234’567.5',
  },
  B: {
    address: `0x${'b'.repeat(40)}`,
    amount: 7_654_321_250_000_000_000_000_000n,
    text: '7’654’321.25',
  },
}
const key = 'hw_key_of_the_server'

type Wallet = (typeof wallets)[keyof typeof wallets]

/** Expects of an app what users expect of server rendering: rows in the page, no second request, and no secrets. */
export async function expectServerRendering(
  browser: Browser,
  app: ServerRenderedApp,
  { onTestFinished }: TestContext,
): Promise<void> {
  const { service, url, close } = await startService()
  onTestFinished(close)
  const variables = {
    ...app.variables,
    HEADWATER_URL: url,
    HEADWATER_API_KEY: key,
    NUXT_HEADWATER_URL: url,
    NUXT_HEADWATER_API_KEY: key,
  }
  const ready = /diagnostics at (\S+)[^]+?(http:\/\/[\d.]+:\d+)/
  const server = await start('npm', ['run', 'serve'], app.folder, ready, variables)
  onTestFinished(() => server.stop())
  const [, diagnosticsUrl = '', origin = ''] = ready.exec(server.readyText) ?? []

  const secrets = [key, new URL(url).host]
  await expectNoSecrets(app, secrets)
  for (const walletPath of app.paths) {
    const base = `${origin}${walletPath}`
    const isPending = app.pendingPaths?.includes(walletPath) ?? false
    await expectSeparatePages(base, secrets, isPending)
    await expectHydration(browser, base, service, app.requestsToNavigate, isPending)
  }
  if (app.prefetchingPath !== undefined) {
    await expectPrefetchedNavigation(browser, origin + app.prefetchingPath)
  }
  // A visitor whose request fails does not receive what an earlier visitor received.
  const heal = service.fail({ status: 503 })
  const html = await (await fetch(`${origin}${app.paths[0]}/${wallets.A.address}`)).text()
  expect(html).not.toContain(wallets.A.text)
  expect(html).not.toContain(`${wallets.A.amount}`)
  heal()
  await expectFlatMemory(
    app.paths.map((walletPath) => `${origin}${walletPath}`),
    diagnosticsUrl,
  )
  // Such as of rendering that a framework recovers from.
  expect(server.output()).not.toMatch(/error/i)
}

/** The fake service of a test. */
interface Service extends Pick<FakeService, 'fail'> {
  setAmount(wallet: Wallet, amount: bigint): void
  /** The number of requests whose client left before the response. */
  readonly abortedCount: () => number
}

/** A fake service over HTTP, with the wallets. */
async function startService(): Promise<{ service: Service; url: string; close(): Promise<void> }> {
  const service = createFakeService({ key })
  const native = { chainId: service.chains[0]!.id, address: 'native' }
  const setAmount = ({ address }: Wallet, amount: bigint) =>
    service.setAmount(address, native, amount)
  setAmount(wallets.A, wallets.A.amount)
  setAmount(wallets.B, wallets.B.amount)
  let abortedCount = 0
  const { url, close } = await listen({
    async fetch(input, init) {
      try {
        return await service.fetch(input, init)
      } catch (error) {
        abortedCount++
        throw error
      }
    },
  })
  const { fail } = service
  return { service: { fail, setAmount, abortedCount: () => abortedCount }, url, close }
}

/** Neither the key nor the URL of the service is in a file that browsers load. */
async function expectNoSecrets(app: ServerRenderedApp, secrets: string[]): Promise<void> {
  let count = 0
  for (const folder of app.publicFolders) {
    const root = path.join(app.folder, folder)
    for (const entry of await readdir(root, { recursive: true, withFileTypes: true })) {
      if (entry.isFile()) {
        const text = await readFile(path.join(entry.parentPath, entry.name), 'utf8')
        expect(secrets.filter((secret) => text.includes(secret))).toEqual([])
        count++
      }
    }
  }
  expect(count).toBeGreaterThan(0)
}

/** Simultaneous visitors receive the rows of their wallet, and no others. */
async function expectSeparatePages(
  base: string,
  secrets: string[],
  isPending: boolean,
): Promise<void> {
  const { A, B } = wallets
  const visits = Array.from({ length: 5 }, () => [
    { own: A, other: B },
    { own: B, other: A },
  ]).flat()
  await Promise.all(
    visits.map(async ({ own, other }) => {
      const html = await (await fetch(`${base}/${own.address}`)).text()
      expect(html.includes(own.text)).toBe(!isPending)
      expect(html).toContain(`${own.amount}`)
      expect(html).not.toContain(other.text)
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
  service: Service,
  requestsToNavigate: number,
  isPending: boolean,
): Promise<void> {
  const { page, requests, messages } = await openPage(browser)
  const row = (text: string) => page.getByRole('listitem').getByText(`${text} ETH`, { exact: true })
  const refresh = page.getByRole('button', { name: 'Refresh' })
  try {
    await page.goto(`${base}/${wallets.A.address}`, { waitUntil: 'networkidle' })
    expect(await page.locator('li').allInnerTexts()).toEqual([`${wallets.A.text} ETH`])
    expect(requests).toEqual([])

    await page.getByRole('link', { name: 'B' }).click()
    await row(wallets.B.text).waitFor()
    await page.goBack()
    await row(wallets.A.text).waitFor()
    expect(requests).toHaveLength(requestsToNavigate)
    expect(await page.evaluate('wasPending')).toBe(isPending)

    service.setAmount(wallets.A, 2n * wallets.A.amount)
    await refresh.click()
    await row('2’469’135').waitFor()
    expect(requests).toHaveLength(requestsToNavigate + 1)
    service.setAmount(wallets.A, wallets.A.amount)

    const release = service.fail({ kind: 'hold' })
    const abortedBefore = service.abortedCount()
    await refresh.click()
    await waitFor(() => expect(requests).toHaveLength(requestsToNavigate + 2))
    await page.getByRole('link', { name: 'Home' }).click()
    await page.getByRole('heading', { name: 'Home' }).waitFor()
    await waitFor(() => expect(service.abortedCount()).toBe(abortedBefore + 1))
    release()
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
    for (const name of ['A', 'B'] as const) {
      await page.getByRole('link', { name }).click()
      await page.getByText(`${wallets[name].text} ETH`, { exact: true }).waitFor()
    }
    expect(await page.evaluate('wasPending')).toBe(false)
    expect(requests).toEqual([])
    expect(messages).toEqual([])
  } finally {
    await page.context().close()
  }
}

/** 200 pages leave no clients, caches or connections on the server. */
async function expectFlatMemory(bases: readonly string[], diagnosticsUrl: string): Promise<void> {
  const measure = async () =>
    (await (await fetch(diagnosticsUrl)).json()) as { heap: number; sockets: number }
  const render = async (index: number) => {
    const address = `0x${`${index}`.padStart(40, '0')}`
    await (await fetch(`${bases[index % bases.length]}/${address}`)).text()
  }
  const renderMany = async (count: number) => {
    for (let done = 0; done < count; done += 4) {
      await Promise.all([0, 1, 2, 3].map((offset) => render(done + offset)))
    }
  }
  await renderMany(40)
  const before = await measure()
  await renderMany(200)
  const after = await measure()
  // A client with a response takes 100 kB.
  expect(after.heap - before.heap).toBeLessThan(12 * 2 ** 20)
  expect(after.sockets).toBeLessThan(30)
}

/** A page with the locale of the amounts. `wasPending` in the page is whether a component ever was without data. */
async function openPage(browser: Browser) {
  const context = await browser.newContext({ locale: 'de-CH' })
  const page: Page = await context.newPage()
  const requests: string[] = []
  page.on('request', (request) => {
    if (new URL(request.url()).pathname.startsWith('/api/')) {
      requests.push(request.url())
    }
  })
  const messages: string[] = []
  page.on('pageerror', (error) => messages.push(error.message))
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) {
      messages.push(message.text())
    }
  })
  await page.addInitScript(() => {
    const state = globalThis as unknown as { wasPending: boolean }
    state.wasPending = false
    new MutationObserver(() => {
      state.wasPending ||= document.body?.textContent.includes('Loading …') ?? false
    }).observe(document, { childList: true, subtree: true, characterData: true })
  })
  return { page, requests, messages }
}
