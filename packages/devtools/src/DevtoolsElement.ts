import type { Client } from '@headwater/core'
import type { Panel } from './panel/Panel.ts'
import { Recorder } from './Recorder.ts'
import { parseShortcut } from './shortcut.ts'
import { adoptStyles, followTheme } from './styles.ts'

/**
 * Options of `mountDevtools`.
 *
 * @example
 * import type { DevtoolsOptions } from '@headwater/devtools'
 * const options: DevtoolsOptions = { shortcut: 'Alt+Shift+J', open: true }
 */
export interface DevtoolsOptions {
  /**
   * Opens and closes the panel: `Alt`, `Ctrl`, `Meta` and `Shift`, then a letter or a digit, which is a position of the
   * keyboard and thus independent of its layout. Default `Alt+Shift+H`. With several clients, the devtools that were mounted first
   * have it, and the next ones once those are removed.
   */
  readonly shortcut?: string | undefined
  /** Whether the panel is open at first. Default false. */
  readonly open?: boolean | undefined
}

/** Name of the custom element. */
const tagName = 'headwater-devtools'

/**
 * Creates the element of the devtools. It records from the time it is in a document, and loads the panel when it is first
 * opened.
 *
 * @throws {TypeError} when the shortcut is invalid.
 */
export function createDevtoolsElement(client: Client, options: DevtoolsOptions): HTMLElement {
  const shortcut = parseShortcut(options.shortcut ?? 'Alt+Shift+H')
  const element: DevtoolsElement = document.createElement(define())
  const root = element.attachShadow({ mode: 'open' })
  adoptStyles(root)
  const launcher = document.createElement('section')
  launcher.className = 'launcher'
  const button = document.createElement('button')
  button.type = 'button'
  button.dataset.testid = 'devtools-open'
  launcher.append(button)
  const container = document.createElement('div')
  root.append(launcher, container)

  let recorder: Recorder | undefined
  let panel: Panel | undefined
  let isOpen = options.open === true

  /** The devtools of other clients of the page. */
  const findOthers = () =>
    [...document.querySelectorAll<DevtoolsElement>(tagName)].filter((each) => each !== element)

  const openPanel = async () => {
    isOpen = true
    const module = await import('./panel/Panel.ts')
    // Closed or removed while it was loaded.
    if (!isOpen || !recorder) {
      return
    }
    panel ??= new module.Panel(recorder, container, closePanel)
    for (const other of findOthers()) {
      other.connection?.close?.()
    }
    launcher.hidden = true
    panel.open()
  }
  const closePanel = () => {
    isOpen = false
    // Otherwise the user may be typing in the page.
    const hasFocus = root.activeElement !== null
    panel?.close()
    launcher.hidden = false
    if (hasFocus) {
      button.focus()
    }
  }
  const openByUser = async () => {
    await openPanel()
    panel?.focus()
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (shortcut.matches(event)) {
      event.preventDefault()
      if (isOpen) {
        closePanel()
      } else {
        void openByUser()
      }
    }
  }
  button.addEventListener('click', () => void openByUser())
  /** Shows the launcher in a row that no other devtools of the page have. */
  const arrange = () => {
    const rows = findOthers().map((other) => other.connection?.row)
    const row = Array.from({ length: rows.length + 1 }, (_, index) => index).find(
      (index) => !rows.includes(index),
    )!
    element.style.setProperty('--row', String(row))
    const suffix = row === 0 ? '' : ` ${row + 1}`
    launcher.setAttribute('aria-label', `Headwater devtools${suffix}`)
    button.textContent = `Devtools${suffix}`
    button.removeAttribute('aria-keyshortcuts')
    connection.row = row
  }
  /** Takes the shortcut unless devtools of the page have it. */
  const claimShortcut = () => {
    const { text } = shortcut
    if ([element, ...findOthers()].some((each) => each.connection?.shortcut === text)) {
      return
    }
    connection.shortcut = text
    const hint = document.createElement('kbd')
    hint.textContent = text
    button.append(' ', hint)
    button.setAttribute('aria-keyshortcuts', text.replace('Ctrl', 'Control'))
    // Before the panel, which keeps the keys that are typed in it from the page.
    document.addEventListener('keydown', onKeyDown, true)
  }
  const connection: Connection = {
    close() {
      if (isOpen) {
        closePanel()
      }
    },
    claimShortcut,
    connect() {
      followTheme(container)
      recorder = new Recorder(client)
      arrange()
      claimShortcut()
      if (isOpen) {
        void openPanel()
      }
    },
    disconnect() {
      document.removeEventListener('keydown', onKeyDown, true)
      panel?.close()
      panel = undefined
      recorder?.stop()
      recorder = undefined
      connection.shortcut = undefined
      for (const other of findOthers()) {
        other.connection?.claimShortcut?.()
      }
    },
  }
  element.connection = connection
  return element
}

/** What is optional may be missing in that of another version of this package. */
interface Connection {
  connect(): void
  disconnect(): void
  /** Closes the panel, which would be below that of another client. */
  close?(): void
  /** Takes the shortcut unless others have it. */
  claimShortcut?(): void
  /** Row of the launcher. */
  row?: number
  /** The shortcut, unless others have it. */
  shortcut?: string | undefined
}

interface DevtoolsElement extends HTMLElement {
  /** A property, as another copy of this package may have defined the element. */
  connection?: Connection
}

/** Defines the element once; not at module level, as a server has no `HTMLElement`. */
function define(): string {
  if (!customElements.get(tagName)) {
    customElements.define(
      tagName,
      class extends HTMLElement {
        connection?: Connection

        connectedCallback(): void {
          this.connection?.connect()
        }

        disconnectedCallback(): void {
          this.connection?.disconnect()
        }
      },
    )
  }
  return tagName
}
