import type { Figure } from '../Figure.ts'
import { pollPrice } from '../kit/pollPrice.ts'

/** Each component renders each change. */
export const figure: Figure = {
  title: '1,000 mounted components of React on one price, per round with a change',
  measure: (options) => pollPrice('react', true, options),
  reach: [
    { of: ['headwater', 'cpuMs'], atMost: 1.3, times: ['rxjs', 'cpuMs'] },
    { of: ['headwater', 'requests'], atMost: 1 },
  ],
}
