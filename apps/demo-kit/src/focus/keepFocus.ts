/**
 * Keeps the focus across an update of the page: an element that the update moves loses it.
 *
 * @returns A function that restores the focus after the update, unless another element has it.
 */
export function keepFocus(): () => void {
  const { activeElement: focused } = document
  return () => {
    if (focused instanceof HTMLElement && document.activeElement === document.body) {
      // Without effect if the element was removed.
      focused.focus({ preventScroll: true })
    }
  }
}
