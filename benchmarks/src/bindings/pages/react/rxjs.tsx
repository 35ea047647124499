import { useSyncExternalStore } from 'react'
import { show } from '../kit/page.ts'
import { newest, price$ } from '../kit/price.ts'
import { mountRows } from './mountRows.tsx'

function subscribe(onChange: () => void) {
  const subscription = price$.subscribe(onChange)
  return () => subscription.unsubscribe()
}

mountRows(function Price() {
  return <p>{show(useSyncExternalStore(subscribe, () => newest.price))}</p>
})
