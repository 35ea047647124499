import type { Figure } from '../Figure.ts'
import { pollPrice } from '../kit/pollPrice.ts'

/** What each has to show. */
export const figure: Figure = {
  title: '1,000 mounted components of React on one price, a round with a change',
  measure: (options) => pollPrice('react', true, options),
  reach: [
    { of: ['headwater', 'cpuMs'], atMost: 1.3, times: ['rxjs', 'cpuMs'] },
    { of: ['headwater', 'requests'], atMost: 1 },
  ],
}
