import { globSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import {
  Application,
  Converter,
  type DeclarationReflection,
  LogLevel,
  PageEvent,
  ReflectionKind,
} from 'typedoc'
import type { PluginOptions } from 'typedoc-plugin-markdown'

const markdownOptions: PluginOptions = {
  hidePageHeader: true,
  hideBreadcrumbs: true,
  entryFileName: 'index',
  parametersFormat: 'table',
  typeDeclarationFormat: 'table',
  propertiesFormat: 'table',
}

const packages = path.join(import.meta.dirname, '../../../packages')

/** The public entry points, by the name under which they are imported. */
const entryPoints = {
  '@headwater/core': 'core/src/index.ts',
  '@headwater/react': 'react/src/index.ts',
  '@headwater/vue': 'vue/src/index.ts',
  '@headwater/svelte': 'svelte/src/index.ts',
  '@headwater/nuxt': 'nuxt/src/module.ts',
  '@headwater/proxy': 'proxy/src/index.ts',
  '@headwater/testing': 'testing/src/index.ts',
  '@headwater/testing/node': 'testing/src/node.ts',
  '@headwater/testing/msw': 'testing/src/msw.ts',
  '@headwater/devtools': 'devtools/src/index.ts',
}

/**
 * Writes a page for each export of the packages, from its doc comment.
 *
 * @param out - Folder of the pages.
 * @returns Items of the sidebar.
 * @throws {Error} when the packages cannot be converted.
 */
export async function describePackages(out: string): Promise<{ text: string; link: string }[]> {
  const app = await Application.bootstrapWithPlugins({
    plugin: ['typedoc-plugin-markdown'],
    entryPoints: Object.values(entryPoints).map((file) => path.join(packages, file)),
    tsconfig: path.join(import.meta.dirname, '../tsconfig.api.json'),
    outputs: [{ name: 'markdown', path: out }],
    router: 'member',
    readme: 'none',
    name: 'Packages',
    excludeInternal: true,
    // Members that are inherited from RxJS.
    excludeExternals: true,
    disableSources: true,
    skipErrorChecking: true,
    // Doc comments link to names of other libraries, which stay text.
    logLevel: LogLevel.Error,
    ...markdownOptions,
  })
  const files = new Map(
    Object.entries(entryPoints).map(([name, file]) => [file.replace(/(\/index)?\.ts$/, ''), name]),
  )
  app.converter.on(Converter.EVENT_CREATE_DECLARATION, (_, reflection: DeclarationReflection) => {
    if (reflection.kindOf(ReflectionKind.Module)) {
      reflection.name = files.get(reflection.name)?.replace('@headwater/', '') ?? reflection.name
    }
  })
  // VitePress writes the anchors of links this way.
  app.renderer.on(PageEvent.END, (page) => {
    page.contents = (page.contents ?? '').replace(/<a id="[^"]*">/g, (tag) =>
      tag.replaceAll('_', '-'),
    )
  })
  const project = await app.convert()
  if (!project) {
    throw new Error('The packages cannot be converted.')
  }
  await app.generateOutputs(project)
  if (app.logger.hasErrors()) {
    throw new Error('The pages of the packages could not be written.')
  }
  joinTypes(out)
  return Object.keys(entryPoints).map((text) => ({
    text,
    link: `/api/${text.replace('@headwater/', '')}/`,
  }))
}

/** Moves interfaces and type aliases to one folder: whether a type is the one or the other is an implementation detail. */
function joinTypes(out: string): void {
  for (const file of globSync('**/{interfaces,type-aliases}/*.md', { cwd: out })) {
    const target = path.join(out, file.replace(/interfaces|type-aliases/, 'types'))
    mkdirSync(path.dirname(target), { recursive: true })
    renameSync(path.join(out, file), target)
  }
  for (const file of globSync('**/*.md', { cwd: out })) {
    const text = readFileSync(path.join(out, file), 'utf8')
    const joined = text.replace(/(\]\([^)\s]*?)(?:interfaces|type-aliases)\//g, '$1types/')
    writeFileSync(path.join(out, file), joined)
  }
  for (const folder of globSync('**/{interfaces,type-aliases}', { cwd: out })) {
    rmSync(path.join(out, folder), { recursive: true })
  }
}
