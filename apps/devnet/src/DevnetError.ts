/** Something that the devnet cannot do, in a sentence that says what to do about it. */
export class DevnetError extends Error {
  override readonly name = 'DevnetError'
}
