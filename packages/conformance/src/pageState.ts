/** Hides or shows the page, as the browser does it: a state of the document, and an event. */
export function setVisible(isVisible: boolean): void {
  const visibilityState = isVisible ? 'visible' : 'hidden'
  if (document.visibilityState === visibilityState) {
    return
  }
  Object.defineProperty(document, 'visibilityState', { configurable: true, value: visibilityState })
  document.dispatchEvent(new Event('visibilitychange', { bubbles: true }))
}

/** Says that the network went or came. */
export function setOnline(isOnline: boolean): void {
  window.dispatchEvent(new Event(isOnline ? 'online' : 'offline'))
}
