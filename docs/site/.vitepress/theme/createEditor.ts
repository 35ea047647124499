import 'prism-code-editor/prism/languages/jsx'
import 'prism-code-editor/prism/languages/tsx'
import 'prism-code-editor/prism/languages/typescript'
import 'prism-code-editor/prism/languages/markup'
import 'prism-code-editor/languages/jsx'
import 'prism-code-editor/languages/html'
import 'prism-code-editor/layout.css'
import './editor.css'
import { createEditor as createPrismEditor, type PrismEditor } from 'prism-code-editor'
import { defaultCommands, editHistory, setIgnoreTab } from 'prism-code-editor/commands'
import { matchBrackets } from 'prism-code-editor/match-brackets'
import { matchTags } from 'prism-code-editor/match-tags'

interface EditorOptions {
  readonly framework: 'react' | 'vue' | 'svelte'
  /** Called by Ctrl+Enter. */
  readonly run: () => void
}

/** Creates the editor of a playground: a text area with highlighting, without the theme, which is that of the site. */
export function createEditor(host: HTMLElement, { framework, run }: EditorOptions): PrismEditor {
  // Tab leaves the editor, so that the keyboard reaches the rest of the page. Ctrl+M lets it indent.
  setIgnoreTab(true)
  const language = framework === 'react' ? 'tsx' : 'markup'
  const editor = createPrismEditor(
    host,
    { language, value: '', lineNumbers: false },
    defaultCommands(),
    editHistory(),
    matchBrackets(),
    matchTags(),
  )
  editor.textarea.setAttribute('aria-label', 'Code of the example')
  editor.textarea.addEventListener('keydown', (event) => {
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) {
      event.preventDefault()
      run()
    }
  })
  return editor
}
