import type { HeadwaterError } from '@headwater/core'
import { useBalances, useClient, useSnapshot } from '@headwater/react'

export function States({ address }: { address: string }) {
  const connection = useSnapshot(useClient().connection$)
  const balances = useBalances({ address })
  const { refetch } = balances
  switch (balances.status) {
    case 'pending':
      return <p>Loading …</p>
    case 'success':
      return (
        <p>
          {balances.data.length} tokens{connection === 'offline' && ', as of when you were online'}
        </p>
      )
    case 'error':
      return (
        <p role="alert">
          {balances.data && `${balances.data.length} tokens before the error: `}
          {explain(balances.error)} <button onClick={() => void refetch()}>Try again</button>
        </p>
      )
  }
}

function explain(error: HeadwaterError) {
  if (error.name === 'HttpError' && error.status === 402) return 'No units are left.'
  return error.isRetryable ? `${error.shortMessage} It is requested again.` : error.shortMessage
}
