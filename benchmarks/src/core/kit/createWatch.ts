import { replaceEqualDeep } from '@tanstack/query-core'
import { createClient, type SnapshotStream, type WatchOptions } from '@headwater/core'
import type { Answer } from './createAnswers.ts'

/**
 * Streams of the core whose requests cost nothing, so that it is seen what watching costs: they ask as they are told
 * rather than over HTTP.
 */
export function createWatch(refetchInterval: number) {
  const client = createClient({ baseUrl: 'https://example.org', ssr: false })
  return <S = Answer>(
    key: number,
    ask: () => Promise<Answer>,
    options?: WatchOptions<Answer, S>,
  ): SnapshotStream<S> =>
    client.streams.watch<Answer, S>(
      {
        options: {
          queryKey: ['bench', key],
          queryFn: ask,
          retry: () => false,
          retryDelay: () => 0,
          networkMode: 'always',
          refetchOnReconnect: false,
          structuralSharing: replaceEqualDeep,
        },
        getCost: () => 1,
      },
      { refetchInterval, ...options },
    )
}
