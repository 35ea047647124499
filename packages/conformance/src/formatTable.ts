import type { Cell } from './testScenarios.ts'

/** The result of a scenario in one column. */
export interface Outcome extends Cell {
  readonly state: 'passed' | 'failed' | 'skipped' | 'pending'
}

/**
 * Formats a table: a row per scenario, a column per framework and environment. Also returns the holes: scenarios that did not
 * run in all columns.
 *
 * @param outcomes - Of all tests of a run, in their order.
 */
export function formatTable(outcomes: readonly Outcome[]): { text: string; holes: string[] } {
  const columnOf = ({ framework, surroundings }: Cell) => `${framework} ${surroundings}`
  const columns = [...new Set(outcomes.map(columnOf))].sort()
  const names = [...new Set(outcomes.map(({ scenario }) => scenario))]
  const cells = new Map(outcomes.map((each) => [`${columnOf(each)} ${each.scenario}`, each]))
  const holes: string[] = []
  const rows = names.map((name) => [
    name,
    ...columns.map((column) => {
      const outcome = cells.get(`${column} ${name}`)
      if (!outcome) {
        holes.push(`${column}: ${name}`)
      }
      return outcome ? write(outcome) : 'HOLE'
    }),
  ])
  const lines = [
    ['', ...columns.map((column) => column.split(' ')[0]!)],
    ['', ...columns.map((column) => column.split(' ')[1]!)],
    ...rows,
    ['', ...columns.map((column) => tally(column))],
  ]
  const widths = lines[0]!.map((_, at) => Math.max(...lines.map((line) => line[at]!.length)))
  const text = lines
    .map((line) =>
      line
        .map((cell, at) => cell.padEnd(widths[at]!))
        .join('  ')
        .trimEnd(),
    )
    .join('\n')
  const gaps = outcomes.flatMap((each) =>
    each.gap ? [`known gap of ${columnOf(each)}, “${each.scenario}”: ${each.gap}`] : [],
  )
  return { text: [text, ...gaps].join('\n'), holes }

  function tally(column: string): string {
    const all = outcomes.filter((each) => columnOf(each) === column)
    return `${all.filter(({ state }) => state === 'passed').length} of ${all.length}`
  }
}

function write({ state, gap }: Outcome): string {
  // The test of a known gap passes if the scenario fails.
  if (gap) {
    return state === 'passed' ? 'gap' : 'GAP CLOSED'
  }
  return state === 'passed' ? 'ok' : state.toUpperCase()
}
