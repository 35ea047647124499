import { cleanup, configure } from '@testing-library/react'
import { Component, type ReactNode } from 'react'
import { afterEach, beforeEach } from 'vitest'
import { type Client, type ClientOptions, createClient } from '@headwater/core'
import { createFakeService, type FakeService } from '@headwater/testing'
import { HeadwaterProvider } from '../src/client.tsx'

// For slow machines.
configure({ asyncUtilTimeout: 30_000 })

/** A fake service of a test file, and a new client for each test. */
export function createStage() {
  const service: FakeService = createFakeService()
  const clients: Client[] = []
  const stage = {
    service,
    client: undefined as unknown as Client,
    createClient(options: Partial<ClientOptions> = {}): Client {
      const { url: baseUrl, key: apiKey, fetch } = service
      const client = createClient({ baseUrl, apiKey, fetch, ssr: false, ...options })
      clients.push(client)
      return client
    },
    /** Wrapper with the provider. */
    provided: ({ children }: { children: ReactNode }) => (
      <HeadwaterProvider client={stage.client}>{children}</HeadwaterProvider>
    ),
  }
  beforeEach(() => {
    stage.client = stage.createClient()
  })
  afterEach(() => {
    cleanup()
    for (const client of clients.splice(0)) {
      client.destroy()
    }
    service.reset()
  })
  return stage
}

/** An error boundary with a button that resets it. */
export class Boundary extends Component<{ children: ReactNode }, { error?: Error | undefined }> {
  override state: { error?: Error | undefined } = {}

  static getDerivedStateFromError(error: Error) {
    return { error }
  }

  override render() {
    const { error } = this.state
    if (!error) {
      return this.props.children
    }
    return (
      <button onClick={() => this.setState({ error: undefined })}>failed with {error.name}</button>
    )
  }
}
