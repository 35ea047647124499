import { expect, test } from 'vitest'
import { formatTable, type Outcome } from './formatTable.ts'

const outcome = (framework: string, scenario: string, more: Partial<Outcome> = {}): Outcome => ({
  framework,
  scenario,
  surroundings: 'happy-dom',
  state: 'passed',
  ...more,
})

test('has a row per scenario and a column per framework', () => {
  const { text, holes } = formatTable([
    outcome('vue', 'shows a wallet'),
    outcome('vue', 'polls', { state: 'failed' }),
    outcome('react', 'shows a wallet'),
    outcome('react', 'polls'),
  ])
  expect(holes).toEqual([])
  expect(text).toMatchInlineSnapshot(`
    "                react      vue
                    happy-dom  happy-dom
    shows a wallet  ok         ok
    polls           ok         FAILED
                    2 of 2     1 of 2"
  `)
})

test('lists scenarios that did not run in a column', () => {
  const { text, holes } = formatTable([
    outcome('react', 'shows a wallet'),
    outcome('react', 'polls'),
    outcome('vue', 'polls'),
  ])
  expect(holes).toEqual(['vue happy-dom: shows a wallet'])
  expect(text).toContain('HOLE')
})

test('lists known gaps, and those that are closed', () => {
  const { text } = formatTable([
    outcome('react', 'polls', { gap: 'Not implemented.' }),
    outcome('vue', 'polls', { gap: 'Not implemented either.', state: 'failed' }),
  ])
  expect(text).toMatchInlineSnapshot(`
    "       react      vue
           happy-dom  happy-dom
    polls  gap        GAP CLOSED
           1 of 1     0 of 1
    known gap of react happy-dom, “polls”: Not implemented.
    known gap of vue happy-dom, “polls”: Not implemented either."
  `)
})
