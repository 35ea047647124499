import { useEffect, useState } from 'react'
import { createClient, setBudget } from '@headwater/core'
import { budgetOf, type Config, type Connection, openLink, settings$ } from '@headwater/demo-kit'
import { mountDevtools } from '@headwater/devtools'
import { HeadwaterProvider } from '@headwater/react'
import { useValue } from '../hooks/useValue.ts'
import { ConnectionForm } from './ConnectionForm.tsx'
import { ProblemNotice } from './ProblemNotice.tsx'
import { Shell } from './Shell.tsx'

interface ConnectedProps {
  config: Config
  initialConnection: Connection
}

/** The wallet with a client of the configured service, or of the one entered in the form. */
export function Connected({ config, initialConnection }: ConnectedProps) {
  const budget = budgetOf(useValue(settings$).budget)
  const perMinute = budget?.perMinute
  const [{ client, problem }, setConnection] = useState(initialConnection)
  useEffect(() => {
    if (client) {
      setBudget(client, perMinute === undefined ? undefined : { perMinute })
    }
  }, [client, perMinute])

  useEffect(() => (client ? mountDevtools(client) : undefined), [client])

  function connect(baseUrl: string, apiKey: string) {
    const next = createClient({ baseUrl, apiKey })
    setBudget(next, budget)
    setConnection({ client: next, problem: null })
    if (client) {
      client.destroy()
    } else {
      // The form that has the focus is replaced by a screen, which takes it as after navigation.
      openLink({})
    }
  }

  const form = <ConnectionForm apiUrl={config.apiUrl} onSubmit={connect} />
  if (!client) {
    return (
      <main className="page">
        <div role="alert">
          <ProblemNotice problem={problem} />
        </div>
        {form}
      </main>
    )
  }
  return (
    <HeadwaterProvider client={client}>
      <Shell config={config}>{form}</Shell>
    </HeadwaterProvider>
  )
}
