import { measureBundle } from '../../measureBundle.ts'
import type { Figure } from '../Figure.ts'

/** The bundle of an app. */
export const figure: Figure = {
  title: 'Bundle of createClient, watchBalances and watchPrice with rxjs and query-core',
  contenders: {
    headwater: () =>
      measureBundle(`export { createClient, watchBalances, watchPrice } from '@headwater/core'`),
    'headwater without prices': () =>
      measureBundle(`export { createClient, watchBalances } from '@headwater/core'`),
    rxjs: () => measureBundle(`export { Observable } from 'rxjs'`),
    'query-core': () => measureBundle(`export { QueryClient } from '@tanstack/query-core'`),
    'query-core with its observer': () =>
      measureBundle(`export { QueryClient, QueryObserver } from '@tanstack/query-core'`),
  },
  reach: [
    { of: ['headwater', 'gzipBytes'], atMost: 21_000 },
    { of: ['headwater', 'gzipBytesOfRxjsEs5'], atMost: 21_000 },
  ],
}
