import type { ReadUri } from '../media/createUriReader.ts'
import { UntrustedFetchError, type UntrustedFetchErrorKind } from '../media/UntrustedFetchError.ts'
import { type CollectibleMetadata, parseCollectible } from './parseCollectible.ts'

/** What asking for an NFT's document came to. */
export type CollectibleOutcome =
  | { readonly state: 'read'; readonly uri: string; readonly metadata: CollectibleMetadata }
  /** It will not be otherwise the next time. */
  | { readonly state: 'failed'; readonly uri?: string }
  /** It may be there later. */
  | { readonly state: 'missed'; readonly uri?: string }
  /** The node answered for nobody, or this service had no time, so that this tells nothing of the NFT. */
  | { readonly state: 'postponed'; readonly uri?: string }

const maximumDocumentBytes = 1024 * 1024
/** What the URI itself is at fault for. */
const lasting: ReadonlySet<UntrustedFetchErrorKind> = new Set(['url', 'port', 'address'])

/**
 * Reads the document of an NFT.
 *
 * @param uri - where its contract says it is.
 * @throws {unknown} the signal's reason.
 */
export async function readDocument(
  readUri: ReadUri,
  uri: string,
  signal?: AbortSignal,
): Promise<CollectibleOutcome> {
  const isOnChain = /^data:/i.test(uri)
  try {
    const bytes = await readUri(uri, { maximumBytes: maximumDocumentBytes, signal })
    const metadata = parseCollectible(bytes, uri)
    if (metadata) {
      return { state: 'read', uri, metadata }
    }
    // Servers answer pages that say they are busy; what is on the chain stays.
    return { state: isOnChain ? 'failed' : 'missed', uri }
  } catch (error) {
    if (!(error instanceof UntrustedFetchError)) {
      throw error
    }
    if (error.refusal === 'busy') {
      return { state: 'postponed', uri }
    }
    return { state: isOnChain || lasting.has(error.refusal) ? 'failed' : 'missed', uri }
  }
}
