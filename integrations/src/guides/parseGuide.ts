/** What a reader does with a block of a page: run its commands, write it to a file, or use its code. */
export type Step =
  | { readonly kind: 'commands'; readonly lines: readonly string[] }
  | { readonly kind: 'file'; readonly file: string; readonly text: string }
  | {
      readonly kind: 'code'
      readonly language: string
      readonly tab: string
      readonly text: string
    }

/** A name of a file in the sentences before a block. */
const fileName = /`((?:[\w.[\]+$-]+\/)*[\w.[\]+$-]*\.[a-z]+)`/

/** The steps of a page, from its Markdown with the code of the snippets. */
export function parseGuide(markdown: string): Step[] {
  const steps: Step[] = []
  let before = ''
  for (const part of markdown.split(/^(```\w+\n[^]*?\n```)$/m)) {
    const [, language, text] = /^```(\w+)\n([^]*?)\n```$/.exec(part) ?? []
    if (language === undefined || text === undefined) {
      before = part
        .trim()
        .split(/\n{2,}/)
        .at(-1)!
    } else if (language === 'sh') {
      steps.push({ kind: 'commands', lines: text.replaceAll('\\\n', '').split('\n') })
    } else {
      const file = fileName.exec(before)?.[1]
      const tab = /^(React|Vue|Svelte|Core):$/.exec(before)?.[1] ?? ''
      steps.push(file ? { kind: 'file', file, text } : { kind: 'code', language, tab, text })
    }
  }
  return steps
}

/** The part of a page below a heading, up to the next one of the same level. */
export function sectionOf(markdown: string, heading: string): string {
  const section = markdown.split(/^(?=## )/m).find((part) => part.startsWith(`## ${heading}\n`))
  if (section === undefined) {
    throw new Error(`The page has no section ${heading}.`)
  }
  return section
}
