import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { promisify } from 'node:util'
import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { preview, type PreviewServer } from 'vite'
import { launchChromium } from '@headwater/chromium'

const root = path.join(import.meta.dirname, '../../..')

/** The built site in a browser. */
export class Site {
  readonly url: string
  readonly #server: PreviewServer
  readonly #browser: Browser

  private constructor(server: PreviewServer, browser: Browser) {
    this.#server = server
    this.#browser = browser
    this.url = server.resolvedUrls!.local[0]!
  }

  /** Builds the site, unless turbo has it, and serves it. */
  static async open(): Promise<Site> {
    const manifest = readFileSync(path.join(root, 'package.json'), 'utf8')
    const { packageManager } = JSON.parse(manifest) as { packageManager: string }
    const turbo = ['turbo', 'run', 'build', '--filter=@headwater/site', '--output-logs=errors-only']
    await promisify(execFile)(
      'npx',
      ['--yes', '--prefer-offline', packageManager, 'exec', ...turbo],
      {
        cwd: root,
      },
    )
    const server = await preview({
      root: path.join(root, 'docs/site'),
      configFile: false,
      logLevel: 'error',
      appType: 'mpa',
      preview: { port: 0, host: '127.0.0.1' },
    })
    return new Site(server, await launchChromium())
  }

  /** Opens a page in a context of its own. Rejects requests to other origins, which `requests` would contain. */
  async visit(
    file: string,
    options: BrowserContextOptions = {},
  ): Promise<{ page: Page; requests: string[]; messages: string[] }> {
    const context = await this.#browser.newContext({ reducedMotion: 'reduce', ...options })
    const page = await context.newPage()
    const requests: string[] = []
    const messages: string[] = []
    page.on('request', (request) => requests.push(request.url()))
    page.on('pageerror', (error) => messages.push(error.message))
    page.on('console', (message) => {
      if (['error', 'warning'].includes(message.type())) {
        messages.push(message.text())
      }
    })
    await page.goto(this.url + file, { waitUntil: 'networkidle' })
    return { page, requests, messages }
  }

  async close(): Promise<void> {
    await this.#browser.close()
    await this.#server.close()
  }
}
