import type { ReactElement, ReactNode } from 'react'
import type { Client } from '@headwater/core'
import { clientContext } from './clientContext.ts'

/** Properties of {@link HeadwaterProvider}. */
export interface HeadwaterProviderProps {
  /** The client that all hooks below use. The app makes it and, when it is done with it, destroys it. */
  client: Client
  children?: ReactNode
}

/**
 * Hands a client to all hooks below it.
 *
 * @param props - The client, and the part of the app that uses it.
 * @returns The children, unchanged.
 *
 * @example
 * ```tsx
 * import { createClient } from '@headwater/core'
 * import { HeadwaterProvider, useBalances } from '@headwater/react'
 *
 * const client = createClient({ baseUrl: 'http://127.0.0.1:4000', apiKey: 'hw_your_key' })
 *
 * function Wallet({ address }: { address: string }) {
 *   const { data } = useBalances({ address })
 *   return <p>{data?.length ?? '…'} tokens</p>
 * }
 *
 * export const App = () => (
 *   <HeadwaterProvider client={client}>
 *     <Wallet address="0xd8da6bf26964af9d7eed9e03e53415d37aa96045" />
 *   </HeadwaterProvider>
 * )
 * ```
 */
export function HeadwaterProvider({ client, children }: HeadwaterProviderProps): ReactElement {
  return <clientContext.Provider value={client}>{children}</clientContext.Provider>
}
