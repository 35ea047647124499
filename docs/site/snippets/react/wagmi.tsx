import { createClient } from '@headwater/core'
import { HeadwaterProvider } from '@headwater/react'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { createConfig, http, WagmiProvider } from 'wagmi'
import { mainnet } from 'wagmi/chains'

const config = createConfig({ chains: [mainnet], transports: { [mainnet.id]: http() } })
const queryClient = new QueryClient()
const client = createClient({ baseUrl: '/api/headwater', queryClient })

export const Providers = ({ children }: { children: ReactNode }) => (
  <WagmiProvider config={config}>
    <QueryClientProvider client={queryClient}>
      <HeadwaterProvider client={client}>{children}</HeadwaterProvider>
    </QueryClientProvider>
  </WagmiProvider>
)
