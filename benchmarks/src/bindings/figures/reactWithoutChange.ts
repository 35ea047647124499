import type { Figure } from '../Figure.ts'
import { pollPrice } from '../kit/pollPrice.ts'

/** Without re-renders. */
export const figure: Figure = {
  title: '1,000 mounted components of React on one price, per round without a change',
  measure: (options) => pollPrice('react', false, options),
  reach: [
    { of: ['headwater', 'renders'], atMost: 0 },
    { of: ['headwater', 'cpuMs'], atMost: 2, times: ['rxjs', 'cpuMs'] },
    { of: ['headwater', 'requests'], atMost: 1 },
  ],
}
