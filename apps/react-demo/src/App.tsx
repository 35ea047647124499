import { Suspense, use } from 'react'
import type { Config } from '@headwater/demo-kit'
import { Connected } from './shell/Connected.tsx'

export function App({ config }: { config: Promise<Config | null> }) {
  return (
    <Suspense>
      <Configured config={config} />
    </Suspense>
  )
}

function Configured({ config: promise }: { config: Promise<Config | null> }) {
  const config = use(promise)
  if (config) {
    return <Connected config={config} />
  }
  return (
    <main className="page">
      <div className="problem" role="alert" data-testid="state-error" data-kind="other">
        <strong>The service is not configured.</strong>
        <p>
          Run <code>npm start</code> in the repository: it starts the service and writes the{' '}
          <code>config.json</code> that belongs beside this page.
        </p>
      </div>
    </main>
  )
}
