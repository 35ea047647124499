import hljs from 'highlight.js/lib/core'
import css from 'highlight.js/lib/languages/css'
import typescript from 'highlight.js/lib/languages/typescript'
import xml from 'highlight.js/lib/languages/xml'

hljs.registerLanguage('css', css)
// A script within a component counts as JavaScript there; ours are TypeScript.
hljs.registerLanguage('javascript', typescript)
hljs.registerLanguage('typescript', typescript)
hljs.registerLanguage('xml', xml)

/**
 * A source as HTML, coloured by classes.
 *
 * @param source - Text of a file.
 * @param ending - Of its name: `tsx`, `vue` or `svelte`.
 */
export function highlight(source: string, ending: string): string {
  return hljs.highlight(source, { language: ending === 'tsx' ? 'typescript' : 'xml' }).value
}
