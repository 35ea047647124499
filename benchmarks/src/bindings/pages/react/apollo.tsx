import { ApolloClient, ApolloLink, gql, InMemoryCache } from '@apollo/client'
import { ApolloProvider, useQuery } from '@apollo/client/react'
import { defer, map } from 'rxjs'
import { show } from '../kit/page.ts'
import { askPrice, interval, priceOf } from '../kit/priceAnswers.ts'
import { mountRows } from './mountRows.tsx'

/** Asks the same service as everybody, which speaks no GraphQL. */
const link = new ApolloLink(() =>
  defer(askPrice).pipe(
    map((answer) => ({ data: { price: { __typename: 'Price', id: '1', usd: priceOf(answer) } } })),
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
    // Else each would render twice a round, and with nothing new.
    notifyOnNetworkStatusChange: false,
  })
  return <p>{show(data?.price.usd)}</p>
}

mountRows(Price, ({ children }) => <ApolloProvider client={client}>{children}</ApolloProvider>)
