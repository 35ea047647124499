import type { Client } from '@headwater/core'
import type { Panel } from './panel/Panel.ts'
import { Recorder } from './Recorder.ts'
import { parseShortcut, type Shortcut } from './shortcut.ts'
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
  element.connection = new Devtools(client, element, shortcut, options.open === true)
  return element
}

/** The devtools of an element. The optional members may be missing in another version of this package. */
interface Connection {
  connect(): void
  disconnect(): void
  /** Closes the panel, as the panel of another client would cover it. */
  close?(): void
  /** Claims the shortcut unless other devtools have it. */
  claimShortcut?(): void
  /** Row of the launcher. */
  readonly row?: number | undefined
  /** The claimed shortcut. */
  readonly shortcut?: string | undefined
}

/** The launcher and the panel of a client. */
class Devtools implements Connection {
  row: number | undefined
  shortcut: string | undefined
  readonly #client: Client
  readonly #element: HTMLElement
  readonly #root: ShadowRoot
  readonly #shortcut: Shortcut
  readonly #launcher = document.createElement('section')
  readonly #button = document.createElement('button')
  readonly #container = document.createElement('div')
  #recorder: Recorder | undefined
  #panel: Panel | undefined
  #isOpen: boolean

  constructor(client: Client, element: HTMLElement, shortcut: Shortcut, isOpen: boolean) {
    this.#client = client
    this.#element = element
    this.#shortcut = shortcut
    this.#isOpen = isOpen
    this.#root = element.attachShadow({ mode: 'open' })
    adoptStyles(this.#root)
    this.#launcher.className = 'launcher'
    this.#button.type = 'button'
    this.#button.dataset.testid = 'devtools-open'
    this.#button.addEventListener('click', () => void this.#openByUser())
    this.#launcher.append(this.#button)
    this.#root.append(this.#launcher, this.#container)
  }

  connect(): void {
    followTheme(this.#container)
    this.#recorder = new Recorder(this.#client)
    this.#showLauncher()
    this.claimShortcut()
    if (this.#isOpen) {
      void this.#open()
    }
  }

  disconnect(): void {
    document.removeEventListener('keydown', this.#onKeyDown, true)
    this.#panel?.close()
    this.#panel = undefined
    this.#recorder?.stop()
    this.#recorder = undefined
    this.shortcut = undefined
    for (const other of this.#findOthers()) {
      other.connection?.claimShortcut?.()
    }
  }

  close(): void {
    if (!this.#isOpen) {
      return
    }
    this.#isOpen = false
    // Otherwise the user may be typing in the page.
    const hasFocus = this.#root.activeElement !== null
    this.#panel?.close()
    this.#launcher.hidden = false
    if (hasFocus) {
      this.#button.focus()
    }
  }

  claimShortcut(): void {
    const { text } = this.#shortcut
    const others = this.#findOthers().map((other) => other.connection?.shortcut)
    if (this.shortcut === text || others.includes(text)) {
      return
    }
    this.shortcut = text
    const hint = document.createElement('kbd')
    hint.textContent = text
    this.#button.append(' ', hint)
    this.#button.setAttribute('aria-keyshortcuts', text.replace('Ctrl', 'Control'))
    // Before the panel, which keeps the keys that are typed in it from the page.
    document.addEventListener('keydown', this.#onKeyDown, true)
  }

  /** The devtools of other clients of the page. */
  #findOthers(): DevtoolsElement[] {
    const all = document.querySelectorAll<DevtoolsElement>(tagName)
    return [...all].filter((each) => each !== this.#element)
  }

  /** Shows the launcher in the first free row. */
  #showLauncher(): void {
    const rows = this.#findOthers().map((other) => other.connection?.row)
    let row = 0
    while (rows.includes(row)) {
      row++
    }
    this.row = row
    this.#element.style.setProperty('--row', String(row))
    const suffix = row === 0 ? '' : ` ${row + 1}`
    this.#launcher.setAttribute('aria-label', `Headwater devtools${suffix}`)
    this.#button.textContent = `Devtools${suffix}`
    this.#button.removeAttribute('aria-keyshortcuts')
  }

  async #open(): Promise<void> {
    this.#isOpen = true
    const module = await import('./panel/Panel.ts')
    // Closed or removed while it was loaded.
    if (!this.#isOpen || !this.#recorder) {
      return
    }
    this.#panel ??= new module.Panel(this.#recorder, this.#container, () => this.close())
    for (const other of this.#findOthers()) {
      other.connection?.close?.()
    }
    this.#launcher.hidden = true
    this.#panel.open()
  }

  async #openByUser(): Promise<void> {
    await this.#open()
    this.#panel?.focus()
  }

  readonly #onKeyDown = (event: KeyboardEvent): void => {
    if (!this.#shortcut.matches(event)) {
      return
    }
    event.preventDefault()
    if (this.#isOpen) {
      this.close()
    } else {
      void this.#openByUser()
    }
  }
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
