import type { MediaConfig } from './MediaConfig.ts'

const maxLength = 8192
/** A content identifier of IPFS, of either version; gateways validate it fully. */
const cid =
  '(?:Qm[1-9A-HJ-NP-Za-km-z]{44}|b[a-z2-7]{50,120}|f[0-9a-f]{50,200}|k[0-9a-z]{50,120}|z[1-9A-HJ-NP-Za-km-z]{40,120})'
const ipfsUri = new RegExp(`^ipfs:/*(?:ipfs/)*(${cid})((?:[/?].*)?)$`, 'is')
const bareCid = new RegExp(`^/?(?:ipfs/)?(${cid})((?:[/?].*)?)$`, 's')
const gatewayUrl = new RegExp(`^https?://[^/?#]+/ipfs/(${cid})((?:[/?].*)?)$`, 'is')
const arweaveUri = /^ar:\/*([\w-]{43})((?:[/?].*)?)$/is

/**
 * Resolves a URI to HTTP URLs of the same content, the preferred one first; empty when its scheme is not supported. The
 * URLs are not validated.
 */
export function resolveUri(
  uri: string,
  { ipfsGateways, arweaveGateways }: Pick<MediaConfig, 'ipfsGateways' | 'arweaveGateways'>,
): string[] {
  if (uri.length > maxLength) {
    return []
  }
  const ipfs = ipfsUri.exec(uri) ?? bareCid.exec(uri)
  if (ipfs) {
    return toGatewayUrls(ipfsGateways, ipfs)
  }
  const arweave = arweaveUri.exec(uri)
  if (arweave) {
    return toGatewayUrls(arweaveGateways, arweave)
  }
  if (!/^https?:\/\//i.test(uri)) {
    return []
  }
  // A public gateway may have shut down, but other gateways have the same content.
  const content = gatewayUrl.exec(uri)
  const others = content ? toGatewayUrls(ipfsGateways, content) : []
  return [uri, ...others.filter((url) => url !== uri)]
}

function toGatewayUrls(
  gateways: readonly string[],
  [, id = '', rest = '']: RegExpExecArray,
): string[] {
  const path = encodePath(rest)
  if (path === undefined) {
    return []
  }
  return gateways.map((gateway) => `${gateway}${gateway.endsWith('/') ? '' : '/'}${id}${path}`)
}

/** Encodes unescaped file names, such as `#1.png`; undefined for a path that leaves the content (`..`). */
function encodePath(path: string): string | undefined {
  const [names = '', ...query] = path.split('?')
  if (names.split('/').some((name) => /^(\.|%2e){1,2}$/i.test(name))) {
    return undefined
  }
  const encoded = encodeURI(names.toWellFormed())
    .replaceAll(/%25([0-9a-f]{2})/gi, '%$1')
    .replaceAll('#', '%23')
  return [encoded, ...query].join('?')
}
