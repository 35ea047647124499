import type { Config } from '@headwater/demo-kit'
import { Suspense, use } from 'react'
import { Page } from './Page.tsx'

export function App({ config }: { config: Promise<Config | null> }) {
  return (
    <div className="page">
      <header className="masthead">
        <h1>Headwater</h1>
        <p>The wallet, in React</p>
      </header>
      <Suspense>
        <Configured config={config} />
      </Suspense>
    </div>
  )
}

function Configured({ config: promise }: { config: Promise<Config | null> }) {
  const config = use(promise)
  if (config) return <Page config={config} />
  return (
    <main className="wallet">
      <div className="problem" role="alert" data-testid="state-error" data-kind="other">
        <strong>This page has not been told where the service is.</strong>
        <p>
          Run <code>npm start</code> in the repository: it starts the service and writes the{' '}
          <code>config.json</code> that belongs beside this page.
        </p>
      </div>
    </main>
  )
}
