import type { FactsConfig } from '../config/Config.ts'
import type { FactsStorage } from './FactsStorage.ts'
import { FolderStorage } from './FolderStorage.ts'
import { S3Storage } from './S3Storage.ts'

/**
 * Opens the storage that is configured.
 *
 * @param folder - what it is of, such as the id of a chain.
 * @param options.keepsCopies - false where files are read once.
 * @throws {FactsError} when the package of the storage is not installed.
 */
export async function openFactsStorage(
  { folder: root, s3 }: FactsConfig,
  folder: string,
  options: { readonly keepsCopies: boolean } = { keepsCopies: true },
): Promise<FactsStorage> {
  return s3 ? await S3Storage.open(root, s3, folder, options) : new FolderStorage(root, folder)
}
