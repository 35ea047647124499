/**
 * Calls back each time an element comes near the part of the page that is seen, such as the end of a list that has more.
 *
 * @returns Stops it.
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
