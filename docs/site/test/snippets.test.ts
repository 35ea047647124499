// @vitest-environment happy-dom
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { createElement, type FC } from 'react'
import { createRoot } from 'react-dom/client'
import { mount, unmount } from 'svelte'
import { afterEach, expect, it, vi } from 'vitest'
import { type Component, createApp } from 'vue'
import { createClient, firstSettled, watchBalances } from '@headwater/core'
import { HeadwaterProvider } from '@headwater/react'
import { createFakeService } from '@headwater/testing'
import { headwaterPlugin } from '@headwater/vue'

/** A component of a page, its properties, and a text that it shows. */
const service = createFakeService()
const { address } = service.wallet('everyday')
const listed = service.token('CROWD')
const components = {
  Wallet: [{ address }, /LINK/],
  WalletPage: [{ address }, /\$[\d,]+\.\d\d[^]*LINK on Ethereum/],
  Holders: [
    { chainId: listed.chainId, address: listed.address, decimals: 18 },
    /0x[\da-f]{40} \d+\.\d+/,
  ],
  Collectibles: [{ address }, /#|\w+/],
  Prices: [{}, /^\d+(\.\d+)? USD, -?\d+\.\d\d % in 24 hours\s*(\d+\.\d+\s*){2}$/],
  States: [{ address }, /\d+ tokens/],
  Units: [{}, /\d+ units, \d+ in the last minute with requests/],
} as const

type Name = keyof typeof components | 'Suspended'
const modules = {
  react: import.meta.glob<Record<string, FC<object>>>('../snippets/react/*.tsx'),
  vue: import.meta.glob<{ default: Component }>('../snippets/vue/*.vue'),
  svelte: import.meta.glob<{ default: never }>('../snippets/svelte/*.svelte'),
}
const createServiceClient = () =>
  createClient({
    baseUrl: service.url,
    apiKey: service.key,
    fetch: service.fetch,
    defaultOptions: { queries: { refetchInterval: 60_000 } },
  })

type Mount = (name: Name, props: object, target: HTMLElement) => Promise<() => unknown>
const frameworks: Record<keyof typeof modules, Mount> = {
  async react(name, props, target) {
    const exports = await modules.react[`../snippets/react/${name}.tsx`]!()
    const client = createServiceClient()
    const elements = Object.values(exports).map((component, key) =>
      createElement(component, { ...props, key }),
    )
    const root = createRoot(target)
    root.render(createElement(HeadwaterProvider, { client, children: elements }))
    return () => (root.unmount(), client.destroy())
  },
  async vue(name, props, target) {
    const { default: component } = await modules.vue[`../snippets/vue/${name}.vue`]!()
    const client = createServiceClient()
    const app = createApp(component, { ...props }).use(headwaterPlugin(client))
    app.mount(target)
    return () => (app.unmount(), client.destroy())
  },
  async svelte(name, props, target) {
    const { default: component } = await modules.svelte[`../snippets/svelte/${name}.svelte`]!()
    const { default: Provider } = await import('../playground/src/Provider.svelte')
    const client = createServiceClient()
    const app = mount(Provider, { target, props: { ...props, component, client } as never })
    return () => (unmount(app), client.destroy())
  },
}

afterEach(() => service.reset())

const cases = Object.keys(frameworks).flatMap((framework) =>
  Object.keys(components).map(
    (name) => [framework, name] as [keyof typeof modules, keyof typeof components],
  ),
)

it.each(cases)('%s: %s shows its data', async (framework, name) => {
  const [props, text] = components[name]
  const target = document.body.appendChild(document.createElement('div'))
  const remove = await frameworks[framework](name, props, target)
  await vi.waitFor(() => expect(target.textContent).toMatch(text), { timeout: 10_000 })
  if (name === 'Collectibles') {
    await vi.waitFor(() => expect(target.querySelectorAll('li')).toHaveLength(4), {
      timeout: 10_000,
    })
  }
  await remove()
  target.remove()
})

it.each(Object.keys(frameworks) as (keyof typeof modules)[])(
  '%s: the wallet page of an empty wallet states it',
  async (framework) => {
    const target = document.createElement('div')
    const props = { address: service.wallet('empty').address }
    const remove = await frameworks[framework]('WalletPage', props, target)
    await vi.waitFor(() => expect(target.textContent).toContain('No tokens.'), { timeout: 10_000 })
    await remove()
  },
)

it('the wallet page of a wallet that is not connected requests nothing', async () => {
  const target = document.createElement('div')
  const remove = await frameworks.react('WalletPage', {}, target)
  await vi.waitFor(() => expect(target.textContent).toBe('Connect a wallet.'), { timeout: 10_000 })
  expect(service.requests).toEqual([])
  await remove()
})

it('an error boundary requests again when it is reset', async () => {
  // React reports what boundaries catch.
  vi.spyOn(console, 'error').mockImplementation(() => undefined)
  const target = document.createElement('div')
  const heal = service.fail({ status: 402 })
  const remove = await frameworks.react('Suspended', { address }, target)
  await vi.waitFor(() => expect(target.textContent).toContain('compute units'), { timeout: 10_000 })
  heal()
  // An error that is less than a second old is thrown again.
  await vi.waitFor(
    () => {
      target.querySelector('button')?.click()
      expect(target.textContent).toMatch(/\d+ tokens/)
    },
    { timeout: 10_000 },
  )
  await remove()
  vi.restoreAllMocks()
})

it('a persisted client has the rows of the last visit', async () => {
  const { persistClient } = await import('../snippets/core/persistence.ts')
  const visit = createServiceClient()
  const leave = await persistClient(visit)
  await firstSettled(watchBalances(visit, { address }))
  await vi.waitFor(() => expect(localStorage.length).toBe(1), { timeout: 10_000 })
  leave()
  visit.destroy()
  const next = createServiceClient()
  const leaveNext = await persistClient(next)
  expect(watchBalances(next, { address }).getSnapshot().data).not.toHaveLength(0)
  leaveNext()
  next.destroy()
  localStorage.clear()
})

it('the lines of the README of the devtools are those of the snippets, which are compiled', () => {
  const readText = (file: string) => readFileSync(path.join(import.meta.dirname, file), 'utf8')
  const readme = readText('../../../packages/devtools/README.md')
  const rows = [...readme.matchAll(/^\| (React|Vue|Svelte) +\| `(.+)` +\|$/gm)]
  expect(rows).toHaveLength(3)
  const extensions = { react: 'tsx', vue: 'vue', svelte: 'svelte' } as const
  for (const [, framework = '', line] of rows) {
    const folder = framework.toLowerCase() as keyof typeof extensions
    expect(readText(`../snippets/${folder}/Devtools.${extensions[folder]}`)).toContain(line)
  }
  expect(readme.replaceAll('hw_your_key', 'test-key')).toContain(
    readText('../snippets/core/devtools.ts'),
  )
})
