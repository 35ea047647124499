/** A file whose content is known. */
export interface StoredFile {
  /** Relative, such as `transfers/<first block>-<last block>.parquet`. */
  readonly name: string
  readonly bytes: number
  /** Hex. */
  readonly sha256: string
}

/**
 * Where the files of the facts of a chain are. Names are relative, with `/`. All methods throw a `FactsError` for what an
 * operator has to correct, and other errors for failures that may pass.
 */
export interface FactsStorage {
  /** Path or URL, for messages. */
  readonly location: string
  /** A local folder for temporary files, such as those that are being written. Nothing else uses it. */
  readonly workFolder: string
  /**
   * The names of the files in a folder, with their versions where they are known: a file of the same version has the same
   * content.
   */
  list(folder: string): Promise<readonly { readonly name: string; readonly version?: string }[]>
  /** @returns the text of a file, undefined when there is none. */
  read(name: string): Promise<string | undefined>
  /** Writes a small file unless it exists, whole or not at all. @returns whether it did not exist. */
  create(name: string, text: string): Promise<boolean>
  /** Moves a local file to the storage, and replaces one of that name. */
  add(file: string, stored: StoredFile, signal?: AbortSignal): Promise<void>
  /** Deletes a file if there is one. */
  remove(name: string): Promise<void>
  /** @returns whether there is a file with this content. */
  isIntact(stored: StoredFile, signal?: AbortSignal): Promise<boolean>
  /** @throws {FactsError} when local files with this content need more space than is configured. */
  requireSpace(stored: readonly StoredFile[]): void
  /**
   * Provides local files with this content. Those of an earlier call may not exist afterwards.
   *
   * @throws {FactsError} as {@link requireSpace} does.
   */
  load(stored: readonly StoredFile[], signal?: AbortSignal): Promise<string[]>
  /** Ends connections, and deletes temporary files. */
  close(): Promise<void>
}
