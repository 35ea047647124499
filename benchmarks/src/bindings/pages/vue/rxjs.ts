import { defineComponent, h, onScopeDispose, shallowRef } from 'vue'
import { show } from '../kit/page.ts'
import { newest, price$ } from '../kit/price.ts'
import { mountRows } from './mountRows.ts'

const Price = defineComponent(() => {
  const price = shallowRef(newest.price)
  const subscription = price$.subscribe((newer) => (price.value = newer))
  onScopeDispose(() => subscription.unsubscribe())
  return () => h('p', show(price.value))
})

mountRows(Price)
