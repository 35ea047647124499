import { dehydrate, hydrate } from '@tanstack/query-core'
import { act, configure, render, screen, waitFor } from '@testing-library/react'
import { memo, type ReactNode, startTransition, Suspense, useState } from 'react'
import { hydrateRoot } from 'react-dom/client'
import { renderToString } from 'react-dom/server'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { balancesQueryOptions } from '@headwater/core'
import { createStage } from '../test/createStage.tsx'
import { HeadwaterProvider, useBalances, usePrice, useSuspenseBalances, useUsage } from './index.ts'

// A busy machine takes longer than a second for 1,000 rows.
configure({ asyncUtilTimeout: 30_000 })

const stage = createStage()
const { service, provided } = stage
const { address } = service.wallet('everyday')
const ether = { chainId: 1, address: 'native' }

test('requests the prices of 1,000 rows together', async () => {
  const { address: whale } = service.wallet('whale')
  const { balances } = await stage.client.queryClient.fetchQuery(
    balancesQueryOptions(stage.client, { address: whale, chainIds: [1] }),
  )
  expect(balances).toHaveLength(1000)
  // Until the prices of the wallet are stale.
  await new Promise((resolve) => setTimeout(resolve, 200))
  const before = service.requests.length
  const Price = memo(({ address }: { address: string }) => (
    <li>{usePrice({ chainId: 1, address }, { staleTime: 0 }).status}</li>
  ))
  render(
    balances.map(({ address }) => <Price key={address} address={address} />),
    { wrapper: provided },
  )
  await waitFor(() => expect(screen.getAllByText('success')).toHaveLength(1000))
  expect(service.requests).toHaveLength(before + 1)
})

test('never renders two prices of one token, also with concurrent rendering', async () => {
  service.setPrice(ether, 1)
  const seen: string[] = []
  function Price() {
    const { data } = usePrice(ether, { refetchInterval: false })
    // Long enough for React to yield between two of them.
    const until = performance.now() + 1
    while (performance.now() < until) {
      // Blocks the thread.
    }
    return <i>{data?.price_usd ?? '…'}</i>
  }
  let show: (next: number) => void = () => {}
  function Page() {
    const [count, setCount] = useState(1)
    show = (next) => startTransition(() => setCount(next))
    return Array.from({ length: count }, (_, place) => <Price key={place} />)
  }
  const { container } = render(<Page />, { wrapper: provided })
  const prices = () => new Set([...container.querySelectorAll('i')].map((i) => i.textContent))
  const observer = new MutationObserver(() => seen.push([...prices()].join()))
  observer.observe(container, { childList: true, subtree: true, characterData: true })
  await waitFor(() => expect([...prices()]).toEqual(['1']))

  // Outside of `act`, which renders synchronously.
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', false)
  show(100)
  for (const usd of [2, 3]) {
    await new Promise((resolve) => setTimeout(resolve, 20))
    service.setPrice(ether, usd)
    await stage.client.queryClient.fetchQuery({
      ...balancesQueryOptions(stage.client, { address, chainIds: [1] }),
      staleTime: 0,
    })
  }
  // A busy machine renders the hundred prices in seconds.
  const timeout = 30_000
  await vi.waitFor(() => expect(container.querySelectorAll('i')).toHaveLength(100), { timeout })
  await vi.waitFor(() => expect([...prices()]).toEqual(['3']), { timeout })
  vi.unstubAllGlobals()
  observer.disconnect()
  expect(seen.filter((texts) => texts.includes(','))).toEqual([])
})

describe('hydration', () => {
  const roots: { unmount(): void }[] = []
  afterEach(() => {
    for (const root of roots.splice(0)) {
      act(() => root.unmount())
    }
    document.body.innerHTML = ''
  })

  function Wallet({ suspend = false }) {
    const useIt = suspend ? useSuspenseBalances : useBalances
    const { status, data } = useIt({ address })
    return <p>{`${status} ${data?.map(({ value_usd }) => value_usd).join()}`}</p>
  }

  function Spent() {
    return <b>{useUsage().spent}</b>
  }

  const page = (client: typeof stage.client, children: ReactNode) => (
    <HeadwaterProvider client={client}>{children}</HeadwaterProvider>
  )

  async function serve(children: ReactNode, isPrefetched = true) {
    const client = stage.createClient({ ssr: true })
    if (isPrefetched) {
      await client.queryClient.prefetchQuery(balancesQueryOptions(client, { address }))
    }
    return {
      html: renderToString(page(client, children)),
      state: JSON.stringify(dehydrate(client.queryClient)),
    }
  }

  function open({ html, state }: { html: string; state: string }, children: ReactNode) {
    const target = document.createElement('main')
    target.innerHTML = html
    document.body.append(target)
    hydrate(stage.client.queryClient, JSON.parse(state))
    const onRecoverableError = vi.fn<(error: unknown) => void>()
    const options = { onRecoverableError }
    act(() => void roots.push(hydrateRoot(target, page(stage.client, children), options)))
    return { target, onRecoverableError }
  }

  test.each([false, true])(
    'renders the snapshot of the server, suspending: %s',
    async (suspend) => {
      const children = (
        <Suspense>
          <Wallet suspend={suspend} />
          <Spent />
        </Suspense>
      )
      const served = await serve(children)
      expect(served.html).toContain('success')
      const { target, onRecoverableError } = open(served, children)
      expect(target.innerHTML).toBe(served.html)
      await act(() => new Promise((resolve) => setTimeout(resolve, 20)))
      expect(onRecoverableError).not.toHaveBeenCalled()
      expect(service.requests).toHaveLength(1)
    },
  )

  test.each([false, true])(
    'renders the snapshot of the server in a part that is hydrated later, prefetched: %s',
    async (isPrefetched) => {
      let arrive = () => {}
      let late: Promise<void> | null = null
      function Late({ isHere }: { isHere: boolean }) {
        if (late && !isHere) {
          // eslint-disable-next-line @typescript-eslint/only-throw-error -- React 18 suspends on a thrown promise
          throw late
        }
        return <Wallet />
      }
      let isHere = false
      const Part = () => <Late isHere={isHere} />
      const children = (
        <>
          <Wallet />
          <Suspense>
            <Part />
          </Suspense>
        </>
      )
      const served = await serve(children, isPrefetched)
      late = new Promise((resolve) => {
        arrive = () => {
          isHere = true
          resolve()
        }
      })
      const { target, onRecoverableError } = open(served, children)
      service.advance(1000)
      await act(() =>
        stage.client.queryClient.refetchQueries(balancesQueryOptions(stage.client, { address })),
      )
      const [first, second] = [...target.querySelectorAll('p')]
      expect(first!.textContent).not.toBe(second!.textContent)
      await act(async () => {
        arrive()
        await new Promise((resolve) => setTimeout(resolve, 20))
      })
      await waitFor(() => expect(second!.textContent).toBe(first!.textContent))
      expect(second!.isConnected).toBe(true)
      expect(onRecoverableError).not.toHaveBeenCalled()
    },
  )
})
