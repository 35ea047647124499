import type { ComponentProps, MouseEvent } from 'react'
import { hrefOf, isPlainClick, type Link, link$, openLink } from '@headwater/demo-kit'
import { useValue } from '../hooks/useValue.ts'

interface ScreenLinkProps extends ComponentProps<'a'> {
  to: Partial<Link>
  'data-testid'?: string
}

/** A link to a place in this page: a true one, which a new tab can take, followed without loading the page anew. */
export function ScreenLink({ to, ...props }: ScreenLinkProps) {
  // What a link leaves open is what the page's address says now.
  useValue(link$)

  function follow(event: MouseEvent) {
    if (!isPlainClick(event.nativeEvent)) {
      return
    }
    event.preventDefault()
    openLink(to)
  }

  return <a {...props} href={hrefOf(to)} onClick={follow} />
}
