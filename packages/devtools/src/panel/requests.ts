import { html, nothing, type TemplateResult } from 'lit/html.js'
import type { ObservedRequest } from '@headwater/core/inspect'
import type { Recorder } from '../Recorder.ts'
import {
  formatDuration,
  formatJson,
  formatNumber,
  formatParameters,
  formatTime,
} from './formats.ts'
import { renderTable, renderText, type View } from './view.ts'

/** The latest requests, newest first. */
export function renderRequests({ requests }: Recorder, view: View): TemplateResult {
  const rows = [...requests.values()].reverse()
  const units = rows.reduce((sum, request) => sum + (request.isCharged ? request.units : 0), 0)
  return renderTable(view, {
    caption: `Requests: ${rows.length} recorded, ${formatNumber(units)} units`,
    columns: [
      ['Request', 330],
      ['Time', 110],
      ['Status', 140],
      ['Units', 60],
      ['Duration', 80],
      ['Blocks', 200],
    ],
    rows,
    testId: 'devtools-request',
    getKey: ({ id }) => id,
    getText: (request) =>
      `${request.operation} ${formatParameters(request.parameters)} ${request.status} ${request.httpStatus ?? ''}`,
    getTitle: ({ operation, parameters }) => `${operation} ${formatParameters(parameters)}`,
    renderCells: (request) => {
      const { createdAt, settledAt, units, isCharged, status } = request
      const tone = status === 'error' ? 'bad' : status === 'success' ? 'good' : 'muted'
      return html`<td>${formatTime(createdAt)}</td>
        <td class=${tone}>${describeStatus(request)}</td>
        <td class="number" data-testid="devtools-request-units">
          ${formatNumber(units)}${isCharged ? '' : '?'}
        </td>
        <td class="number">${settledAt ? formatDuration(settledAt - createdAt) : '–'}</td>
        <td>${getHeader(request, 'x-block-numbers') ?? '–'}</td>`
    },
    renderDetails: ({ path, parameters, isBackground, headers, error }) => html`
      ${error === undefined ? nothing : renderText('Error', String(error))}
      ${renderText('Parameters', formatJson(parameters))}
      <p>${isBackground ? 'In the background: it waits for the budget.' : nothing}</p>
      ${path === undefined ? nothing : renderText('Path', path)}
      ${renderText(
        'Headers of the response',
        headers.map(([name, value]) => `${name}: ${value}`).join('\n') || 'None.',
      )}
    `,
    empty: 'No request since the devtools were mounted.',
  })
}

function describeStatus({ status, httpStatus, error }: ObservedRequest): string {
  const name = (error as Error | undefined)?.name ?? ''
  return [httpStatus ?? '', status === 'error' ? name : status].join(' ').trim()
}

function getHeader({ headers }: ObservedRequest, wanted: string): string | undefined {
  return headers.find(([name]) => name === wanted)?.[1]
}
