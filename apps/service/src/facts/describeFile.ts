import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { pipeline } from 'node:stream/promises'
import type { StoredFile } from './FactsStorage.ts'
import { orMissing } from './orMissing.ts'

/** The size and the hash of a local file. */
export async function describeFile(file: string): Promise<Omit<StoredFile, 'name'>> {
  const hash = createHash('sha256')
  await pipeline(createReadStream(file), hash)
  return { bytes: (await stat(file)).size, sha256: hash.digest('hex') }
}

/**
 * @returns whether a local file exists and has a content.
 * @throws {Error} when it cannot be read for another reason than that it is missing, such as too many open files.
 */
export async function hasContent(
  file: string,
  { bytes, sha256 }: Omit<StoredFile, 'name'>,
): Promise<boolean> {
  const found = await orMissing(describeFile(file))
  return found?.bytes === bytes && found.sha256 === sha256
}
