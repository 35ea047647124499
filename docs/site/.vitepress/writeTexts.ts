import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import type { DefaultTheme, SiteConfig } from 'vitepress'

/** The lines of a file, or those between the comments `#region name` and `#endregion`. */
function readCode(file: string, region: string | undefined): string {
  const lines = readFileSync(file, 'utf8').trimEnd().split('\n')
  const marks = lines.flatMap((line, index) => (/#(end)?region\b/.test(line) ? [index] : []))
  const part = region && marks.length >= 2 ? lines.slice(marks[0]! + 1, marks[1]) : lines
  return part.join('\n')
}

/** A page as plain Markdown, with the code of its snippets. */
function toText(page: string, srcDir: string): string {
  return readFileSync(path.join(srcDir, page), 'utf8')
    .replace(/^---\n[^]*?\n---\n/, '')
    .replace(
      /^( *)<<< @\/([^\s#]+?)(?:#([\w-]+))?(?: \[(.+)\])?$/gm,
      (_, indent: string, file: string, region?: string, tab?: string) => {
        const code = readCode(path.join(srcDir, file), region)
        const block = `\`\`\`${path.extname(file).slice(1)}\n${code}\n\`\`\``
        return (tab ? `${tab}:\n\n${block}` : block).replaceAll(/^(?=.)/gm, indent)
      },
    )
    .replaceAll(/^::: (?!code-group)\w+ (.+)$/gm, '**$1.**\n')
    .replaceAll(/^:::.*\n/gm, '')
    .trim()
}

/** Writes each page as Markdown beside its HTML, and `llms.txt`, the list of them (https://llmstxt.org). */
export function writeTexts({ pages, srcDir, outDir, site }: SiteConfig): void {
  const known = new Set(pages)
  for (const page of pages) {
    const target = path.join(outDir, page)
    mkdirSync(path.dirname(target), { recursive: true })
    writeFileSync(target, `${toText(page, srcDir)}\n`)
  }
  const sidebar = (site.themeConfig as DefaultTheme.Config).sidebar as DefaultTheme.SidebarMulti
  const sections = Object.values(sidebar).flatMap((items) => items as DefaultTheme.SidebarItem[])
  const lists = sections.map(({ text, items = [] }) => {
    const links = items.map(({ text: title, link = '' }) => {
      const page = `${link.slice(1).replace(/(^|\/)$/, '$1index')}.md`
      if (!known.has(page)) {
        throw new Error(`llms.txt: ${page} is not a page.`)
      }
      return `- [${title}](${site.base}${page})`
    })
    return `## ${text}\n\n${links.join('\n')}`
  })
  const head = `# ${site.title}\n\n> ${site.description}`
  writeFileSync(path.join(outDir, 'llms.txt'), `${[head, ...new Set(lists)].join('\n\n')}\n`)
}
