/** A chain's name without what people write differently: capitals, spaces and marks. */
export function simplifyName(name: string): string {
  return name.toLowerCase().replace(/[^a-z0-9]/g, '')
}
