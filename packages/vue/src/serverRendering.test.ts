import { dehydrate, type DehydratedState, hydrate } from '@tanstack/query-core'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import {
  type App,
  type Component,
  createApp,
  createSSRApp,
  defineComponent,
  effectScope,
  h,
  onServerPrefetch,
  ref,
  Suspense,
} from 'vue'
import { renderToString } from 'vue/server-renderer'
import { type Client, createClient, type Snapshot } from '@headwater/core'
import { createFakeService } from '@headwater/testing'
import {
  headwaterPlugin,
  useBalances,
  usePortfolio,
  usePrice,
  useUsage,
  useWaitForChange,
} from './index.ts'

const service = createFakeService()
const { address } = service.wallet('everyday')
const ether = { chainId: 1, address: 'native' }

let app: App | undefined
let browser: Client
let requestsBefore: number
let warnings: unknown[]

beforeEach(() => {
  requestsBefore = service.requests.length
  warnings = []
  // Where Vue reports hydration mismatches.
  for (const method of ['warn', 'error'] as const) {
    vi.spyOn(console, method).mockImplementation((...text) => void warnings.push(text))
  }
})

afterEach(() => {
  app?.unmount()
  browser.destroy()
  service.heal()
  vi.restoreAllMocks()
})

const create = (ssr: boolean) =>
  createClient({ baseUrl: service.url, apiKey: service.key, fetch: service.fetch, ssr })

/** Renders on a server, with one client per request, and returns the page and its state. */
async function render(page: Component) {
  const client = create(true)
  const html = await renderToString(createSSRApp(page).use(headwaterPlugin(client)))
  const state = JSON.stringify(dehydrate(client.queryClient))
  client.destroy()
  return { html, state }
}

/** Hydrates the page in a browser. */
function open(page: Component, { html, state }: { html: string; state: string }) {
  browser = create(false)
  hydrate(browser.queryClient, JSON.parse(state) as DehydratedState)
  const root = document.createElement('div')
  root.innerHTML = html
  app = createSSRApp(page).use(headwaterPlugin(browser))
  app.mount(root)
  return root
}

const textOf = ({ status, data }: Snapshot<readonly { symbol?: string }[]>) =>
  `${status}: ${data?.map(({ symbol }) => symbol).join()}`

/** A page with several streams. */
const Wallet = defineComponent({
  props: { isAwaited: Boolean },
  setup({ isAwaited }) {
    const balances = useBalances({ address, chainIds: [1] })
    const portfolio = usePortfolio({ address, chainIds: [1] })
    const price = usePrice(ether)
    const usage = useUsage()
    const change = useWaitForChange()
    if (isAwaited) {
      for (const { suspense } of [balances, portfolio, price] as const) {
        onServerPrefetch(suspense)
      }
    }
    return () =>
      h('p', [
        textOf(balances.value),
        ` worth ${portfolio.value.data?.value_usd}, ether ${price.value.data?.price_usd},`,
        ` ${usage.value.spent} spent, ${change.value.status}`,
      ])
  },
})

/** A page whose setup waits. */
const Awaited = defineComponent(async () => {
  const balances = useBalances({ address, chainIds: [1] })
  const { suspense } = balances
  await suspense()
  return () => h('p', textOf(balances.value))
})

test('renders awaited data on the server, and hydrates it without a request', async () => {
  const page = () => h(Wallet, { isAwaited: true })
  const rendered = await render(page)
  const onServer = service.requests.length - requestsBefore
  expect(rendered.html).toMatch(/success: ETH.* worth \d+.*, ether \d+.*, 0 spent, idle/)
  const root = open(page, rendered)
  expect(root.innerHTML).toBe(rendered.html)
  await expect.poll(() => browser.queryClient.isFetching()).toBe(0)
  expect(root.innerHTML).toBe(rendered.html)
  expect(service.requests.length - requestsBefore).toBe(onServer)
  expect(warnings).toEqual([])
})

test('requests data that the server did not await only in the browser', async () => {
  const page = () => h(Wallet)
  const rendered = await render(page)
  expect(rendered.html).toContain('pending: undefined')
  expect(service.requests.length).toBe(requestsBefore)
  const root = open(page, rendered)
  expect(root.innerHTML).toBe(rendered.html)
  await expect.poll(() => root.textContent).toContain('success: ETH')
  expect(warnings).toEqual([])
})

test.each([
  ['', () => h(Wallet, { isAwaited: true })],
  [' of an async setup', () => h(Suspense, () => h(Awaited))],
])('renders failed requests%s as pending, and repeats them in the browser', async (_, page) => {
  service.fail({ status: 500 })
  const rendered = await render(page)
  expect(rendered.html).toContain('pending: undefined')
  expect(service.requests.length).toBeGreaterThan(requestsBefore)
  service.heal()
  const root = open(page, rendered)
  expect(root.innerHTML).toBe(rendered.html)
  await expect.poll(() => root.textContent).toContain('success: ETH')
  expect(warnings).toEqual([])
})

test('renders and hydrates an async setup', async () => {
  const page = () => h(Suspense, () => h(Awaited))
  const rendered = await render(page)
  expect(rendered.html).toContain('success: ETH')
  const onServer = service.requests.length
  const root = open(page, rendered)
  await expect.poll(() => root.firstElementChild?.tagName).toBe('P')
  expect(root.innerHTML).toBe(rendered.html)
  expect(service.requests.length).toBe(onServer)
  expect(warnings).toEqual([])
})

test('shows the fallback of an async setup until the first response, with one request', async () => {
  browser = create(false)
  const root = document.createElement('div')
  app = createApp(() => h(Suspense, null, { default: () => h(Awaited), fallback: () => 'wait' }))
  app.use(headwaterPlugin(browser))
  app.mount(root)
  expect(root.textContent).toBe('wait')
  await expect.poll(() => root.textContent).toContain('success: ETH')
  expect(service.requests.length - requestsBefore).toBe(1)
})

test('does not share data between two requests to a server', async () => {
  const [one, two] = await Promise.all([
    render(() => h(Wallet, { isAwaited: true })),
    render(() => h(Wallet)),
  ])
  expect(one.html).toContain('success')
  expect(two.html).toContain('pending')
  expect(JSON.parse(two.state)).toMatchObject({ queries: [] })
  browser = create(false)
})

test.each([true, false])('`suspense` waits for the first response, ssr: %s', async (ssr) => {
  browser = create(ssr)
  const scope = effectScope()
  const balances = scope.run(() => useBalances({ address }, { client: browser }))!
  const { suspense } = balances
  const settled = await suspense()
  expect(settled.status).toBe('success')
  expect(balances.value).toEqual(settled)
  scope.stop()
})

test('`suspense` does not wait while the stream is disabled', async () => {
  browser = create(false)
  const options = { client: browser, enabled: false }
  const scope = effectScope()
  const { suspense } = scope.run(() => useBalances({ address }, options))!
  expect(await suspense()).toMatchObject({ status: 'pending' })
  expect(service.requests).toHaveLength(requestsBefore)
  scope.stop()
})

test('`suspense` sends one request on a server while a getter creates `select` and other state changes', async () => {
  const requests = ref(0)
  browser = createClient({
    baseUrl: service.url,
    apiKey: service.key,
    ssr: true,
    fetch: (...request) => {
      // A server computes again after any change, also of another visit.
      requests.value = Math.min(requests.value + 1, 3)
      return service.fetch(...request)
    },
  })
  const Page = defineComponent(async () => {
    const { suspense } = useBalances({ address }, () => ({
      select: (rows) => rows.length,
      refetchInterval: false,
    }))
    const { data } = await suspense()
    return () => h('p', `${data} tokens`)
  })
  const page = createSSRApp(() => h(Suspense, () => h(Page))).use(headwaterPlugin(browser))
  expect(await renderToString(page)).toMatch(/\d+ tokens/)
  expect(service.requests.length - requestsBefore).toBe(1)
})
