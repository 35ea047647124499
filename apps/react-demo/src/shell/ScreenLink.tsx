import type { ComponentProps, MouseEvent } from 'react'
import { hrefOf, isPlainClick, type Link, link$, openLink } from '@headwater/demo-kit'
import { useValue } from '../hooks/useValue.ts'

interface ScreenLinkProps extends ComponentProps<'a'> {
  to: Partial<Link>
  'data-testid'?: string
}

/** A link to a screen. It has an href, so that it opens in a new tab, and navigates without a page load. */
export function ScreenLink({ to, ...props }: ScreenLinkProps) {
  // Fields that the link omits keep their value of the current URL.
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
