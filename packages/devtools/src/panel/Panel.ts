import { html, nothing, render, type TemplateResult } from 'lit/html.js'
import { getTabRole } from '@headwater/core/inspect'
import { createTrace } from '../createTrace.ts'
import type { Recorder } from '../Recorder.ts'
import { followTheme } from '../styles.ts'
import { renderBudget } from './budget.ts'
import { renderFaults } from './faults.ts'
import { formatNumber } from './formats.ts'
import { renderPrices } from './prices.ts'
import { renderRequests } from './requests.ts'
import { renderStreams } from './streams.ts'
import type { View } from './view.ts'

const tabs = ['Streams', 'Requests', 'Budget', 'Prices', 'Faults'] as const

type Tab = (typeof tabs)[number]

/** Changes within this time are rendered together. */
const renderDelayMs = 200
/** Ages and times of polls change without an event. */
const tickMs = 1000

/** The page does not see that a key is typed in a field, and may have shortcuts of one key. */
const keepFromPage = (event: Event): void => event.stopPropagation()

/** The panel: its state, and when it is rendered. While it is closed, it does nothing. */
export class Panel implements View {
  filter = ''
  readonly expanded = new Set<unknown>()
  readonly #recorder: Recorder
  readonly #container: HTMLElement
  readonly #onClose: () => void
  #tab: Tab = 'Streams'
  #isOpen = false
  #timer: ReturnType<typeof setTimeout> | undefined
  #ticks: ReturnType<typeof setInterval> | undefined

  /** @param onClose - Called when the user closes the panel. */
  constructor(recorder: Recorder, container: HTMLElement, onClose: () => void) {
    this.#recorder = recorder
    this.#container = container
    this.#onClose = onClose
  }

  open(): void {
    if (this.#isOpen) {
      return
    }
    this.#isOpen = true
    this.#recorder.faults.start()
    this.#recorder.onChange = () => {
      this.#timer ??= setTimeout(this.#render, renderDelayMs)
    }
    this.#ticks = setInterval(this.#render, tickMs)
    followTheme(this.#container)
    this.#render()
  }

  focus(): void {
    this.#container.querySelector<HTMLElement>(`#tab-${this.#tab}`)?.focus()
  }

  close(): void {
    this.#isOpen = false
    this.#recorder.faults.pause()
    this.#recorder.onChange = undefined
    clearTimeout(this.#timer)
    this.#timer = undefined
    clearInterval(this.#ticks)
    render(nothing, this.#container)
  }

  toggle(key: unknown): void {
    if (!this.expanded.delete(key)) {
      this.expanded.add(key)
    }
    this.#render()
  }

  readonly #render = (): void => {
    clearTimeout(this.#timer)
    this.#timer = undefined
    if (this.#isOpen) {
      render(this.#renderPanel(), this.#container)
    }
  }

  #renderPanel(): TemplateResult {
    const { client, faults } = this.#recorder
    const { spent, remaining } = client.getUsage()
    return html`<section
      class="panel"
      aria-label="Headwater devtools"
      data-testid="devtools"
      @keydown=${this.#onKeyDown}
      @keypress=${keepFromPage}
      @keyup=${keepFromPage}
    >
      <header>
        <h2>Headwater</h2>
        <dl>
          <div>
            <dt>Service</dt>
            <dd data-testid="devtools-service">${client.scope}</dd>
          </div>
          <div>
            <dt>Units</dt>
            <dd data-testid="devtools-units">${formatNumber(spent)}</dd>
          </div>
          <div>
            <dt>Remaining</dt>
            <dd data-testid="devtools-remaining">
              ${remaining === undefined ? '–' : formatNumber(remaining)}
            </dd>
          </div>
          <div>
            <dt>Tab</dt>
            <dd data-testid="devtools-tab">${getTabRole(client)}</dd>
          </div>
          <div>
            <dt>Changes</dt>
            <dd data-testid="devtools-connection">${client.connection$.getSnapshot()}</dd>
          </div>
        </dl>
        ${faults.isActive ? html`<strong class="bad">Faults are active</strong>` : nothing}
        <div class="actions">
          <button type="button" data-testid="devtools-clear" @click=${this.#clear}>Clear</button>
          <button type="button" data-testid="devtools-export" @click=${this.#export}>
            Export trace
          </button>
          <button type="button" data-testid="devtools-close" @click=${this.#onClose}>Close</button>
        </div>
      </header>
      <div role="tablist" aria-label="Views">
        ${tabs.map(
          (tab) =>
            html`<button
              type="button"
              role="tab"
              id="tab-${tab}"
              data-testid="devtools-tab-${tab.toLowerCase()}"
              aria-selected=${tab === this.#tab}
              aria-controls="view"
              tabindex=${tab === this.#tab ? 0 : -1}
              @click=${() => this.#select(tab)}
            >
              ${tab}
            </button>`,
        )}
      </div>
      <div role="tabpanel" id="view" aria-labelledby="tab-${this.#tab}" tabindex="0">
        ${this.#renderTab()}
      </div>
    </section>`
  }

  #renderTab(): TemplateResult {
    const recorder = this.#recorder
    switch (this.#tab) {
      case 'Streams':
        return html`${this.#renderFilter()} ${renderStreams(recorder, this)}`
      case 'Requests':
        return html`${this.#renderFilter()} ${renderRequests(recorder, this)}`
      case 'Budget':
        return renderBudget(recorder)
      case 'Prices':
        return html`${this.#renderFilter()} ${renderPrices(recorder, this)}`
      case 'Faults':
        return renderFaults(recorder, this.#render)
    }
  }

  #renderFilter(): TemplateResult {
    return html`<div class="tools">
      <label class="inline">
        Filter
        <input
          type="search"
          data-testid="devtools-filter"
          .value=${this.filter}
          @input=${(event: Event) => {
            this.filter = (event.target as HTMLInputElement).value
            this.#render()
          }}
        />
      </label>
    </div>`
  }

  #select(tab: Tab): void {
    this.#tab = tab
    this.expanded.clear()
    this.#render()
    this.focus()
  }

  readonly #onKeyDown = (event: KeyboardEvent): void => {
    keepFromPage(event)
    if (event.key === 'Escape') {
      this.#onClose()
      return
    }
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key]
    if (step !== undefined && (event.target as Element).getAttribute('role') === 'tab') {
      event.preventDefault()
      const index = tabs.indexOf(this.#tab) + step
      this.#select(tabs[(index + tabs.length) % tabs.length]!)
    }
  }

  readonly #clear = (): void => {
    this.#recorder.clear()
    this.#render()
  }

  readonly #export = (): void => {
    const url = URL.createObjectURL(
      new Blob([createTrace(this.#recorder)], { type: 'application/json' }),
    )
    const link = document.createElement('a')
    link.href = url
    link.download = `headwater-trace-${new Date().toISOString().replace(/[:.]/g, '-')}.json`
    link.click()
    URL.revokeObjectURL(url)
  }
}
