import { useEffect } from 'react'
import {
  changeSettings,
  type Config,
  contractText,
  type Link,
  openLink,
  settings$,
  withRecent,
} from '@headwater/demo-kit'
import { useValue } from '../hooks/useValue.ts'
import { AddressForm } from './AddressForm.tsx'
import { ChainPicker } from './ChainPicker.tsx'

interface WalletPickerProps {
  config: Config
  link: Link
}

/** Selects the wallet and its chains. */
export function WalletPicker({
  config: { wallets, chains },
  link: { address, chains: chosen },
}: WalletPickerProps) {
  const { recentWallets } = useValue(settings$)
  useEffect(() => {
    changeSettings({ recentWallets: withRecent(settings$.value.recentWallets, address) })
  }, [address])
  const isShown = (wallet: string) => wallet.toLowerCase() === address.toLowerCase()
  const show = (wallet: string) => openLink({ address: wallet })

  return (
    <section className="picker" aria-label="Wallet and chains">
      <AddressForm address={address} onSubmit={show} />
      <div className="chips" role="group" aria-label="Recent and sample wallets">
        {recentWallets
          .filter((wallet) => !isShown(wallet))
          .map((wallet) => (
            <button
              key={wallet}
              type="button"
              className="recent"
              data-testid="recent-wallet"
              aria-label={`Recent wallet ${contractText(wallet)}`}
              title={wallet}
              onClick={() => show(wallet)}
            >
              {contractText(wallet)}
            </button>
          ))}
        {wallets.map((wallet) => (
          <button
            key={wallet.address}
            type="button"
            data-testid="sample-wallet"
            aria-current={isShown(wallet.address)}
            onClick={() => show(wallet.address)}
          >
            {wallet.name}
          </button>
        ))}
      </div>
      <ChainPicker known={chains} chosen={chosen} />
    </section>
  )
}
