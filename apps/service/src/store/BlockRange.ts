/** Blocks above one, up to another one. */
export interface BlockRange {
  readonly after: number
  readonly upTo: number
}
