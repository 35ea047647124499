import type { Figure } from '../Figure.ts'
import { watchOneKey } from '../kit/watchOneKey.ts'

/** With an emission per stream. */
export const figure: Figure = {
  title: '10,000 streams of one key, per round with a change for all of them',
  contenders: watchOneKey(true),
  reach: [
    { of: ['headwater', 'cpuMs'], atMost: 2, times: ['rxjs', 'cpuMs'] },
    { of: ['headwater, one stream for all', 'cpuMs'], atMost: 2, times: ['rxjs', 'cpuMs'] },
    { of: ['headwater', 'requests'], atMost: 1 },
  ],
}
