import { createClient } from '@headwater/core'
import { openConnection, type Config } from '@headwater/demo-kit'
import { HeadwaterProvider } from '@headwater/react'
import { useState } from 'react'
import { ConnectionForm } from './ConnectionForm.tsx'
import { ProblemNotice } from './ProblemNotice.tsx'
import { WalletView } from './WalletView.tsx'

export function Page({ config: { apiUrl, apiKey, wallets } }: { config: Config }) {
  const [{ client, problem }, setConnection] = useState(() => openConnection(apiUrl, apiKey))

  function connect(baseUrl: string, apiKey: string) {
    setConnection({ client: createClient({ baseUrl, apiKey }), problem: null })
    client?.destroy()
  }

  return (
    <main className="content">
      {client ? (
        <HeadwaterProvider client={client}>
          <WalletView wallets={wallets} />
        </HeadwaterProvider>
      ) : (
        <section className="wallet" role="alert">
          <ProblemNotice problem={problem} />
        </section>
      )}
      <ConnectionForm apiUrl={apiUrl} apiKey={apiKey} onSubmit={connect} />
    </main>
  )
}
