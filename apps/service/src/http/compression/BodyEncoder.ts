import { promisify } from 'node:util'
import {
  brotliCompress,
  brotliCompressSync,
  constants,
  crc32,
  deflateRaw,
  deflateRawSync,
} from 'node:zlib'
import { LRUCache } from 'lru-cache'

/** A content coding of HTTP. */
export type Coding = 'br' | 'gzip'

/** The part of a body that is the same in each response, which ends before its last byte. */
export interface EncodableBody {
  readonly content: string | Buffer<ArrayBuffer>
  /** A hash of the content. */
  readonly tag: string
}

type EncodedBody = readonly Buffer<ArrayBuffer>[]

interface Compressed {
  readonly bytes: Buffer<ArrayBuffer>
  /** Of the uncompressed bytes. */
  readonly checksum: number
  readonly length: number
}

/** Compressing shorter bodies saves less than a packet. */
const minLength = 1024
const defaultMaximumBytes = 16 * 2 ** 20
/** Size of an entry in addition to its bytes. */
const entryBytes = 256
/** A third of the time of the defaults, for bodies that are a few percent larger. */
const levels = { br: 4, gzip: 5 }
/** Another thread, which larger bodies are compressed in, costs more than a tenth of a millisecond. */
const maxSyncLength = 32_768
const brotli = promisify(brotliCompress)
const deflate = promisify(deflateRaw)

/**
 * Compresses bodies once, however often they are sent: they end with two times, which differ in each response and are appended
 * uncompressed. Both formats consist of blocks, which can end at a byte.
 */
export class BodyEncoder {
  readonly #compressed: LRUCache<string, Compressed, { readonly content: EncodableBody['content'] }>

  constructor(maximumBytes = defaultMaximumBytes) {
    this.#compressed = new LRUCache({
      maxSize: maximumBytes,
      sizeCalculation: ({ bytes }) => entryBytes + bytes.length,
      fetchMethod: async (key, _stale, { context }) =>
        await compress(key.startsWith('br') ? 'br' : 'gzip', context.content),
      // A body that is evicted while it is compressed is sent as well.
      ignoreFetchAbort: true,
    })
  }

  /** Whether a body is worth compressing. */
  isCompressible({ content }: EncodableBody): boolean {
    return content.length >= minLength
  }

  /**
   * Returns the parts of the encoded body: from the cache, or compressed, if it is long in another thread.
   *
   * @param tail - less than 64 KB, which replace the last byte of the content.
   */
  encode(body: EncodableBody, tail: string, coding: Coding): EncodedBody | Promise<EncodedBody> {
    const key = coding + body.tag
    const cached = this.#compressed.get(key)
    return cached
      ? append[coding](cached, Buffer.from(tail))
      : this.#compressed
          .forceFetch(key, { context: body })
          .then((compressed) => append[coding](compressed, Buffer.from(tail)))
  }
}

/** Compresses bytes into blocks of which none is the last. */
async function compress(
  coding: Coding,
  content: string | Buffer<ArrayBuffer>,
): Promise<Compressed> {
  const all = typeof content === 'string' ? Buffer.from(content) : content
  const start = all.subarray(0, -1)
  const bytes = await compressors[coding](start)
  // A copy, as it is a part of a larger buffer; `Buffer.from` would keep one that is shared.
  const copy = Buffer.allocUnsafeSlow(bytes.length)
  bytes.copy(copy)
  return { bytes: copy, checksum: crc32(start), length: start.length }
}

const options = {
  br: (length: number) => ({
    finishFlush: constants.BROTLI_OPERATION_FLUSH,
    params: {
      [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT,
      [constants.BROTLI_PARAM_QUALITY]: levels.br,
      [constants.BROTLI_PARAM_SIZE_HINT]: length,
    },
  }),
  gzip: () => ({ level: levels.gzip, finishFlush: constants.Z_SYNC_FLUSH }),
}

const compressors = {
  br: (content: Buffer) =>
    content.length > maxSyncLength
      ? brotli(content, options.br(content.length))
      : brotliCompressSync(content, options.br(content.length)),
  gzip: (content: Buffer) =>
    content.length > maxSyncLength
      ? deflate(content, options.gzip())
      : deflateRawSync(content, options.gzip()),
}

/** Appends a block with uncompressed bytes, and the end of the format. */
const append: Readonly<
  Record<Coding, (compressed: Compressed, tail: Buffer<ArrayBuffer>) => EncodedBody>
> = {
  // RFC 7932, 9.2: not the last block, 16 bits for the length, uncompressed; then an empty last block.
  br({ bytes }, tail) {
    const header = Buffer.alloc(3)
    header.writeUIntLE(((tail.length - 1) << 3) | (1 << 19), 0, 3)
    return [bytes, Buffer.concat([header, tail, Buffer.of(3)])]
  },
  // RFC 1952, 2.3, and RFC 1951, 3.2.4: the last block, uncompressed; then checksum and length of the whole.
  gzip({ bytes, checksum, length }, tail) {
    const header = Buffer.alloc(5)
    header.writeUInt8(1, 0)
    header.writeUInt16LE(tail.length, 1)
    header.writeUInt16LE(~tail.length & 0xffff, 3)
    const end = Buffer.alloc(8)
    end.writeUInt32LE(crc32(tail, checksum), 0)
    end.writeUInt32LE((length + tail.length) >>> 0, 4)
    return [gzipHeader, bytes, Buffer.concat([header, tail, end])]
  },
}

/** Deflate, without a name, a time and an operating system. */
const gzipHeader = Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 0xff])
