import { QueryClient } from '@tanstack/query-core'
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import {
  createClient,
  firstSettled,
  getBalances,
  getTokenBalance,
  watchBalances,
} from '@headwater/core'
import { createFakeService } from '@headwater/testing'
import { createTrace } from './createTrace.ts'
import { Faults } from './Faults.ts'
import { mountDevtools } from './index.ts'
import { formatDuration, formatJson } from './panel/formats.ts'
import { mountDevtools as mountInProduction } from './production.ts'
import { Recorder } from './Recorder.ts'
import { parseShortcut } from './shortcut.ts'

function setup() {
  const service = createFakeService()
  const queryClient = new QueryClient()
  const client = createClient({
    baseUrl: service.url,
    apiKey: service.key,
    fetch: service.fetch,
    queryClient,
    ssr: false,
  })
  onTestFinished(() => client.destroy())
  const { address } = service.wallet('everyday')
  return { service, client, parameters: { address, chainIds: [1] } }
}

interface Launched {
  readonly row: string
  readonly button: HTMLElement
  readonly findPanel: () => Element | null
}

const count = () => document.querySelectorAll('headwater-devtools').length

describe('mountDevtools', () => {
  afterEach(() => vi.unstubAllEnvs())

  it('adds an element, and removes it with all that it decorates', async () => {
    const { client, service, parameters } = setup()
    const unmount = mountDevtools(client)
    expect(count()).toBe(1)
    expect(Object.keys(client.usageTracker)).toContain('admit')
    unmount()
    unmount()
    expect(count()).toBe(0)
    expect(Object.keys(client.usageTracker)).not.toContain('admit')
    expect(client.transport.fetch).toBe(service.fetch)
    await getBalances(client, parameters)
    expect(service.requests).toHaveLength(1)
  })

  it('is removed when the client is destroyed, and may be mounted twice', () => {
    const { client } = setup()
    mountDevtools(client)
    mountDevtools(client)
    expect(count()).toBe(2)
    client.destroy()
    expect(count()).toBe(0)
  })

  it('shows an open panel again after its element was moved', async () => {
    const { client } = setup()
    const unmount = mountDevtools(client, { open: true })
    const element = document.querySelector('headwater-devtools')!
    const findPanel = () => element.shadowRoot?.querySelector('[data-testid="devtools"]')
    await expect.poll(findPanel).toBeTruthy()
    document.body.append(element)
    await expect.poll(findPanel).toBeTruthy()
    unmount()
    expect(count()).toBe(0)
  })

  it('works beside another copy of this package, which has defined the element', async () => {
    const { client } = setup()
    mountDevtools(client)()
    vi.resetModules()
    const copy = await import('./index.ts')
    const unmount = copy.mountDevtools(client)
    expect(Object.keys(client.usageTracker)).toContain('admit')
    unmount()
    expect(Object.keys(client.usageTracker)).not.toContain('admit')
  })

  it('shows one panel at a time where two clients have devtools, and only the first have the shortcut until they are removed', async () => {
    const unmount = [mountDevtools(setup().client), mountDevtools(setup().client)]
    const [first, second] = [...document.querySelectorAll('headwater-devtools')].map((element) => {
      const root = element.shadowRoot!
      return {
        row: (element as HTMLElement).style.getPropertyValue('--row'),
        button: root.querySelector<HTMLElement>('[data-testid="devtools-open"]')!,
        findPanel: () => root.querySelector('[data-testid="devtools"]'),
      }
    }) as [Launched, Launched]
    expect([first.row, second.row]).toEqual(['0', '1'])
    expect(first.button.textContent).toBe('Devtools Alt+Shift+H')
    expect(second.button.textContent).toBe('Devtools 2')
    expect(second.button.hasAttribute('aria-keyshortcuts')).toBe(false)
    const event = { code: 'KeyH', altKey: true, shiftKey: true, cancelable: true }
    document.dispatchEvent(new KeyboardEvent('keydown', event))
    await expect.poll(first.findPanel).toBeTruthy()
    expect(second.findPanel()).toBeNull()
    second.button.click()
    await expect.poll(second.findPanel).toBeTruthy()
    expect(first.findPanel()).toBeNull()
    unmount[0]!()
    expect(second.button.textContent).toBe('Devtools 2 Alt+Shift+H')
    expect(second.button.getAttribute('aria-keyshortcuts')).toBe('Alt+Shift+H')
    document.dispatchEvent(new KeyboardEvent('keydown', event))
    expect(second.findPanel()).toBeNull()
    unmount[1]!()
  })

  it('names the shortcut as browsers do', () => {
    const unmount = mountDevtools(setup().client, { shortcut: 'Ctrl+Shift+J', open: undefined })
    const button = document.querySelector('headwater-devtools')!.shadowRoot!.querySelector('button')
    expect(button!.getAttribute('aria-keyshortcuts')).toBe('Control+Shift+J')
    expect(button!.textContent).toContain('Ctrl+Shift+J')
    unmount()
  })

  it('does nothing in production, except by the entry for it', () => {
    vi.stubEnv('NODE_ENV', 'production')
    const { client } = setup()
    mountDevtools(client)()
    expect(count()).toBe(0)
    const unmount = mountInProduction(client)
    expect(count()).toBe(1)
    unmount()
  })

  it('does nothing on a server', () => {
    const { client } = setup()
    vi.stubGlobal('document', undefined)
    onTestFinished(() => void vi.unstubAllGlobals())
    expect(() => mountDevtools(client)()).not.toThrow()
  })

  it.each(['H', 'Alt+', 'Hyper+H', 'Alt+Shift+Enter'])('rejects the shortcut %s', (shortcut) => {
    expect(() => mountDevtools(setup().client, { shortcut })).toThrow(/`shortcut` must be/)
    expect(count()).toBe(0)
  })
})

it('matches a shortcut by the position of its key', () => {
  const { matches, text } = parseShortcut('Alt + Shift + h')
  expect(text).toBe('Alt+Shift+H')
  const event = { code: 'KeyH', key: '˙', altKey: true, shiftKey: true }
  expect(matches(new KeyboardEvent('keydown', event))).toBe(true)
  expect(matches(new KeyboardEvent('keydown', { ...event, ctrlKey: true }))).toBe(false)
  expect(matches(new KeyboardEvent('keydown', { ...event, code: 'KeyJ' }))).toBe(false)
})

describe('Recorder', () => {
  it('keeps the latest 500 requests and 2,000 cache events of its client', async () => {
    const { client, parameters } = setup()
    const recorder = new Recorder(client)
    onTestFinished(() => recorder.stop())
    client.queryClient.setQueryData(['todos'], 1)
    expect(recorder.events).toEqual([])
    for (let index = 0; index < 501; index++) {
      await getBalances(client, parameters)
      for (let update = 0; update < 5; update++) {
        client.queryClient.setQueryData(['headwater', client.scope, 'balances', {}], {
          index,
          update,
        })
      }
    }
    expect([...recorder.requests.keys()].slice(0, 1)).toEqual([2])
    expect(recorder.requests.size).toBe(500)
    expect(recorder.events.length).toBeLessThanOrEqual(2000)
    expect(recorder.events.at(-1)).toMatchObject({ type: 'updated/success' })
  })

  it('shows and traces bigints that an app wrote to the cache', async () => {
    const { client } = setup()
    const recorder = new Recorder(client)
    onTestFinished(() => recorder.stop())
    const queryKey = ['headwater', client.scope, 'balances', { limit: 5n }]
    client.queryClient.setDefaultOptions({ queries: { queryKeyHashFn: String } })
    client.queryClient.setQueryData(queryKey, { amount: 10n ** 20n })
    expect(JSON.parse(createTrace(recorder))).toMatchObject({
      events: [{ type: 'added', queryKey: expect.arrayContaining([{ limit: '5n' }]) }, {}],
    })
    expect(formatJson(client.queryClient.getQueryData(queryKey))).toContain(`"1${'0'.repeat(20)}n"`)
  })

  it('creates a trace with errors, and without the key', async () => {
    const { client, parameters, service } = setup()
    const recorder = new Recorder(client)
    onTestFinished(() => recorder.stop())
    service.fail({ status: 404, times: 1 })
    await firstSettled(watchBalances(client, parameters, { refetchInterval: false }))
    const trace = JSON.parse(createTrace(recorder)) as { requests: object[] }
    expect(trace.requests).toMatchObject([
      { operation: 'balances', httpStatus: 404, error: { name: 'HttpError', status: 404 } },
    ])
    expect(JSON.stringify(trace)).not.toContain(service.key)
  })
})

describe('Faults', () => {
  let context: ReturnType<typeof setup> & { faults: Faults }
  beforeEach(() => {
    const base = setup()
    context = { ...base, faults: new Faults(base.client) }
    onTestFinished(() => context.faults.stop())
  })
  const get = () => getBalances(context.client, context.parameters)

  it('applies to the selected operation only', async () => {
    const { faults } = context
    faults.set({ failure: 'rateLimit', retryAfter: 7, operation: 'tokenInfo' })
    await get()
    faults.set({ operation: 'balances' })
    const rateError = { status: 429, retryAfter: 7000, code: 'RATE_EXCEEDED' }
    await expect(get()).rejects.toMatchObject(rateError)
    faults.set({ failure: 'unavailable' })
    await expect(get()).rejects.toMatchObject({
      status: 503,
      code: 'STORE_UNAVAILABLE',
      requestId: expect.stringMatching(/^devtools-/) as string,
    })
    expect(faults.injected).toBe(2)
    faults.set({ operation: 'tokenBalance' })
    expect(context.service.requests).toHaveLength(1)
    await get()
    expect(context.service.requests).toHaveLength(2)
    const { address } = context.parameters
    const token = { address, tokenAddress: 'native', chainIds: [1] as const }
    await expect(getTokenBalance(context.client, token)).rejects.toMatchObject({ status: 503 })
    faults.set({ operation: 'balances' })
    await getTokenBalance(context.client, token)
    faults.clear()
    await get()
    expect(context.service.requests).toHaveLength(4)
  })

  it('costs no units', async () => {
    context.faults.set({ failure: 'offline' })
    await expect(get()).rejects.toMatchObject({ name: 'NetworkError' })
    expect(context.client.getUsage().spent).toBe(0)
    context.faults.clear()
    await get()
    expect(context.client.getUsage().spent).toBe(context.service.units)
  })

  it('goes back at most five blocks, and charges what the service charges', async () => {
    const { faults, service, client } = context
    faults.start()
    const amounts: (string | undefined)[] = []
    const read = async () => {
      const { balances } = await get()
      return balances.find(({ address }) => address === 'native')?.amount
    }
    for (let block = 0; block < 7; block++) {
      service.advance()
      const native = { chainId: 1, address: 'native' }
      service.setAmount(context.parameters.address, native, BigInt(block))
      amounts.push(await read())
    }
    faults.set({ reorg: true })
    expect(await read()).toBe(amounts[2])
    faults.clear()
    expect(await read()).toBe(amounts[6])
    expect(new Set(amounts).size).toBe(7)
    expect(client.getUsage().spent).toBe(service.units)
  })

  it('keeps responses only while the panel is open, or faults are injected', () => {
    const { faults, client, service } = context
    faults.start()
    faults.set({ latency: 1 })
    faults.pause()
    expect(client.transport.fetch).not.toBe(service.fetch)
    faults.clear()
    faults.pause()
    expect(client.transport.fetch).toBe(service.fetch)
  })

  it('ends the delay of an aborted request', async () => {
    context.faults.set({ latency: 60_000 })
    const controller = new AbortController()
    const request = getBalances(context.client, context.parameters, { signal: controller.signal })
    await expect.poll(() => context.service.requests).toHaveLength(1)
    controller.abort(new Error('left'))
    await expect(request).rejects.toThrow('left')
  })
})

it('formats durations, and cuts long JSON off', () => {
  expect(formatDuration(1234)).toBe('1.2 s')
  expect(formatDuration(90_000)).toBe('1.5 min')
  const text = formatJson('x'.repeat(30_000))
  expect(text.length).toBeLessThan(20_100)
  expect(text).toMatch(/10002 more characters$/)
})
