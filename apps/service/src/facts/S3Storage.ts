import { createHash } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { type FileHandle, open, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type * as AwsS3 from '@aws-sdk/client-s3'
import type { S3Config } from '../config/Config.ts'
import { StoreError } from '../store/StoreError.ts'
import { hasContent } from './describeFile.ts'
import { FactsError } from './FactsError.ts'
import type { FactsStorage, StoredFile } from './FactsStorage.ts'
import { FileCache } from './FileCache.ts'
import type { WorkFolder } from './openWorkFolder.ts'

type Sdk = typeof AwsS3

/** Larger files are uploaded in parts of this size, of which there may be 10,000. */
const partBytes = 32 * 1024 ** 2

/** An S3-compatible object storage. Files are read from local copies. */
export class S3Storage implements FactsStorage {
  readonly location: string
  readonly workFolder: string
  readonly #sdk: Sdk
  readonly #client: AwsS3.S3Client
  readonly #bucket: string
  /** Of all keys, with a slash at the end. */
  readonly #prefix: string
  readonly #config: S3Config
  readonly #cache: FileCache
  readonly #work: WorkFolder

  private constructor(
    sdk: Sdk,
    root: string,
    config: S3Config,
    state: { folder: string; work: WorkFolder; cache: FileCache },
  ) {
    const { endpoint, region, pathStyle } = config
    const { hostname: bucket, pathname } = new URL(root)
    this.location = [root.replace(/\/+$/, ''), state.folder].filter(Boolean).join('/')
    this.workFolder = state.work.path
    this.#sdk = sdk
    this.#bucket = bucket
    const folders = [...pathname.split('/'), state.folder].filter(Boolean)
    this.#prefix = folders.map((each) => `${each}/`).join('')
    this.#config = config
    this.#cache = state.cache
    this.#work = state.work
    this.#client = new sdk.S3Client({
      ...(endpoint !== undefined && { endpoint }),
      ...(region !== undefined && { region }),
      forcePathStyle: pathStyle,
      maxAttempts: 5,
      // Compatible storages lack the checksums that AWS adds since 2025. Those of HTTP and of the manifest protect contents.
      requestChecksumCalculation: 'WHEN_REQUIRED',
      responseChecksumValidation: 'WHEN_REQUIRED',
      requestHandler: {
        connectionTimeout: 5000,
        requestTimeout: 60_000,
        throwOnRequestTimeout: true,
      },
    })
  }

  /** @throws {FactsError} when the optional package `@aws-sdk/client-s3` is not installed. */
  static async open(
    root: string,
    config: S3Config,
    folder: string,
    { work, keepsCopies }: { readonly work: WorkFolder; readonly keepsCopies: boolean },
  ): Promise<S3Storage> {
    const sdk = await loadSdk()
    const copies = join(keepsCopies ? join(config.cacheFolder, folder) : work.path, 'copies')
    const cache = await FileCache.open(copies, keepsCopies ? config.cacheBytes : 0)
    return new S3Storage(sdk, root, config, { folder, work, cache })
  }

  async list(folder: string): Promise<{ name: string; version?: string }[]> {
    const files: { name: string; version?: string }[] = []
    const prefix = `${this.#prefix}${folder}/`
    for (let token: string | undefined, isFirst = true; isFirst || token; isFirst = false) {
      const page = await this.#try(() =>
        this.#client.send(
          new this.#sdk.ListObjectsV2Command({
            Bucket: this.#bucket,
            Prefix: prefix,
            ...(token !== undefined && { ContinuationToken: token }),
          }),
        ),
      )
      for (const { Key: key = '', ETag: version } of page.Contents ?? []) {
        const name = key.slice(this.#prefix.length)
        files.push(version === undefined ? { name } : { name, version })
      }
      token = page.IsTruncated ? page.NextContinuationToken : undefined
    }
    return files
  }

  async read(name: string): Promise<string | undefined> {
    return await this.#try(async () => {
      const body = await this.#get(name)
      return body && Buffer.concat(await body.toArray()).toString('utf8')
    })
  }

  async create(name: string, text: string): Promise<boolean> {
    const put = (condition: { IfNoneMatch?: string }) =>
      this.#client.send(
        new this.#sdk.PutObjectCommand({
          Bucket: this.#bucket,
          Key: this.#prefix + name,
          Body: Buffer.from(text),
          ContentMD5: digestMd5(text),
          ContentType: 'application/json',
          ...condition,
        }),
      )
    return await this.#try(async () => {
      try {
        await put({ IfNoneMatch: '*' })
      } catch (error) {
        // Another process is writing it, or has.
        if ([409, 412].includes(getStatus(error) ?? 0)) {
          return false
        }
        // A storage without conditional writes.
        if (getStatus(error) !== 501) {
          throw error
        }
        await put({})
      }
      return true
    })
  }

  async add(file: string, stored: StoredFile, signal?: AbortSignal): Promise<void> {
    const handle = await open(file)
    try {
      await (stored.bytes <= partBytes
        ? this.#put(handle, stored, signal)
        : this.#putParts(handle, stored, signal))
    } finally {
      await handle.close()
    }
    await this.#cache.makeSpace(stored.bytes)
    await this.#cache.add(file, stored)
  }

  async remove(name: string): Promise<void> {
    const Key = this.#prefix + name
    await this.#try(() =>
      this.#client.send(new this.#sdk.DeleteObjectCommand({ Bucket: this.#bucket, Key })),
    )
  }

  async isIntact(stored: StoredFile, signal?: AbortSignal): Promise<boolean> {
    return (await this.#cache.isIntact(stored)) || (await this.#download(stored, [], signal))
  }

  requireSpace(stored: readonly StoredFile[]): void {
    const bytes = stored.reduce((sum, each) => sum + each.bytes, 0)
    if (bytes > this.#config.cacheBytes) {
      throw new FactsError(
        `Local copies of the facts in ${this.location} that are read at once need ${(bytes / 1e9).toFixed(3)} GB, more than facts.s3.cacheLimit allows: raise it`,
      )
    }
  }

  async load(stored: readonly StoredFile[], signal?: AbortSignal): Promise<string[]> {
    this.requireSpace(stored)
    await this.#cache.makeSpace(0, stored)
    for (const each of stored) {
      if (!(await this.#cache.has(each)) && !(await this.#download(each, stored, signal))) {
        throw new Error(`${this.location}/${each.name} is missing or corrupted`)
      }
    }
    return stored.map((each) => this.#cache.getPath(each))
  }

  async close(): Promise<void> {
    this.#client.destroy()
    await this.#work.close()
  }

  /** @returns whether the file exists with its content, of which there is a copy then. */
  async #download(
    stored: StoredFile,
    kept: readonly StoredFile[],
    signal: AbortSignal | undefined,
  ): Promise<boolean> {
    await this.#cache.makeSpace(stored.bytes, kept)
    const partial = join(this.workFolder, stored.sha256)
    const isFound = await this.#try(async () => {
      const body = await this.#get(stored.name, signal)
      await (body && pipeline(body, createWriteStream(partial), { ...(signal && { signal }) }))
      return body !== undefined
    }, signal)
    if (isFound && (await hasContent(partial, stored))) {
      await this.#cache.add(partial, stored)
      return true
    }
    await rm(partial, { force: true })
    return false
  }

  async #put(handle: FileHandle, stored: StoredFile, signal?: AbortSignal): Promise<void> {
    const Body = await readPart(handle, 0, stored.bytes)
    await this.#try(() => {
      const Key = this.#prefix + stored.name
      const input = { Bucket: this.#bucket, Key, Body, ContentMD5: digestMd5(Body) }
      return this.#client.send(new this.#sdk.PutObjectCommand(input), toOptions(signal))
    }, signal)
  }

  async #putParts(handle: FileHandle, stored: StoredFile, signal?: AbortSignal): Promise<void> {
    const object = { Bucket: this.#bucket, Key: this.#prefix + stored.name }
    const { UploadId } = await this.#try(() =>
      this.#client.send(new this.#sdk.CreateMultipartUploadCommand(object), toOptions(signal)),
    )
    const upload = { ...object, UploadId }
    try {
      const Parts: { PartNumber: number; ETag: string | undefined }[] = []
      for (let offset = 0; offset < stored.bytes; offset += partBytes) {
        const Body = await readPart(handle, offset, Math.min(partBytes, stored.bytes - offset))
        const input = { ...upload, PartNumber: Parts.length + 1, Body, ContentMD5: digestMd5(Body) }
        const { ETag } = await this.#try(
          () => this.#client.send(new this.#sdk.UploadPartCommand(input), toOptions(signal)),
          signal,
        )
        Parts.push({ PartNumber: input.PartNumber, ETag })
      }
      const input = { ...upload, MultipartUpload: { Parts } }
      const complete = () =>
        this.#client.send(new this.#sdk.CompleteMultipartUploadCommand(input), toOptions(signal))
      await this.#try(complete, signal)
    } catch (error) {
      await this.#client.send(new this.#sdk.AbortMultipartUploadCommand(upload)).catch(() => {})
      throw error
    }
  }

  /** @returns undefined when there is no such file. */
  async #get(name: string, signal?: AbortSignal): Promise<Readable | undefined> {
    try {
      const input = { Bucket: this.#bucket, Key: this.#prefix + name }
      const { Body } = await this.#client.send(
        new this.#sdk.GetObjectCommand(input),
        toOptions(signal),
      )
      return Body as Readable
    } catch (error) {
      if (error instanceof this.#sdk.NoSuchKey) {
        return undefined
      }
      throw error
    }
  }

  /**
   * Calls a function whose errors are described.
   *
   * @throws {FactsError} when an operator has to act.
   * @throws {StoreError} when the request may succeed later.
   */
  async #try<Result>(send: () => Promise<Result>, signal?: AbortSignal): Promise<Result> {
    try {
      return await send()
    } catch (error) {
      signal?.throwIfAborted()
      const { name, message } = error as Error
      const remedy = this.#getRemedy(error)
      const text = `The facts in ${this.location} are not accessible (${name}: ${message})`
      throw remedy === undefined
        ? new StoreError(`${text}: check that ${this.#endpoint} runs and is reachable`, {
            cause: error,
          })
        : new FactsError(`${text}: ${remedy}`, { cause: error })
    }
  }

  get #endpoint(): string {
    return this.#config.endpoint ?? 'AWS'
  }

  /** @returns undefined when the request may succeed later. */
  #getRemedy(error: unknown): string | undefined {
    const { name, message } = error as Error
    if (name === 'NoSuchBucket') {
      return `create the bucket ${this.#bucket} at ${this.#endpoint}, or correct facts.folder`
    }
    if (name === 'CredentialsProviderError') {
      return 'set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or another source of credentials of the AWS SDK'
    }
    if (/^Region is missing/.test(message)) {
      return 'set facts.s3.region or AWS_REGION'
    }
    if (
      ['PermanentRedirect', 'AuthorizationHeaderMalformed', 'IllegalLocationConstraint'].includes(
        name,
      )
    ) {
      return `set facts.s3.region to the region of the bucket ${this.#bucket}, or correct facts.s3.endpoint`
    }
    return [401, 403].includes(getStatus(error) ?? 0)
      ? `check AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, and that they may list, read, write and delete in the bucket ${this.#bucket}`
      : undefined
  }
}

function getStatus(error: unknown): number | undefined {
  return (error as { $metadata?: { httpStatusCode?: number } }).$metadata?.httpStatusCode
}

function toOptions(abortSignal: AbortSignal | undefined) {
  return abortSignal ? { abortSignal } : {}
}

function digestMd5(content: string | Uint8Array): string {
  return createHash('md5').update(content).digest('base64')
}

async function readPart(handle: FileHandle, offset: number, length: number): Promise<Buffer> {
  const part = Buffer.alloc(length)
  const { bytesRead } = await handle.read(part, 0, length, offset)
  if (bytesRead !== length) {
    throw new Error('A file of facts ended early')
  }
  return part
}

/** Loads the package, which other storages do not need. */
async function loadSdk(): Promise<Sdk> {
  try {
    return await import('@aws-sdk/client-s3')
  } catch (error) {
    throw new FactsError(
      'Facts in S3 require the optional package @aws-sdk/client-s3, which is not installed: install it with npm install @aws-sdk/client-s3, or set facts.folder to a local folder',
      { cause: error },
    )
  }
}
