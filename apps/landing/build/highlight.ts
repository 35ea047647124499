import hljs from 'highlight.js/lib/core'
import css from 'highlight.js/lib/languages/css'
import typescript from 'highlight.js/lib/languages/typescript'
import xml from 'highlight.js/lib/languages/xml'

hljs.registerLanguage('css', css)
// highlight.js treats the script of a component as JavaScript; these components use TypeScript.
hljs.registerLanguage('javascript', typescript)
hljs.registerLanguage('typescript', typescript)
hljs.registerLanguage('xml', xml)

/**
 * Highlights a source file.
 *
 * @param source - Text of the file.
 * @param extension - Extension of the file: `tsx`, `vue` or `svelte`.
 * @returns HTML with highlighting classes.
 */
export function highlight(source: string, extension: string): string {
  return hljs.highlight(source, { language: extension === 'tsx' ? 'typescript' : 'xml' }).value
}
