import type { Figure } from '../Figure.ts'
import { pollPrice } from '../kit/pollPrice.ts'

/** What each has to show. */
export const figure: Figure = {
  title: '1,000 mounted components of Svelte on one price, a round with a change',
  measure: (options) => pollPrice('svelte', true, options),
  reach: [
    { of: ['headwater', 'cpuMs'], atMost: 0.5, times: ['svelte-query', 'cpuMs'] },
    { of: ['headwater-runes', 'cpuMs'], atMost: 0.5, times: ['svelte-query', 'cpuMs'] },
    { of: ['headwater', 'requests'], atMost: 1 },
  ],
}
