import { expect } from 'vitest'
import { transfer } from './chain.ts'
import { Demo } from './demo/Demo.ts'
import { demoTest } from './demo/demoTest.ts'
import { toUnits } from './demo/toUnits.ts'
import { holding, walletOf } from './demo/wallets.ts'
import { getStack } from './getStack.ts'

const stack = await getStack()
// This wallet never sends tokens.
const grace = walletOf(stack, 'grace')
// The client is the same in all demos.
const it = demoTest(stack, 'react')

it('follows changes in two tabs by one connection, which the second tab takes over without a gap', async ({
  demo,
}) => {
  const token = await holding(stack, grace, 31337, 'DELTA')
  const sent = 10n ** 17n + 4_321n
  const send = () =>
    transfer(stack.nodes[0], token.address, walletOf(stack, 'treasury'), grace, sent)
  const leader = await Demo.open(demo.page.context(), demo.url)
  await demo.allowPush()
  const open = async (tab: Demo) => {
    const streams = tab.countRequests('changes')
    await tab.goto({ address: grace, chains: '31337' })
    const cell = tab.row(token).getByTestId('balance-amount')
    await cell.waitFor()
    await tab.byId('meter-toggle').click()
    await tab.page.locator('[data-testid=meter-connection][data-state=live]').waitFor()
    return { streams, shown: async () => toUnits(await cell.innerText(), 18) }
  }
  const one = await open(leader)
  const two = await open(demo)
  expect(one.streams.count).toBeGreaterThan(0)

  const before = await two.shown()
  const requests = demo.countRequests('balances')
  await send()
  await expect.poll(one.shown).toBeGreaterThanOrEqual(before + sent)
  await expect.poll(two.shown).toBeGreaterThanOrEqual(before + sent)
  expect([requests.count, two.streams.count]).toEqual([0, 0])

  // What is sent while no tab has a connection is shown, too, and only once.
  await leader.page.close()
  await send()
  const isEqual = async () =>
    (await two.shown()) === BigInt((await holding(stack, grace, 31337, 'DELTA')).amount)
  await expect.poll(two.shown).toBeGreaterThanOrEqual(before + 2n * sent)
  await expect.poll(isEqual).toBe(true)
  await expect.poll(() => two.streams.count).toBeGreaterThan(0)
  await send()
  await expect.poll(two.shown).toBeGreaterThanOrEqual(before + 3n * sent)
})
