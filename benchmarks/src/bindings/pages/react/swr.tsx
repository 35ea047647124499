import useSWR from 'swr'
import { show } from '../kit/page.ts'
import { askPrice, interval, priceOf } from '../kit/priceAnswers.ts'
import { mountRows } from './mountRows.tsx'

mountRows(function Price() {
  const { data } = useSWR('price', askPrice, {
    refreshInterval: interval,
    dedupingInterval: interval / 2,
  })
  return <p>{show(priceOf(data))}</p>
})
