/** The configuration cannot be used; the message is a sentence for whoever wrote it. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError'
}
