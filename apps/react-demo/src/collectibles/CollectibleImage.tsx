import { useState } from 'react'
import type { Collectible } from '@headwater/core'
import { collectibleImageUrl } from '@headwater/demo-kit'
import { useClient } from '@headwater/react'

/** The image from the service, or a placeholder of the same size. */
export function CollectibleImage({ collectible }: { collectible: Collectible }) {
  const { baseUrl } = useClient()
  const url = collectibleImageUrl(baseUrl, collectible)
  const [broken, setBroken] = useState<string>()
  if (url === undefined || broken === url) {
    return (
      <span className="picture missing" data-testid="collectible-image-missing">
        {url === undefined ? 'no image' : 'image not available'}
      </span>
    )
  }
  return (
    <img
      className="picture"
      src={url}
      alt=""
      width={320}
      height={320}
      loading="lazy"
      decoding="async"
      data-testid="collectible-image"
      onError={() => setBroken(url)}
    />
  )
}
