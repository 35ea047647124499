import { describe, expect } from 'vitest'
import { bindingNames } from '../../scripts/bindings.ts'
import { demoTest } from './demo/demoTest.ts'
import { patience } from './demo/patience.ts'
import { holding, walletOf } from './demo/wallets.ts'
import { useStack } from './useStack.ts'

const stack = await useStack()
const alice = walletOf(stack, 'alice')

describe.each(bindingNames)('the meter in %s', (framework) => {
  const it = demoTest(stack, framework)

  it('tells what the page costs, by operation and by what lives on what', async ({ demo }) => {
    const token = await holding(stack, alice, 31337, 'DELTA')
    await demo.goto({ address: alice })
    await demo.rows().first().waitFor()
    expect(await demo.byId('meter').count()).toBe(0)
    await demo.byId('meter-toggle').click()
    const units = (testId: string) => async () =>
      Number((await demo.byId(testId).innerText()).replaceAll(',', ''))
    const spent = units('meter-spent')
    const before = await spent()
    await expect.poll(spent, patience).toBeGreaterThan(before)
    await expect.poll(units('meter-rate'), patience).toBeGreaterThan(0)
    expect(await demo.byId('meter-remaining').innerText()).not.toBe('')
    expect(await demo.byId('meter-stream').allInnerTexts()).toHaveLength(2)

    await demo.row(token).getByTestId('token-link').click()
    await demo.byId('holder-row').first().waitFor()
    const operations = () =>
      demo
        .byId('meter-operation')
        .evaluateAll((lines) => lines.map(({ dataset }) => dataset.operation!).toSorted())
    await expect
      .poll(operations, patience)
      .toEqual(expect.arrayContaining(['balances', 'tokenHolders', 'tokenInfo']))
    expect(await demo.byId('meter-stream').allInnerTexts()).toHaveLength(3)
  })

  it('tells of a stream what the first answer turned out to cost', async ({ demo }) => {
    // How many chains it asks by default, and so what it costs, the page does not know before.
    let answer = () => {}
    const held = new Promise<void>((resolve) => (answer = resolve))
    await demo.intercept('balances', async (route) => {
      await held
      await route.continue()
    })
    await demo.goto({ address: alice })
    await demo.byId('meter-toggle').click()
    const costs = () => demo.byId('meter-stream').first().innerText()
    await expect.poll(costs, patience).toContain('1 unit every 2 s')
    answer()
    await expect.poll(costs, patience).toContain('2 units every 2 s')
  })

  it('counts what the service says that it costs', async ({ demo }) => {
    let charged = 0
    demo.page.on('response', async (response) => {
      charged += Number((await response.allHeaders())['x-compute-units-cost'] ?? 0)
    })
    await demo.goto({ address: alice })
    await demo.rows().first().waitFor()
    await demo.byId('meter-toggle').click()
    const isEqual = async () => Number(await demo.byId('meter-spent').innerText()) === charged
    await expect.poll(isEqual, { ...patience, interval: 20 }).toBe(true)
    expect(charged).toBeGreaterThan(0)
  })

  it('slows the polls down to a budget', async ({ demo }) => {
    const asked: number[] = []
    demo.page.on('request', (request) => {
      if (request.url().includes('/balances/') && request.method() === 'GET') {
        asked.push(Date.now())
      }
    })
    await demo.goto({ address: alice })
    await demo.rows().first().waitFor()
    await demo.byId('meter-toggle').click()
    // 24 units a minute, two a poll: no more than twelve polls a minute instead of thirty.
    await demo.byId('budget-slider').fill('2')
    const slowed = asked.length
    const longestPause = () =>
      Math.max(0, ...asked.slice(slowed).map((time, index) => time - asked[slowed + index - 1]!))
    await expect.poll(longestPause, patience).toBeGreaterThanOrEqual(5_000)
  })
})
