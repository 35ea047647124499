// @vitest-environment node
// The demos mount the devtools by the line that the README shows. Their production builds contain nothing of it.
import { execFile } from 'node:child_process'
import { globSync, readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { expect, it, onTestFinished } from 'vitest'

const apps = path.resolve(import.meta.dirname, '../../../apps')

/** The scripts of a build of a demo. */
async function buildDemo(framework: string, mode: 'demo' | 'production'): Promise<string> {
  const folder = await mkdtemp(path.join(tmpdir(), 'headwater-devtools-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  const cwd = path.join(apps, `${framework}-demo`)
  const vite = path.join(cwd, 'node_modules/vite/bin/vite.js')
  const args = ['build', '--mode', mode, '--outDir', folder, '--logLevel', 'error']
  // Without the variables of the test runner, which change what frameworks build.
  const { PATH, HOME } = process.env
  await promisify(execFile)(process.execPath, [vite, ...args], { cwd, env: { PATH, HOME } })
  const files = globSync('**/*.js', { cwd: folder })
  return files.map((file) => readFileSync(path.join(folder, file), 'utf8')).join()
}

/** Texts of the element, of the panel, and of what they use of core and of Lit. */
const traces = ['headwater-devtools', 'Export trace', 'Retry-After of the service', 'litHtml']

it(
  'production builds of the demos have no devtools, and builds for `npm start` have them',
  { timeout: 240_000 },
  async () => {
    for (const framework of ['react', 'vue', 'svelte']) {
      const scripts = await buildDemo(framework, 'production')
      expect(scripts).toContain('X-Service-Api-Key')
      expect(
        traces.filter((text) => scripts.includes(text)),
        framework,
      ).toEqual([])
    }
    const scripts = await buildDemo('react', 'demo')
    expect(traces.filter((text) => scripts.includes(text))).toEqual(traces)
  },
)
