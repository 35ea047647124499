import type { APIResponse } from 'playwright-core'
import { describe, expect } from 'vitest'
import type { CollectiblesResponse } from '@headwater/contract'
import { bindingNames } from '../../scripts/bindings.ts'
import {
  type Collectible,
  collectiblesOf,
  findCollectible,
  linkToCollectible,
} from './demo/collectibles.ts'
import type { Demo } from './demo/Demo.ts'
import { demoTest } from './demo/demoTest.ts'
import { findAxeViolations } from './demo/findAxeViolations.ts'
import { walletOf } from './demo/wallets.ts'
import { getStack } from './getStack.ts'

const stack = await getStack()
const otto = walletOf(stack, 'otto')

const nameOf = ({ chain_id, contract_address, token_id }: Collectible) =>
  `${chain_id}/${contract_address}/${token_id}`

/** The identities of the rendered cards. */
const shown = (demo: Demo) =>
  demo
    .byId('collectible-card')
    .evaluateAll((cards) =>
      cards.map(({ dataset }) => `${dataset.chainId}/${dataset.contract}/${dataset.tokenId}`),
    )

describe.each(bindingNames)('collectibles in %s', (framework) => {
  const it = demoTest(stack, framework)

  it('shows the whole gallery when it is scrolled to its end', async ({ demo }) => {
    // This wallet owns more cards than the gallery renders at first, and receives positions at any time. Each page is served
    // as it was at first: an inserted card would shift the others.
    const pages = new Map<string, Promise<APIResponse>>()
    await demo.intercept('collectibles', async (route) => {
      const url = route.request().url()
      const response = pages.get(url) ?? route.fetch()
      pages.set(url, response)
      await route.fulfill({ response: await response })
    })
    await demo.goto({ address: walletOf(stack, 'ranger'), screen: 'collectibles' })
    await demo.byId('collectible-card').first().waitFor()
    const end = demo.byId('gallery-end')
    const scrollToEnd = async () => {
      await demo.page.evaluate(() => scrollTo(0, document.documentElement.scrollHeight))
      return end.count()
    }
    await expect.poll(scrollToEnd).toBe(1)
    const served = await Promise.all(
      [...pages.values()].map(async (page) => (await page).json() as Promise<CollectiblesResponse>),
    )
    const names = new Set(served.flatMap(({ entries }) => entries.map(nameOf)))
    expect(names.size).toBeGreaterThan(48)
    expect((await shown(demo)).toSorted()).toEqual([...names].toSorted())
  })

  it('shows a placeholder of the same size for missing and broken images', async ({ demo }) => {
    const drawn = await findCollectible(stack, otto, ({ image_url }) => image_url !== undefined)
    const broken = await findCollectible(
      stack,
      otto,
      (each) => each.image_url !== undefined && nameOf(each) !== nameOf(drawn),
    )
    // With metadata that was read: others may still get an image.
    const bare = await findCollectible(
      stack,
      otto,
      ({ image_url, name }) => image_url === undefined && name !== undefined,
    )
    await demo.page.route(`**${new URL(broken.image_url!).pathname}*`, (route) => route.abort())
    await demo.goto({ address: otto, screen: 'collectibles' })
    const picture = demo.card(drawn).getByTestId('collectible-image')
    await picture.scrollIntoViewIfNeeded()
    const width = () => picture.evaluate((image) => (image as HTMLImageElement).naturalWidth)
    await expect.poll(width).toBeGreaterThan(0)
    const boxes = [await picture.boundingBox()]
    for (const collectible of [broken, bare]) {
      const place = demo.card(collectible).getByTestId('collectible-image-missing')
      await demo.card(collectible).scrollIntoViewIfNeeded()
      await place.waitFor()
      boxes.push(await place.boundingBox())
    }
    const sizes = boxes.map((box) => `${Math.round(box!.width)}x${Math.round(box!.height)}`)
    expect(new Set(sizes).size, sizes.join()).toBe(1)
  })

  it('shows attributes and last sale of a collectible, and links back to the gallery', async ({
    demo,
  }) => {
    const sold = await findCollectible(
      stack,
      otto,
      ({ last_sale_price, metadata }) =>
        last_sale_price !== undefined && (metadata?.attributes?.length ?? 0) > 0,
    )
    await demo.goto({ address: otto, screen: 'collectibles' })
    await demo.card(sold).getByRole('link').click()
    const detail = demo.byId('collectible-detail')
    await detail.waitFor()
    expect(demo.query('id')).toBe(sold.token_id)
    expect(await detail.getByRole('heading', { level: 1 }).innerText()).toBe(sold.name)
    // Another sale may happen meanwhile.
    const isLastSale = async () => {
      const now = await findCollectible(stack, otto, (each) => nameOf(each) === nameOf(sold))
      return (await demo.byId('last-sale').innerText()).includes(String(now.last_sale_price))
    }
    await expect.poll(isLastSale).toBe(true)
    const attributes = await demo.byId('attribute').allInnerTexts()
    expect(attributes.map((text) => text.split('\n').at(-1))).toEqual(
      sold.metadata!.attributes!.map(({ value }) => String(value)),
    )
    await demo.byId('collectible-back').click()
    await demo.byId('gallery').waitFor()
    expect(demo.query('screen')).toBe('collectibles')
  })

  it('finds the collectible of a link on any page of the listing', async ({ demo }) => {
    const ranger = walletOf(stack, 'ranger')
    const last = (await collectiblesOf(stack, ranger)).at(-1)!
    await demo.goto(linkToCollectible(ranger, last))
    await demo.byId('collectible-detail').waitFor()
    await demo.goto(linkToCollectible(walletOf(stack, 'empty'), last))
    await demo.byId('state-empty').waitFor()
    expect(await findAxeViolations(demo.page)).toEqual([])
  })

  it('renders texts of malicious contracts as text', async ({ demo }) => {
    const hostile = await stack.wallets.reduce<Promise<[string, Collectible] | undefined>>(
      async (found, { address }) => {
        if (await found) {
          return found
        }
        const siren = (await collectiblesOf(stack, address)).find(({ name }) =>
          name?.includes('Siren'),
        )
        return siren && [address, siren]
      },
      Promise.resolve(undefined),
    )
    if (!hostile) {
      throw new Error('No wallet owns the Siren.')
    }
    const [owner, siren] = hostile
    demo.page.on('dialog', () => demo.pageErrors.push('a script of a contract was executed'))
    await demo.goto(linkToCollectible(owner, siren))
    const heading = demo.byId('collectible-detail').getByRole('heading', { level: 1 })
    await heading.waitFor()
    expect(await heading.innerText()).toContain('<img src=x onerror=alert(4)> Siren')
    expect(await heading.locator('img').count()).toBe(0)
    expect(await demo.page.title()).not.toBe('sunk')
  })
})
