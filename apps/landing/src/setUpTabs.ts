/** Sets up the tabs of the screens (with arrow keys, Home and End), and the framework switch of narrow viewports. */
export function setUpTabs(): void {
  const tabs = [...document.querySelectorAll<HTMLButtonElement>('[data-screen]')]
  const select = (selected: HTMLButtonElement) => {
    for (const tab of tabs) {
      const isSelected = tab === selected
      tab.ariaSelected = String(isSelected)
      tab.tabIndex = isSelected ? 0 : -1
      document.getElementById(tab.getAttribute('aria-controls')!)!.hidden = !isSelected
    }
  }
  for (const [index, tab] of tabs.entries()) {
    tab.addEventListener('click', () => select(tab))
    tab.addEventListener('keydown', ({ key }) => {
      const to = { ArrowLeft: index - 1, ArrowRight: index + 1, Home: 0, End: -1 }[key]
      if (to === undefined) {
        return
      }
      const next = tabs.at(to % tabs.length)!
      select(next)
      next.focus()
    })
  }

  const switches = [...document.querySelectorAll<HTMLButtonElement>('[data-show]')]
  for (const button of switches) {
    button.addEventListener('click', () => {
      document.documentElement.dataset.framework = button.dataset.show!
      for (const other of switches) {
        other.ariaPressed = String(other === button)
      }
    })
  }
}
