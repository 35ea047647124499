import type { Context, Handler } from 'hono'
import type { ChainConfig } from '../../config/Config.ts'
import { type Image, toImage } from '../../media/ImageLoader.ts'
import { UntrustedFetchError } from '../../media/UntrustedFetchError.ts'
import { ApiError } from '../../operations/ApiError.ts'
import { createReadQueue } from '../createReadQueue.ts'
import type { HonoEnv } from '../HonoEnv.ts'
import { respondTagged, setHeaders } from '../respond.ts'
import type { Service } from '../Service.ts'
import { findCollectibleImage } from './findCollectibleImage.ts'

/** Concurrent and queued queries. Few, as these requests need no key and must not delay those with one. */
const readLimits = { permits: 4, maxWaiting: 512 }
const retryAfterSeconds = 30
const maxTokenId = 2n ** 256n - 1n

const imageHeaders = {
  // The image at an untrusted URL may change, but rarely does.
  'Cache-Control': 'public, max-age=86400, stale-while-revalidate=604800',
  'Content-Security-Policy':
    "default-src 'none'; style-src 'unsafe-inline'; img-src data:; font-src data:; sandbox",
  'Cross-Origin-Resource-Policy': 'cross-origin',
  'X-Content-Type-Options': 'nosniff',
}

/**
 * Adds the routes of logos and of images of NFTs (specification 2). They need no key and cost no units, as an `<img>`
 * sends no headers. Therefore they load only images that a token list or an indexed contract names.
 */
export function serveMedia(
  serve: (path: string, handler: Handler<HonoEnv>) => void,
  { config, stores, media }: Pick<Service, 'config' | 'stores' | 'media'>,
): void {
  const queue = createReadQueue(readLimits)

  serve('/v1/evm/collectible/image/:chain_id/:contract/:token_id', async (context) => {
    const { id: chainId } = findChain(context, config.chains)
    const contract = parseAddress(context, 'contract')
    const tokenId = parseTokenId(context)
    // Limits the queries only: the image loader has limits of its own, and cached images need none.
    const key = { chainId, contract, tokenId }
    const uri = await queue.run(undefined, () => findCollectibleImage(stores.of(chainId), key))
    return respondImage(context, await load(() => media.images.load(uri, `${chainId}:${contract}`)))
  })

  serve('/beta/token/logo/:chain_id', async (context) => {
    const { id } = findChain(context, config.chains)
    const icon = await media.tokenLists.loadNativeIcon(id)
    if (icon === undefined) {
      throw logoNotFound()
    }
    return respondImage(context, toImage(Buffer.from(icon)))
  })

  serve('/beta/token/logo/:chain_id/:token_address', async (context) => {
    const { id } = findChain(context, config.chains)
    const token = parseAddress(context, 'token_address')
    const uri = media.tokenLists.find(id, token)?.logo
    if (uri === undefined) {
      throw logoNotFound()
    }
    return respondImage(context, await load(() => media.images.load(uri, `${id}:${token}`)))
  })
}

/**
 * Serves an untrusted image inertly: its type is detected from its bytes, `nosniff` forbids another one, and the content
 * security policy keeps an SVG from running scripts.
 */
function respondImage(context: Context<HonoEnv>, { type, bytes, tag }: Image): Response {
  setHeaders(context, imageHeaders)
  return respondTagged(context, `"${tag}"`, type, () => [bytes as Uint8Array<ArrayBuffer>])
}

function logoNotFound(): ApiError {
  return new ApiError(404, 'LOGO_NOT_FOUND', 'No token list has a logo of this token')
}

/** Maps failures of the image's server to 404 and 503, as they are not errors of this service. */
async function load(image: () => Promise<Image>): Promise<Image> {
  try {
    return await image()
  } catch (error) {
    if (!(error instanceof UntrustedFetchError)) {
      throw error
    }
    if (!error.retryable) {
      throw new ApiError(404, 'IMAGE_NOT_FOUND', 'Image not found or unsupported', {
        cause: error,
      })
    }
    throw new ApiError(503, 'IMAGE_UNAVAILABLE', 'The image is temporarily unavailable', {
      cause: error,
      retryAfterSeconds,
    })
  }
}

function findChain(context: Context, chains: readonly ChainConfig[]): ChainConfig {
  const text = context.req.param('chain_id') ?? ''
  if (!/^\d{1,16}$/.test(text)) {
    throw invalidParameter('chain_id', 'must be a numeric chain id')
  }
  const chain = chains.find(({ id }) => id === Number(text))
  if (chain) {
    return chain
  }
  throw new ApiError(404, 'CHAIN_NOT_SUPPORTED', `Chain ${Number(text)} is not supported`)
}

function parseAddress(context: Context, param: string): string {
  const text = context.req.param(param) ?? ''
  if (!/^0x[0-9a-fA-F]{40}$/.test(text)) {
    throw invalidParameter(param, 'must be 0x and 40 hex digits')
  }
  return text.toLowerCase()
}

function parseTokenId(context: Context): bigint {
  const text = context.req.param('token_id') ?? ''
  const tokenId = /^\d{1,78}$/.test(text) ? BigInt(text) : undefined
  if (tokenId !== undefined && tokenId <= maxTokenId) {
    return tokenId
  }
  throw invalidParameter('token_id', 'must be a whole number below 2^256')
}

function invalidParameter(param: string, rule: string): ApiError {
  return new ApiError(400, 'INVALID_PARAMETER', `${param} ${rule}`, { param })
}
