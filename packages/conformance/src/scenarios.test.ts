import { assert } from 'chai'
import { expect, test } from 'vitest'
import { knownGaps } from './knownGaps.ts'
import { driver } from './react/driver.ts'
import { runScenario } from './runScenario.ts'
import { scenario } from './Scenario.ts'
import { scenarios } from './scenarios.ts'
import { balances } from './views.ts'

const alice = `0x${'a'.repeat(40)}`

test('has unique names of scenarios', () => {
  const names = scenarios.map(({ name }) => name)
  expect(new Set(names).size).toBe(names.length)
})

test('has known gaps only of existing scenarios', () => {
  const names = scenarios.map(({ name }) => name)
  for (const gap of knownGaps) {
    expect(names).toContain(gap.scenario)
  }
})

test('fails if a scenario fails', async () => {
  const wrong = scenario('is never pending', async (stage) => {
    const shown = await stage.mount(stage.createClient(), balances(alice))
    assert.notInclude(shown.rendered(), 'pending')
  })
  await expect(runScenario(driver, wrong)).rejects.toThrow('pending')
})

test('fails for an error on the console', async () => {
  const logging = scenario('logs', async () => console.error('A mismatch'))
  await expect(runScenario(driver, logging)).rejects.toThrow('A mismatch')
})

test('fails for an uncaught error', async () => {
  const uncaught = scenario('throws', async () => {
    window.dispatchEvent(new ErrorEvent('error', { error: new Error('Error of a click') }))
  })
  await expect(runScenario(driver, uncaught)).rejects.toThrow('Error of a click')
})

test('fails for a pending timer', async () => {
  const leaking = scenario('leaks', async () => void setTimeout(() => {}, 5000))
  await expect(runScenario(driver, leaking)).rejects.toThrow('a timer of 5000 ms')
})

test('cleans up when a scenario fails', async () => {
  const { setTimeout, Date, console } = globalThis
  const { error } = console
  const failing = scenario('fails', async (stage) => {
    await stage.mount(stage.createClient(), balances(alice))
    stage.setVisible(false)
    throw new Error('Error of a scenario')
  })
  await expect(runScenario(driver, failing)).rejects.toThrow('Error of a scenario')
  expect(globalThis.setTimeout).toBe(setTimeout)
  expect(globalThis.Date).toBe(Date)
  expect(console.error).toBe(error)
  expect(document.visibilityState).toBe('visible')
  expect(document.querySelector('main')).toBeNull()
})
