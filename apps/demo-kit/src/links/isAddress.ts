/** Whether a value is an address that the service accepts. */
export function isAddress(value: unknown): value is string {
  return typeof value === 'string' && /^0x[0-9a-f]{40}$/i.test(value)
}
