import { html, type TemplateResult } from 'lit/html.js'
import { operations } from '@headwater/contract'
import type { FaultSettings } from '../Faults.ts'
import type { Recorder } from '../Recorder.ts'

const failures: [FaultSettings['failure'], string][] = [
  ['none', 'None'],
  ['rateLimit', '429, with Retry-After'],
  ['unavailable', '503'],
  ['offline', 'Offline'],
]

/** The form that injects faults. */
export function renderFaults({ faults }: Recorder, update: () => void): TemplateResult {
  const { operation, latency, failure, retryAfter, reorg } = faults.settings
  const set = (changes: Partial<FaultSettings>) => {
    faults.set(changes)
    update()
  }
  const toNumber = (event: Event) => {
    const input = event.target as HTMLInputElement
    const number = Math.min(Math.max(0, input.valueAsNumber || 0), Number(input.max))
    input.value = String(number)
    return number
  }
  const toValue = <T>(event: Event) => (event.target as HTMLSelectElement).value as T
  return html`<form @submit=${(event: Event) => event.preventDefault()}>
    <p class="note">
      <span role="status">${faults.isActive ? 'Faults are active.' : 'No fault is active.'}</span>
      They apply to this page only, from the next request on. Requests changed: ${faults.injected}.
    </p>
    <fieldset>
      <label>
        Operation
        <select .value=${operation} @change=${(event: Event) => set({ operation: toValue(event) })}>
          ${['all', ...Object.keys(operations)].map(
            (name) => html`<option value=${name} ?selected=${name === operation}>${name}</option>`,
          )}
        </select>
      </label>
      <label>
        Failure
        <select
          data-testid="devtools-failure"
          .value=${failure}
          @change=${(event: Event) => set({ failure: toValue(event) })}
        >
          ${failures.map(
            ([value, text]) =>
              html`<option value=${value} ?selected=${value === failure}>${text}</option>`,
          )}
        </select>
      </label>
      <label>
        Retry-After of 429, in seconds
        <input
          type="number"
          min="0"
          max="3600"
          .value=${String(retryAfter)}
          @change=${(event: Event) => set({ retryAfter: toNumber(event) })}
        />
      </label>
      <label>
        Latency, in milliseconds
        <input
          type="number"
          min="0"
          max="120000"
          step="100"
          data-testid="devtools-latency"
          .value=${String(latency)}
          @change=${(event: Event) => set({ latency: toNumber(event) })}
        />
      </label>
      <label class="inline">
        <input
          type="checkbox"
          data-testid="devtools-reorg"
          .checked=${reorg}
          @change=${(event: Event) => set({ reorg: (event.target as HTMLInputElement).checked })}
        />
        Reorg: responses of up to five blocks ago, as if the blocks since were removed
      </label>
      <button
        type="button"
        data-testid="devtools-heal"
        @click=${() => {
          faults.clear()
          update()
        }}
      >
        Remove all faults
      </button>
    </fieldset>
  </form>`
}
