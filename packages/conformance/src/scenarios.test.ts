import { assert } from 'chai'
import { expect, test } from 'vitest'
import { knownGaps } from './knownGaps.ts'
import { driver } from './react/driver.ts'
import { runScenario } from './runScenario.ts'
import { scenario } from './Scenario.ts'
import { scenarios } from './scenarios.ts'
import { balances } from './views.ts'

const alice = `0x${'a'.repeat(40)}`

test('has a name of its own for each scenario', () => {
  const names = scenarios.map(({ name }) => name)
  expect(new Set(names).size).toBe(names.length)
})

test('knows gaps only of scenarios that there are', () => {
  const names = scenarios.map(({ name }) => name)
  for (const gap of knownGaps) {
    expect(names).toContain(gap.scenario)
  }
})

test('fails where a scenario does not hold', async () => {
  const wrong = scenario('is never pending', async (stage) => {
    const shown = await stage.mount(stage.createClient(), balances(alice))
    assert.notInclude(shown.rendered(), 'pending')
  })
  await expect(runScenario(driver, wrong)).rejects.toThrow('pending')
})

test('fails where somebody complains', async () => {
  const complaining = scenario('complains', async () => console.error('A mismatch'))
  await expect(runScenario(driver, complaining)).rejects.toThrow('A mismatch')
})

test('fails where nobody catches an error', async () => {
  const uncaught = scenario('throws', async () => {
    window.dispatchEvent(new ErrorEvent('error', { error: new Error('A click went wrong') }))
  })
  await expect(runScenario(driver, uncaught)).rejects.toThrow('A click went wrong')
})

test('fails where a timer is left behind', async () => {
  const leaking = scenario('leaks', async () => void setTimeout(() => {}, 5000))
  await expect(runScenario(driver, leaking)).rejects.toThrow('a timer of 5000 ms')
})

test('leaves nothing behind when a scenario fails', async () => {
  const { setTimeout, Date, console } = globalThis
  const { error } = console
  const failing = scenario('fails', async (stage) => {
    await stage.mount(stage.createClient(), balances(alice))
    stage.setVisible(false)
    throw new Error('It does')
  })
  await expect(runScenario(driver, failing)).rejects.toThrow('It does')
  expect(globalThis.setTimeout).toBe(setTimeout)
  expect(globalThis.Date).toBe(Date)
  expect(console.error).toBe(error)
  expect(document.visibilityState).toBe('visible')
  expect(document.querySelector('main')).toBeNull()
})
