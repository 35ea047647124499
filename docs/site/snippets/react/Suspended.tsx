import { isHeadwaterError } from '@headwater/core'
import { useSuspenseBalances } from '@headwater/react'
import { Component, type ReactNode, Suspense } from 'react'

class ErrorBoundary extends Component<{ children: ReactNode }, { error?: unknown }> {
  override state: { error?: unknown } = {}

  static getDerivedStateFromError(error: unknown) {
    return { error }
  }

  override render() {
    const { error } = this.state
    if (error === undefined) return this.props.children
    return (
      <p role="alert">
        {isHeadwaterError(error) ? error.shortMessage : 'Something went wrong.'}{' '}
        <button onClick={() => this.setState({ error: undefined })}>Try again</button>
      </p>
    )
  }
}

function Tokens({ address }: { address: string }) {
  // `data` is defined. A later error is in `error`, beside the last data.
  const { data, error } = useSuspenseBalances({ address })
  return (
    <p>
      {data.length} tokens {error && `(${error.shortMessage})`}
    </p>
  )
}

export const Suspended = ({ address }: { address: string }) => (
  <ErrorBoundary key={address}>
    <Suspense fallback={<p>Loading …</p>}>
      <Tokens address={address} />
    </Suspense>
  </ErrorBoundary>
)
