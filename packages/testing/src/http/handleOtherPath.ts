import { describeSupportedChains } from '@headwater/contract/schemas'
import { hash, hexOf } from '../world/hash.ts'
import type { World } from '../world/World.ts'
import { header } from './headers.ts'
import type { Reply } from './Reply.ts'

const json = { 'Content-Type': 'application/json' }

/** Responses of the paths that require no key: supported chains, health and images; undefined for other paths. */
export function handleOtherPath(
  path: string,
  { chains }: World,
): Required<Pick<Reply, 'headers' | 'body'>> | undefined {
  if (path === '/v1/evm/supported-chains') {
    const body = JSON.stringify(describeSupportedChains(chains))
    const tagged = { [header.tag]: `W/"${hexOf(body, 2)}"`, 'Cache-Control': 'private, no-cache' }
    return { headers: { ...json, ...tagged }, body }
  }
  if (path === '/health') {
    return { headers: json, body: '{"status":"ok"}' }
  }
  if (
    /^\/(beta\/token\/logo\/\d+(\/[^/]+)?|v1\/evm\/collectible\/image\/\d+\/[^/]+\/[^/]+)$/.test(
      path,
    )
  ) {
    const colour = `hsl(${hash(path) % 360} 70% 50%)`
    const circle = `<circle cx="16" cy="16" r="16" fill="${colour}"/>`
    const body = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32">${circle}</svg>`
    return { headers: { 'Content-Type': 'image/svg+xml' }, body }
  }
  return undefined
}
