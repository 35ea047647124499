import { HeadwaterProvider } from '@headwater/react'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { openWallet } from './openWallet'
import { Wallet } from './Wallet'

const { client, address } = openWallet()

createRoot(document.getElementById('app')!).render(
  <StrictMode>
    <HeadwaterProvider client={client}>
      <Wallet address={address} />
    </HeadwaterProvider>
  </StrictMode>,
)
