import type { MediaConfig } from './MediaConfig.ts'

/** Longer ones no URL is made of, and none is asked. */
const maximumLength = 8192
/** A content identifier of IPFS, of either version. It is the gateway that knows whether it is a right one. */
const cid =
  '(?:Qm[1-9A-HJ-NP-Za-km-z]{44}|b[a-z2-7]{50,120}|f[0-9a-f]{50,200}|k[0-9a-z]{50,120}|z[1-9A-HJ-NP-Za-km-z]{40,120})'
const ipfsUri = new RegExp(`^ipfs:/*(?:ipfs/)*(${cid})((?:[/?].*)?)$`, 'is')
const bareCid = new RegExp(`^/?(?:ipfs/)?(${cid})((?:[/?].*)?)$`, 's')
const gatewayUrl = new RegExp(`^https?://[^/?#]+/ipfs/(${cid})((?:[/?].*)?)$`, 'is')
const arweaveUri = /^ar:\/*([\w-]{43})((?:[/?].*)?)$/is

/**
 * Where what a URI names can be read over HTTP, the preferred URL first; empty when it cannot. That the URLs may be
 * asked is not said.
 */
export function resolveUri(
  uri: string,
  { ipfsGateways, arweaveGateways }: Pick<MediaConfig, 'ipfsGateways' | 'arweaveGateways'>,
): string[] {
  if (uri.length > maximumLength) {
    return []
  }
  const ipfs = ipfsUri.exec(uri) ?? bareCid.exec(uri)
  if (ipfs) {
    return through(ipfsGateways, ipfs)
  }
  const arweave = arweaveUri.exec(uri)
  if (arweave) {
    return through(arweaveGateways, arweave)
  }
  if (!/^https?:\/\//i.test(uri)) {
    return []
  }
  // Gateways come and go; what they served is content that others have.
  const served = gatewayUrl.exec(uri)
  const others = served ? through(ipfsGateways, served) : []
  return [uri, ...others.filter((url) => url !== uri)]
}

function through(gateways: readonly string[], [, id = '', rest = '']: RegExpExecArray): string[] {
  const path = encodePath(rest)
  if (path === undefined) {
    return []
  }
  return gateways.map((gateway) => `${gateway}${gateway.endsWith('/') ? '' : '/'}${id}${path}`)
}

/** File names are written as they are, `#1.png` too; undefined for those that lead out of the content. */
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
