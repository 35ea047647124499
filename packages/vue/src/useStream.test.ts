import { onlineManager } from '@tanstack/query-core'
import { createPinia, defineStore, disposePinia } from 'pinia'
import { Observable } from 'rxjs'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import {
  type App,
  type Component,
  computed,
  createApp,
  defineComponent,
  effectScope,
  h,
  isReactive,
  KeepAlive,
  markRaw,
  nextTick,
  reactive,
  ref,
  shallowRef,
} from 'vue'
import {
  type Balance,
  balancesQueryOptions,
  type Client,
  createClient,
  getBalances,
  type Snapshot,
  type SnapshotStream,
  type Usage,
  watchBalances,
} from '@headwater/core'
import {
  headwaterPlugin,
  provideClient,
  useBalances,
  useClient,
  usePrices,
  useSnapshot,
  useUsage,
} from './index.ts'

const alice = `0x${'a'.repeat(40)}`
const bob = `0x${'b'.repeat(40)}`

/** With a timeout for slow machines. */
const waitFor = (assertion: () => void) => vi.waitFor(assertion, { timeout: 30_000 })

let requests: string[]
let client: Client
let app: App | undefined

beforeEach(() => {
  requests = []
  // A service where every wallet holds one token, named after its holder.
  client = createClient({
    baseUrl: 'http://service.test',
    ssr: false,
    fetch: async (input) => {
      const address = new URL(new Request(input).url).pathname.split('/').at(-1)!
      requests.push(address)
      const token = { chain_id: 1, address: 'native', amount: '1', symbol: `token of ${address}` }
      return Response.json({ wallet_address: address, balances: [token] })
    },
  })
})

afterEach(() => {
  app?.unmount()
  app = undefined
  client.destroy()
})

function mount(component: Component): HTMLElement {
  const root = document.createElement('div')
  app = createApp(component).use(headwaterPlugin(client))
  app.mount(root)
  return root
}

const tokensOf = ({ data, error }: Snapshot<readonly Balance[]>) =>
  data?.map(({ symbol }) => symbol).join() ?? error?.name ?? 'nothing'

const describeWallet = (address: string, snapshot: Snapshot<readonly Balance[]>) =>
  `${address} ${snapshot.status}: ${tokensOf(snapshot)}`

/** Renders a wallet with its address. */
const Wallet = defineComponent({
  props: { address: { type: String, required: true } },
  setup(props) {
    const balances = useBalances(() => ({ address: props.address }))
    return () => h('p', describeWallet(props.address, balances.value))
  },
})

test('shows the error of parameters that are not an object, as plain JavaScript may pass', () => {
  const root = mount({
    setup() {
      const prices = usePrices(ref(null) as never)
      return () => h('p', prices.value.error?.shortMessage)
    },
  })
  expect(root.textContent).toBe('The parameter `tokens` must be of type array.')
})

test('does not poll while KeepAlive keeps the component inactive, and refetches afterwards', async () => {
  const isShown = ref(true)
  const Polling: Component = {
    setup() {
      const balances = useBalances({ address: alice }, { refetchInterval: 100 })
      return () => h('p', balances.value.status)
    },
  }
  mount(() => h(KeepAlive, () => (isShown.value ? h(Polling) : undefined)))
  await waitFor(() => expect(requests.length).toBeGreaterThan(1))
  isShown.value = false
  await nextTick()
  const before = requests.length
  await new Promise((resolve) => setTimeout(resolve, 500))
  expect(requests.length).toBeLessThanOrEqual(before + 1)
  expect(client.streams.getActiveQueries()).toEqual([])
  isShown.value = true
  await waitFor(() => expect(requests.length).toBeGreaterThan(before + 2))
})

test('does not request where it is mounted while KeepAlive keeps the component around it inactive', async () => {
  const isShown = ref(true)
  const hasWallet = ref(false)
  const Tab = defineComponent(
    () => () => h('div', hasWallet.value ? h(Wallet, { address: alice }) : undefined),
  )
  const root = mount(() => h(KeepAlive, () => (isShown.value ? h(Tab) : undefined)))
  isShown.value = false
  await nextTick()
  hasWallet.value = true
  await new Promise((resolve) => setTimeout(resolve, 50))
  expect(requests).toEqual([])
  isShown.value = true
  await waitFor(() => expect(root.textContent).toContain(`token of ${alice}`))
})

test('keeps polling for a Pinia store while KeepAlive keeps the component inactive that created it', async () => {
  const useStore = defineStore('wallet', () => {
    const balances = useBalances({ address: bob })
    return { balances: computed(() => balances.value) }
  })
  const pinia = createPinia()
  const isShown = ref(true)
  const Creator = defineComponent(() => {
    const ofStore = useStore(pinia)
    // A scope within that of the component ends with it.
    const ofComponent = effectScope().run(() => useBalances({ address: alice }))!
    return () => h('p', [ofStore.balances.status, ofComponent.value.status])
  })
  const root = mount(() => h(KeepAlive, () => (isShown.value ? h(Creator) : undefined)))
  const activeWallets = () => {
    const keys = JSON.stringify(client.streams.getActiveQueries().map(({ queryKey }) => queryKey))
    return [alice, bob].filter((wallet) => keys.includes(wallet))
  }
  await waitFor(() => expect(root.textContent).toBe('successsuccess'))
  expect(activeWallets()).toEqual([alice, bob])
  isShown.value = false
  await waitFor(() => expect(activeWallets()).toEqual([bob]))
  disposePinia(pinia)
  await waitFor(() => expect(activeWallets()).toEqual([]))
})

test('has the snapshot of new parameters before the next tick', async () => {
  const address = ref(alice)
  const scope = effectScope()
  const balances = scope.run(() => useBalances(() => ({ address: address.value }), { client }))!
  await waitFor(() => expect(tokensOf(balances.value)).toBe(`token of ${alice}`))
  address.value = bob
  expect(balances.value.status).toBe('pending')
  await waitFor(() => expect(tokensOf(balances.value)).toBe(`token of ${bob}`))
  scope.stop()
})

test('holds rows as they are, without reactive proxies', async () => {
  const scope = effectScope()
  const balances = scope.run(() => useBalances(reactive({ address: alice }), { client }))!
  await waitFor(() => expect(balances.value.status).toBe('success'))
  expect([balances.value, balances.value.data, balances.value.data![0]].some(isReactive)).toBe(
    false,
  )
  scope.stop()
})

test('accepts parameters as a value, a ref, a getter and a reactive object', async () => {
  const wallet = reactive({ address: alice })
  const scope = effectScope()
  const all = scope.run(() => [
    useBalances({ address: alice }, { client }),
    useBalances(shallowRef({ address: alice }), { client }),
    useBalances(() => ({ address: alice }), { client }),
    useBalances(wallet, { client }),
  ])!
  await waitFor(() =>
    expect(all.map(({ value }) => tokensOf(value))).toEqual(Array(4).fill(`token of ${alice}`)),
  )
  expect(requests).toEqual([alice])
  wallet.address = bob
  await waitFor(() => expect(tokensOf(all[3]!.value)).toBe(`token of ${bob}`))
  expect(tokensOf(all[0]!.value)).toBe(`token of ${alice}`)
  scope.stop()
})

test('accepts each parameter as a ref or a getter, also with the Options API', async () => {
  const address = ref(alice)
  const root = mount({
    setup: () => ({
      balances: useBalances({ address, chainIds: () => [1] }),
      usage: useUsage(),
    }),
    computed: {
      text(): string {
        const { balances, usage } = this as unknown as {
          balances: Snapshot<Balance[]>
          usage: Usage
        }
        return `${tokensOf(balances)} for ${usage.spent}`
      },
    },
    render() {
      return h('p', (this as unknown as { text: string }).text)
    },
  })
  await waitFor(() => expect(root.textContent).toBe(`token of ${alice} for 1`))
  address.value = bob
  await waitFor(() => expect(root.textContent).toBe(`token of ${bob} for 2`))
})

test('uses the usage of another client when the options change', async () => {
  const other = createClient({ baseUrl: 'http://other.test', ssr: false })
  const options = shallowRef({ client })
  const scope = effectScope()
  const usage = scope.run(() => useUsage(options))!
  await getBalances(client, { address: alice, chainIds: [1] })
  expect(usage.value.spent).toBe(1)
  options.value = { client: other }
  expect(usage.value.spent).toBe(0)
  scope.stop()
  other.destroy()
})

test('tracks its options, including the client', async () => {
  const options = shallowRef({ client, enabled: false })
  const scope = effectScope()
  const balances = scope.run(() => useBalances({ address: alice }, options))!
  await nextTick()
  expect(requests).toEqual([])
  options.value = { client, enabled: true }
  await waitFor(() => expect(balances.value.status).toBe('success'))

  const fetch = () => Promise.resolve(new Response('no such key', { status: 401 }))
  const other = createClient({ baseUrl: 'http://other.test', ssr: false, fetch })
  options.value = { client: other, enabled: true }
  await waitFor(() => expect(tokensOf(balances.value)).toBe('HttpError'))
  scope.stop()
  other.destroy()
})

test('does not track dependencies of select', async () => {
  await client.queryClient.fetchQuery(balancesQueryOptions(client, { address: alice }))
  const address = ref(bob)
  const suffix = ref('!')
  const subscribe = vi.fn()
  const select = (rows: readonly Balance[]) => `${rows.length}${suffix.value}`
  const scope = effectScope()
  const snapshot = scope.run(() =>
    useSnapshot(() => {
      const options = { select, staleTime: Infinity }
      const stream = watchBalances(client, { address: address.value }, options)
      const { getSnapshot } = stream
      const counted = new Observable<Snapshot<string>>((subscriber) => {
        subscribe()
        return stream.subscribe(subscriber)
      })
      return Object.assign(counted, { getSnapshot })
    }),
  )!
  await nextTick()
  address.value = alice
  await nextTick()
  expect(snapshot.value.data).toBe('1!')
  expect(subscribe).toHaveBeenCalledTimes(2)
  suffix.value = '?'
  await nextTick()
  expect(subscribe).toHaveBeenCalledTimes(2)
  scope.stop()
})

test('accepts options as a deep ref, including a client', async () => {
  const scope = effectScope()
  const options = ref({ client })
  const balances = scope.run(() => useBalances({ address: alice }, () => options.value as never))!
  await waitFor(() => expect(tokensOf(balances.value)).toBe(`token of ${alice}`))
  scope.stop()
})

test('accepts a client in a reactive object, which does not wrap it', async () => {
  const store = reactive({ client, raw: markRaw(client) })
  const scope = effectScope()
  const usage = scope.run(() => useUsage({ client: store.raw }))!
  await getBalances(store.raw, { address: alice, chainIds: [1] })
  expect(store.client).toBe(client)
  expect(store.raw).toBe(client)
  expect(usage.value.spent).toBe(1)
  scope.stop()
})

test('accepts a client in the state of a Pinia store', async () => {
  const useStore = defineStore('wallet', {
    state: () => ({ client: markRaw(client), address: alice }),
    actions: {
      fetch() {
        return getBalances(this.client, { address: this.address })
      },
    },
  })
  const store = useStore(createPinia())
  const scope = effectScope()
  const balances = scope.run(() =>
    useBalances(() => ({ address: store.address }), { client: store.client }),
  )!
  await waitFor(() => expect(tokensOf(balances.value)).toBe(`token of ${alice}`))
  expect((await store.fetch()).wallet_address).toBe(alice)
  expect(store.client).toBe(client)
  scope.stop()
})

test('accepts a stream in a deep ref, which does not wrap it', async () => {
  const stream = ref<unknown>(watchBalances(client, { address: alice }))
  const scope = effectScope()
  const balances = scope.run(() =>
    useSnapshot(() => stream.value as SnapshotStream<readonly Balance[]>),
  )!
  await waitFor(() => expect(tokensOf(balances.value)).toBe(`token of ${alice}`))
  expect(stream.value).toBe(watchBalances(client, { address: alice }))
  scope.stop()
})

test('has the state of the connection', async () => {
  const root = mount({
    setup() {
      const { connection$ } = useClient()
      const connection = useSnapshot(() => connection$)
      return () => h('p', connection.value)
    },
  })
  expect(root.textContent).toBe('polling')
  onlineManager.setOnline(false)
  await nextTick()
  expect(root.textContent).toBe('offline')
  onlineManager.setOnline(true)
  await nextTick()
  expect(root.textContent).toBe('polling')
})

test('switches to another provided client', async () => {
  const other = createClient({
    baseUrl: 'http://other.test',
    ssr: false,
    fetch: async () => {
      const balances = [{ chain_id: 1, address: 'native', amount: '1', symbol: 'of other' }]
      return Response.json({ wallet_address: alice, balances })
    },
  })
  const provided = shallowRef(client)
  const root = mount(
    defineComponent(() => {
      provideClient(provided)
      return () => h(Wallet, { address: alice })
    }),
  )
  await waitFor(() => expect(root.textContent).toBe(`${alice} success: token of ${alice}`))
  const wallet = root.firstElementChild
  provided.value = other
  await nextTick()
  expect(root.textContent).toBe(`${alice} pending: nothing`)
  await waitFor(() => expect(root.textContent).toBe(`${alice} success: of other`))
  expect(root.firstElementChild).toBe(wallet)
  app!.unmount()
  app = undefined
  other.destroy()
})

test('requires a client', () => {
  expect(() => useClient()).toThrow('headwaterPlugin')
  expect(() => useBalances({ address: alice })).toThrow('headwaterPlugin')
})

test('states where to call composables when called outside of setup', () => {
  expect(() => useBalances({ address: alice })).toThrow(
    /headwaterPlugin.* in setup before any await/,
  )
})

test.each([undefined, Promise.resolve()])('useSnapshot names its stream if it is %o', (wrong) => {
  const scope = effectScope()
  const snapshot = scope.run(() => useSnapshot<Usage>(wrong as never))
  expect(() => snapshot!.value).toThrow('stream is not a function')
  const ofGetter = scope.run(() => useSnapshot<Usage>(() => wrong as never))
  expect(() => ofGetter!.value).toThrow('The parameter `stream` must be a stream')
  scope.stop()
})
