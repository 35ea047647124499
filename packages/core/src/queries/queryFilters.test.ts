import { describe, expect, it } from 'vitest'
import { address, otherAddress } from '../../test/balances.ts'
import { serviceInFakeTime } from '../../test/serviceInFakeTime.ts'
import {
  addressQueryFilter,
  balancesInfiniteQueryOptions,
  balancesQueryFilter,
  balancesQueryOptions,
  collectiblesQueryOptions,
  skipToken,
  tokenBalanceQueryFilter,
  tokenBalanceQueryOptions,
  tokenHoldersQueryFilter,
  tokenInfoQueryFilter,
  tokenInfoQueryOptions,
} from '../index.ts'

const { create } = serviceInFakeTime()

/** A client with several queries in its cache. */
function fill() {
  const client = create()
  const cache = client.queryClient.getQueryCache()
  const upper = address.toUpperCase().replace('0X', '0x')
  const queries = {
    alice: balancesQueryOptions(client, { address }),
    aliceOnBase: balancesQueryOptions(client, { address: upper, chainIds: [8453] }),
    aliceInfinite: balancesInfiniteQueryOptions(client, { address }),
    bob: balancesQueryOptions(client, { address: otherAddress }),
    unknown: balancesQueryOptions(client, skipToken),
    aliceNfts: collectiblesQueryOptions(client, { address }),
    aliceEther: tokenBalanceQueryOptions(client, {
      address,
      tokenAddress: 'native',
      chainIds: [1],
    }),
    token: tokenInfoQueryOptions(client, { address: otherAddress, chainIds: [1] }),
    ofApp: { queryKey: ['todos'] },
    ofOtherService: { queryKey: ['headwater', 'https://other.org', 'balances', { address }] },
  }
  for (const { queryKey } of Object.values(queries)) {
    cache.build(client.queryClient, { queryKey })
  }
  const find = (filter: Parameters<typeof cache.findAll>[0]) => {
    const found = cache.findAll(filter).map(({ queryKey }) => JSON.stringify(queryKey))
    return Object.entries(queries)
      .filter(([, { queryKey }]) => found.includes(JSON.stringify(queryKey)))
      .map(([name]) => name)
  }
  return { client, find, upper }
}

describe('query filters', () => {
  it('find the queries of an operation', () => {
    const { client, find } = fill()
    expect(find(balancesQueryFilter(client))).toEqual([
      'alice',
      'aliceOnBase',
      'aliceInfinite',
      'bob',
      'unknown',
    ])
    expect(find(tokenInfoQueryFilter(client))).toEqual(['token'])
    expect(find(tokenHoldersQueryFilter(client))).toEqual([])
  })

  it('find those of a wallet or token, in any case, with any further parameters', () => {
    const { client, find, upper } = fill()
    expect(find(balancesQueryFilter(client, { address: upper }))).toEqual([
      'alice',
      'aliceOnBase',
      'aliceInfinite',
    ])
    expect(find(tokenBalanceQueryFilter(client, { tokenAddress: 'native' }))).toEqual([
      'aliceEther',
    ])
  })

  it('find all queries of an address', () => {
    const { client, find, upper } = fill()
    expect(find(addressQueryFilter(client, upper))).toEqual([
      'alice',
      'aliceOnBase',
      'aliceInfinite',
      'aliceNfts',
      'aliceEther',
    ])
    expect(find(addressQueryFilter(client, otherAddress))).toEqual(['bob', 'token'])
  })

  it('find no query of an address for an unknown one', () => {
    const { client, find } = fill()
    expect(find(addressQueryFilter(client, undefined))).toEqual([])
    expect(find(balancesQueryFilter(client, { address: undefined }))).toEqual(['unknown'])
  })
})
