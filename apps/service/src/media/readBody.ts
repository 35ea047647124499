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

/** The value of `Accept-Encoding` for bodies that {@link readBody} reads. */
export const acceptEncoding = 'gzip, br, deflate'

/**
 * Reads a response body.
 *
 * @param encoding - the value of `Content-Encoding`.
 * @param maxBytes - limit of the body as sent, and of the decompressed body.
 * @throws {UntrustedFetchError} when the body exceeds the limit or cannot be decompressed.
 */
export async function readBody(
  body: Readable,
  encoding: string | undefined,
  maxBytes: number,
): Promise<Buffer> {
  const name = encoding?.trim().toLowerCase() || 'identity'
  const decoder = name === 'identity' ? undefined : decoders.get(name)?.()
  if (name !== 'identity' && !decoder) {
    throw new UntrustedFetchError('encoding', `Unsupported content encoding ${name.slice(0, 40)}`)
  }
  const limited = limit(maxBytes)
  if (!decoder) {
    return await pipeline(body, limited, collect)
  }
  try {
    return await pipeline(body, limited, decoder, limit(maxBytes), collect)
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : ''
    if (!/^(Z_|ERR__|ERR_BROTLI)/.test(code)) {
      throw error
    }
    throw new UntrustedFetchError('encoding', `The body is not valid ${name}`, { cause: error })
  }
}

function limit(maxBytes: number) {
  return async function* (source: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
    let bytes = 0
    for await (const chunk of source) {
      bytes += chunk.length
      if (bytes > maxBytes) {
        throw new UntrustedFetchError('too-large', `The body exceeds ${maxBytes} bytes`)
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
