import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { createClient } from '@headwater/core'
import { HeadwaterProvider } from '@headwater/react'
import { Wallet } from './Wallet'

const client = createClient({ baseUrl: '/api/headwater' })
const address = new URLSearchParams(location.search).get('address')

createRoot(document.getElementById('app')!).render(
  <StrictMode>
    <HeadwaterProvider client={client}>
      {address ? <Wallet address={address} /> : <p>Select a wallet.</p>}
    </HeadwaterProvider>
  </StrictMode>,
)
