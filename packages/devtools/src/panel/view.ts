import { repeat } from 'lit/directives/repeat.js'
import { html, nothing, type TemplateResult } from 'lit/html.js'

/** What a view needs of the panel. */
export interface View {
  readonly filter: string
  readonly expanded: ReadonlySet<unknown>
  /** Opens or closes the details of a row. */
  toggle(key: unknown): void
}

/** A table whose rows have details. */
export interface Table<Row> {
  readonly caption: string
  /** Names and widths in pixels. Fixed, so that texts that change each second move nothing. */
  readonly columns: readonly (readonly [name: string, width: number])[]
  readonly rows: readonly Row[]
  readonly testId: string
  /** Identifies a row between renders. */
  readonly getKey: (row: Row) => unknown
  /** What the filter searches. */
  readonly getText: (row: Row) => string
  /** Text of the button that opens the details, in the first column. */
  readonly getTitle: (row: Row) => string
  /** The other cells. */
  readonly renderCells: (row: Row) => TemplateResult
  /** Called while the row is open. */
  readonly renderDetails: (row: Row) => TemplateResult
  /** Shown without rows. */
  readonly empty: string
}

/** More rows make updates slow, and a filter finds them. */
const maxRows = 200

/** Renders a table. Texts are never markup: Lit escapes them. */
export function renderTable<Row>(view: View, table: Table<Row>): TemplateResult {
  const words = view.filter.toLowerCase().split(/\s+/).filter(Boolean)
  const matching =
    words.length === 0
      ? table.rows
      : table.rows.filter((row) => {
          const text = table.getText(row).toLowerCase()
          return words.every((word) => text.includes(word))
        })
  if (matching.length === 0) {
    return html`<p class="note">${table.rows.length === 0 ? table.empty : 'No row matches.'}</p>`
  }
  const hidden = matching.length - maxRows
  return html`<div class="scroll">
      <table class="fixed">
        <caption>
          ${table.caption}
        </caption>
        <thead>
          <tr>
            ${table.columns.map(
              ([name, width]) => html`<th scope="col" width=${width}>${name}</th>`,
            )}
          </tr>
        </thead>
        <tbody>
          ${repeat(matching.slice(0, maxRows), table.getKey, (row) => renderRow(view, table, row))}
        </tbody>
      </table>
    </div>
    ${hidden > 0 ? html`<p class="note">${hidden} more rows. Filter to find them.</p>` : nothing}`
}

function renderRow<Row>(view: View, table: Table<Row>, row: Row): TemplateResult {
  const key = table.getKey(row)
  const isExpanded = view.expanded.has(key)
  const title = table.getTitle(row)
  return html`<tr data-testid=${table.testId}>
      <td>
        <button
          class="toggle"
          type="button"
          aria-expanded=${isExpanded}
          title=${title}
          @click=${() => view.toggle(key)}
        >
          <span aria-hidden="true">${isExpanded ? '▾' : '▸'}</span> ${title}
        </button>
      </td>
      ${table.renderCells(row)}
    </tr>
    ${
      isExpanded
        ? html`<tr class="details">
            <td colspan=${table.columns.length}>${table.renderDetails(row)}</td>
          </tr>`
        : nothing
    }`
}

/** A scrollable block of text, reachable by keyboard. */
export function renderText(label: string, text: string): TemplateResult {
  return html`<h3>${label}</h3>
    <pre tabindex="0" role="group" aria-label=${label}>${text}</pre>`
}
