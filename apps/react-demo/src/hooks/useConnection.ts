import { useCallback, useSyncExternalStore } from 'react'
import type { ConnectionState } from '@headwater/core'
import { useClient } from '@headwater/react'

/** How the client of the page receives changes. */
export function useConnection(): ConnectionState {
  const { connection$ } = useClient()
  const subscribe = useCallback(
    (onChange: () => void) => {
      const subscription = connection$.subscribe(onChange)
      return () => subscription.unsubscribe()
    },
    [connection$],
  )
  return useSyncExternalStore(subscribe, connection$.getSnapshot)
}
