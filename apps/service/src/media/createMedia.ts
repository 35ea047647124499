import type { Logger } from 'pino'
import type { ChainConfig } from '../config/Config.ts'
import { createUntrustedFetch } from './createUntrustedFetch.ts'
import { createUriReader, type ReadUri } from './createUriReader.ts'
import { ImageLoader } from './ImageLoader.ts'
import type { MediaConfig } from './MediaConfig.ts'
import { MediaLinks } from './MediaLinks.ts'
import { everyNetwork, publicInternet } from './NetworkPolicy.ts'
import { PublicUrl } from './PublicUrl.ts'
import { TokenListRegistry } from './TokenListRegistry.ts'

/** Data from outside the chains, and the URLs under which this service serves it. */
export interface Media {
  readonly publicUrl: PublicUrl
  readonly links: MediaLinks
  readonly tokenLists: TokenListRegistry
  readonly images: ImageLoader
  /** Reads metadata of NFTs. */
  readonly readDocument: ReadUri
}

/** Shorter than for documents, as a client waits for the image. */
const imageTimeouts = { queueTimeoutMs: 10_000, responseTimeoutMs: 3000 }

/**
 * Creates the readers and caches of media. Local token lists are read immediately, remote ones while `tokenLists.run`
 * runs.
 */
export function createMedia(
  config: {
    readonly chains: readonly Pick<ChainConfig, 'id' | 'nativeCurrency'>[]
    readonly media: MediaConfig
    readonly publicUrl?: string
  },
  logger: Logger,
): Media {
  const { chains, media } = config
  const { ipfsGateways, arweaveGateways, dangerouslyAllowPrivateNetworks } = media
  const policy = dangerouslyAllowPrivateNetworks ? everyNetwork : publicInternet
  const trusted = [...ipfsGateways, ...arweaveGateways].map((url) => url.replace(/\/*$/, '/'))
  // Separate queues, so that documents, images and token lists do not delay each other.
  const fetchDocument = createUntrustedFetch({ policy, trusted, totalTimeoutMs: 12_000 })
  const fetchImage = createUntrustedFetch({ policy, trusted, ...imageTimeouts })
  const fetchList = createUntrustedFetch({
    trusted: media.tokenLists.filter((url) => URL.canParse(url)),
  })
  const tokenLists = new TokenListRegistry({
    chains,
    tokenLists: media.tokenLists,
    fetch: fetchList,
    logger,
  })
  const publicUrl = new PublicUrl(config.publicUrl)
  return {
    publicUrl,
    links: new MediaLinks(publicUrl, tokenLists),
    tokenLists,
    images: new ImageLoader(createUriReader(fetchImage, media)),
    readDocument: createUriReader(fetchDocument, media),
  }
}
