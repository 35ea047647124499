import { type ComponentProps, flushSync, mount, tick, unmount } from 'svelte'
import { get, writable } from 'svelte/store'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import {
  type Balance,
  type BalancesParameters,
  balancesQueryOptions,
  type BalancesResponse,
  type Client,
  createClient,
  getBalances,
  type Snapshot,
} from '@headwater/core'
import {
  type ClientOption,
  createBalances,
  createPrice,
  createPrices,
  createUsage,
  getClient,
  setClient,
} from './index.ts'
import LegacyWallet from './LegacyWallet.test.svelte'
import RunesWallet from './RunesWallet.test.svelte'
import Wallet from './Wallet.test.svelte'

const alice = `0x${'a'.repeat(40)}`
const bob = `0x${'b'.repeat(40)}`

/** With a timeout for slow machines. */
const waitFor = (assertion: () => void) => vi.waitFor(assertion, { timeout: 30_000 })

let requests: string[]
let client: Client

beforeEach(() => {
  requests = []
  // A service where every wallet holds one token, named after its holder.
  client = createClient({
    baseUrl: 'http://service.test',
    ssr: false,
    fetch: async (input) => {
      const address = new URL(new Request(input).url).pathname.split('/').at(-1)!
      requests.push(address)
      const token = {
        chain_id: 1,
        address: 'native',
        amount: '1',
        price_usd: 2,
        symbol: `token of ${address}`,
      }
      return Response.json({ wallet_address: address, balances: [token] })
    },
  })
})

afterEach(() => client.destroy())

const tokensOf = ({ data, error }: Snapshot<readonly Balance[] | undefined>) =>
  data?.map(({ symbol }) => symbol).join() ?? error?.name ?? 'nothing'

const textOf = (target: HTMLElement) => target.querySelector('p')?.textContent

function mountWallet(props: ComponentProps<typeof Wallet>) {
  const target = document.createElement('div')
  const component = mount(Wallet, { target, props, context: new Map() })
  return { target, leave: () => unmount(component) }
}

test.each([
  ['legacy', LegacyWallet],
  ['runes', RunesWallet],
])('works in a component of %s mode, from mount to unmount', async (_mode, component) => {
  const props = $state({ address: alice, client })
  const target = document.createElement('div')
  const mounted = mount(component, { target, props })
  flushSync()
  expect(textOf(target)).toBe(`${alice} pending: nothing`)
  await waitFor(() => expect(textOf(target)).toBe(`${alice} success: token of ${alice}`))
  props.address = bob
  flushSync()
  expect(textOf(target)).toBe(`${bob} pending: nothing`)
  await waitFor(() => expect(textOf(target)).toBe(`${bob} success: token of ${bob}`))
  expect(requests).toEqual([alice, bob])
  await unmount(mounted)
  for (const query of client.queryClient.getQueryCache().getAll()) {
    await waitFor(() => expect(query.getObserversCount()).toBe(0))
  }
})

test('keeps rows as plain objects, not proxies', async () => {
  const given = $state({ address: alice })
  const balances = createBalances(() => given, { client })
  const leave = balances.subscribe(() => {})
  await waitFor(() => expect(balances.current.status).toBe('success'))
  const { queryKey } = balancesQueryOptions(client, { address: alice, limit: 1000 })
  const { balances: rows } = client.queryClient.getQueryData<BalancesResponse>(queryKey)!
  expect(balances.current.data![0]).toBe(rows[0])
  leave()
})

test('emits the usage of a client', async () => {
  const usage = createUsage({ client })
  const seen: number[] = []
  const leave = $effect.root(() => {
    $effect.pre(() => void seen.push(usage.current.spent))
  })
  await getBalances(client, { address: alice, chainIds: [1] })
  flushSync()
  expect(seen).toEqual([0, 1])
  expect(get(usage)).toBe(client.getUsage())
  leave()
})

test('accepts a client in $state, which does not wrap it', async () => {
  const options = $state({ client })
  expect(options.client).toBe(client)
  const balances = createBalances({ address: alice }, options)
  const price = createPrice({ chainId: 1, address: 'native' }, { client })
  const prices = createPrices([{ chainId: 1, address: 'native' }], () => options)
  const leaves = [balances, price, prices].map((store) => store.subscribe(() => {}))
  await waitFor(() => expect(tokensOf(get(balances))).toBe(`token of ${alice}`))
  await waitFor(() => expect(get(prices).data?.[0]).toEqual(get(price).data))
  expect(requests).toEqual([alice])
  // One price index for both, besides what the client listens to itself.
  expect(client.responseListeners.size).toBe(2)
  leaves.forEach((leave) => leave())
})

test('updates synchronously with a store of parameters', async () => {
  const parameters = writable<BalancesParameters>({ address: alice })
  const seen: string[] = []
  const leave = createBalances(parameters, { client }).subscribe((now) => {
    seen.push(`${get(parameters).address} ${tokensOf(now)}`)
  })
  await waitFor(() => expect(seen.at(-1)).toBe(`${alice} token of ${alice}`))
  parameters.set({ address: bob })
  expect(seen.at(-1)).toBe(`${bob} nothing`)
  await waitFor(() => expect(seen.at(-1)).toBe(`${bob} token of ${bob}`))
  expect(seen).not.toContain(`${alice} token of ${bob}`)
  expect(seen).not.toContain(`${bob} token of ${alice}`)
  leave()
})

test('tracks state that is mutated', async () => {
  const parameters = $state({ address: alice })
  let now: Snapshot<readonly Balance[]> | undefined
  const leave = createBalances(() => parameters, { client }).subscribe((next) => (now = next))
  await waitFor(() => expect(tokensOf(now!)).toBe(`token of ${alice}`))
  parameters.address = bob
  await waitFor(() => expect(tokensOf(now!)).toBe(`token of ${bob}`))
  expect(requests).toEqual([alice, bob])
  leave()
})

test('starts with the first subscriber and stops with the last', async () => {
  const balances = createBalances({ address: alice }, { client })
  await tick()
  expect(requests).toEqual([])

  const seen: string[] = []
  const leaves = [1, 2].map(() => balances.subscribe((now) => seen.push(tokensOf(now))))
  await waitFor(() => expect(seen.at(-1)).toBe(`token of ${alice}`))
  expect(requests).toEqual([alice])

  const [query] = client.queryClient.getQueryCache().getAll()
  for (const leave of leaves) {
    expect(query!.getObserversCount()).toBe(1)
    leave()
  }
  await waitFor(() => expect(query!.getObserversCount()).toBe(0))
})

test('sends nothing when `current` is read outside of effects', async () => {
  const balances = createBalances({ address: alice }, { client })
  expect(balances.current.status).toBe('pending')
  await tick()
  expect(requests).toEqual([])
})

test('does not emit for a poll without changes', async () => {
  const seen: string[] = []
  const balances = createBalances({ address: alice }, { client, refetchInterval: 5 })
  const leave = balances.subscribe((now) => seen.push(tokensOf(now)))
  await waitFor(() => expect(requests.length).toBeGreaterThan(3))
  expect(seen).toEqual(['nothing', `token of ${alice}`])
  leave()
})

test('does not emit for a getter that returns equal parameters in a new object', async () => {
  let times = $state(0)
  const seen: string[] = []
  const balances = createBalances(
    () => {
      void times
      return { address: alice }
    },
    { client },
  )
  const leave = balances.subscribe((now) => seen.push(tokensOf(now)))
  await waitFor(() => expect(seen).toEqual(['nothing', `token of ${alice}`]))
  times++
  flushSync()
  expect(seen).toHaveLength(2)
  leave()
})

test('is never stale by `current`', async () => {
  let address = $state(alice)
  let isOpen = $state(true)
  const balances = createBalances(() => ({ address }), { client })
  const seen: string[] = []
  const leave = $effect.root(() => {
    $effect.pre(() => {
      const name = address
      if (isOpen) {
        seen.push(`${name}: ${tokensOf(balances.current)}`)
      }
    })
    // Stays subscribed while the other effect does not read it.
    $effect.pre(() => void balances.current)
  })
  await waitFor(() => expect(seen.at(-1)).toBe(`${alice}: token of ${alice}`))
  isOpen = false
  flushSync()
  isOpen = true
  flushSync()
  address = bob
  expect(tokensOf(balances.current)).toBe('nothing')
  await waitFor(() => expect(seen.at(-1)).toBe(`${bob}: token of ${bob}`))
  expect(seen).not.toContain(`${bob}: token of ${alice}`)
  leave()
})

test('is never stale by a $derived, as in a class', async () => {
  class WalletState {
    address = $state(alice)
    balances = createBalances(() => ({ address: this.address }), { client })
    tokens = $derived(tokensOf(this.balances.current))
  }
  const wallet = new WalletState()
  const leave = $effect.root(() => {
    $effect.pre(() => void wallet.tokens)
  })
  await waitFor(() => expect(wallet.tokens).toBe(`token of ${alice}`))
  wallet.address = bob
  expect(wallet.tokens).toBe('nothing')
  await waitFor(() => expect(wallet.tokens).toBe(`token of ${bob}`))
  wallet.address = alice
  expect(wallet.tokens).toBe(`token of ${alice}`)
  expect(requests).toEqual([alice, bob])
  leave()
})

test('subscribes by a $derived that no effect reads, until its component is destroyed', async () => {
  let read = () => ''
  const leave = $effect.root(() => {
    const balances = createBalances({ address: alice }, { client })
    const tokens = $derived(tokensOf(balances.current))
    read = () => tokens
  })
  const isObserved = () => client.queryClient.getQueryCache().getAll()[0]?.isActive()
  expect(isObserved()).toBeUndefined()
  read()
  await waitFor(() => expect(read()).toBe(`token of ${alice}`))
  expect(isObserved()).toBe(true)
  leave()
  await waitFor(() => expect(isObserved()).toBe(false))
})

test('does not track dependencies of select', async () => {
  await client.queryClient.fetchQuery(balancesQueryOptions(client, { address: alice }))
  let address = $state(bob)
  let suffix = $state('!')
  let runs = 0
  const select = (rows: readonly Balance[]) => `${rows.length}${suffix}`
  const readParameters = () => {
    runs++
    return { address }
  }
  let now: unknown
  const balances = createBalances(readParameters, { client, select, staleTime: Infinity })
  const leave = balances.subscribe(({ data }) => (now = data))
  address = alice
  flushSync()
  expect(now).toBe('1!')
  const before = runs
  suffix = '?'
  flushSync()
  expect(runs).toBe(before)
  leave()
})

test('tracks its options, including the client', async () => {
  let options = $state.raw<ClientOption & { enabled?: boolean }>({ client, enabled: false })
  const seen: string[] = []
  const balances = createBalances({ address: alice }, () => options)
  const leave = balances.subscribe((now) => seen.push(tokensOf(now)))
  await tick()
  expect(requests).toEqual([])
  options = { client }
  await waitFor(() => expect(seen.at(-1)).toBe(`token of ${alice}`))

  const fetch = () => Promise.resolve(new Response('no such key', { status: 401 }))
  const other = createClient({ baseUrl: 'http://other.test', ssr: false, fetch })
  options = { client: other }
  await waitFor(() => expect(seen.at(-1)).toBe('HttpError'))
  leave()
  other.destroy()
})

test('uses the client of the context', async () => {
  let found: Client | undefined
  const Page = (...args: Parameters<typeof Wallet>) => {
    setClient(client)
    found = getClient()
    return Wallet(...args)
  }
  const target = document.createElement('div')
  const component = mount(Page, { target, props: { address: alice } })
  await waitFor(() => expect(textOf(target)).toBe(`${alice} success: token of ${alice}`))
  expect(found).toBe(client)
  await unmount(component)
})

test('requires a client', () => {
  expect(() => mountWallet({ address: alice })).toThrow('setClient')
  expect(() => createBalances({ address: alice })).toThrow('setClient')
})

test('has the current parameters again when it is subscribed to after a pause', async () => {
  let address = $state(alice)
  const balances = createBalances(() => ({ address }), { client })
  for (const next of [alice, bob, alice]) {
    address = next
    flushSync()
    let latest: Snapshot<readonly Balance[]> | undefined
    const leave = balances.subscribe((snapshot) => (latest = snapshot))
    await waitFor(() => expect(latest?.status).toBe('success'))
    expect(tokensOf(latest!)).toBe(`token of ${next}`)
    expect(tokensOf(balances.current)).toBe(`token of ${next}`)
    leave()
  }
})

test('tracks options that are mutated, beside parameters in a store', async () => {
  const options = $state({ enabled: false })
  const parameters = writable({ address: alice })
  const leave = createBalances(parameters, () => ({ ...options, client })).subscribe(() => {})
  const own = $state({ enabled: false, client })
  const leaveOwn = createBalances(writable({ address: bob }), own).subscribe(() => {})
  await tick()
  expect(requests).toEqual([])
  options.enabled = true
  own.enabled = true
  flushSync()
  await waitFor(() => expect(requests.toSorted()).toEqual([alice, bob]))
  leave()
  leaveOwn()
})

test('states when to call functions when no component is initialized', () => {
  expect(() => createBalances({ address: alice })).toThrow(/setClient.* while a component is init/)
})
