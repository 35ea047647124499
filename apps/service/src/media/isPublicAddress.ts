import { default as ipaddr } from 'ipaddr.js'

/** IPv6 as handed out to the public internet; around it lie the forms that carry an IPv4 address within. */
const globalUnicast = ipaddr.IPv6.parseCIDR('2000::/3')

/** Public by number, but answered by the cloud's own host: what Azure gives its virtual machines secrets by. */
const cloudHosts: ReadonlySet<string> = new Set(['168.63.129.16'])

/**
 * Whether an IP address is one of the public internet: neither private, loopback, link-local (where clouds keep their
 * metadata), shared, multicast nor reserved, nor an IPv6 address that stands for an IPv4 one.
 *
 * @param address - as the system writes it; anything else is not public.
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
