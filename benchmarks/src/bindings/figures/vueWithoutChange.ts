import type { Figure } from '../Figure.ts'
import { pollPrice } from '../kit/pollPrice.ts'

/** Without re-renders. */
export const figure: Figure = {
  title: '1,000 mounted components of Vue on one price, per round without a change',
  measure: (options) => pollPrice('vue', false, options),
  reach: [
    { of: ['headwater', 'renders'], atMost: 0 },
    { of: ['headwater', 'cpuMs'], atMost: 0.5, times: ['vue-query', 'cpuMs'] },
    { of: ['headwater', 'requests'], atMost: 1 },
  ],
}
