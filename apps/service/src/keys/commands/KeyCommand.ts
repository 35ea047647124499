/** A command that manages keys. Its values are as typed, and validated when the command runs. */
export type KeyCommand =
  | ({ readonly type: 'keys-create' } & NewKeyOptions)
  | ({ readonly type: 'keys-update'; readonly id: string } & KeyChangeOptions)
  | { readonly type: 'keys-list'; readonly json?: boolean | undefined }
  | { readonly type: 'keys-revoke'; readonly id: string }

/** Options of `keys create`. */
export interface NewKeyOptions {
  readonly name: string
  readonly purpose?: string | undefined
  readonly rate?: string | undefined
  readonly units?: string | undefined
  readonly expires?: string | undefined
}

/** Options of `keys update`. */
export interface KeyChangeOptions {
  readonly name?: string | undefined
  readonly rate?: string | undefined
  readonly units?: string | undefined
  readonly addUnits?: string | undefined
  readonly expires?: string | undefined
}
