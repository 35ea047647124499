import { useQuery, VueQueryPlugin } from '@tanstack/vue-query'
import { defineComponent, h } from 'vue'
import { show } from '../kit/page.ts'
import { fetchPrice, interval, priceOf } from '../kit/priceService.ts'
import { mountRows } from './mountRows.ts'

const Price = defineComponent(() => {
  const { data } = useQuery({ queryKey: ['price'], queryFn: fetchPrice, refetchInterval: interval })
  return () => h('p', show(priceOf(data.value)))
})

mountRows(Price, VueQueryPlugin)
