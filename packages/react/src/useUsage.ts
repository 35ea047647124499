import { useCallback, useSyncExternalStore } from 'react'
import type { Usage } from '@headwater/core'
import type { ClientOption } from './ClientOption.ts'
import { useProvidedClient } from './useProvidedClient.ts'

/** What a server spent is not shown in its page: the browser, which starts anew, could not repeat it. */
const none: Usage = { spent: 0, byOperation: {}, byMinute: [], remaining: undefined }
const getNone = () => none

/**
 * The compute units that the client spent, in all, by operation and by minute, and what is left of the key's quota.
 *
 * @param options - `client`, to be used instead of the provider's.
 * @returns The newest figures, the same object until something changed. Nothing spent while a server renders.
 * @throws {Error} when there is neither a provider above nor a client in the options.
 *
 * @example
 * ```tsx
 * import { useUsage } from '@headwater/react'
 *
 * function Spent() {
 *   const { spent, remaining } = useUsage()
 *   return <p>{spent} units spent, {remaining ?? '?'} left</p>
 * }
 * ```
 */
export function useUsage(options: ClientOption = {}): Usage {
  const { usage$, getUsage } = useProvidedClient(options.client)
  const subscribe = useCallback(
    (onChange: () => void) => {
      const subscription = usage$.subscribe(onChange)
      return () => subscription.unsubscribe()
    },
    [usage$],
  )
  return useSyncExternalStore(subscribe, getUsage, getNone)
}
