import { Fragment, type FunctionComponent, type PropsWithChildren } from 'react'
import { createRoot } from 'react-dom/client'
import { components } from '../kit/components.ts'
import { root } from '../kit/page.ts'

/** Mounts the components of a page. */
export function mountRows(
  Row: FunctionComponent,
  Provider: FunctionComponent<PropsWithChildren> = Fragment,
): void {
  const rows = Array.from({ length: components }, (_, index) => <Row key={index} />)
  createRoot(root).render(<Provider>{rows}</Provider>)
}
