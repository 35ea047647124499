/** The store cannot be opened. The message is meant for the operator. */
export class StoreError extends Error {
  override readonly name = 'StoreError'
  /** Whether another process uses the data folder. */
  readonly isInUse: boolean

  constructor(message: string, options: ErrorOptions & { readonly isInUse?: boolean } = {}) {
    super(message, options)
    this.isInUse = options.isInUse ?? false
  }
}

/** What an operator can do about a damaged embedded database. */
export function adviseRestore(dataFolder: string): string {
  return `restore a copy of ${dataFolder}, or delete that folder to index again, which deletes the API keys`
}
