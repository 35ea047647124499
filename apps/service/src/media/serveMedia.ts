import type { Context, Handler } from 'hono'
import type { ChainConfig } from '../config/Config.ts'
import { createLimiter } from '../http/createLimiter.ts'
import type { Environment } from '../http/Environment.ts'
import type { Service } from '../http/Service.ts'
import { ApiError } from '../operations/ApiError.ts'
import { findCollectibleImage } from './findCollectibleImage.ts'
import { type Image, toImage } from './ImageLoader.ts'
import { respondImage } from './respondImage.ts'
import { UntrustedFetchError } from './UntrustedFetchError.ts'

/** Questions to the store at once, and those that wait. They come without a key, so those with one must not wait for them. */
const capacity = { working: 4, waiting: 512 }
const RETRY_AFTER_SECONDS = 30
const maximumTokenId = 2n ** 256n - 1n

/**
 * Adds the paths of logos and of images of NFTs (specification 2). They take no key and cost no units, as a page's
 * `<img>` sends no headers; so only what this service knows of is loaded, so much at once, and remembered.
 */
export function serveMedia(
  serve: (path: string, handler: Handler<Environment>) => void,
  { config, store, media }: Pick<Service, 'config' | 'store' | 'media'>,
): void {
  const gate = createLimiter(capacity)
  const chainOf = (context: Context) => findChain(context, config.chains)

  serve('/v1/evm/collectible/image/:chain_id/:contract/:token_id', async (context) => {
    const { id: chainId } = chainOf(context)
    const contract = addressIn(context, 'contract')
    const tokenId = tokenIdIn(context)
    // Only the store: how many images are loaded at once is for the loading to say, and those at hand need not wait.
    const uri = await gate(() => findCollectibleImage(store, { chainId, contract, tokenId }))
    return respondImage(context, await load(() => media.images.load(uri, `${chainId}:${contract}`)))
  })

  serve('/beta/token/logo/:chain_id', async (context) => {
    const { id } = chainOf(context)
    const icon = await media.directory.loadNativeIcon(id)
    if (icon === undefined) {
      throw noLogo()
    }
    return respondImage(context, toImage(Buffer.from(icon)))
  })

  serve('/beta/token/logo/:chain_id/:token_address', async (context) => {
    const { id } = chainOf(context)
    const token = addressIn(context, 'token_address')
    const uri = media.directory.find(id, token)?.logo
    if (uri === undefined) {
      throw noLogo()
    }
    return respondImage(context, await load(() => media.images.load(uri, `${id}:${token}`)))
  })
}

function noLogo(): ApiError {
  return new ApiError(404, 'LOGO_NOT_FOUND', 'No logo is known of this token')
}

/** What a stranger's server does wrong is no fault of this service. */
async function load(image: () => Promise<Image>): Promise<Image> {
  try {
    return await image()
  } catch (error) {
    if (!(error instanceof UntrustedFetchError)) {
      throw error
    }
    if (!error.retryable) {
      throw new ApiError(404, 'IMAGE_NOT_FOUND', 'There is no image that can be served', {
        cause: error,
      })
    }
    throw new ApiError(503, 'IMAGE_UNAVAILABLE', 'The image cannot be had from its source now', {
      cause: error,
      retryAfterSeconds: RETRY_AFTER_SECONDS,
    })
  }
}

function findChain(context: Context, chains: readonly ChainConfig[]): ChainConfig {
  const text = context.req.param('chain_id') ?? ''
  if (!/^\d{1,16}$/.test(text)) {
    throw invalid('chain_id', 'must be a numeric chain id')
  }
  const chain = chains.find(({ id }) => id === Number(text))
  if (chain) {
    return chain
  }
  throw new ApiError(404, 'CHAIN_NOT_SUPPORTED', `Chain ${Number(text)} is not served here`)
}

function addressIn(context: Context, param: string): string {
  const text = context.req.param(param) ?? ''
  if (!/^0x[0-9a-fA-F]{40}$/.test(text)) {
    throw invalid(param, 'must be 0x and 40 hex digits')
  }
  return text.toLowerCase()
}

function tokenIdIn(context: Context): bigint {
  const text = context.req.param('token_id') ?? ''
  const tokenId = /^\d{1,78}$/.test(text) ? BigInt(text) : undefined
  if (tokenId !== undefined && tokenId <= maximumTokenId) {
    return tokenId
  }
  throw invalid('token_id', 'must be a whole number below 2^256')
}

function invalid(param: string, rule: string): ApiError {
  return new ApiError(400, 'INVALID_PARAMETER', `${param} ${rule}`, { param })
}
