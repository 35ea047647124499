import type { Readable, Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib'
import { UntrustedFetchError } from './UntrustedFetchError.ts'

const decoders: ReadonlyMap<string, () => Transform> = new Map([
  ['gzip', createGunzip],
  ['x-gzip', createGunzip],
  ['deflate', createInflate],
  ['br', createBrotliDecompress],
])

/** What to say in `Accept-Encoding`. */
export const acceptedEncodings = 'gzip, br, deflate'

/**
 * Reads a body to its end.
 *
 * @param encoding - as `Content-Encoding` tells it.
 * @param maximumBytes - of what was sent and of what it decompresses to, each.
 * @throws {UntrustedFetchError} when there is more, or when it cannot be decompressed.
 */
export async function readBody(
  body: Readable,
  encoding: string | undefined,
  maximumBytes: number,
): Promise<Buffer> {
  const name = encoding?.trim().toLowerCase() || 'identity'
  const decoder = name === 'identity' ? undefined : decoders.get(name)?.()
  if (name !== 'identity' && !decoder) {
    throw new UntrustedFetchError('encoding', `The encoding ${name.slice(0, 40)} is not read`)
  }
  const limited = limit(maximumBytes)
  if (!decoder) {
    return await pipeline(body, limited, collect)
  }
  try {
    return await pipeline(body, limited, decoder, limit(maximumBytes), collect)
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : ''
    if (!/^(Z_|ERR__|ERR_BROTLI)/.test(code)) {
      throw error
    }
    throw new UntrustedFetchError('encoding', `The body is not ${name}`, { cause: error })
  }
}

function limit(maximumBytes: number) {
  return async function* (source: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
    let bytes = 0
    for await (const chunk of source) {
      bytes += chunk.length
      if (bytes > maximumBytes) {
        throw new UntrustedFetchError('too-large', `It has more than ${maximumBytes} bytes`)
      }
      yield chunk
    }
  }
}

async function collect(source: AsyncIterable<Buffer>): Promise<Buffer> {
  const chunks: Buffer[] = []
  for await (const chunk of source) {
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}
