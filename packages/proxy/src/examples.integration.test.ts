// The examples of the doc comments and the README compile.
import { globSync, readFileSync } from 'node:fs'
import path from 'node:path'
import ts from 'typescript'
import { expect, it } from 'vitest'

const root = path.resolve(import.meta.dirname, '..')
const { options } = ts.parseJsonConfigFileContent(
  ts.readConfigFile(path.join(root, 'tsconfig.json'), (file) => ts.sys.readFile(file)).config,
  ts.sys,
  root,
)

/** What the parts of an app that an example does not show declare. */
const declarations = `
  declare module '@/lib/proxy' { export const proxy: (request: Request) => Promise<Response> }
  declare module '~~/server/utils/proxy' { export * from '@/lib/proxy' }
  declare module '~/proxy.server' { export * from '@/lib/proxy' }
  declare module '@tanstack/react-router' {
    export function createFileRoute(path: string): (options: { server: { handlers: { ANY: (context: { request: Request }) => Promise<Response> } } }) => unknown
  }
  declare module 'cloudflare:workers' { export const env: Record<string, string> }
  declare const proxy: (request: Request) => Promise<Response>
  declare const app: import('hono').Hono
  declare function defineEventHandler(handler: (event: H3Event) => Promise<Response>): unknown
  declare function toWebRequest(event: H3Event): Request
  interface H3Event { node: { res: import('node:http').ServerResponse } }
`
/** As deep as the route of SvelteKit, which imports the proxy by a relative path. */
const folder = path.join(root, 'app/routes/api/headwater')

const sources = globSync('src/**/*.ts', { cwd: root })
  .filter((file) => !file.endsWith('.test.ts'))
  .map((file) => readFileSync(path.join(root, file), 'utf8'))
const inComments = sources.flatMap((text) =>
  [...text.matchAll(/@example\n([^]*?)\*\//g)].map(([, code = '']) =>
    code.replace(/^ *\* ?/gm, ''),
  ),
)
const inReadme = [
  ...readFileSync(path.join(root, 'README.md'), 'utf8').matchAll(/^```ts\n([^]*?)^```/gm),
].map(([, code = '']) => code)

it('finds the examples', () => {
  expect(inComments.length).toBeGreaterThan(3)
  expect(inReadme.length).toBeGreaterThan(8)
})

it('compiles the examples', { timeout: 300_000 }, () => {
  const virtual = new Map([
    [path.join(root, 'declarations.d.ts'), declarations],
    [path.join(root, 'lib/server/proxy.ts'), "export { proxy } from '@/lib/proxy'"],
    ...[...inComments, ...inReadme].map(
      // Each is a module, also those without an import.
      (code, index) => [path.join(folder, `${index}.ts`), `${code}\nexport {}`] as const,
    ),
  ])
  const exampleOptions: ts.CompilerOptions = {
    ...options,
    module: ts.ModuleKind.ESNext,
    moduleResolution: ts.ModuleResolutionKind.Bundler,
    rewriteRelativeImportExtensions: false,
    // The framework gives parameters of handlers their types; declared values are for the code after them.
    noImplicitAny: false,
    noUnusedLocals: false,
  }
  const host = ts.createCompilerHost(exampleOptions)
  const { getSourceFile, fileExists, readFile, directoryExists } = host
  host.fileExists = (file) => virtual.has(file) || fileExists(file)
  host.readFile = (file) => virtual.get(file) ?? readFile(file)
  host.directoryExists = (name) =>
    [...virtual.keys()].some((file) => file.startsWith(name + path.sep)) ||
    directoryExists?.(name) === true
  host.getSourceFile = (file, language, ...rest) => {
    const text = virtual.get(file)
    return text === undefined
      ? getSourceFile(file, language, ...rest)
      : ts.createSourceFile(file, text, language, true)
  }
  const program = ts.createProgram([...virtual.keys()], exampleOptions, host)
  const problems = ts
    .getPreEmitDiagnostics(program)
    .filter(({ file }) => file === undefined || virtual.has(file.fileName))
    .map(({ file, messageText }) => ({
      example: file && virtual.get(file.fileName),
      message: ts.flattenDiagnosticMessageText(messageText, '\n'),
    }))
  expect(problems).toEqual([])
})
