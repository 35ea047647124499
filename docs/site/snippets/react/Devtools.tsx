import { mountDevtools } from '@headwater/devtools'
import { useClient } from '@headwater/react'
import { useEffect } from 'react'

export function Devtools() {
  const client = useClient()
  useEffect(() => mountDevtools(client), [client])
  return null
}
