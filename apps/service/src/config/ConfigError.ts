/** The configuration is invalid; the message names the field and is meant for the operator. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError'
}
