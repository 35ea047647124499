import { QueryClient, QueryClientProvider, useQuery } from '@tanstack/react-query'
import { show } from '../kit/page.ts'
import { fetchPrice, interval, priceOf } from '../kit/priceService.ts'
import { mountRows } from '../react/mountRows.tsx'

const client = new QueryClient()

function Price() {
  const { data } = useQuery({
    queryKey: ['price'],
    queryFn: fetchPrice,
    refetchInterval: interval,
    select: (response) => ({ usd: priceOf(response) }),
  })
  return <p>{show(data?.usd)}</p>
}

mountRows(Price, ({ children }) => (
  <QueryClientProvider client={client}>{children}</QueryClientProvider>
))
