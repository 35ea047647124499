import type { Address } from 'viem'
import { accounts, emptyWallet } from './scenarios/accounts.ts'

/** A sample wallet for start pages and tables. */
export interface SampleWallet {
  readonly name: string
  readonly address: Address
  readonly description: string
}

/** Sample wallets of the devnet, the most active first, and an empty one. */
export function sampleWallets(): SampleWallet[] {
  const liveliest = [
    'trader',
    'collector',
    'provider',
    'maker',
    'ranger',
    'artist',
    'holder',
    'treasury',
  ]
  const shown = liveliest.flatMap((role) => accounts.filter((account) => account.role === role))
  return [
    ...shown.map(({ name, address, description }) => ({ name, address, description })),
    { name: 'empty', address: emptyWallet, description: 'Has never held anything' },
  ]
}
