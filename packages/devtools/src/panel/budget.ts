import { html, type TemplateResult } from 'lit/html.js'
import { getBudgetState } from '@headwater/core/inspect'
import type { Recorder } from '../Recorder.ts'
import { formatNumber, formatTime } from './formats.ts'

/** The budget, and the units spent by operation and by minute. */
export function renderBudget({ client }: Recorder): TemplateResult {
  const { spent, byOperation, byMinute, remaining } = client.getUsage()
  const budget = getBudgetState(client)
  const lines: [string, string][] = [
    ['Spent since the client was created', formatNumber(spent)],
    [
      'Remaining in the quota of the key',
      remaining === undefined ? 'not reported' : formatNumber(remaining),
    ],
    ['Budget per minute', budget ? formatNumber(budget.perMinute) : 'none'],
    ['Budget in total', budget ? formatNumber(budget.total) : 'none'],
    ['Intervals are multiplied by', formatNumber(budget?.intervalMultiplier ?? 1)],
    ['Requests that wait for units', formatNumber(budget?.waiting ?? 0)],
  ]
  const minutes = byMinute
    .slice(-10)
    .map(({ startedAt, spent: units }): [string, string] => [
      formatTime(startedAt).slice(0, 5),
      formatNumber(units),
    ])
  return html`${renderLines('Budget', ['Limit', 'Units'], lines)}
  ${renderLines(
    'By operation',
    ['Operation', 'Units'],
    Object.entries(byOperation).map(([name, units]) => [name, formatNumber(units)]),
  )}
  ${renderLines('By minute, the latest ten', ['Minute', 'Units'], minutes)}`
}

function renderLines(
  caption: string,
  columns: readonly string[],
  lines: readonly (readonly [string, string])[],
): TemplateResult {
  return html`<table>
    <caption>
      ${caption}
    </caption>
    <thead>
      <tr>
        ${columns.map((column) => html`<th scope="col">${column}</th>`)}
      </tr>
    </thead>
    <tbody>
      ${lines.map(
        ([name, value]) =>
          html`<tr>
            <td>${name}</td>
            <td>${value}</td>
          </tr>`,
      )}
    </tbody>
  </table>`
}
