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
      {address ? (
        <Wallet address={address} />
      ) : (
        <form>
          <p>Select a wallet.</p>
          <input name="address" aria-label="Address" placeholder="0x…" /> <button>Show</button>
        </form>
      )}
    </HeadwaterProvider>
  </StrictMode>,
)
