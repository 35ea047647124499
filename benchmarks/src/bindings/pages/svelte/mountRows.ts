import { type Component, mount } from 'svelte'
import { root } from '../kit/page.ts'
import Rows from './Rows.svelte'

/**
 * Mounts the components of a page.
 *
 * @param provide - Called during the initialization of their parent.
 */
export function mountRows(Row: Component, provide: () => void = () => {}): void {
  mount(Rows, { target: root, props: { Row, provide } })
}
