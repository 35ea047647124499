/** A failure of the devnet; the message contains the remedy. */
export class DevnetError extends Error {
  override readonly name = 'DevnetError'
}
