import { gzipSync } from 'node:zlib'
import type { APIResponse } from 'playwright-core'
import { describe, expect } from 'vitest'
import type { BalancesResponse } from '@headwater/contract'
import { bindingNames } from '../../scripts/bindings.ts'
import type { Demo, OperationPath } from './demo/Demo.ts'
import { demoTest } from './demo/demoTest.ts'
import { holding, walletOf } from './demo/wallets.ts'
import { getStack } from './getStack.ts'

const stack = await getStack()
const alice = walletOf(stack, 'alice')
const otto = walletOf(stack, 'otto')

/** Maximum gzipped bytes of JavaScript that a page loads before it shows a portfolio. */
const scriptBudget = 150_000

describe.each(bindingNames)('performance of %s', (framework) => {
  const it = demoTest(stack, framework)

  it('loads less than 150 kB of scripts for a portfolio, and the chart library with the first chart', async ({
    demo,
  }) => {
    const scripts = new Map<string, Promise<Buffer>>()
    demo.page.on('response', (response) => {
      // What follows changes is loaded after the first response.
      const isOnDemand = response.url().includes('ChangeFollower')
      if (response.request().resourceType() === 'script' && !isOnDemand) {
        scripts.set(response.url(), response.body())
      }
    })
    await demo.goto({ address: alice })
    await demo.rows().first().waitFor()
    const bodies = await Promise.all(scripts.values())
    const size = bodies.reduce((sum, body) => sum + gzipSync(body).length, 0)
    console.log(`${framework}: ${(size / 1000).toFixed(1)} kB of scripts for a portfolio`)
    expect(size).toBeGreaterThan(10_000)
    expect(size).toBeLessThan(scriptBudget)

    const initial = scripts.size
    const token = await holding(stack, alice, 31337, 'DELTA')
    await demo.row(token).getByTestId('token-link').click()
    await demo.byId('token-chart').locator('canvas').first().waitFor()
    expect(scripts.size).toBe(initial + 1)
  })

  it('updates none of 1,000 rows without a change, and one row when one changes', async ({
    demo,
  }) => {
    const frozen = await freeze<BalancesResponse>(demo, 'balances', (response) => ({
      ...response,
      balances: Array.from({ length: 1_000 }, (_, index) => ({
        ...response.balances[index % response.balances.length]!,
        address: `0x${(index + 1).toString(16).padStart(40, '0')}`,
        value_usd: 5_000 - index,
      })),
    }))
    await serveImages(demo)
    await demo.page.clock.install()
    // Animations would distort the measurement.
    await demo.page.emulateMedia({ reducedMotion: 'reduce' })
    await demo.goto({ address: alice })
    const table = demo.byId('balances-table')
    await expect.poll(() => table.getAttribute('aria-rowcount')).toBe('1001')
    expect(await demo.rows().count()).toBeLessThan(100)

    await observeChanges(demo, 'balances-table')
    const cpu = await measureCpu(demo)
    const polls = 4
    for (let poll = 0; poll < polls; poll++) {
      await pollNow(demo, 'balances')
    }
    const perPoll = (await cpu()) / polls
    // Printed only, because it depends on the load of the machine.
    console.log(`${framework}: ${perPoll.toFixed(1)} ms of CPU per poll of 1,000 unchanged rows`)
    expect(await changedRows(demo)).toEqual([])

    const third = frozen.balances[2]!
    third.amount = String(BigInt(third.amount) + 1n)
    await pollNow(demo, 'balances')
    await expect.poll(() => demo.row(third).getAttribute('data-amount')).toBe(third.amount)
    expect(await changedRows(demo)).toEqual([third.address])
  })

  it('does not update holders and collectibles without a change', async ({ demo }) => {
    const token = await holding(stack, alice, 31337, 'DELTA')
    const lists = [
      {
        operation: 'token-holders',
        list: 'holders-list',
        // The shares of the supply, which is part of another response.
        complete: /%/,
        place: { screen: 'token', chain: 31337, token: token.address },
      },
      {
        operation: 'collectibles',
        list: 'gallery',
        complete: /./,
        place: { address: otto, screen: 'collectibles' },
      },
    ] as const
    await demo.page.clock.install()
    await serveImages(demo)
    await freeze(demo, 'token-info')
    for (const { operation, list, complete, place } of lists) {
      await freeze(demo, operation)
      await demo.goto(place)
      await expect.poll(() => demo.byId(list).textContent()).toMatch(complete)
      await rendered(demo)
      await observeChanges(demo, list)
      await pollNow(demo, operation)
      expect(await changedRows(demo)).toEqual([])
    }
  })
})

/** Responds to all requests of an operation with the first response of the service, changed by a function. */
async function freeze<T extends object>(
  demo: Demo,
  operation: OperationPath,
  change: (response: T) => T = (response) => response,
): Promise<T> {
  const frozen = {} as T
  let first: Promise<APIResponse> | undefined
  await demo.intercept(operation, async (route) => {
    first ??= (async () => {
      const response = await route.fetch()
      Object.assign(frozen, change((await response.json()) as T))
      return response
    })()
    await route.fulfill({ response: await first, json: frozen })
  })
  return frozen
}

/** Responds to all requests of logos and images with an empty image: those that fail to load change rows at any time. */
async function serveImages({ page }: Demo): Promise<void> {
  await page.route(/\/(logo|image)\//, (route) =>
    route.fulfill({
      contentType: 'image/svg+xml',
      body: '<svg xmlns="http://www.w3.org/2000/svg"/>',
    }),
  )
}

/** Waits until the page has rendered the next response of an operation. */
async function nextResponse(demo: Demo, operation: OperationPath): Promise<void> {
  const response = await demo.page.waitForResponse((each) =>
    each.url().includes(`/v1/evm/${operation}/`),
  )
  await response.finished()
  await rendered(demo)
}

/** Advances the clock of the page beyond each polling interval, and waits until the response is rendered. */
async function pollNow(demo: Demo, operation: OperationPath): Promise<void> {
  const response = nextResponse(demo, operation)
  await demo.page.clock.fastForward(20_000)
  await response
}

/** Waits two frames, after which pending updates are rendered. */
async function rendered(demo: Demo): Promise<void> {
  await demo.page.evaluate(
    () => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))),
  )
}

/** Records the changed rows of a list from now on. */
async function observeChanges(demo: Demo, list: string): Promise<void> {
  await demo.byId(list).evaluate((element) => {
    const changedNames = new Set<string>()
    Object.assign(window, { changedNames })
    new MutationObserver((mutations) => {
      for (const { target, type } of mutations) {
        const near = target instanceof Element ? target : target.parentElement
        const row = near?.closest<HTMLElement>('[data-testid$=-row], [data-testid$=-card]')
        changedNames.add(
          row?.dataset.address ?? row?.dataset.tokenId ?? `${type} of ${near?.className}`,
        )
      }
    }).observe(element, {
      attributes: true,
      characterData: true,
      childList: true,
      subtree: true,
    })
  })
}

/** The addresses of the changed rows, and the names of other changed elements. */
function changedRows({ page }: Demo): Promise<string[]> {
  return page.evaluate(() => [...(window as unknown as { changedNames: Set<string> }).changedNames])
}

/** Starts measuring CPU time. The returned function resolves with the milliseconds used since. */
async function measureCpu({ page }: Demo): Promise<() => Promise<number>> {
  const session = await page.context().newCDPSession(page)
  await session.send('Performance.enable')
  const used = async () => {
    const { metrics } = await session.send('Performance.getMetrics')
    return metrics.find(({ name }) => name === 'ProcessTime')!.value * 1_000
  }
  const before = await used()
  return async () => (await used()) - before
}
