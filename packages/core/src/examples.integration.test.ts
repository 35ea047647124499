// Editors display the comments of exports as their documentation: each has an example, which compiles like an app would
// write it. So does the code of the README, which names every export, and of the guide.
import { readFileSync } from 'node:fs'
import path from 'node:path'
import ts from 'typescript'
import { describe, expect, it } from 'vitest'
import * as core from './index.ts'
import * as inspect from './inspect.ts'

const root = path.resolve(import.meta.dirname, '..')
const entries = ['src/index.ts', 'src/inspect.ts'].map((file) => path.join(root, file))
const { options } = ts.parseJsonConfigFileContent(
  ts.readConfigFile(path.join(root, 'tsconfig.json'), (file) => ts.sys.readFile(file)).config,
  ts.sys,
  root,
)
/** Virtual files, by path. */
const virtual = new Map<string, string>()
const host = createHost()

const program = ts.createProgram(entries, options, host)
const documented = entries
  .flatMap((entry) => readExports(program, entry))
  .filter(({ isForeign }) => !isForeign)
for (const { name, examples } of documented) {
  examples.forEach((text, index) => virtual.set(path.join(root, `${name}.${index}.ts`), text))
}
const readme = readFileSync(path.join(root, 'README.md'), 'utf8')
const guide = readFileSync(
  path.join(root, '../../docs/guides/server-rendering-persistence-tabs.md'),
  'utf8',
)
const readmeExamples = [...(readme + guide).matchAll(/```ts\n([^]*?)```/g)].map(
  ([, text]) => text ?? '',
)
readmeExamples.forEach((text, index) => virtual.set(path.join(root, `README.${index}.ts`), text))
const compiled = ts.createProgram(
  [...virtual.keys()],
  // Some examples end with an unused declaration.
  { ...options, noUnusedLocals: false },
  host,
  program,
)

it('finds the exports', () => {
  expect(documented.map(({ name }) => name)).toEqual(
    expect.arrayContaining(['createClient', 'watchBalances', 'HttpError', 'Snapshot', 'Balance']),
  )
})

describe.each(documented)('$name', ({ name, comment, examples }) => {
  it('has a comment', () => expect(comment).not.toBe(''))

  it('has an example that compiles', { timeout: 120_000 }, () => {
    expect(examples.length).toBeGreaterThan(0)
    for (const [index, text] of examples.entries()) {
      expect(text).toMatch(/from '@headwater\/(core|core\/inspect|contract)'/)
      expect(problemsOf(`${name}.${index}.ts`)).toEqual([])
    }
  })
})

/** The result that an example states: `parseAmount('1.5', 1) // 15n`. */
const resultComment = /^(\S.*) \/\/ ('.*'|-?[\d.]+n?|true|false)$/gm
const withResult = documented.flatMap(({ name, examples }) =>
  examples.filter((text) => text.match(resultComment)).map((text) => ({ name, text })),
)

it.each(withResult)('the example of $name states its result', ({ text }) => {
  const { outputText } = ts.transpileModule(text.replaceAll(resultComment, 'claim($1, $2)'), {
    compilerOptions: { module: ts.ModuleKind.CommonJS, target: ts.ScriptTarget.ES2023 },
  })
  expect.hasAssertions()
  // The code is our own examples.
  const run = new Function('require', 'exports', 'claim', outputText) as (
    require: () => unknown,
    exports: object,
    resultComment: (actual: unknown, expected: unknown) => void,
  ) => void
  run(
    () => ({ ...core, ...inspect }),
    {},
    (actual, expected) => expect(actual).toEqual(expected),
  )
})

describe('the README', () => {
  it('has examples that compile, like those of the guide', { timeout: 120_000 }, () => {
    expect(readmeExamples.length).toBeGreaterThan(0)
    for (const index of readmeExamples.keys()) {
      expect(problemsOf(`README.${index}.ts`)).toEqual([])
    }
  })

  it('names every function and class', () => {
    const names = documented.filter(({ isValue }) => isValue).map(({ name }) => name)
    expect(names.filter((name) => !readme.includes(name))).toEqual([])
  })
})

function problemsOf(file: string): string[] {
  const source = compiled.getSourceFile(path.join(root, file))
  return [
    ...compiled.getSyntacticDiagnostics(source),
    ...compiled.getSemanticDiagnostics(source),
  ].map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, '\n'))
}

function readExports(program: ts.Program, entry: string) {
  const checker = program.getTypeChecker()
  const file = program.getSourceFile(entry)
  const module = file && checker.getSymbolAtLocation(file)
  if (module === undefined) {
    throw new Error(`${entry} is not a module`)
  }
  return checker.getExportsOfModule(module).map((exported) => {
    const isAlias = (exported.flags & ts.SymbolFlags.Alias) !== 0
    const symbol = isAlias ? checker.getAliasedSymbol(exported) : exported
    return {
      name: exported.name,
      /** From the documentation of TanStack, such as `skipToken`. */
      isForeign: symbol.declarations?.[0]?.getSourceFile().fileName.includes('@tanstack'),
      isValue: (symbol.flags & ts.SymbolFlags.Value) !== 0,
      comment: ts.displayPartsToString(symbol.getDocumentationComment(checker)),
      examples: symbol
        .getJsDocTags(checker)
        .filter(({ name }) => name === 'example')
        .map(({ text }) => ts.displayPartsToString(text)),
    }
  })
}

/** Caches files, and adds the virtual ones. */
function createHost(): ts.CompilerHost {
  const host = ts.createCompilerHost(options)
  const files = new Map<string, ts.SourceFile | undefined>()
  const { getSourceFile, fileExists, readFile } = host
  return {
    ...host,
    fileExists: (file) => virtual.has(file) || fileExists(file),
    readFile: (file) => virtual.get(file) ?? readFile(file),
    getSourceFile(file, ...rest) {
      const text = virtual.get(file)
      if (text !== undefined) {
        return ts.createSourceFile(file, text, ...(rest.slice(0, 1) as [ts.ScriptTarget]), true)
      }
      if (!files.has(file)) {
        files.set(file, getSourceFile(file, ...rest))
      }
      return files.get(file)
    },
  }
}
