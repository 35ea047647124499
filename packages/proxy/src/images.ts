const chainId = String.raw`\d{1,16}`
const address = '0x[0-9a-fA-F]{40}'

const imagePaths = [
  `/beta/token/logo/${chainId}(/${address})?`,
  `/v1/evm/collectible/image/${chainId}/${address}/${String.raw`\d{1,78}`}`,
].map((pattern) => new RegExp(`^${pattern}$`))

/** Whether a path is one of logos or images of NFTs. Specification 2. */
export function isImagePath(path: string): boolean {
  return imagePaths.some((pattern) => pattern.test(path))
}
