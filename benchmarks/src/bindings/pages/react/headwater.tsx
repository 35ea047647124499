import { createClient } from '@headwater/core'
import { HeadwaterProvider, usePrice } from '@headwater/react'
import { show } from '../kit/page.ts'
import { clientOptions, interval, token } from '../kit/priceService.ts'
import { mountRows } from './mountRows.tsx'

const client = createClient(clientOptions)

function Price() {
  const { data } = usePrice(token, { refetchInterval: interval })
  return <p>{show(data?.price_usd)}</p>
}

mountRows(Price, ({ children }) => (
  <HeadwaterProvider client={client}>{children}</HeadwaterProvider>
))
