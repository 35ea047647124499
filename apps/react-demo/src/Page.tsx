import { createClient } from '@headwater/core'
import type { Config } from '@headwater/demo-kit'
import { HeadwaterProvider } from '@headwater/react'
import { useState } from 'react'
import { ConnectionForm } from './ConnectionForm.tsx'
import { WalletView } from './WalletView.tsx'

export function Page({ config: { apiUrl, apiKey, wallets } }: { config: Config }) {
  const [client, setClient] = useState(() => createClient({ baseUrl: apiUrl, apiKey }))

  function connect(baseUrl: string, apiKey: string) {
    setClient(createClient({ baseUrl, apiKey }))
    client.destroy()
  }

  return (
    <main className="content">
      <HeadwaterProvider client={client}>
        <WalletView wallets={wallets} />
      </HeadwaterProvider>
      <ConnectionForm apiUrl={apiUrl} apiKey={apiKey} onSubmit={connect} />
    </main>
  )
}
