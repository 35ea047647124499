import type { StackInfo } from '../Stack.ts'
import { collectiblePlace, findCollectible } from './collectibles.ts'
import type { Demo, Place } from './Demo.ts'
import { holding, walletOf } from './wallets.ts'

/** A screen of the demos as somebody sees it who was sent its link. */
export interface Screen {
  readonly name: string
  /** Asked for when it is to be opened: what is shown may be given away at any time. */
  readonly place: () => Promise<Place>
  /** Resolves when all that it shows is there. */
  readonly ready: (demo: Demo) => Promise<void>
}

/** Every screen, with much on it. */
export async function allScreens(stack: StackInfo): Promise<readonly Screen[]> {
  const alice = walletOf(stack, 'alice')
  const otto = walletOf(stack, 'otto')
  const token = await holding(stack, alice, 31337, 'DELTA')
  const tokenPlace = { screen: 'token', chain: 31337, token: token.address }
  return [
    { name: 'portfolio', place: async () => ({ address: alice }), ready: portfolioReady },
    { name: 'token', place: async () => ({ address: alice, ...tokenPlace }), ready: tokenReady },
    {
      name: 'collectibles',
      place: async () => ({ address: otto, screen: 'collectibles' }),
      ready: async (demo) => {
        await demo.byId('gallery').waitFor()
        await picturesReady(demo)
      },
    },
    {
      name: 'collectible',
      place: async () => {
        const pictured = await findCollectible(
          stack,
          otto,
          ({ image_url, metadata }) => image_url !== undefined && !!metadata?.attributes?.length,
        )
        return collectiblePlace(otto, pictured)
      },
      ready: async (demo) => {
        await demo.byId('collectible-detail').waitFor()
        await picturesReady(demo)
      },
    },
    {
      name: 'meter',
      place: async () => ({ address: alice, ...tokenPlace }),
      ready: async (demo) => {
        await tokenReady(demo)
        await demo.byId('meter-toggle').click()
        await demo.byId('meter-operation').first().waitFor()
      },
    },
  ]
}

async function portfolioReady(demo: Demo): Promise<void> {
  await demo.rows().first().waitFor()
  await demo.byId('total-value').waitFor()
}

async function tokenReady(demo: Demo): Promise<void> {
  await demo.byId('token-price').waitFor()
  await demo.byId('holder-row').first().waitFor()
  await demo.byId('token-chart').locator('canvas').first().waitFor()
}

/** The pictures that are seen are there, or what stands in their place. */
async function picturesReady(demo: Demo): Promise<void> {
  await demo.page.waitForFunction(() =>
    [...document.querySelectorAll<HTMLImageElement>('[data-testid=collectible-image]')]
      .filter((image) => image.getBoundingClientRect().top < innerHeight)
      .every((image) => image.complete),
  )
}
