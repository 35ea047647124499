import { ApolloClient, ApolloLink, gql, InMemoryCache } from '@apollo/client'
import { ApolloProvider, useQuery } from '@apollo/client/react'
import { defer, map } from 'rxjs'
import { show } from '../kit/page.ts'
import { fetchPrice, interval, priceOf } from '../kit/priceService.ts'
import { mountRows } from './mountRows.tsx'

/** Uses the same service as the other contenders, which has no GraphQL. */
const link = new ApolloLink(() =>
  defer(fetchPrice).pipe(
    map((response) => ({
      data: { price: { __typename: 'Price', id: '1', usd: priceOf(response) } },
    })),
  ),
)
const client = new ApolloClient({ link, cache: new InMemoryCache() })
const query = gql`
  query {
    price {
      id
      usd
    }
  }
`

function Price() {
  const { data } = useQuery<{ price: { usd: number } }>(query, {
    pollInterval: interval,
    // Without this, each component renders twice per round, even without a change.
    notifyOnNetworkStatusChange: false,
  })
  return <p>{show(data?.price.usd)}</p>
}

mountRows(Price, ({ children }) => <ApolloProvider client={client}>{children}</ApolloProvider>)
