import type { Config } from '@headwater/demo-kit'
import { useBalances } from '@headwater/react'
import { AddressForm } from './AddressForm.tsx'
import { BalancesCard } from './BalancesCard.tsx'
import { SampleWallets } from './SampleWallets.tsx'
import { useAddress } from './useAddress.ts'

/** One wallet, live: the one that the page's URL names, else the first sample. */
export function WalletView({ wallets }: Pick<Config, 'wallets'>) {
  const [linked, showAddress] = useAddress()
  const address = linked ?? wallets[0]?.address
  const balances = useBalances(
    { address: address ?? '' },
    { enabled: address !== undefined, refetchInterval: 2_000 },
  )
  const isInvalid = address !== undefined && balances.error?.name === 'InvalidParameterError'

  return (
    <>
      <AddressForm address={address ?? ''} isInvalid={isInvalid} onSubmit={showAddress} />
      <SampleWallets wallets={wallets} address={address} onSelect={showAddress} />
      {address === undefined ? (
        <section className="wallet">
          <p className="empty">Enter a wallet address to see what it holds.</p>
        </section>
      ) : (
        <BalancesCard address={address} balances={balances} />
      )}
    </>
  )
}
