import type { Config, Connection } from '@headwater/demo-kit'
import { Connected } from './shell/Connected.tsx'

interface AppProps {
  config: Config | null
  connection: Connection | null
}

export function App({ config, connection }: AppProps) {
  if (config && connection) {
    return <Connected config={config} initialConnection={connection} />
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
