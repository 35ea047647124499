import { describe, expect } from 'vitest'
import { bindingNames } from '../../scripts/bindings.ts'
import { demoTest } from './demo/demoTest.ts'
import { holding, walletOf } from './demo/wallets.ts'
import { getStack } from './getStack.ts'

const stack = await getStack()
const alice = walletOf(stack, 'alice')

describe.each(bindingNames)('the meter in %s', (framework) => {
  const it = demoTest(stack, framework)

  it('shows the cost of the page by operation and by stream', async ({ demo }) => {
    const token = await holding(stack, alice, 31337, 'DELTA')
    await demo.goto({ address: alice })
    await demo.rows().first().waitFor()
    expect(await demo.byId('meter').count()).toBe(0)
    await demo.byId('meter-toggle').click()
    const units = (testId: string) => async () =>
      Number((await demo.byId(testId).innerText()).replaceAll(',', ''))
    const spent = units('meter-spent')
    const before = await spent()
    await expect.poll(spent).toBeGreaterThan(before)
    await expect.poll(units('meter-rate')).toBeGreaterThan(0)
    expect(await demo.byId('meter-remaining').innerText()).not.toBe('')
    await expect.poll(() => demo.byId('meter-stream').count()).toBe(2)

    await demo.row(token).getByTestId('token-link').click()
    await demo.byId('holder-row').first().waitFor()
    const operations = () =>
      demo
        .byId('meter-operation')
        .evaluateAll((lines) => lines.map(({ dataset }) => dataset.operation!).toSorted())
    await expect
      .poll(operations)
      .toEqual(expect.arrayContaining(['balances', 'tokenHolders', 'tokenInfo']))
    await expect.poll(() => demo.byId('meter-stream').count()).toBe(3)
  })

  it('updates the cost of a stream after the first response', async ({ demo }) => {
    // The number of default chains, and thus the cost, is unknown before the first response.
    let release = () => {}
    const held = new Promise<void>((resolve) => (release = resolve))
    await demo.intercept('balances', async (route) => {
      await held
      await route.continue()
    })
    await demo.goto({ address: alice })
    await demo.byId('meter-toggle').click()
    const costs = () => demo.byId('meter-stream').first().innerText()
    await expect.poll(costs).toContain('1 unit every 2 s')
    release()
    await expect.poll(costs).toContain('2 units every 2 s')
  })

  it('follows the client of another connection', async ({ demo }) => {
    await demo.goto({ address: alice })
    await demo.rows().first().waitFor()
    await demo.byId('meter-toggle').click()
    expect(await demo.byId('meter-connection').getAttribute('data-state')).toBe('polling')
    await demo.allowPush()
    await demo.byId('connection').locator('summary').click()
    await demo.byId('connection-url').fill(stack.urls.api)
    await demo.byId('connection-key').fill(stack.key)
    await demo.byId('connection-submit').click()
    await demo.page.locator('[data-testid=meter-connection][data-state=live]').waitFor()
  })

  it('counts the cost that the service reports', async ({ demo }) => {
    let charged = 0
    demo.page.on('response', async (response) => {
      charged += Number((await response.allHeaders())['x-compute-units-cost'] ?? 0)
    })
    await demo.goto({ address: alice })
    await demo.rows().first().waitFor()
    await demo.byId('meter-toggle').click()
    const difference = async () => Number(await demo.byId('meter-spent').innerText()) - charged
    await expect.poll(difference, { interval: 20 }).toBe(0)
    expect(charged).toBeGreaterThan(0)
  })

  it('slows the polls down to the budget', async ({ demo }) => {
    const requestTimes: number[] = []
    demo.page.on('request', (request) => {
      if (request.url().includes('/balances/') && request.method() === 'GET') {
        requestTimes.push(Date.now())
      }
    })
    await demo.goto({ address: alice })
    await demo.rows().first().waitFor()
    await demo.byId('meter-toggle').click()
    // 24 units per minute at two per poll: at most 12 polls per minute instead of 30.
    await demo.byId('budget-slider').fill('2')
    const slowed = requestTimes.length
    const longestPause = () =>
      Math.max(
        0,
        ...requestTimes
          .slice(slowed)
          .map((time, index) => time - requestTimes[slowed + index - 1]!),
      )
    await expect.poll(longestPause).toBeGreaterThanOrEqual(5_000)
  })
})
