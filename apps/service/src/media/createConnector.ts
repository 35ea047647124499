import { lookup as systemLookup, type LookupAddress } from 'node:dns'
import { isIP, type LookupFunction } from 'node:net'
import { buildConnector } from 'undici'
import type { NetworkPolicy } from './NetworkPolicy.ts'
import { UntrustedFetchError } from './UntrustedFetchError.ts'

/**
 * Makes what opens connections for strangers' URLs. Addresses are judged where they are used: the very answer of the
 * DNS that is connected to, so that a name cannot lead elsewhere between a look and the use.
 *
 * @param lookup - resolves names, as `dns.lookup` does.
 */
export function createConnector(
  { allowsAddress }: NetworkPolicy,
  timeoutMs: number,
  lookup: LookupFunction = systemLookup,
): buildConnector.connector {
  const judge = (address: string) => {
    if (allowsAddress(address)) {
      return
    }
    throw new UntrustedFetchError('address', `${address} is not of the public internet`)
  }
  const judgedLookup: LookupFunction = (name, options, callback) => {
    lookup(name, options, (error, found, family) => {
      if (error) {
        return callback(error, found, family)
      }
      const addresses: readonly (string | LookupAddress)[] = Array.isArray(found) ? found : [found]
      try {
        // One bad address spoils the name: who mixes them is up to something.
        for (const entry of addresses) {
          judge(typeof entry === 'string' ? entry : entry.address)
        }
      } catch (refused) {
        return callback(refused as NodeJS.ErrnoException, '', 0)
      }
      callback(null, found, family)
    })
  }
  const connect = buildConnector({ lookup: judgedLookup, timeout: timeoutMs, allowH2: false })
  return (options, callback) => {
    const host = options.hostname.replace(/^\[(.*)\]$/, '$1')
    try {
      // No look-up is made for an address.
      if (isIP(host)) {
        judge(host)
      }
    } catch (refused) {
      return callback(refused as Error, null)
    }
    connect(options, (...[error, socket]) => {
      if (error) {
        return callback(error, null)
      }
      try {
        judge(socket.remoteAddress ?? 'An unknown address')
      } catch (refused) {
        socket.destroy()
        return callback(refused as Error, null)
      }
      callback(null, socket)
    })
  }
}
