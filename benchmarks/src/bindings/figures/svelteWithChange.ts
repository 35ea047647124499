import type { Figure } from '../Figure.ts'
import { pollPrice } from '../kit/pollPrice.ts'

/** Each component renders each change. */
export const figure: Figure = {
  title: '1,000 mounted components of Svelte on one price, per round with a change',
  measure: (options) => pollPrice('svelte', true, options),
  reach: [
    { of: ['headwater', 'cpuMs'], atMost: 0.5, times: ['svelte-query', 'cpuMs'] },
    { of: ['headwater-runes', 'cpuMs'], atMost: 0.5, times: ['svelte-query', 'cpuMs'] },
    { of: ['headwater', 'requests'], atMost: 1 },
  ],
}
