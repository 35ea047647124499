'use client'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { createClient } from '@headwater/core'
import { HeadwaterProvider } from '@headwater/react'

export function Providers({ children }: { children: ReactNode }) {
  // One per request on the server, and one in the browser.
  const [client] = useState(() =>
    createClient({ baseUrl: '/api/headwater', queryClient: new QueryClient() }),
  )
  return (
    <QueryClientProvider client={client.queryClient}>
      <HeadwaterProvider client={client}>{children}</HeadwaterProvider>
    </QueryClientProvider>
  )
}
