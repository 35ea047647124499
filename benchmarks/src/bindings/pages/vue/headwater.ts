import { defineComponent, h } from 'vue'
import { createClient } from '@headwater/core'
import { headwaterPlugin, usePrice } from '@headwater/vue'
import { show } from '../kit/page.ts'
import { clientOptions, interval, token } from '../kit/priceService.ts'
import { mountRows } from './mountRows.ts'

const Price = defineComponent(() => {
  const price = usePrice(token, { refetchInterval: interval })
  return () => h('p', show(price.value.data?.price_usd))
})

mountRows(Price, headwaterPlugin(createClient(clientOptions)))
