import { QueryClient, QueryClientProvider, useQuery } from '@tanstack/react-query'
import { show } from '../kit/page.ts'
import { askPrice, interval, priceOf } from '../kit/priceAnswers.ts'
import { mountRows } from './mountRows.tsx'

const client = new QueryClient()

function Price() {
  const { data } = useQuery({ queryKey: ['price'], queryFn: askPrice, refetchInterval: interval })
  return <p>{show(priceOf(data))}</p>
}

mountRows(Price, ({ children }) => (
  <QueryClientProvider client={client}>{children}</QueryClientProvider>
))
