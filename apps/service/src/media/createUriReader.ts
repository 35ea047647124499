import type { UntrustedFetch } from './createUntrustedFetch.ts'
import { decodeDataUri, maximumHeadLength } from './decodeDataUri.ts'
import type { MediaConfig } from './MediaConfig.ts'
import { RefusedFetchError } from './RefusedFetchError.ts'
import { resolveUri } from './resolveUri.ts'

/** Reads what a stranger's URI names: `data:`, `ipfs:`, `ar:` or over HTTP. Rejects as {@link UntrustedFetch} does. */
export type ReadUri = UntrustedFetch

/**
 * Makes a reader of URIs that asks the next gateway where one fails.
 *
 * @param totalMs for all gateways together.
 */
export function createUriReader(
  fetch: UntrustedFetch,
  config: Pick<MediaConfig, 'ipfsGateways' | 'arweaveGateways'>,
  totalMs = 30_000,
): ReadUri {
  return async (uri, options) => {
    if (/^data:/i.test(uri)) return readDataUri(uri, options.maximumBytes)
    const deadline = AbortSignal.timeout(totalMs)
    const signal = options.signal ? AbortSignal.any([options.signal, deadline]) : deadline
    let failure: unknown = nothingToRead()
    for (const url of resolveUri(uri, config))
      try {
        return await fetch(url, { ...options, signal })
      } catch (error) {
        options.signal?.throwIfAborted()
        if (deadline.aborted)
          throw new RefusedFetchError('timeout', 'No server answers in time', { cause: error })
        // Whether to come back is for the one to say that may have it later.
        if (!isRetryable(failure)) failure = error
      }
    throw failure
  }
}

function readDataUri(uri: string, maximumBytes: number): Uint8Array {
  const tooLarge = () =>
    new RefusedFetchError('too-large', `It has more than ${maximumBytes} bytes`)
  // The most that a byte may take is three characters, `%00`; to decode what is longer costs memory for nothing.
  if (uri.length > maximumHeadLength + 3 * maximumBytes) throw tooLarge()
  const data = decodeDataUri(uri)
  if (!data) throw nothingToRead()
  if (data.bytes.length > maximumBytes) throw tooLarge()
  return data.bytes
}

function nothingToRead(): RefusedFetchError {
  return new RefusedFetchError('url', 'Nothing is read from such a URI')
}

function isRetryable(error: unknown): boolean {
  return error instanceof RefusedFetchError && error.retryable
}
