import { isPublicAddress } from './isPublicAddress.ts'

/** Where strangers' URLs may lead. */
export interface NetworkPolicy {
  /** @param address - an IP address as the system resolved it. */
  readonly allowsAddress: (address: string) => boolean
  readonly allowsPort: (port: number) => boolean
}

const webPorts: ReadonlySet<number> = new Set([80, 443, 8080, 8443])

/** Web servers of the public internet. */
export const publicInternet: NetworkPolicy = {
  allowsAddress: isPublicAddress,
  allowsPort: (port) => webPorts.has(port),
}

/** Anything that this machine reaches, its own services too: for local chains, whose media are served beside them. */
export const everyNetwork: NetworkPolicy = {
  allowsAddress: () => true,
  allowsPort: () => true,
}
