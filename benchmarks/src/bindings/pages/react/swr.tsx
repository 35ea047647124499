import useSWR from 'swr'
import { show } from '../kit/page.ts'
import { fetchPrice, interval, priceOf } from '../kit/priceService.ts'
import { mountRows } from './mountRows.tsx'

mountRows(function Price() {
  const { data } = useSWR('price', fetchPrice, {
    refreshInterval: interval,
    dedupingInterval: interval / 2,
  })
  return <p>{show(priceOf(data))}</p>
})
