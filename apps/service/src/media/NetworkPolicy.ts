import { isPublicAddress } from './isPublicAddress.ts'

/** The addresses and ports that untrusted URLs may reach. */
export interface NetworkPolicy {
  /** @param address - a resolved IP address. */
  readonly allowsAddress: (address: string) => boolean
  readonly allowsPort: (port: number) => boolean
}

const webPorts: ReadonlySet<number> = new Set([80, 443, 8080, 8443])

/** Allows web servers on the public internet. */
export const publicInternet: NetworkPolicy = {
  allowsAddress: isPublicAddress,
  allowsPort: (port) => webPorts.has(port),
}

/** Allows every address and port, those of this machine included: for local chains, as it also serves their media. */
export const everyNetwork: NetworkPolicy = {
  allowsAddress: () => true,
  allowsPort: () => true,
}
