import { gzipSync } from 'node:zlib'
import type { APIResponse } from 'playwright-core'
import { describe, expect } from 'vitest'
import type { BalancesResponse } from '@headwater/contract'
import { bindingNames } from '../../scripts/bindings.ts'
import type { Demo, Operation } from './demo/Demo.ts'
import { demoTest } from './demo/demoTest.ts'
import { patience } from './demo/patience.ts'
import { holding, walletOf } from './demo/wallets.ts'
import { useStack } from './useStack.ts'

const stack = await useStack()
const alice = walletOf(stack, 'alice')
const otto = walletOf(stack, 'otto')

/** Bytes of JavaScript, compressed, that a page may load before it shows a portfolio. */
const scriptBudget = 150_000

describe.each(bindingNames)('how light %s is', (framework) => {
  const it = demoTest(stack, framework)

  it('shows a portfolio with less than 150 kB of scripts, and loads the chart with the first one', async ({
    demo,
  }) => {
    const scripts = new Map<string, Promise<Buffer>>()
    demo.page.on('response', (response) => {
      if (response.request().resourceType() === 'script') {
        scripts.set(response.url(), response.body())
      }
    })
    await demo.goto({ address: alice })
    await demo.rows().first().waitFor()
    const bodies = await Promise.all(scripts.values())
    const size = bodies.reduce((sum, body) => sum + gzipSync(body).length, 0)
    console.log(`${framework}: ${(size / 1000).toFixed(1)} kB of scripts before a portfolio`)
    expect(size).toBeGreaterThan(10_000)
    expect(size).toBeLessThan(scriptBudget)

    const initial = scripts.size
    const token = await holding(stack, alice, 31337, 'DELTA')
    await demo.row(token).getByTestId('token-link').click()
    await demo.byId('token-chart').locator('canvas').first().waitFor()
    expect(scripts.size).toBe(initial + 1)
  })

  it('leaves 1,000 rows alone while nothing changes, and touches one when one does', async ({
    demo,
  }) => {
    const frozen = await freeze<BalancesResponse>(demo, 'balances', (answer) => ({
      ...answer,
      balances: Array.from({ length: 1_000 }, (_, index) => ({
        ...answer.balances[index % answer.balances.length]!,
        address: `0x${(index + 1).toString(16).padStart(40, '0')}`,
        value_usd: 5_000 - index,
      })),
    }))
    // What moves would be in the figure.
    await demo.page.emulateMedia({ reducedMotion: 'reduce' })
    await demo.goto({ address: alice })
    const table = demo.byId('balances-table')
    await expect.poll(() => table.getAttribute('aria-rowcount'), patience).toBe('1001')
    expect(await demo.rows().count()).toBeLessThan(100)

    await watch(demo, 'balances-table')
    const cpu = await measureCpu(demo)
    const polls = 4
    for (let poll = 0; poll < polls; poll++) {
      await answered(demo, 'balances')
    }
    const perPoll = (await cpu()) / polls
    // A figure to look at: what else the machine does is in it.
    console.log(`${framework}: ${perPoll.toFixed(1)} ms of CPU a poll of 1,000 unchanged rows`)
    expect(await touchedRows(demo)).toEqual([])

    const third = frozen.balances[2]!
    third.amount = String(BigInt(third.amount) + 1n)
    await expect
      .poll(() => demo.row(third).getAttribute('data-amount'), patience)
      .toBe(third.amount)
    expect(await touchedRows(demo)).toEqual([third.address])
  })

  it('leaves holders and collectibles alone while nothing changes', async ({ demo }) => {
    const token = await holding(stack, alice, 31337, 'DELTA')
    const lists = [
      {
        operation: 'token-holders',
        list: 'holders-list',
        place: { screen: 'token', chain: 31337, token: token.address },
      },
      {
        operation: 'collectibles',
        list: 'gallery',
        place: { address: otto, screen: 'collectibles' },
      },
    ] as const
    await demo.page.clock.install()
    // That a picture is missing may turn out at any time.
    await demo.page.route('**/image/**', (route) =>
      route.fulfill({
        contentType: 'image/svg+xml',
        body: '<svg xmlns="http://www.w3.org/2000/svg"/>',
      }),
    )
    for (const { operation, list, place } of lists) {
      await freeze(demo, operation)
      await demo.goto(place)
      await demo.byId(list).waitFor()
      await settled(demo)
      await watch(demo, list)
      const poll = answered(demo, operation)
      await demo.page.clock.fastForward(20_000)
      await poll
      expect(await touchedRows(demo)).toEqual([])
    }
  })
})

/** Lets an operation answer the same again and again, made of what the service answered first. */
async function freeze<T extends object>(
  demo: Demo,
  operation: Operation,
  change: (answer: T) => T = (answer) => answer,
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

/** Resolves when the page has taken in the next answer of an operation. */
async function answered(demo: Demo, operation: Operation): Promise<void> {
  const response = await demo.page.waitForResponse((each) =>
    each.url().includes(`/v1/evm/${operation}/`),
  )
  await response.finished()
  await settled(demo)
}

/** Two frames later, whatever was to be rendered is. */
async function settled(demo: Demo): Promise<void> {
  await demo.page.evaluate(
    () => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))),
  )
}

/** Notes from now on what is changed in a list. */
async function watch(demo: Demo, list: string): Promise<void> {
  await demo.byId(list).evaluate((element) => {
    const touched = new Set<string>()
    Object.assign(window, { touched })
    new MutationObserver((mutations) => {
      for (const { target, type } of mutations) {
        const near = target instanceof Element ? target : target.parentElement
        const row = near?.closest<HTMLElement>('[data-testid$=-row], [data-testid$=-card]')
        touched.add(row?.dataset.address ?? row?.dataset.tokenId ?? `${type} of ${near?.className}`)
      }
    }).observe(element, {
      attributes: true,
      characterData: true,
      childList: true,
      subtree: true,
    })
  })
}

/** The addresses of the rows that were changed since they are watched, or what else was. */
function touchedRows({ page }: Demo): Promise<string[]> {
  return page.evaluate(() => [...(window as unknown as { touched: Set<string> }).touched])
}

/** Milliseconds of CPU that the page has used when asked again. */
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
