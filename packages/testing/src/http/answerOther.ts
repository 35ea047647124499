import { wireName } from '@headwater/contract'
import { fakeOperations } from '../operations/fakeOperations.ts'
import { hash } from '../world/hash.ts'
import type { World } from '../world/World.ts'

/** What is at the paths beside the operations, which take no key: a content type and a body; undefined for nothing. */
export function answerOther(
  path: string,
  { chains }: World,
): { readonly type: string; readonly body: string } | undefined {
  if (path.endsWith('/v1/evm/supported-chains')) {
    const listing = fakeOperations.filter(({ limit }) => limit !== undefined)
    const support = Object.fromEntries(
      listing.map(({ name }) => [wireName(name), { supported: true }]),
    )
    const list = chains.map(({ id, name, tags }) => ({ name, chain_id: id, tags, ...support }))
    return { type: 'application/json', body: JSON.stringify({ chains: list }) }
  }
  if (path.endsWith('/health')) return { type: 'application/json', body: '{"status":"ok"}' }
  if (/\/(beta\/token\/logo\/\d+|v1\/evm\/collectible\/image\/\d+\/.)/.test(path)) {
    const colour = `hsl(${hash(path) % 360} 70% 50%)`
    const circle = `<circle cx="16" cy="16" r="16" fill="${colour}"/>`
    const body = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32">${circle}</svg>`
    return { type: 'image/svg+xml', body }
  }
  return undefined
}
