import type { StackInfo } from '../Stack.ts'
import { findCollectible, linkToCollectible } from './collectibles.ts'
import type { Demo, LinkParameters } from './Demo.ts'
import { holding, walletOf } from './wallets.ts'

/** A screen of the demos that is opened by its link. */
export interface Screen {
  readonly name: string
  /** Computed when the screen is opened, because wallets change. */
  readonly link: () => Promise<LinkParameters>
  /** Resolves when the screen is complete. */
  readonly ready: (demo: Demo) => Promise<void>
}

/** All screens, with a lot of data. */
export async function allScreens(stack: StackInfo): Promise<readonly Screen[]> {
  const alice = walletOf(stack, 'alice')
  const otto = walletOf(stack, 'otto')
  const token = await holding(stack, alice, 31337, 'DELTA')
  const tokenLink = { screen: 'token', chain: 31337, token: token.address }
  return [
    { name: 'portfolio', link: async () => ({ address: alice }), ready: portfolioReady },
    { name: 'token', link: async () => ({ address: alice, ...tokenLink }), ready: tokenReady },
    {
      name: 'collectibles',
      link: async () => ({ address: otto, screen: 'collectibles' }),
      ready: async (demo) => {
        await demo.byId('gallery').waitFor()
        await imagesReady(demo)
      },
    },
    {
      name: 'collectible',
      link: async () => {
        const pictured = await findCollectible(
          stack,
          otto,
          ({ image_url, metadata }) => image_url !== undefined && !!metadata?.attributes?.length,
        )
        return linkToCollectible(otto, pictured)
      },
      ready: async (demo) => {
        await demo.byId('collectible-detail').waitFor()
        await imagesReady(demo)
      },
    },
    {
      name: 'meter',
      link: async () => ({ address: alice, ...tokenLink }),
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

/** Waits until the visible images are loaded or failed. */
async function imagesReady(demo: Demo): Promise<void> {
  await demo.page.waitForFunction(() =>
    [...document.querySelectorAll<HTMLImageElement>('[data-testid=collectible-image]')]
      .filter((image) => image.getBoundingClientRect().top < innerHeight)
      .every((image) => image.complete),
  )
}
