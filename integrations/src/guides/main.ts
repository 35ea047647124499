// `pnpm guides`: follows the pages of the site as they are written, in empty folders outside of the repository. Commands use the
// packed packages as if they were released. Prints what a reader types; names of pages as arguments select them.
import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { launchChromium } from '@headwater/chromium'
import { findAnvil } from '@headwater/devnet'
import { packPackages } from '../packPackages.ts'
import { root, start } from '../run.ts'
import { parseGuide, sectionOf } from './parseGuide.ts'
import { Reader } from './Reader.ts'
import { serveRegistry } from './serveRegistry.ts'

const only = process.argv.slice(2)
const folder = await mkdtemp(path.join(tmpdir(), 'headwater-guides-'))
const registry = await serveRegistry(await packPackages(folder, ['@headwater/site']), folder)
const browser = await launchChromium()
const readers: Reader[] = []

const readPage = (page: string) =>
  readFileSync(path.join(root, 'docs/site/dist', `${page}.md`), 'utf8')
const guides = globSync('guides/*.md', { cwd: path.join(root, 'docs/site/dist') })
  .map((file) => file.replace(/\.md$/, ''))
  .sort()

async function createReader(name: string, variables?: NodeJS.ProcessEnv): Promise<Reader> {
  const own = path.join(folder, name)
  await mkdir(own, { recursive: true })
  const reader = new Reader(own, registry.url, variables)
  readers.push(reader)
  return reader
}

/** Opens a page, and waits until it shows amounts that change without a reload. */
async function expectLiveAmounts(url: string): Promise<void> {
  const page = await browser.newPage()
  await page.goto(url, { timeout: 120_000 })
  await page.locator('li').first().waitFor({ timeout: 60_000 })
  const list = page.locator('ul', { has: page.locator('li') }).last()
  const first = await list.innerText()
  const changed = async () => (await list.innerText()) !== first
  for (const end = Date.now() + 90_000; !(await changed());) {
    assert(Date.now() < end, `The amounts of ${url} do not change: ${first}`)
    await page.waitForTimeout(500)
  }
  await page.close()
}

/**
 * Adds the code of all guides for a framework to an app of its quick start, and builds it with the checks of its template.
 *
 * @param folder - The app.
 */
async function addGuides(folder: string, framework: keyof typeof frameworks): Promise<void> {
  const { tab, extension, given, check } = frameworks[framework]
  const reader = new Reader(folder, registry.url)
  await reader.run(`npm install ${given}`)
  for (const guide of guides) {
    for (const [index, step] of parseGuide(readPage(guide)).entries()) {
      // Commands of the guides name the packages of React.
      if (step.kind === 'commands' && framework === 'react' && guide !== 'guides/from-sim') {
        await reader.follow([step])
      }
      if (step.kind !== 'code') {
        continue
      }
      const isTest = step.tab === tab && step.text.includes("from 'vitest'")
      const isComponent = step.language === extension && ['', tab].includes(step.tab)
      if (isTest || isComponent) {
        const name = isTest ? 'Wallet.test' : `${guide.replace('guides/', 'guide-')}-${index}`
        await reader.write(`src/${name}.${step.language}`, step.text)
      }
    }
  }
  await reader.run(check)
}

/** What the apps of the guides have beside the quick start, and the commands that check them. */
const frameworks = {
  react: {
    tab: 'React',
    extension: 'tsx',
    given: 'wagmi viem @tanstack/react-query',
    check: 'npx vitest run && npm run build',
  },
  vue: {
    tab: 'Vue',
    extension: 'vue',
    given: 'viem @headwater/devtools @headwater/testing vitest happy-dom',
    check: 'npx vitest run && npm run build',
  },
  svelte: {
    tab: 'Svelte',
    extension: 'svelte',
    // The app has Headwater first, and TanStack's package pins an earlier version of the core.
    given:
      'viem @headwater/devtools @tanstack/svelte-query @tanstack/query-core@$(npm view @tanstack/svelte-query dependencies.@tanstack/query-core)',
    check: 'npm run check && npm run build',
  },
} as const

async function startService(): Promise<void> {
  const service = await createReader('testing')
  await service.follow(parseGuide(sectionOf(readPage('start/index'), 'A service to develop with')))
}

const journeys: Record<string, () => Promise<Reader>> = {
  core: async () => {
    const reader = await createReader('core')
    assert.match(
      await reader.follow(parseGuide(readPage('start/core'))),
      /2000 holders for 8 units/,
    )
    return reader
  },
}
journeys.http = async () => {
  const reader = await createReader('http')
  assert.match(
    await reader.follow(parseGuide(readPage('reference/http')).slice(0, 1)),
    /"balances":\[/,
  )
  return reader
}
for (const framework of ['react', 'vue', 'svelte'] as const) {
  journeys[framework] = async () => {
    const reader = await createReader(framework)
    await expectLiveAmounts(await reader.follow(parseGuide(readPage(`start/${framework}`))))
    await reader.stop()
    await reader.run('npm run build')
    await addGuides(reader.folder, framework)
    return reader
  }
}
for (const name of ['next', 'nuxt', 'sveltekit']) {
  journeys[name] = async () => {
    const reader = await createReader(name)
    const page = readPage(`start/${name}`)
    const own = sectionOf(page, 'Create an app')
    const url = await reader.follow(parseGuide(own))
    await expectLiveAmounts(url + /\/\?address=0x\w+/.exec(own)![0])
    await reader.stop()
    await reader.follow(
      parseGuide(page.slice(page.indexOf('\n## ', page.indexOf(own) + own.length - 1))),
    )
    await reader.run('npm run build')
    return reader
  }
}
journeys.service = async () => {
  const anvil = ['--port', '8545', '--color', 'never']
  const node = await start(findAnvil(), anvil, folder, /Listening on/)
  try {
    const [first, ...others] = parseGuide(
      sectionOf(readPage('start/service'), 'With your own node'),
    )
    const trial = await createReader('trial')
    assert.match(await trial.follow([first!]), /API key: hw_/)
    await trial.stop()
    const prefix = path.join(folder, 'global')
    const reader = await createReader('service', {
      npm_config_prefix: prefix,
      PATH: [path.join(prefix, 'bin'), path.dirname(process.execPath), process.env.PATH].join(':'),
    })
    const key = await reader.follow([others[0]!])
    assert.match(key, /^hw_[\w-]+$/m)
    const curl = others[1]?.kind === 'commands' ? others[1].lines[0]! : ''
    assert.match(await reader.run(`KEY=${/^hw_[\w-]+$/m.exec(key)![0]}; ${curl}`), /"balances":\[/)
    await reader.stop()
    return reader
  } finally {
    await node.stop()
  }
}
journeys['from-sim'] = async () => {
  const reader = await createReader('from-sim')
  const fixture = path.join(root, 'packages/codemod/test/fixtures/App.input.txt')
  await reader.run('npm init --yes && npm install @duneanalytics/hooks react')
  await reader.write('src/App.tsx', readFileSync(fixture, 'utf8'))
  const steps = parseGuide(sectionOf(readPage('guides/from-sim'), 'Hooks'))
  await reader.follow(steps.filter(({ kind }) => kind === 'commands'))
  assert.match(readFileSync(path.join(reader.folder, 'src/App.tsx'), 'utf8'), /useBalances/)
  return reader
}

try {
  await startService()
  console.log('page        commands  files  lines  seconds')
  for (const [name, follow] of Object.entries(journeys)) {
    if (only.length > 0 && !only.includes(name)) {
      continue
    }
    const before = performance.now()
    try {
      const reader = await follow()
      const seconds = Math.round((performance.now() - before) / 1000)
      const figures = [reader.commands, reader.files.size, reader.countLines(), seconds]
      console.log(name.padEnd(12) + figures.map((figure) => String(figure).padEnd(8)).join(''))
    } catch (error) {
      console.error(name, error)
      process.exitCode = 1
    }
    await Promise.all(readers.splice(1).map((reader) => reader.stop()))
  }
} finally {
  await Promise.all(readers.map((reader) => reader.stop()))
  await browser.close()
  registry.close()
  await rm(folder, { recursive: true, force: true })
}
