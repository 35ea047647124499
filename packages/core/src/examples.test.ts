// What the editor shows of an export is its documentation: every one has a comment with an example, and every example
// compiles as an app would write it. So does the code of the README, which names all that there is, and of the guide.
import { readFileSync } from 'node:fs'
import path from 'node:path'
import ts from 'typescript'
import { describe, expect, it } from 'vitest'
import * as core from './index.ts'

const root = path.resolve(import.meta.dirname, '..')
const entry = path.join(root, 'src/index.ts')
const { options } = ts.parseJsonConfigFileContent(
  ts.readConfigFile(path.join(root, 'tsconfig.json'), (file) => ts.sys.readFile(file)).config,
  ts.sys,
  root,
)
/** Files that there are only here, by path. */
const virtual = new Map<string, string>()
const host = createHost()

const program = ts.createProgram([entry], options, host)
const documented = readExports(program)
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
  // An example may end where its reader goes on.
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
      expect(text).toMatch(/from '@headwater\/(core|contract)'/)
      expect(problemsOf(`${name}.${index}.ts`)).toEqual([])
    }
  })
})

/** What an example says that comes out: `parseAmount('1.5', 1) // 15n`. */
const claim = /^(\S.*) \/\/ ('.*'|-?[\d.]+n?|true|false)$/gm
const claiming = documented.flatMap(({ name, examples }) =>
  examples.filter((text) => text.match(claim)).map((text) => ({ name, text })),
)

it.each(claiming)('the example of $name tells the truth', ({ text }) => {
  const { outputText } = ts.transpileModule(text.replaceAll(claim, 'claim($1, $2)'), {
    compilerOptions: { module: ts.ModuleKind.CommonJS, target: ts.ScriptTarget.ES2023 },
  })
  expect.hasAssertions()
  // Nothing but our own examples.
  const run = new Function('require', 'exports', 'claim', outputText) as (
    require: () => unknown,
    exports: object,
    claim: (is: unknown, told: unknown) => void,
  ) => void
  run(
    () => core,
    {},
    (is, told) => expect(is).toEqual(told),
  )
})

describe('the README', () => {
  it('has examples that compile, as the guide has', { timeout: 120_000 }, () => {
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

function readExports(program: ts.Program) {
  const checker = program.getTypeChecker()
  const file = program.getSourceFile(entry)
  const module = file && checker.getSymbolAtLocation(file)
  if (module === undefined) {
    throw new Error(`${entry} is no module`)
  }
  return checker.getExportsOfModule(module).map((exported) => {
    const isAlias = (exported.flags & ts.SymbolFlags.Alias) !== 0
    const symbol = isAlias ? checker.getAliasedSymbol(exported) : exported
    return {
      name: exported.name,
      isValue: (symbol.flags & ts.SymbolFlags.Value) !== 0,
      comment: ts.displayPartsToString(symbol.getDocumentationComment(checker)),
      examples: symbol
        .getJsDocTags(checker)
        .filter(({ name }) => name === 'example')
        .map(({ text }) => ts.displayPartsToString(text)),
    }
  })
}

/** Reads each file once, and those that there are only here. */
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
