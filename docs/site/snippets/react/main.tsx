import { createClient } from '@headwater/core'
import { HeadwaterProvider } from '@headwater/react'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { Wallet } from './Wallet'

const client = createClient({ baseUrl: 'http://127.0.0.1:4000', apiKey: 'test-key' })

createRoot(document.getElementById('root')!).render(
  <StrictMode>
    <HeadwaterProvider client={client}>
      <Wallet address="0xf5c7208e2466ad5e10c2bbff9f5b3a99816cc41c" />
    </HeadwaterProvider>
  </StrictMode>,
)
