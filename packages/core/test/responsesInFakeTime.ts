import type { Query } from '@tanstack/query-core'
import type { BalancesParameters, BalancesResponse } from '@headwater/contract'
import type { WatchOptions } from '../src/index.ts'
import { balancesQueryOptions } from '../src/operations/balances.ts'
import { address } from './balances.ts'
import { record } from './clientsInFakeTime.ts'
import { serviceInFakeTime } from './serviceInFakeTime.ts'
import { watchResponses } from './watchResponses.ts'

/** Runs the tests of a file in fake time, with a function that watches a query and returns its state in the cache. */
export function responsesInFakeTime() {
  const { service, create } = serviceInFakeTime()

  function watch(
    client = create(),
    options: WatchOptions<BalancesResponse> = {},
    more: Omit<BalancesParameters, 'address'> = {},
  ) {
    const parameters = { address, ...more }
    const recorded = record(watchResponses(client, parameters, options))
    const { queryClient } = client
    const { queryKey } = balancesQueryOptions(client, parameters)
    return {
      ...recorded,
      client,
      queryClient,
      queryKey,
      query(): Query {
        const found = queryClient.getQueryCache().find({ queryKey })
        if (!found) {
          throw new Error('not in the cache')
        }
        return found
      },
      /** The emitted amounts, in order. */
      amounts: () => recorded.emitted.map(({ data }) => data?.balances[0]?.amount),
    }
  }
  return { service, create, watch }
}
