import { useState } from 'react'
import { initialsOf, logoUrl } from '@headwater/demo-kit'
import { useClient } from '@headwater/react'

interface TokenLogoProps {
  chainId: number
  address: string
  symbol: string
  /** Whether the service says that it has one. */
  hasLogo: boolean
}

/** A token's logo as the service has it; its initials where it has none. */
export function TokenLogo({ chainId, address, symbol, hasLogo }: TokenLogoProps) {
  const { baseUrl } = useClient()
  const [isBroken, setBroken] = useState(false)
  if (isBroken || !hasLogo) {
    return (
      <span className="logo" aria-hidden="true">
        {initialsOf(symbol)}
      </span>
    )
  }
  return (
    <img
      className="logo"
      src={logoUrl(baseUrl, chainId, address)}
      alt=""
      width={36}
      height={36}
      loading="lazy"
      decoding="async"
      onError={() => setBroken(true)}
    />
  )
}
