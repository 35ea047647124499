import type { UntrustedFetch } from './createUntrustedFetch.ts'
import { decodeDataUri, maximumHeadLength } from './decodeDataUri.ts'
import type { MediaConfig } from './MediaConfig.ts'
import { resolveUri } from './resolveUri.ts'
import { TimeBudget } from './TimeBudget.ts'
import { UntrustedFetchError } from './UntrustedFetchError.ts'

/** Reads what a stranger's URI names: `data:`, `ipfs:`, `ar:` or over HTTP. Rejects as {@link UntrustedFetch} does. */
export type ReadUri = UntrustedFetch

/**
 * Makes a reader of URIs that asks the next gateway where one fails.
 *
 * @param totalMs - for all gateways together, without waiting for turns.
 */
export function createUriReader(
  fetch: UntrustedFetch,
  config: Pick<MediaConfig, 'ipfsGateways' | 'arweaveGateways'>,
  totalMs = 30_000,
): ReadUri {
  return async (uri, options) => {
    if (/^data:/i.test(uri)) {
      return readDataUri(uri, options.maximumBytes)
    }
    const time = new TimeBudget(totalMs)
    let failure: unknown = nothingToRead()
    for (const url of resolveUri(uri, config)) {
      try {
        return await fetch(url, { ...options, time })
      } catch (error) {
        options.signal?.throwIfAborted()
        // Whether to come back is for the one to say that may have it later, above all who was not even asked.
        if (!isRetryable(failure) || isBusy(error)) {
          failure = error
        }
        if (time.leftMs === 0) {
          break
        }
      }
    }
    throw failure
  }
}

function readDataUri(uri: string, maximumBytes: number): Uint8Array {
  const tooLarge = () =>
    new UntrustedFetchError('too-large', `It has more than ${maximumBytes} bytes`)
  // The most that a byte may take is three characters, `%00`; to decode what is longer costs memory for nothing.
  if (uri.length > maximumHeadLength + 3 * maximumBytes) {
    throw tooLarge()
  }
  const data = decodeDataUri(uri)
  if (!data) {
    throw nothingToRead()
  }
  if (data.length > maximumBytes) {
    throw tooLarge()
  }
  return data
}

function nothingToRead(): UntrustedFetchError {
  return new UntrustedFetchError('url', 'Nothing is read from such a URI')
}

function isBusy(error: unknown): boolean {
  return error instanceof UntrustedFetchError && error.refusal === 'busy'
}

function isRetryable(error: unknown): boolean {
  return error instanceof UntrustedFetchError && error.retryable
}
