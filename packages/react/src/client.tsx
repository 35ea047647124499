import { createContext, type ReactElement, type ReactNode, useContext } from 'react'
import type { Client } from '@headwater/core'

/** Null rather than undefined, to distinguish a missing provider from one without a value. */
const clientContext = createContext<Client | null>(null)

/** Properties of {@link HeadwaterProvider}. */
export interface HeadwaterProviderProps {
  /** The client that all hooks below use. The app creates it and destroys it. */
  client: Client
  children?: ReactNode
}

/**
 * Provides a client to all hooks below it.
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

/**
 * Option of every hook, in addition to those of core.
 *
 * @example
 * ```ts
 * import type { WatchPriceOptions, PriceTick } from '@headwater/core'
 * import { usePrice, type ClientOption } from '@headwater/react'
 *
 * type Options = WatchPriceOptions<PriceTick> & ClientOption
 *
 * export const useEther = (options: Options) => usePrice({ chainId: 1, address: 'native' }, options)
 * ```
 */
export interface ClientOption {
  /** Used instead of the client of the provider. */
  readonly client?: Client | undefined
}

/**
 * The client of the nearest {@link HeadwaterProvider}.
 *
 * @returns The client.
 * @throws {Error} when there is no provider above.
 *
 * @example
 * ```tsx
 * import { getBalances } from '@headwater/core'
 * import { useClient } from '@headwater/react'
 *
 * function Count({ address }: { address: string }) {
 *   const client = useClient()
 *   const count = async () => alert((await getBalances(client, { address })).balances.length)
 *   return <button onClick={count}>How many tokens?</button>
 * }
 * ```
 */
export function useClient(): Client {
  return useResolvedClient(null)
}

/** The client of the options, or else of the nearest provider. */
export function useResolvedClient(options: ClientOption | null): Client {
  const provided = useContext(clientContext)
  const client = options?.client ?? provided
  if (client) {
    return client
  }
  throw new Error(
    'No Headwater client found. Put <HeadwaterProvider client={client}> around this component, or pass `client` in the options.',
  )
}
