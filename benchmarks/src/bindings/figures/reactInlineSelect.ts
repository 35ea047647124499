import type { Figure } from '../Figure.ts'
import { pollPrice } from '../kit/pollPrice.ts'

/** Each component selects an object of its own with an inline function, and renders each change. */
export const figure: Figure = {
  title: '1,000 mounted components of React with an inline select, per round with a change',
  measure: (options) => pollPrice('react-select', true, options),
  reach: [
    { of: ['headwater', 'renders'], atMost: 1, times: ['react-query', 'renders'] },
    { of: ['headwater', 'cpuMs'], atMost: 1.3, times: ['react-query', 'cpuMs'] },
    { of: ['headwater', 'requests'], atMost: 1 },
  ],
}
