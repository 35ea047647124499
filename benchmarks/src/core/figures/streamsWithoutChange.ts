import type { Figure } from '../Figure.ts'
import { watchOneKey } from '../kit/watchOneKey.ts'

/** Of what nothing came of. */
export const figure: Figure = {
  title: '10,000 streams of one key, a round with nothing new',
  contenders: watchOneKey(false),
  reach: [
    { of: ['headwater', 'cpuMs'], atMost: 2, times: ['rxjs', 'cpuMs'] },
    { of: ['headwater, one stream for all', 'cpuMs'], atMost: 2, times: ['rxjs', 'cpuMs'] },
    { of: ['headwater', 'emissions'], atMost: 0 },
    { of: ['headwater', 'requests'], atMost: 1 },
  ],
}
