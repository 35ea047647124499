// What the editor and the READMEs show of the bindings compiles as an app would write it.
import { execFile } from 'node:child_process'
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, test } from 'vitest'

const root = path.resolve(import.meta.dirname, '../..')
const { resolve } = createRequire(import.meta.url)

/** The compiler of each framework, and a component that its examples may import. */
const frameworks = {
  react: { compiler: ['typescript/bin/tsc', '--project', '.'], stubs: {} },
  vue: {
    compiler: ['vue-tsc/bin/vue-tsc.js', '--project', '.'],
    stubs: { 'App.vue': '<template><p /></template>' },
  },
  svelte: {
    compiler: [
      'svelte-check/bin/svelte-check',
      '--tsconfig',
      './tsconfig.json',
      '--threshold',
      'error',
    ],
    stubs: {
      'Wallet.svelte':
        '<script lang="ts">let { address }: { address: string } = $props()</script>{address}',
    },
  },
}

/** The files that a binding exports from. */
function exporting(framework: string): string[] {
  const folder = path.join(root, framework, 'src')
  const entry = readFileSync(path.join(folder, 'index.ts'), 'utf8')
  return [...entry.matchAll(/from '\.\/(.+)'/g)].map(([, file = '']) => path.join(folder, file))
}

/** Fenced code, by the ending of a file of it. */
function examplesIn(text: string): [ending: string, code: string][] {
  return [...text.matchAll(/^```(tsx?|vue|svelte)\n([^]*?)^```/gm)].map(
    ([, ending = '', code = '']) => [ending, code],
  )
}

/** Code of a comment, without what makes it one. */
function examplesOf(file: string): [ending: string, code: string][] {
  const comments = readFileSync(file, 'utf8').match(/\/\*\*[^]*?\*\//g) ?? []
  return comments.flatMap((comment) => examplesIn(comment.replaceAll(/^ \* ?/gm, '')))
}

describe.each(Object.entries(frameworks))('of %s', (framework, { compiler, stubs }) => {
  const sources = exporting(framework)

  test.each(sources.map((file) => [path.basename(file), file]))('%s has an example', (_, file) => {
    const examples = examplesOf(file)
    expect(examples).not.toEqual([])
    for (const [, code] of examples) {
      expect(code).toContain(`from '@headwater/${framework}'`)
    }
  })

  test('compile', { timeout: 300_000 }, async () => {
    const folder = path.join(import.meta.dirname, '../dist/examples', framework)
    rmSync(folder, { recursive: true, force: true })
    mkdirSync(folder, { recursive: true })
    const write = (name: string, text: string) => writeFileSync(path.join(folder, name), text)
    for (const [name, text] of Object.entries(stubs)) {
      write(name, text)
    }
    for (const file of [...sources, path.join(root, framework, 'README.md')]) {
      const examples = file.endsWith('.md')
        ? examplesIn(readFileSync(file, 'utf8'))
        : examplesOf(file)
      examples.forEach(([ending, code], index) => {
        write(`${path.parse(file).name}${index}.${ending}`, code)
      })
    }
    const compilerOptions = {
      lib: ['ES2023', 'DOM', 'DOM.Iterable'],
      jsx: 'react-jsx',
      types: ['node'],
      module: 'esnext',
      moduleResolution: 'bundler',
      rewriteRelativeImportExtensions: false,
      // An example may end where its reader goes on.
      noUnusedLocals: false,
    }
    const base = path.join(root, '../tsconfig.base.json')
    write('tsconfig.json', JSON.stringify({ extends: base, compilerOptions, include: ['*'] }))

    const [script = '', ...options] = compiler
    const name = script.slice(0, script.indexOf('/'))
    const bin = path.join(path.dirname(resolve(`${name}/package.json`)), script.slice(name.length))
    const run = promisify(execFile)(process.execPath, [bin, ...options], { cwd: folder })
    const problems = await run.then(
      () => '',
      (error: { stdout: string; stderr: string }) => error.stdout + error.stderr,
    )
    expect(problems).toBe('')
    rmSync(folder, { recursive: true })
  })
})
