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

/** Everything that comes from elsewhere than a chain, and what of it this service hands on. */
export interface Media {
  readonly publicUrl: PublicUrl
  readonly links: MediaLinks
  readonly directory: TokenListRegistry
  readonly images: ImageLoader
  /** Reads documents of NFTs. */
  readonly readDocument: ReadUri
}

/** A page waits for an image, and others for its turn; for a document nobody does. */
const imageTimes = { waitMs: 10_000, answerMs: 3000 }

/**
 * Makes what reads and remembers media. Token lists in files are read at once; those elsewhere while
 * `directory.run` runs.
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
  const { ipfsGateways, arweaveGateways, tokenLists, dangerouslyAllowPrivateNetworks } = media
  const policy = dangerouslyAllowPrivateNetworks ? everyNetwork : publicInternet
  const trusted = [...ipfsGateways, ...arweaveGateways].map((url) => url.replace(/\/*$/, '/'))
  // One each, so that neither documents nor images ever wait for the others.
  const fetchDocument = createUntrustedFetch({ policy, trusted, totalMs: 12_000 })
  const fetchImage = createUntrustedFetch({ policy, trusted, ...imageTimes })
  const fetch = createUntrustedFetch({ trusted: tokenLists.filter((url) => URL.canParse(url)) })
  const directory = new TokenListRegistry({ chains, tokenLists, fetch, logger })
  const publicUrl = new PublicUrl(config.publicUrl)
  return {
    publicUrl,
    links: new MediaLinks(publicUrl, directory),
    directory,
    images: new ImageLoader(createUriReader(fetchImage, media)),
    readDocument: createUriReader(fetchDocument, media),
  }
}
