import path from 'node:path'
import type { MarkdownRenderer } from 'vitepress'

const root = path.resolve(import.meta.dirname, '../../..')

/** Folders whose files are compiled by a check, or executed by a test. */
const sources = ['docs/site/snippets/', 'integrations/', 'packages/', 'apps/']

/** Languages whose blocks come from a file. */
const languages = /^(?:[cm]?[jt]sx?|vue|svelte)\b/

/** Pages that are generated from doc comments, whose examples have a test of their own. */
const generated = /^api\//

/**
 * Rejects code that no check compiles: a block in a language of the packages is an import of a file, and the file is in a
 * folder whose files are compiled.
 *
 * @throws {Error} when a page is rendered that has another block.
 */
export function requireSources(md: MarkdownRenderer): void {
  md.core.ruler.push('require-sources', ({ tokens, env }) => {
    const page = (env as { relativePath?: string }).relativePath ?? ''
    for (const { type, info, meta, content, map } of tokens) {
      if (type !== 'fence' || !languages.test(info) || generated.test(page)) {
        continue
      }
      const { src } = (meta ?? {}) as { src?: string }
      const where = `${page}:${(map?.[0] ?? 0) + 1}`
      if (src === undefined) {
        throw new Error(
          `${where}: import this code from docs/site/snippets, where it is compiled: \`<<< @/snippets/…\`.\n${content}`,
        )
      }
      const file = path.relative(root, src)
      if (!sources.some((folder) => file.startsWith(folder))) {
        throw new Error(`${where}: ${file} is not in a folder that a check compiles.`)
      }
    }
  })
}
