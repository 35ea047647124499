import { replaceEqualDeep } from '@tanstack/query-core'
import {
  createClient,
  type OperationQueryOptions,
  type SnapshotStream,
  type WatchOptions,
} from '@headwater/core'
import type { BenchResponse } from './createResponses.ts'

/**
 * Creates streams of the core that call a function instead of sending requests, so that only the cost of streams is measured.
 */
export function createWatch(refetchInterval: number) {
  const client = createClient({ baseUrl: 'https://example.org', ssr: false })
  return <S = BenchResponse>(
    key: number,
    queryFn: () => Promise<BenchResponse>,
    options?: WatchOptions<BenchResponse, S>,
  ): SnapshotStream<S> =>
    client.streams.watch<BenchResponse, S>(
      {
        options: {
          queryKey: ['bench', key] as unknown as OperationQueryOptions<BenchResponse>['queryKey'],
          queryFn,
          retry: () => false,
          retryDelay: () => 0,
          networkMode: 'always',
          refetchOnReconnect: false,
          structuralSharing: replaceEqualDeep,
        },
        isSkipped: false,
        getCost: () => 1,
      },
      { refetchInterval, ...options },
    )
}
