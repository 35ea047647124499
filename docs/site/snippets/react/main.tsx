import { createClient } from '@headwater/core'
import { HeadwaterProvider } from '@headwater/react'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { Wallet } from './Wallet'

const client = createClient({ baseUrl: 'http://127.0.0.1:4000', apiKey: 'test-key' })

createRoot(document.getElementById('root')!).render(
  <StrictMode>
    <HeadwaterProvider client={client}>
      <Wallet address="0xd8da6bf26964af9d7eed9e03e53415d37aa96045" />
    </HeadwaterProvider>
  </StrictMode>,
)
