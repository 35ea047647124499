import { default as ipaddr } from 'ipaddr.js'

/** The global unicast range of IPv6; the forms that embed an IPv4 address are outside of it. */
const globalUnicast = ipaddr.IPv6.parseCIDR('2000::/3')

/** In a public range, but served by the cloud host: the address at which Azure serves secrets to virtual machines. */
const cloudHosts: ReadonlySet<string> = new Set(['168.63.129.16'])

/**
 * Whether an IP address belongs to the public internet. It does not when it is private, loopback, link-local (the
 * metadata services of clouds), shared, multicast or reserved, or an IPv6 address that embeds an IPv4 address.
 *
 * @param address - in canonical form; other forms are not public.
 */
export function isPublicAddress(address: string): boolean {
  if (!ipaddr.IPv4.isValidFourPartDecimal(address) && !ipaddr.IPv6.isValid(address)) {
    return false
  }
  const parsed = ipaddr.parse(address)
  if (parsed.range() !== 'unicast' || cloudHosts.has(parsed.toString())) {
    return false
  }
  return !(parsed instanceof ipaddr.IPv6) || parsed.match(globalUnicast)
}
