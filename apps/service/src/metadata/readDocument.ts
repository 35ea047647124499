import type { ReadUri } from '../media/createUriReader.ts'
import { UntrustedFetchError, type UntrustedFetchErrorKind } from '../media/UntrustedFetchError.ts'
import { type CollectibleMetadata, parseCollectible } from './parseCollectible.ts'

/** The outcome of reading an NFT's document. */
export type CollectibleOutcome =
  | { readonly state: 'read'; readonly uri: string; readonly metadata: CollectibleMetadata }
  /** A retry cannot succeed. */
  | { readonly state: 'failed'; readonly uri?: string }
  /** A retry may succeed. */
  | { readonly state: 'missed'; readonly uri?: string }
  /** The node is unavailable or this service is busy, so that the attempt does not count. */
  | { readonly state: 'postponed'; readonly uri?: string }

const maxDocumentBytes = 1024 * 1024
/** Errors that the URI itself causes. */
const permanentKinds: ReadonlySet<UntrustedFetchErrorKind> = new Set(['url', 'port', 'address'])

/**
 * Reads the document of an NFT.
 *
 * @param uri - as its contract returns it.
 * @throws {unknown} the signal's reason.
 */
export async function readDocument(
  readUri: ReadUri,
  uri: string,
  signal?: AbortSignal,
): Promise<CollectibleOutcome> {
  const isOnChain = /^data:/i.test(uri)
  try {
    const bytes = await readUri(uri, { maxBytes: maxDocumentBytes, signal })
    const metadata = parseCollectible(bytes, uri)
    if (metadata) {
      return { state: 'read', uri, metadata }
    }
    // A server may respond with an error page and status 200; a document on the chain does not change.
    return { state: isOnChain ? 'failed' : 'missed', uri }
  } catch (error) {
    if (!(error instanceof UntrustedFetchError)) {
      throw error
    }
    if (error.kind === 'busy') {
      return { state: 'postponed', uri }
    }
    return { state: isOnChain || permanentKinds.has(error.kind) ? 'failed' : 'missed', uri }
  }
}
