// The examples of the doc comments and READMEs of the bindings compile in an app.
import { execFile } from 'node:child_process'
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, test } from 'vitest'

const root = path.resolve(import.meta.dirname, '../..')
const { resolve } = createRequire(import.meta.url)

/** The compiler of each framework, components that its examples import, and READMEs with examples. */
const frameworks = {
  react: {
    compiler: ['typescript/bin/tsc', '--project', '.'],
    stubs: {},
    readmes: ['react/README.md', '../README.md'],
  },
  vue: {
    compiler: ['vue-tsc/bin/vue-tsc.js', '--project', '.'],
    stubs: { 'App.vue': '<template><p /></template>' },
    readmes: ['vue/README.md'],
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
    readmes: ['svelte/README.md'],
  },
}

/** The files that a binding exports from, and the names that it exports from each. */
function readExports(framework: string): { file: string; names: string[] }[] {
  const folder = path.join(root, framework, 'src')
  const entry = readFileSync(path.join(folder, 'index.ts'), 'utf8')
  return [...entry.matchAll(/(\*|\{[^}]+\}) from '\.\/(.+)'/g)].map(([, list = '', name = '']) => {
    const file = path.join(folder, name)
    const names =
      list === '*'
        ? [...readFileSync(file, 'utf8').matchAll(/^export \w+ (\w+)/gm)].map(([, each]) => each!)
        : (list.match(/\w+(?=\s*(,|\}))/g) ?? [])
    return { file, names }
  })
}

/** Fenced code, with the extension of a file of it. The code of `integrations` compiles there. */
function examplesIn(text: string): [extension: string, code: string][] {
  const own = text.replaceAll(/<!-- code [^]*?<!-- \/code -->/g, '')
  return [...own.matchAll(/^```(tsx?|vue|svelte)\n([^]*?)^```/gm)].map(
    ([, extension = '', code = '']) => [extension, code],
  )
}

/** The examples of all doc comments of a file. */
function examplesOf(file: string): [extension: string, code: string][] {
  const comments = readFileSync(file, 'utf8').match(/\/\*\*[^]*?\*\//g) ?? []
  return comments.flatMap((comment) => examplesIn(comment.replaceAll(/^ \* ?/gm, '')))
}

/** The doc comment of an export. */
function commentOf(name: string, file: string): string {
  const declaration = new RegExp(`\\*/\\nexport \\w+ ${name}\\b`)
  const text = readFileSync(file, 'utf8')
  const end = text.search(declaration)
  return text.slice(text.lastIndexOf('/**', end), end)
}

describe.each(Object.entries(frameworks))('of %s', (framework, { compiler, stubs, readmes }) => {
  const exports = readExports(framework)
  const sources = exports.map(({ file }) => file)
  // The properties of a component are part of its example.
  const documented = exports.flatMap(({ file, names }) =>
    names.filter((name) => !name.endsWith('Props')).map((name) => [name, file] as const),
  )

  test('covers all exports', () => expect(documented.length).toBeGreaterThan(10))

  test.each(documented)('%s has an example', (name, file) => {
    const comment = commentOf(name, file)
    expect(comment).toContain('@example')
    expect(comment).toMatch(new RegExp(`import .*\\b${name}\\b.* from '@headwater/${framework}'`))
  })

  test('compile', { timeout: 300_000 }, async () => {
    const folder = path.join(import.meta.dirname, '../dist/examples', framework)
    rmSync(folder, { recursive: true, force: true })
    mkdirSync(folder, { recursive: true })
    const write = (name: string, text: string) => writeFileSync(path.join(folder, name), text)
    for (const [name, text] of Object.entries(stubs)) {
      write(name, text)
    }
    for (const file of [...sources, ...readmes.map((readme) => path.join(root, readme))]) {
      const examples = file.endsWith('.md')
        ? examplesIn(readFileSync(file, 'utf8'))
        : examplesOf(file)
      examples.forEach(([extension, code], index) => {
        write(
          `${path.relative(path.join(root, '..'), file).replaceAll('/', '-')}${index}.${extension}`,
          code,
        )
      })
    }
    const compilerOptions = {
      lib: ['ES2023', 'DOM', 'DOM.Iterable'],
      jsx: 'react-jsx',
      types: ['node'],
      module: 'esnext',
      moduleResolution: 'bundler',
      rewriteRelativeImportExtensions: false,
      // Examples declare values that the code after them would use.
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
