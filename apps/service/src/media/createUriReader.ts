import type { UntrustedFetch } from './createUntrustedFetch.ts'
import { decodeDataUri } from './decodeDataUri.ts'
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
    const data = decodeDataUri(uri)
    if (data && data.bytes.length > options.maximumBytes)
      throw new RefusedFetchError('too-large', `It has more than ${options.maximumBytes} bytes`)
    if (data) return data.bytes
    const deadline = AbortSignal.timeout(totalMs)
    const signal = options.signal ? AbortSignal.any([options.signal, deadline]) : deadline
    let failure: unknown = new RefusedFetchError('url', 'Nothing is read from such a URI')
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

function isRetryable(error: unknown): boolean {
  return error instanceof RefusedFetchError && error.retryable
}
