import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { PassThrough } from 'node:stream'
import { text } from 'node:stream/consumers'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { main } from './main.ts'

const down = '\x1b[B'
const enter = '\r'
let folder: string
let app: string

beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'create-headwater-'))
  app = path.join(folder, 'app')
})
afterEach(() => rmSync(folder, { recursive: true }))

/** Runs the command without a terminal. */
async function run(...args: string[]) {
  const output = new PassThrough()
  const code = await main(args, { input: new PassThrough(), output })
  output.end()
  return { code, output: await text(output) }
}

/** Runs the command in a terminal, and sends keys: each after the prompt that its text identifies. */
async function runInTerminal(
  args: string[],
  keys: readonly (readonly [prompt: string, keys: string])[],
) {
  const input = Object.assign(new PassThrough(), { isTTY: true, setRawMode: () => input })
  const output = Object.assign(new PassThrough(), { isTTY: true, columns: 80, rows: 24 })
  let printed = ''
  const waiting = [...keys]
  output.setEncoding('utf8').on('data', (part: string) => {
    printed += part
    const [next] = waiting
    if (next && printed.includes(next[0])) {
      waiting.shift()
      printed = ''
      setImmediate(() => {
        for (const key of next[1].split(/(?=[\\r\\x1b])/)) {
          input.write(key)
        }
      })
    }
  })
  const code = await main(args, { input, output })
  expect(waiting).toEqual([])
  return code
}

const frameworkOf = () =>
  Object.keys(
    (JSON.parse(readFileSync(path.join(app, 'package.json'), 'utf8')) as { dependencies: object })
      .dependencies,
  )

it('creates an app without prompts', async () => {
  const { code, output } = await run(app, '--template', 'sveltekit')
  expect(code).toBe(0)
  expect(output).toContain('npm run dev')
  expect(output).toContain('HEADWATER_API_KEY=')
  expect(output).toContain('npx @headwater/testing')
  expect(frameworkOf()).toContain('@headwater/svelte')
})

it('uses defaults with --yes', async () => {
  expect(await run(app, '--yes')).toMatchObject({ code: 0 })
  expect(frameworkOf()).toContain('react-dom')
})

it('prompts for the framework and the rendering', async () => {
  const code = await runInTerminal(
    [app],
    [
      ['Framework', down + enter],
      ['Rendering', down + enter],
    ],
  )
  expect(code).toBe(0)
  expect(frameworkOf()).toContain('nuxt')
})

it('creates nothing when a prompt is cancelled', async () => {
  expect(await runInTerminal([app], [['Framework', '\x03']])).toBe(1)
  expect(existsSync(app)).toBe(false)
})

it('states that a folder of spaces has no name, and prompts again', async () => {
  const code = await runInTerminal(
    ['--template', 'next'],
    [
      ['Folder of the app', '   ' + enter],
      ['has no name', app + enter],
    ],
  )
  expect(code).toBe(0)
  expect(frameworkOf()).toContain('next')
})

it('prints its options', async () => {
  const { code, output } = await run('--help')
  expect(code).toBe(0)
  expect(output).toContain('vite-react, next, vite-vue, nuxt, vite-svelte, sveltekit')
})

it.each([
  [['app', '--template', 'angular'], '--template must be one of vite-react'],
  [['app', '--flavour', 'mint'], '--flavour'],
  [['app', 'other', '--yes'], 'Expected one folder'],
  [[' ', '--template', 'next'], 'has no name'],
  [['', '--template', 'next'], 'has no name'],
  [['app'], 'pass a folder and --template, or --yes'],
])('rejects %j with a reason', async (args, reason) => {
  const { code, output } = await run(...args)
  expect(code).toBe(1)
  expect(output).toContain(reason)
})

it('rejects a folder that is not empty', async () => {
  await run(app, '--yes')
  const { code, output } = await run(app, '--yes')
  expect(code).toBe(1)
  expect(output).toContain('is not empty')
  // Before the prompts.
  expect(await runInTerminal([app], [])).toBe(1)
})
