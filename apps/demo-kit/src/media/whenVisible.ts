/**
 * Calls a function each time an element comes close to the viewport, such as the end of a list with more pages.
 *
 * @returns A function that stops observing.
 */
export function whenVisible(element: Element, callback: () => void): () => void {
  const observer = new IntersectionObserver(
    (entries) => {
      if (entries.some(({ isIntersecting }) => isIntersecting)) {
        callback()
      }
    },
    { rootMargin: '800px' },
  )
  observer.observe(element)
  return () => observer.disconnect()
}
