const storageKey = 'headwater-framework'

/** Tabs that are a choice of the reader: the same in all groups. Others, such as file names, are of one group. */
const choices = ['React', 'Vue', 'Svelte', 'Core']

/** Selects the tab of a framework in all code groups of the page. */
function select(choice: string): void {
  for (const label of document.querySelectorAll(`.vp-code-group label[data-title="${choice}"]`)) {
    const input = document.getElementById(label.getAttribute('for')!) as HTMLInputElement | null
    if (input && !input.checked) {
      input.click()
    }
  }
}

/** Selects the tabs of the framework that the reader chose last. */
export function restoreChoice(): void {
  const choice = localStorage.getItem(storageKey)
  if (choice !== null && choices.includes(choice)) {
    select(choice)
  }
}

/** A choice of the reader holds for all code groups, for all pages, and for the next visit. */
export function listenToChoices(): void {
  document.addEventListener('change', ({ target, isTrusted }) => {
    const input = target as HTMLElement
    const choice = input
      .closest('.vp-code-group')
      ?.querySelector(`label[for="${input.id}"]`)
      ?.getAttribute('data-title')
    // Not those of `select`.
    if (isTrusted && choice && choices.includes(choice)) {
      localStorage.setItem(storageKey, choice)
      const { top } = input.getBoundingClientRect()
      select(choice)
      // Groups above may have become longer or shorter.
      window.scrollBy(0, input.getBoundingClientRect().top - top)
    }
  })
}
