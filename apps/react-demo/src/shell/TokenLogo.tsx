import { useState } from 'react'
import { initialsOf, logoUrl } from '@headwater/demo-kit'
import { useClient } from '@headwater/react'

interface TokenLogoProps {
  chainId: number
  address: string
  symbol: string
  /** Whether the service has a logo. */
  hasLogo: boolean
}

/** The logo of a token from the service, or the initials of its symbol. */
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
