import { type Component, mount } from 'svelte'
import { root } from '../kit/page.ts'
import Rows from './Rows.svelte'

/**
 * Mounts a component as often as a page of the bench has it.
 *
 * @param provide - Called while their parent is made.
 */
export function mountRows(Row: Component, provide: () => void = () => {}): void {
  mount(Rows, { target: root, props: { Row, provide } })
}
