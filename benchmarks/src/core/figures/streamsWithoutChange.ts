import type { Figure } from '../Figure.ts'
import { watchOneKey } from '../kit/watchOneKey.ts'

/** Without emissions. */
export const figure: Figure = {
  title: '10,000 streams of one key, per round without a change',
  contenders: watchOneKey(false),
  reach: [
    { of: ['headwater', 'cpuMs'], atMost: 2, times: ['rxjs', 'cpuMs'] },
    { of: ['headwater, one stream for all', 'cpuMs'], atMost: 2, times: ['rxjs', 'cpuMs'] },
    { of: ['headwater', 'emissions'], atMost: 0 },
    { of: ['headwater', 'requests'], atMost: 1 },
  ],
}
