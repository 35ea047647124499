import type { Config } from '@headwater/demo-kit'

interface SampleWalletsProps extends Pick<Config, 'wallets'> {
  address: string | undefined
  onSelect: (address: string) => void
}

export function SampleWallets({ wallets, address, onSelect }: SampleWalletsProps) {
  if (wallets.length === 0) return null
  return (
    <div className="samples" role="group" aria-label="Sample wallets">
      {wallets.map((wallet) => (
        <button
          key={wallet.address}
          type="button"
          aria-current={wallet.address.toLowerCase() === address?.toLowerCase()}
          onClick={() => onSelect(wallet.address)}
        >
          {wallet.name}
        </button>
      ))}
    </div>
  )
}
