import type { UntrustedFetch } from './createUntrustedFetch.ts'
import { decodeDataUri, maxHeadLength } from './decodeDataUri.ts'
import type { MediaConfig } from './MediaConfig.ts'
import { resolveUri } from './resolveUri.ts'
import { TimeBudget } from './TimeBudget.ts'
import { UntrustedFetchError } from './UntrustedFetchError.ts'

/** Reads an untrusted URI: `data:`, `ipfs:`, `ar:` or HTTP. Rejects like {@link UntrustedFetch}. */
export type ReadUri = UntrustedFetch

/**
 * Creates a reader of URIs that tries the gateways one after another.
 *
 * @param totalTimeoutMs - timeout of all gateways together, without the time in the queue.
 */
export function createUriReader(
  fetch: UntrustedFetch,
  config: Pick<MediaConfig, 'ipfsGateways' | 'arweaveGateways'>,
  totalTimeoutMs = 30_000,
): ReadUri {
  return async (uri, options) => {
    if (/^data:/i.test(uri)) {
      return readDataUri(uri, options.maxBytes)
    }
    const timeBudget = new TimeBudget(totalTimeoutMs)
    let failure: unknown = unsupportedUri()
    for (const url of resolveUri(uri, config)) {
      try {
        return await fetch(url, { ...options, timeBudget })
      } catch (error) {
        options.signal?.throwIfAborted()
        // A retryable failure takes precedence, and `busy` above all, as that gateway was not even tried.
        if (!isRetryable(failure) || isBusy(error)) {
          failure = error
        }
        if (timeBudget.remainingMs === 0) {
          break
        }
      }
    }
    throw failure
  }
}

function readDataUri(uri: string, maxBytes: number): Uint8Array {
  const tooLarge = () => new UntrustedFetchError('too-large', `The data exceeds ${maxBytes} bytes`)
  // A byte takes at most three characters (`%00`). Longer URIs are rejected without the cost of decoding them.
  if (uri.length > maxHeadLength + 3 * maxBytes) {
    throw tooLarge()
  }
  const data = decodeDataUri(uri)
  if (!data) {
    throw unsupportedUri()
  }
  if (data.length > maxBytes) {
    throw tooLarge()
  }
  return data
}

function unsupportedUri(): UntrustedFetchError {
  return new UntrustedFetchError('url', 'The URI is malformed or its scheme is not supported')
}

function isBusy(error: unknown): boolean {
  return error instanceof UntrustedFetchError && error.kind === 'busy'
}

function isRetryable(error: unknown): boolean {
  return error instanceof UntrustedFetchError && error.retryable
}
