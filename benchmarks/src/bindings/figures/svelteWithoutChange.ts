import type { Figure } from '../Figure.ts'
import { pollPrice } from '../kit/pollPrice.ts'

/** Without re-renders. */
export const figure: Figure = {
  title: '1,000 mounted components of Svelte on one price, per round without a change',
  measure: (options) => pollPrice('svelte', false, options),
  reach: [
    { of: ['headwater', 'renders'], atMost: 0 },
    { of: ['headwater-runes', 'renders'], atMost: 0 },
    { of: ['headwater', 'cpuMs'], atMost: 0.5, times: ['svelte-query', 'cpuMs'] },
    { of: ['headwater-runes', 'cpuMs'], atMost: 0.5, times: ['svelte-query', 'cpuMs'] },
    { of: ['headwater', 'requests'], atMost: 1 },
  ],
}
