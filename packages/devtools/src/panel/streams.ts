import { html, nothing, type TemplateResult } from 'lit/html.js'
import { getPolls, type Poll, type PollReason } from '@headwater/core/inspect'
import type { Recorder } from '../Recorder.ts'
import { formatDuration, formatJson, formatNumber, formatParameters } from './formats.ts'
import { renderTable, renderText, type View } from './view.ts'

const reasons: Record<PollReason, string> = {
  fetching: 'request in flight',
  disabled: 'no interval',
  idle: 'nothing to poll',
  hidden: 'page is hidden',
  fatal: 'error that a poll cannot fix',
  offline: 'offline',
  budget: 'slowed down by the budget',
  retryAfter: 'Retry-After of the service',
  backoff: 'backoff after failures',
  leader: 'another tab polls',
  changes: 'changes are pushed',
  interval: 'interval',
}

const kinds: Record<Poll['kind'], string> = {
  query: '',
  price: '',
  tail: ', further pages',
  follower: ', of another tab',
}

/** The resources that are polled, with their streams. */
export function renderStreams({ client }: Recorder, view: View): TemplateResult {
  const now = Date.now()
  const polls = getPolls(client)
  const total = polls.reduce((sum, { unitsPerMinute }) => sum + unitsPerMinute, 0)
  return renderTable(view, {
    caption: `Streams: ${formatNumber(total)} units per minute`,
    columns: [
      ['Stream', 330],
      ['Status', 80],
      ['Age', 80],
      ['Next poll', 90],
      ['Why', 190],
      ['Units / min', 90],
      ['Subscribers', 95],
    ],
    rows: polls,
    testId: 'devtools-stream',
    getKey: ({ key }) => key,
    getText: ({ operation, parameters }) => `${operation} ${formatParameters(parameters)}`,
    getTitle: ({ operation, kind, parameters }) =>
      `${operation}${kinds[kind]} ${formatParameters(parameters)}`,
    renderCells: ({ state, nextPollAt, reason, unitsPerMinute, subscribers }) => {
      const tone = state.status === 'error' ? 'bad' : state.status === 'success' ? 'good' : 'muted'
      const isScheduled = Number.isFinite(nextPollAt) && reason !== 'fetching'
      return html`<td class=${tone}>${state.status}</td>
        <td>${state.dataUpdatedAt > 0 ? formatDuration(now - state.dataUpdatedAt) : '–'}</td>
        <td>
          ${
            isScheduled
              ? nextPollAt > now
                ? `in ${formatDuration(nextPollAt - now)}`
                : 'now'
              : '–'
          }
        </td>
        <td class=${reason === 'interval' || reason === 'fetching' ? 'muted' : 'warn'}>
          ${reasons[reason]}
        </td>
        <td class="number">${formatNumber(unitsPerMinute)}</td>
        <td class="number">${subscribers}</td>`
    },
    renderDetails: ({ parameters, interval, units, queryKey, price, state }) => html`
      ${renderText('Parameters', formatJson(parameters))}
      <p>
        ${Number.isFinite(interval) ? `Every ${formatDuration(interval)}` : 'Not polled'},
        ${formatNumber(units)} units each.
      </p>
      ${state.error ? renderText('Error', String(state.error.message)) : nothing}
      ${queryKey ? renderText('Query key', formatJson(queryKey)) : nothing}
      ${renderText(
        'Snapshot',
        formatJson(
          queryKey ? client.queryClient.getQueryData(queryKey as readonly unknown[]) : price,
        ),
      )}
    `,
    empty:
      'No stream has a subscriber. They appear here when a component or a subscription uses one.',
  })
}
