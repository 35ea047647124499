import { expect, test } from 'vitest'
import { formatTable, type Outcome } from './formatTable.ts'

const outcome = (framework: string, scenario: string, more: Partial<Outcome> = {}): Outcome => ({
  framework,
  scenario,
  surroundings: 'happy-dom',
  state: 'passed',
  ...more,
})

test('lays out scenarios down and frameworks across', () => {
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

test('tells of a scenario that a framework does not have', () => {
  const { text, holes } = formatTable([
    outcome('react', 'shows a wallet'),
    outcome('react', 'polls'),
    outcome('vue', 'polls'),
  ])
  expect(holes).toEqual(['vue happy-dom: shows a wallet'])
  expect(text).toContain('HOLE')
})

test('tells of known gaps, and of those that have closed', () => {
  const { text } = formatTable([
    outcome('react', 'polls', { gap: 'It sleeps.' }),
    outcome('vue', 'polls', { gap: 'It sleeps as well.', state: 'failed' }),
  ])
  expect(text).toMatchInlineSnapshot(`
    "       react      vue
           happy-dom  happy-dom
    polls  gap        GAP CLOSED
           1 of 1     0 of 1
    known gap of react happy-dom, “polls”: It sleeps.
    known gap of vue happy-dom, “polls”: It sleeps as well."
  `)
})
