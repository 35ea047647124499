import { sql } from 'kysely'
import { expect, it, onTestFinished } from 'vitest'
import { createTestMedia } from '../../../test/createTestMedia.ts'
import { describeEachStore } from '../../../test/describeEachStore.ts'
import { seedChain, testAddress } from '../../../test/seedChain.ts'
import { startTestService } from '../../../test/startTestService.ts'
import { startWebServer, type WebPages } from '../../../test/startWebServer.ts'
import { testChainConfig } from '../../../test/testChainConfig.ts'
import type { MediaConfig } from '../../media/MediaConfig.ts'
import { fromHex } from '../../store/hex.ts'

const contract = testAddress(0xaf)
const png = Buffer.from('\x89PNG\r\n\x1a\n and so on', 'latin1')
const svg = '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>'
const imagePath = (tokenId: number | string, of: string = contract) =>
  `/v1/evm/collectible/image/1/${of}/${tokenId}`

/** Starts a web server of these pages, which is closed when the test ends. */
async function serveWeb(pages: WebPages) {
  const web = await startWebServer(pages)
  onTestFinished(web.close)
  return web
}

describeEachStore('serveMedia', (openTestStore) => {
  /** Starts a service of chain 1 with NFTs by token id: the URI of their image, or the state of their document. */
  async function start(
    images: Record<number, string | 'pending' | 'failed'>,
    overrides: Partial<MediaConfig> = {},
  ) {
    const store = await openTestStore()
    await seedChain(store.db, { chainId: 1, blocks: { 0: 0 } })
    for (const [token_id, image] of Object.entries(images)) {
      const isState = image === 'pending' || image === 'failed'
      await store.db
        .insertInto('collectibles')
        .values({
          chain_id: 1,
          contract: fromHex(contract),
          token_id,
          first_block: 0,
          metadata: isState ? image : 'read',
          image: isState ? null : image,
        })
        .execute()
    }
    const chains = [
      testChainConfig(1),
      testChainConfig(2, { nativeCurrency: { name: 'Odd', symbol: 'NOSUCHCOIN', decimals: 18 } }),
    ]
    const media = createTestMedia(chains, overrides)
    const { url } = await startTestService(store, chains, { media })
    const get = async (path: string, headers: Record<string, string> = {}) => {
      const response = await fetch(url + path, { headers })
      const bytes = Buffer.from(await response.arrayBuffer())
      const isJson = response.headers.get('content-type')?.includes('json')
      const body = isJson ? (JSON.parse(bytes.toString()) as { code: string }) : undefined
      return { status: response.status, headers: response.headers, bytes, code: body?.code }
    }
    return { store, url, media, get }
  }

  it('serves images of NFTs without a key or units, with the type of their bytes', async () => {
    const web = await serveWeb({ '/1.html': png })
    const { get } = await start({ 1: `${web.url}/1.html` })
    const { status, headers, bytes } = await get(imagePath(1))
    expect([status, bytes]).toEqual([200, png])
    expect(Object.fromEntries(headers)).toMatchObject({
      'content-type': 'image/png',
      'x-content-type-options': 'nosniff',
      'cross-origin-resource-policy': 'cross-origin',
      'cache-control': 'public, max-age=86400, stale-while-revalidate=604800',
      'x-compute-units-cost': '0',
      'access-control-allow-origin': '*',
    })
    const tag = headers.get('etag') ?? ''
    expect(tag).toMatch(/^"[\w-]{43}"$/)
    const again = await get(imagePath(1), { 'if-none-match': `"other", ${tag}` })
    expect([again.status, again.bytes.length]).toEqual([304, 0])
    expect(again.headers.get('content-security-policy')).toContain('sandbox')
    // The address is case-insensitive, and the image is cached.
    expect((await get(imagePath('01', contract.toUpperCase().replace('0X', '0x')))).bytes).toEqual(
      png,
    )
    expect(web.requested).toEqual(['/1.html'])
  })

  it('prevents scripts in SVG', async () => {
    const { get } = await start({ 1: `data:image/svg+xml,${encodeURIComponent(svg)}` })
    const { status, headers, bytes } = await get(imagePath(1))
    expect([status, bytes.toString()]).toEqual([200, svg])
    expect(headers.get('content-type')).toBe('image/svg+xml')
    const policy = headers.get('content-security-policy')?.split('; ')
    expect(policy).toEqual(
      expect.arrayContaining(["default-src 'none'", "style-src 'unsafe-inline'", 'sandbox']),
    )
    expect(policy?.join()).not.toMatch(/script-src|allow-scripts/)
  })

  it('reads ipfs: through the gateways', async () => {
    const cid = 'QmYwAPJzv5CZsnA625s3Xf2nemtYgPpHdWEz79ojWnPbdG'
    const web = await serveWeb({ [`/ipfs/${cid}/1.png`]: png })
    const { get } = await start(
      { 1: `ipfs://${cid}/1.png` },
      { ipfsGateways: [`${web.url}/ipfs/`], dangerouslyAllowPrivateNetworks: false },
    )
    expect((await get(imagePath(1))).bytes).toEqual(png)
  })

  it('rejects a page that its server or the contract declares as an image', async () => {
    const page = '<!DOCTYPE html><script>alert(1)</script>'
    const web = await serveWeb({ '/1.png': page })
    const { get } = await start({ 1: `${web.url}/1.png`, 2: `data:image/png,${page}` })
    for (const tokenId of [1, 2]) {
      expect(await get(imagePath(tokenId))).toMatchObject({ status: 404, code: 'IMAGE_NOT_FOUND' })
    }
  })

  it('responds with 404 to missing images, and caches that', async () => {
    const web = await serveWeb({})
    const { get } = await start({ 1: `${web.url}/gone.png`, 2: 'failed' })
    for (let time = 0; time < 3; time++) {
      expect(await get(imagePath(1))).toMatchObject({ status: 404, code: 'IMAGE_NOT_FOUND' })
    }
    expect(web.requested).toEqual(['/gone.png'])
    expect(await get(imagePath(2))).toMatchObject({ status: 404, code: 'IMAGE_NOT_FOUND' })
    expect(await get(imagePath(3))).toMatchObject({ status: 404, code: 'COLLECTIBLE_NOT_FOUND' })
    expect(await get(imagePath(1, testAddress(1)))).toMatchObject({ code: 'COLLECTIBLE_NOT_FOUND' })
    expect(await get(imagePath(1).replace('/1/', '/9/'))).toMatchObject({
      status: 404,
      code: 'CHAIN_NOT_SUPPORTED',
    })
  })

  it('responds with 503 and Retry-After while the source is unavailable, without naming it', async () => {
    const web = await serveWeb({ '/1.png': 500 })
    const { get } = await start({ 1: `${web.url}/1.png` })
    const { status, code, headers, bytes } = await get(imagePath(1))
    expect([status, code, headers.get('retry-after')]).toEqual([503, 'IMAGE_UNAVAILABLE', '30'])
    expect(headers.get('cache-control')).toBe('no-store')
    expect(bytes.toString()).not.toContain('127.0.0.1')
  })

  it('responds with 503 until the document is read, and gives it priority', async () => {
    const { get, store } = await start({ 1: 'pending' })
    const { status, code, headers } = await get(imagePath(1))
    expect([status, code, headers.get('retry-after')]).toEqual([503, 'IMAGE_NOT_READY', '5'])
    const { rows } = await sql`
      select token_id from collectibles where requested_at is not null`.execute(store.db)
    expect(rows).toHaveLength(1)
  })

  it('does not request images from private networks', async () => {
    const web = await serveWeb({ '/1.png': png })
    const { get } = await start(
      { 1: `${web.url}/1.png`, 2: 'http://169.254.169.254/latest/', 3: 'http://[::1]/' },
      { dangerouslyAllowPrivateNetworks: false },
    )
    for (const tokenId of [1, 2, 3]) {
      expect(await get(imagePath(tokenId))).toMatchObject({ status: 404, code: 'IMAGE_NOT_FOUND' })
    }
    expect(web.requested).toEqual([])
  })

  it.each([
    ['/v1/evm/collectible/image/one/0x/1', 'chain_id'],
    [imagePath(1, '0x12'), 'contract'],
    [imagePath('1e3'), 'token_id'],
    [imagePath(-1), 'token_id'],
    [imagePath(String(2n ** 256n)), 'token_id'],
    ['/beta/token/logo/ethereum', 'chain_id'],
    ['/beta/token/logo/1/native', 'token_address'],
  ])('rejects %s with the name of the parameter', async (path, param) => {
    const { url } = await start({})
    const response = await fetch(url + path)
    expect(response.status).toBe(400)
    expect(await response.json()).toMatchObject({ code: 'INVALID_PARAMETER', param })
  })

  it('serves the icon of a native asset', async () => {
    const { get, media, url } = await start({})
    expect(media.links.logo(1, 'native')).toBe(`${url}/beta/token/logo/1`)
    const { status, headers, bytes } = await get('/beta/token/logo/1')
    expect([status, headers.get('content-type')]).toEqual([200, 'image/svg+xml'])
    expect(bytes.toString()).toMatch(/^<svg /)
    expect(headers.get('content-security-policy')).toContain('sandbox')
    expect(media.links.logo(2, 'native')).toBeUndefined()
    expect(await get('/beta/token/logo/2')).toMatchObject({ status: 404, code: 'LOGO_NOT_FOUND' })
    expect(await get('/beta/token/logo/3')).toMatchObject({ code: 'CHAIN_NOT_SUPPORTED' })
  })

  it('serves the logo of a token list', async () => {
    const token = testAddress(0xabc)
    const logoURI = `data:image/png;base64,${png.toString('base64')}`
    const list = { tokens: [{ chainId: 1, address: token, logoURI }] }
    const web = await serveWeb({ '/list.json': JSON.stringify(list) })
    // A configured token list may be at a private address.
    const overrides = {
      tokenLists: [`${web.url}/list.json`],
      dangerouslyAllowPrivateNetworks: false,
    }
    const { get, media, url } = await start({}, overrides)
    expect(media.links.logo(1, token)).toBeUndefined()
    const stop = new AbortController()
    const running = media.tokenLists.run(stop.signal)
    await expect.poll(() => media.links.logo(1, token)).toBe(`${url}/beta/token/logo/1/${token}`)
    stop.abort()
    await running
    const { status, headers, bytes } = await get(`/beta/token/logo/1/${token}`)
    expect([status, headers.get('content-type'), bytes]).toEqual([200, 'image/png', png])
    expect(await get(`/beta/token/logo/2/${token}`)).toMatchObject({ code: 'LOGO_NOT_FOUND' })
    expect(await get(`/beta/token/logo/1/${testAddress(1)}`)).toMatchObject({
      status: 404,
      code: 'LOGO_NOT_FOUND',
    })
  })

  it('responds with 405 to other methods, and to HEAD without a body', async () => {
    const { url } = await start({})
    const posted = await fetch(`${url}/beta/token/logo/1`, { method: 'POST' })
    expect([posted.status, posted.headers.get('allow')]).toEqual([405, 'GET, HEAD, OPTIONS'])
    const head = await fetch(`${url}/beta/token/logo/1`, { method: 'HEAD' })
    expect([head.status, await head.text()]).toEqual([200, ''])
  })
})
