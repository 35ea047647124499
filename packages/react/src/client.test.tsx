import { render, screen } from '@testing-library/react'
import { StrictMode, Suspense, useEffect } from 'react'
import { renderToString } from 'react-dom/server'
import { describe, expect, test } from 'vitest'
import { Boundary, createStage } from '../test/createStage.tsx'
import { useBalances, useClient, useSuspenseBalances } from './index.ts'

const stage = createStage()
const { address } = stage.service.wallet('everyday')

test('useClient requires a provider', () => {
  function Lost() {
    return <p>{useClient().baseUrl}</p>
  }
  expect(() => renderToString(<Lost />)).toThrow('HeadwaterProvider')
})

describe('a client that the cleanup of an effect destroys, which StrictMode runs at once', () => {
  function Page({ children }: { children: React.ReactNode }) {
    const { client, provided: Provided } = stage
    useEffect(() => () => client.destroy(), [client])
    return (
      <StrictMode>
        <Provided>{children}</Provided>
      </StrictMode>
    )
  }

  test('is an error in snapshots, which were pending without end', async () => {
    function Wallet() {
      const { status, error, isFetching } = useBalances({ address })
      return <p>{`${status} ${error?.name} ${isFetching}`}</p>
    }
    render(
      <StrictMode>
        <Page>
          <Wallet />
        </Page>
      </StrictMode>,
    )
    expect(await screen.findByText('error DestroyedError false')).toBeDefined()
  })

  test('is thrown by hooks that suspend', async () => {
    function Wallet() {
      return <p>{useSuspenseBalances({ address }).status}</p>
    }
    render(
      <StrictMode>
        <Page>
          <Boundary>
            <Suspense fallback="loading">
              <Wallet />
            </Suspense>
          </Boundary>
        </Page>
      </StrictMode>,
    )
    expect(await screen.findByText('failed with DestroyedError')).toBeDefined()
  })
})
