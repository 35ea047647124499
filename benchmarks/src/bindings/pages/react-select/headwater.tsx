import { createClient } from '@headwater/core'
import { HeadwaterProvider, usePrice } from '@headwater/react'
import { show } from '../kit/page.ts'
import { clientOptions, interval, token } from '../kit/priceService.ts'
import { mountRows } from '../react/mountRows.tsx'

const client = createClient(clientOptions)

function Price() {
  const { data } = usePrice(token, {
    refetchInterval: interval,
    select: (tick) => ({ usd: tick.price_usd }),
  })
  return <p>{show(data?.usd)}</p>
}

mountRows(Price, ({ children }) => (
  <HeadwaterProvider client={client}>{children}</HeadwaterProvider>
))
