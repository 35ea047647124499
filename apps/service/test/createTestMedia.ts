import { pino } from 'pino'
import type { ChainConfig } from '../src/config/Config.ts'
import { createMedia, type Media } from '../src/media/createMedia.ts'
import type { MediaConfig } from '../src/media/MediaConfig.ts'

/** Media without gateways and token lists that may fetch from this machine. */
export function createTestMedia(
  chains: readonly ChainConfig[],
  overrides: Partial<MediaConfig> & { readonly publicUrl?: string } = {},
): Media {
  const { publicUrl, ...media } = overrides
  return createMedia(
    {
      chains,
      media: {
        ipfsGateways: [],
        arweaveGateways: [],
        tokenLists: [],
        dangerouslyAllowPrivateNetworks: true,
        ...media,
      },
      ...(publicUrl !== undefined && { publicUrl }),
    },
    pino({ level: 'silent' }),
  )
}
