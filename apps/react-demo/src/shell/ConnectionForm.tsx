import { type FormEvent, useState } from 'react'
import { isHeadwaterError } from '@headwater/core'

interface ConnectionFormProps {
  apiUrl: string
  onSubmit: (apiUrl: string, apiKey: string) => void
}

/** URL and key of another service. */
export function ConnectionForm({ apiUrl, onSubmit }: ConnectionFormProps) {
  const [hint, setHint] = useState('')

  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    const fields = new FormData(event.currentTarget)
    try {
      onSubmit(String(fields.get('url')).trim(), String(fields.get('key')).trim())
      setHint('')
    } catch (error) {
      setHint(isHeadwaterError(error) ? error.shortMessage : String(error))
    }
  }

  return (
    <details className="connection" data-testid="connection">
      <summary>Connection</summary>
      <form onSubmit={submit} noValidate>
        <div>
          <label htmlFor="url">API URL</label>
          <input
            id="url"
            name="url"
            data-testid="connection-url"
            type="url"
            defaultValue={apiUrl}
            autoComplete="off"
          />
        </div>
        <div>
          <label htmlFor="key">API key</label>
          <input
            id="key"
            name="key"
            data-testid="connection-key"
            autoComplete="off"
            spellCheck={false}
          />
        </div>
        <p className="hint" role="alert">
          {hint}
        </p>
        <button type="submit" data-testid="connection-submit">
          Connect
        </button>
      </form>
    </details>
  )
}
