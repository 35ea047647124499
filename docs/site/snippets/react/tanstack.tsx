// #region client
import { createClient } from '@headwater/core'
import { HeadwaterProvider } from '@headwater/react'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import type { ReactNode } from 'react'

const queryClient = new QueryClient()
const client = createClient({ baseUrl: '/api/headwater', queryClient })

export const Providers = ({ children }: { children: ReactNode }) => (
  <QueryClientProvider client={queryClient}>
    <HeadwaterProvider client={client}>{children}</HeadwaterProvider>
  </QueryClientProvider>
)
// #endregion client
