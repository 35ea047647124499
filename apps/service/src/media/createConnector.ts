import { lookup as systemLookup, type LookupAddress } from 'node:dns'
import { isIP, type LookupFunction } from 'node:net'
import { buildConnector } from 'undici'
import type { NetworkPolicy } from './NetworkPolicy.ts'
import { UntrustedFetchError } from './UntrustedFetchError.ts'

/**
 * Creates a connector for untrusted URLs. It validates the very addresses that it connects to, so that a host name
 * cannot resolve to another address between the validation and the connection (DNS rebinding).
 *
 * @param lookup - resolves host names, like `dns.lookup`.
 */
export function createConnector(
  { allowsAddress }: NetworkPolicy,
  timeoutMs: number,
  lookup: LookupFunction = systemLookup,
): buildConnector.connector {
  const assertAllowed = (address: string) => {
    if (allowsAddress(address)) {
      return
    }
    throw new UntrustedFetchError('address', `${address} is not a public address`)
  }
  const validatedLookup: LookupFunction = (name, options, callback) => {
    lookup(name, options, (error, resolved, family) => {
      if (error) {
        return callback(error, resolved, family)
      }
      const addresses: readonly (string | LookupAddress)[] = Array.isArray(resolved)
        ? resolved
        : [resolved]
      try {
        // A single forbidden address rejects the host name: to mix them is a known attack.
        for (const entry of addresses) {
          assertAllowed(typeof entry === 'string' ? entry : entry.address)
        }
      } catch (rejection) {
        return callback(rejection as NodeJS.ErrnoException, '', 0)
      }
      callback(null, resolved, family)
    })
  }
  const connect = buildConnector({ lookup: validatedLookup, timeout: timeoutMs, allowH2: false })
  return (options, callback) => {
    const host = options.hostname.replace(/^\[(.*)\]$/, '$1')
    try {
      // IP addresses are not looked up.
      if (isIP(host)) {
        assertAllowed(host)
      }
    } catch (rejection) {
      return callback(rejection as Error, null)
    }
    connect(options, (...[error, socket]) => {
      if (error) {
        return callback(error, null)
      }
      try {
        assertAllowed(socket.remoteAddress ?? 'An unknown address')
      } catch (rejection) {
        socket.destroy()
        return callback(rejection as Error, null)
      }
      callback(null, socket)
    })
  }
}
