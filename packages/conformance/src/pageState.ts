/** Sets the visibility of the page like a browser: the state of the document, and an event. */
export function setVisible(isVisible: boolean): void {
  const visibilityState = isVisible ? 'visible' : 'hidden'
  if (document.visibilityState === visibilityState) {
    return
  }
  Object.defineProperty(document, 'visibilityState', { configurable: true, value: visibilityState })
  document.dispatchEvent(new Event('visibilitychange', { bubbles: true }))
}

/** Dispatches the event of a network change. */
export function setOnline(isOnline: boolean): void {
  window.dispatchEvent(new Event(isOnline ? 'online' : 'offline'))
}
