import { render } from '@testing-library/react'
import { StrictMode, useEffect } from 'react'
import { renderToString } from 'react-dom/server'
import { expect, test, vi } from 'vitest'
import { createClient } from '@headwater/core'
import { HeadwaterProvider, useBalances, useClient } from './index.ts'

test('useClient requires a provider', () => {
  function Lost() {
    return <p>{useClient().baseUrl}</p>
  }
  expect(() => renderToString(<Lost />)).toThrow('HeadwaterProvider')
})

test('a component with a destroyed client warns once', () => {
  const warn = vi.spyOn(console, 'warn').mockImplementation(() => {})
  const client = createClient({
    baseUrl: 'https://example.org',
    fetch: () => new Promise(() => {}),
  })
  function App() {
    // StrictMode runs the cleanup, and renders on with the same client.
    useEffect(() => () => client.destroy(), [])
    return (
      <HeadwaterProvider client={client}>
        <Balances />
        <Balances />
      </HeadwaterProvider>
    )
  }
  function Balances() {
    return <p>{useBalances({ address: '0xd8da6bf26964af9d7eed9e03e53415d37aa96045' }).status}</p>
  }
  render(
    <StrictMode>
      <App />
    </StrictMode>,
  )
  expect(warn.mock.calls).toEqual([[expect.stringContaining('a client that was destroyed')]])
  warn.mockRestore()
})
