import { cp, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it, type TestContext, vi } from 'vitest'
import { launchChromium } from '@headwater/chromium'
import { findAnvil } from '@headwater/devnet'
import { bindingNames } from '../../scripts/bindings.ts'
import { openPage } from './appPage.ts'
import { expectBrowserRendering } from './expectBrowserRendering.ts'
import { expectServerRendering, locale } from './expectServerRendering.ts'
import { packPackages } from './packPackages.ts'
import { pinnedNode, root, run, start } from './run.ts'

// Outside of the repository, so that no module resolves to it.
const folder = await mkdtemp(path.join(tmpdir(), 'headwater-integrations-'))
let tarballs: Record<string, string>
/** The command of the packed `create-headwater`. */
const command = path.join(folder, 'command/node_modules/.bin/create-headwater')
let browser: Browser

beforeAll(async () => {
  tarballs = await packPackages(folder)
  await mkdir(path.join(folder, 'command'))
  await install(path.join(folder, 'command'), ['create-headwater'])
  browser = await launchChromium()
})
afterAll(async () => {
  await browser?.close()
  await rm(folder, { recursive: true })
})

/** Installs the dependencies of an app, with the packed packages in place of those of the registry. */
async function install(app: string, packages: readonly string[]): Promise<void> {
  const options = ['--no-audit', '--no-fund', '--prefer-offline']
  await run('npm', ['install', ...options, ...packages.map((name) => tarballs[name]!)], app)
}

/** Copies an app, and installs its dependencies. Returns its folder. */
async function copyApp(name: string, packages: readonly string[]): Promise<string> {
  const app = path.join(folder, name)
  await cp(path.join(root, 'integrations', name), app, { recursive: true })
  await cp(path.join(root, 'integrations/shared'), app, { recursive: true })
  await install(app, ['contract', 'core', 'testing', ...packages])
  return app
}

/**
 * Creates an app from a template by the packed command, and expects that it passes its own checks and test, and builds.
 *
 * @param wallet - The file of an app that renders on a server which shows balances. Before it is built, further pages are added
 *   to the app, a locale that runtimes format differently, and an interval in which a test can count requests without polls.
 */
async function create(
  template: string,
  packages: readonly string[],
  { wallet, variables }: { wallet?: string; variables?: NodeJS.ProcessEnv } = {},
): Promise<string> {
  await run(command, [template, '--template', template], folder)
  const app = path.join(folder, template)
  const files = await readdir(app, { recursive: true, withFileTypes: true })
  expect(files.filter((file) => file.isFile()).length).toBeLessThanOrEqual(11)
  await install(app, ['contract', 'core', 'testing', 'proxy', ...packages])
  for (const script of ['lint', 'check']) {
    await run('npm', ['run', script], app, pinnedNode)
  }
  // Vitest's own timeouts are too short on a busy machine.
  const timeouts = ['--testTimeout=60000', '--expect.poll.timeout=30000']
  await run('npm', ['run', 'test', '--', ...timeouts], app, pinnedNode)
  if (wallet !== undefined) {
    await cp(path.join(root, 'integrations', template), app, { recursive: true })
    await cp(path.join(root, 'integrations/shared'), app, { recursive: true })
    const file = path.join(app, wallet)
    const text = (await readFile(file, 'utf8'))
      .replace('en-US', locale)
      .replace(/(Balances\(.*)\)$/m, '$1, { refetchInterval: 60_000 })')
    await writeFile(file, text)
  }
  await run('npm', ['run', 'build'], app, variables)
  return app
}

/** Starts the packed fake service and a server of pages. Expects that a page shows balances and updates them. */
async function expectLiveBalances(
  app: string,
  server: string,
  { onTestFinished }: TestContext,
): Promise<void> {
  const service = await start('npm', ['run', 'service'], app, /\{.*\}/)
  onTestFinished(() => service.stop())
  const pages = await start('npm', ['run', server], app, /http:\/\/[\d.]+:\d+/)
  onTestFinished(() => pages.stop())

  const { url, key, address } = JSON.parse(service.readyText) as Record<string, string>
  const { page, messages } = await openPage(browser)
  onTestFinished(() => page.context().close())
  const query = new URLSearchParams({ service: url!, key: key!, address: address! })
  await page.goto(`${pages.readyText}/?${query}`)
  await page.locator('li').first().waitFor()

  const rows = () => page.locator('li').allInnerTexts()
  const tokens = (lines: string[]) => lines.map((line) => line.split(' ')[0]).sort()
  const response = await fetch(`${url}/v1/evm/balances/${address}`, {
    headers: { 'X-Service-Api-Key': key! },
  })
  const { balances } = (await response.json()) as {
    balances: { chain_id: number; address: string }[]
  }
  const first = await rows()
  expect(tokens(first)).toEqual(balances.map((row) => `${row.chain_id}/${row.address}`).sort())
  // The fake service adds blocks, which change amounts without a reload.
  await vi.waitFor(async () => expect(await rows()).not.toEqual(first), { timeout: 30_000 })
  expect(messages).toEqual([])
}

/** Mounts the packed devtools beside the client of a Vite app. Expects that only builds for development contain them. */
async function expectDevtools(app: string): Promise<void> {
  const file = path.join(app, 'src/main.tsx')
  const mount = "import { mountDevtools } from '@headwater/devtools'\n\nmountDevtools(client)\n"
  await writeFile(file, (await readFile(file, 'utf8')) + mount)
  for (const mode of ['development', 'production']) {
    await run('npm', ['run', 'build', '--', '--mode', mode], app, { NODE_ENV: mode })
    const scripts = await readdir(path.join(app, 'dist/assets'))
    const texts = scripts.map((script) => readFile(path.join(app, 'dist/assets', script), 'utf8'))
    const text = (await Promise.all(texts)).join()
    expect(text.includes('headwater-devtools'), mode).toBe(mode === 'development')
  }
}

/** What `checkClient.js` reports in each runtime. */
const report = {
  balances: expect.arrayContaining([expect.stringMatching(/^\d+\/(native|0x[\da-f]{40}) \d+$/)]),
  polledAmounts: 2,
  holders: 2_000,
  timeout: 'TimeoutError',
  destroyed: 'DestroyedError',
  missingGlobal: 'ReferenceError',
  amount: '1.23456789',
  isCounted: true,
}

// First, because they take longest.
describe.concurrent('a created app that renders on a server', () => {
  it('works with Next.js', async (context) => {
    const folder = await create('next', ['react'], { wallet: 'app/Wallet.tsx' })
    const created = {
      folder,
      server: ['run', 'start', '--', '--hostname', '127.0.0.1', '--port', '0'],
      publicFolder: '.next/static',
      locale,
      requestsToNavigate: 0,
    }
    await expectBrowserRendering(browser, created, context)
    const app = {
      folder,
      server: [
        'node_modules/next/dist/bin/next',
        'start',
        '--hostname',
        '127.0.0.1',
        '--port',
        '0',
      ],
      publicFolders: ['.next/static'],
      paths: ['/?address=', '/streamed?address=', '/pages?address='],
      requestsToNavigate: 0,
    }
    await expectServerRendering(browser, app, context)
  })

  it('works with SvelteKit', async (context) => {
    const wallet = 'src/routes/+page.svelte'
    const folder = await create('sveltekit', ['svelte'], { wallet, variables: pinnedNode })
    const created = {
      folder,
      server: ['run', 'preview', '--', '--host', '127.0.0.1', '--port', '0'],
      publicFolder: 'build/client',
      locale,
      variables: pinnedNode,
      requestsToNavigate: 0,
    }
    await expectBrowserRendering(browser, created, context)
    const app = {
      folder,
      server: ['build'],
      publicFolders: ['build/client'],
      variables: { ...pinnedNode, HOST: '127.0.0.1', PORT: '0', SHUTDOWN_TIMEOUT: '1' },
      paths: ['/?address=', '/streamed?address='],
      pendingPaths: ['/streamed?address='],
      requestsToNavigate: 0,
    }
    await expectServerRendering(browser, app, context)
  })

  it('works with Nuxt', async (context) => {
    const wallet = 'app/components/Wallet.vue'
    const folder = await create('nuxt', ['vue', 'nuxt'], { wallet, variables: pinnedNode })
    const created = {
      folder,
      server: ['run', 'preview'],
      publicFolder: '.output/public',
      locale,
      variables: { ...pinnedNode, HOST: '127.0.0.1', PORT: '0' },
      requestsToNavigate: 1,
    }
    await expectBrowserRendering(browser, created, context)
    const app = {
      folder,
      server: ['.output/server/index.mjs'],
      publicFolders: ['.output/public'],
      variables: { ...pinnedNode, HOST: '127.0.0.1', PORT: '0' },
      paths: ['/?address='],
      // Navigation renders in the browser, which fetches through the proxy what no page prefetched.
      requestsToNavigate: 1,
      isRenderingAborted: true,
      prefetchingPath: '/prefetched',
      cachedPath: '/cached?address=',
      browserPath: '/browser?address=',
    }
    await expectServerRendering(browser, app, context)
  })
})

describe.concurrent.each(bindingNames)('a created Vite app with %s', (framework) => {
  it('passes its checks and its test, builds, and shows balances', async (context) => {
    const app = {
      folder: await create(`vite-${framework}`, [
        framework,
        ...(framework === 'react' ? ['devtools'] : []),
      ]),
      server: ['run', 'preview', '--', '--host', '127.0.0.1', '--port', '0'],
      publicFolder: 'dist',
      locale: 'en-US' as const,
      requestsToNavigate: 1,
    }
    await expectBrowserRendering(browser, app, context)
    if (framework === 'react') {
      await expectDevtools(app.folder)
    }
  })
})

describe.concurrent('an app without a bundler', () => {
  it('runs in Node, Bun and Deno, and in a page with an import map', async (context) => {
    const app = await copyApp('runtimes', [])
    await run('npm', ['run', 'check'], app)
    for (const runtime of ['node', 'bun', 'deno']) {
      const output = await run('npm', ['--silent', 'run', runtime], app)
      expect(JSON.parse(output.trim()), runtime).toEqual(report)
    }
    await expectLiveBalances(app, 'page', context)
  })
})

describe.concurrent('an app tested with Jest and jsdom', () => {
  it('passes its tests', async () => {
    const app = await copyApp('jest', ['react'])
    // The defaults of Jest and Testing Library are too short on a busy machine.
    const setup = `require('@testing-library/react').configure({ asyncUtilTimeout: 30_000 })`
    await writeFile(path.join(app, 'timeout.js'), setup)
    const options = ['--testTimeout=60000', '--setupFilesAfterEnv=<rootDir>/timeout.js']
    expect(await run('npm', ['run', 'check', '--', ...options], app)).toMatch(/Tests: +2 passed/)
  })
})

describe.concurrent('the service', () => {
  it('serves the chain of a node with one command, and is the same after a restart', async ({
    onTestFinished,
  }) => {
    const app = path.join(folder, 'service')
    await mkdir(app)
    await run('npm', ['init', '--yes'], app)
    const options = ['--no-audit', '--no-fund', '--prefer-offline']
    await run('npm', ['install', ...options, tarballs['contract']!, tarballs['service']!], app)
    const anvil = ['--port', '0', '--chain-id', '31337', '--color', 'never']
    const node = await start(findAnvil(), anvil, app, /(?<=Listening on )[\d.]+:\d+/)
    onTestFinished(() => node.stop())

    const command = ['headwater', '--rpc', `http://${node.readyText}`, '--port', '0']
    // The first response precedes the index.
    const first = await start('npx', command, app, /curl --header .*\n/, pinnedNode)
    const [, curl = ''] = /^ +curl --header (.*)$/m.exec(first.output()) ?? []
    const [, key, url = ''] = /^'X-Service-Api-Key: (\S+)' '(\S+)'$/.exec(curl) ?? []
    const response = await fetch(url, { headers: { 'X-Service-Api-Key': key! } })
    expect(response.status).toBe(200)
    // Accounts of anvil have 10,000 ETH.
    const account = url.replace(/0x\w{40}/, '0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266')
    const wallet = await fetch(account, { headers: { 'X-Service-Api-Key': key! } })
    expect(await wallet.json()).toMatchObject({
      balances: [{ address: 'native', amount: '10000000000000000000000', chain: 'Anvil' }],
    })
    await first.stop()

    const second = await start('npx', command, app, /API key: \S+/, pinnedNode)
    expect(second.readyText).toBe(`API key: ${key}`)
    await second.stop()
  })
})

describe.concurrent('a React Native app', () => {
  it('is bundled by Metro, compiled by Hermes, and runs with the globals of React Native', async () => {
    const app = await copyApp('react-native', ['react'])
    await run('npm', ['run', 'bundle'], app)
    await run('npm', ['run', 'compile'], app)
    const output = await run('npm', ['--silent', 'run', 'check'], app)
    const reports = output.trim().split('\n')
    // Whether it polls, in the background and in the foreground again.
    const expected = { ...report, focus: [false, true] }
    expect(reports.map((line) => JSON.parse(line) as unknown)).toEqual([expected, expected])
  })
})
