import { QueryClient } from '@tanstack/query-core'

const queryClient = new QueryClient()
await queryClient.prefetchQuery({ queryKey: ['test'], queryFn: () => 1 })

/** Whether polls are shown in the cache: not if this version of query-core keeps the promise of the latest fetch. */
export const showsPolls =
  queryClient.getQueryCache().find({ queryKey: ['test'] })?.promise === undefined
queryClient.clear()
